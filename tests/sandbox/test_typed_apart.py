"""What is typed or pasted is read within limits, and takes no longer for each letter."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from rankdash.reading.typed import TypedError, read_typed
from tests.growth import near_linear
from tests.long import every

Texts = tuple[str, ...]
#: Texts that were typed, by what is worst in them: the fields with about n letters.
TYPED: dict[str, Callable[[int], Texts]] = {
    "a long list": lambda n: ("3 2 1 0 " * (n // 8), "3", "", ""),
    "named documents": lambda n: ("\n".join(f"d{i}:3" for i in range(n // 9)), "d1:2", "", ""),
    "empty lines": lambda n: ("\n" * n + "3", "2", "", ""),
    "brackets without an end": lambda n: ("[(" * (n // 2), "2", "", ""),
    "votes with ids": lambda n: ("", "", "", "\n".join(f"q{i}\tgood" for i in range(n // 11))),
    "other words": lambda n: ("", "", "", "\n".join(f"x{i},y{i}" for i in range(n // 12))),
    "columns of raters": lambda n: ("", "", "", "q," + ",".join(f"r{i}" for i in range(n // 12)) + "\nq" + ",good" * n),
}


@pytest.mark.parametrize("kind", every(3, TYPED))
def test_what_is_typed_takes_no_longer_for_each_letter(kind: str) -> None:
    """Four times the text takes about four times as long, whatever is in it."""

    def work(texts: Texts) -> None:
        with suppress(TypedError):
            read_typed(texts)

    near_linear(lambda n: (TYPED[kind](n),), work, 4_000)


def test_a_long_text_is_refused_before_it_is_read() -> None:
    """A text that is longer than a person types is refused at once, and the sentence says what to do."""
    with pytest.raises(TypedError, match=r"More than 50,000 letters .* Save them as a file"):
        read_typed(("3\n" * 500_000, "2\n", "", ""))
