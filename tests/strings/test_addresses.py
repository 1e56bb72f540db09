"""No credential is shown, in whatever form an address has it."""

import itertools
import random
from urllib.parse import quote

import pytest

from rankdash.strings import showable

#: Addresses with a secret in them, in every form that a database, a driver or a storage reads.
FORMS = {
    "a password": "postgresql://ann:SECRET@db/team",
    "a password alone": "postgresql://:SECRET@db/team",
    "an option": "postgresql://db/team?password=SECRET",
    "an option without a host": "postgresql:///team?host=/run&password=SECRET",
    "keywords": "host=db user=ann password=SECRET dbname=team",
    "keywords behind a scheme": "postgresql://host=db password=SECRET",
    "no host": "postgresql://ann:SECRET",
    "an encoded sign": "postgresql://ann:SECRET%40db/team",
    "no scheme": "ann:SECRET@db/team",
    "a fragment": "postgresql://db/team#SECRET",
    "parameters": "sc://db:15002/;token=SECRET;user_id=ann",
    "several hosts": "postgresql://ann:SECRET@db1:5432,db2:5432/team",
    "a key with a slash": "s3://KEY:SEC/RET/SECRET@bucket/folder",
    "a key in an option": "s3://bucket/folder?access_key=KEY&secret_key=SECRET",
    "a question mark in a password": "postgresql://ann:x?SECRET@db/team",
    "an at sign in a password": "postgresql://ann:x@SECRET@db/team",
    "a backslash": "postgresql://db\\ann:SECRET/team",
    "no address": "SECRET",
    "another database": "mysql+pymysql://ann:SECRET@db/team?ssl_key=SECRET",
    "a cipher": "sqlite+pysqlcipher://:SECRET@/team.db?cipher=aes",
}


@pytest.mark.parametrize("form", FORMS)
def test_no_form_of_an_address_shows_its_secret(form: str) -> None:
    """Neither the secret nor a part of it is in what is shown, as it is or encoded."""
    for secret in ("SECRET", "p%40ss%2Fw", "naïve-пароль"):
        shown = showable(FORMS[form].replace("SECRET", secret))
        assert secret not in shown
        assert "KEY" not in shown
        assert "ann" not in shown


@pytest.mark.parametrize("seed", range(5))
def test_no_password_is_shown_whatever_it_holds(seed: int) -> None:
    """A password of any signs, encoded or not, and an address of any parts: none of its words is shown."""
    chance = random.Random(seed)
    signs = [*"@:/?#[]&=;%+ ,'\"\\", "%40", "%3A", "://"]
    for _ in range(2_000):
        words = [f"w{n}w" for n in range(3)]
        between = [chance.choice(signs) for _ in range(2)]
        password = words[0] + between[0] + words[1] + between[1] + words[2]
        written = quote(password, safe="") if chance.random() < 0.5 else password
        url = chance.choice(("postgresql://ann:{}@db/team", "s3://key:{}@bucket/a?region=x", "sc://:{}@db:15002"))
        assert not any(word in showable(url.format(written)) for word in words), url.format(written)


def test_where_something_is_is_shown() -> None:
    """Scheme, hosts, ports and path stand in a message, so that whoever reads it knows which place is meant."""
    for url in ("postgresql://db:5432/team", "s3://bucket/a/b", "postgresql://db1,db2:5432/team", "http://[::1]:80/x"):
        assert showable(url) == url
    options = ("", "?sslmode=require", "#x", ";token=1")
    assert {showable(f"sc://ann:x@db:15002{more}") for more in options} == {"sc://db:15002"}
    assert all(showable(text) == "…" for text in itertools.chain(("", "x", "a=b"), ("://", "1://x")))
