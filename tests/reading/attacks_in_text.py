"""More attacks of at most 1 MB: texts whose signs, lines and quotes are nothing that anybody writes."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable

MEGABYTE = 1_000_000
CSV = "query_id,doc_id,rank\n"
#: Marks that stand on the letter before them, of falling classes, so that putting them in order moves every one.
MARKS = "̛̖̀̕"
SIGNS = ",;\t| "


def lines_up_to(lines: Iterable[str], begin: str = "", size: int = MEGABYTE) -> bytes:
    """Lines until a size is reached, behind a beginning."""
    found, length = [begin], len(begin.encode())
    for line in lines:
        length += len(line.encode()) + 1
        if length > size:
            break
        found.append(line + "\n")
    return "".join(found).encode()


def marked(count: int) -> str:
    """A letter with marks in an order that is no canonical one."""
    return "a" + "".join(itertools.islice(itertools.cycle(MARKS), count))


def numbered(line: str) -> Iterable[str]:
    """A line with a number in it, again and again."""
    return (line.format(i=i) for i in itertools.count())


def other_signs() -> Iterable[str]:
    """Lines that are cut by another sign each."""
    return (SIGNS[i % 5].join(("q", f"d{i}", str(i))) for i in itertools.count())


def at_random(signs: str, seed: int = 1) -> bytes:
    """Signs at random."""
    return "".join(random.Random(seed).choices(signs, k=MEGABYTE)).encode()[:MEGABYTE]


IN_TEXT: dict[str, Callable[[], bytes]] = {
    "marks-id.csv": lambda: lines_up_to(numbered("q,{i}" + marked(4_900) + ",1"), CSV),
    "marks-query.csv": lambda: lines_up_to(numbered("{i}" + marked(4_900) + ",a,1"), CSV),
    "marks-heading.csv": lambda: ("query_id,doc_id," + marked(480_000) + "\nq,a,1\n").encode(),
    "marks-headings.csv": lambda: (CSV.strip() + ("," + marked(5_000)) * 95 + "\nq,a,1\n").encode(),
    "marks-cell.csv": lambda: (CSV + "q," + marked(480_000) + ",1\n").encode(),
    "marks-vote.csv": lambda: ("query_id,vote\nq," + marked(480_000) + "\n").encode(),
    "marks-votes.csv": lambda: lines_up_to(numbered("q{i}," + marked(4_000)), "query_id,vote\n"),
    "marks-grade.csv": lambda: ("query_id,doc_id,relevance\nq,a," + marked(480_000) + "\n").encode(),
    "marks-number.csv": lambda: ("query_id,doc_id,score\nq,a,1" + marked(480_000) + "\n").encode(),
    "marks.json": lambda: ('[{"query_id":"q","' + marked(480_000) + '":"a"}]').encode(),
    "marks.txt": lambda: marked(490_000).encode(),
    "marks.xml": lambda: ("<a " + marked(490_000) + ">").encode(),
    "widening.csv": lambda: lines_up_to(numbered("{i}" + "ﷺ" * 3_000 + ",a,1"), CSV),
    "widening-heading.csv": lambda: ("query_id,doc_id," + "ﷺ" * 320_000 + "\nq,a,1\n").encode(),
    "turning.csv": lambda: lines_up_to(numbered("q,‮d{i}⁦,1"), CSV),
    "separators.csv": lambda: lines_up_to(numbered("q,d{i}\u2028\u2029\x0b\x0c\x1c\x85,1"), CSV),
    "zero-width.csv": lambda: lines_up_to(numbered("q​‌‍﻿,d{i},1"), CSV),
    "emoji.csv": lambda: lines_up_to(numbered("q,👩‍👩‍👧‍👦{i},1"), CSV),
    "other-signs.csv": lambda: lines_up_to(other_signs()),
    "random-signs.csv": lambda: at_random(',;\t|"\' \n\ra1'),
    "random-quotes.csv": lambda: at_random('"",\n'),
    "random-brackets.txt": lambda: at_random('[]{}(),:"\n '),
    "random-digits.txt": lambda: at_random("0123456789.eE+- \n"),
    "line-ends.csv": lambda: (CSV + "q,a,1\rq,b,2\r\nq,c,3\n" * 50_000).encode(),
    "nothing.csv": lambda: (CSV + "q,\0a,1\n" * 110_000).encode(),
    "ends.csv": lambda: (CSV + "\x1a" * 990_000).encode(),
    "tabs.csv": lambda: ("\t" * 999 + "\n").encode() * 1_000,
    "pipes.csv": lambda: ("|" * 999 + "\n").encode() * 1_000,
    "number.txt": lambda: b"1" * MEGABYTE,
    "numbers.txt": lambda: b"1\n" * 500_000,
    "number-line.txt": lambda: b"1 " * 500_000,
    "number-named.txt": lambda: b"scores\n" + b"9" * 999_000 + b"\n",
    "digits-rank.csv": lambda: CSV.encode() + b"q,a," + b"9" * 990_000 + b"\n",
    "digits-id.csv": lambda: lines_up_to(numbered("{i},{i},{i}"), CSV),
    "digits-other.csv": lambda: ("query_id,doc_id,score\n" + "q,a," + "٣" * 490_000 + "\n").encode(),
    "points.csv": lambda: ("query_id,doc_id,score\n" + "q,a," + "1." * 490_000 + "\n").encode(),
    "thousands.csv": lambda: ('query_id,doc_id,score\nq,a,"' + "1," * 490_000 + '1"\n').encode(),
    "fraction.csv": lambda: ("query_id,doc_id,relevance\nq,a," + "1/" * 490_000 + "1\n").encode(),
    "hex.csv": lambda: ("query_id,doc_id,score\nq,a,0x" + "f" * 980_000 + "\n").encode(),
    "below.csv": lambda: ("query_id,doc_id,score\nq,a,1" + "_1" * 490_000 + "\n").encode(),
    "quotes-doubled.csv": lambda: (CSV + 'q,"' + '""' * 490_000 + '",1\n').encode(),
    "quotes-inside.csv": lambda: (CSV + 'q,a"b"c,1\n' * 95_000).encode(),
    "quotes-turned.csv": lambda: (CSV + "q,“a” ‘b’,1\n" * 45_000).encode(),
    "quote-line-ends.csv": lambda: (CSV + 'q,"a\r\n\r\n\r\n",1\r\n' * 60_000).encode(),
    "escaped.csv": lambda: (CSV + 'q,"a\\"b\\\\",1\n' * 70_000).encode(),
    "armoured.csv": lambda: (CSV + '="q","=""a""",1\n' * 60_000).encode(),
    "disarmed.csv": lambda: ("query_id,doc_id,rank,disarmed\n" + "q,'=a,1,doc_id\n" * 65_000).encode(),
    "equals.csv": lambda: (CSV + "q," + "=" * 9_000 + ",1\n").encode() * 100,
    "percent.csv": lambda: (CSV + "q,%s%n%d%x{0}{1}${a},1\n" * 38_000).encode(),
    "markup.xml": lambda: b"<a>" * 333_000,
    "page.html": lambda: b"<html><table>" + b"<tr><td>q<td>d" * 70_000,
    "comment.xml": lambda: b"<?xml version='1.0'?><!--" + b"-" * 990_000,
    "yaml.txt": lambda: b"".join(b"a%d: &a%d [*a0, *a0]\n" % (i, i) for i in range(35_000)),
    "utf-16-be.csv": lambda: (CSV + "q,a,1\n" * 80_000).encode("utf-16-be"),
    "utf-32.csv": lambda: (CSV + "q,a,1\n" * 40_000).encode("utf-32-le"),
    "utf-7.csv": lambda: (CSV + "q,+AGE-,1\n" * 90_000).encode(),
    "half-cut.csv": lambda: (CSV + "q,文,1\n" * 110_000).encode()[:-3] + b"\xe6\x96",
    "one-byte-late.csv": lambda: (CSV + "q,a,1\n" * 160_000).encode() + b"\xff",
    "mixed-late.csv": lambda: (CSV + "q,é,1\n" * 120_000).encode() + b"\xe9\n" * 1_000,
    "sizes.letor": lambda: lines_up_to(numbered("1 qid:{i} " + "9" * 400 + ":1")),
    "words.letor": lambda: lines_up_to(numbered("1 qid:q" + "x" * 900 + "{i} 1:1")),
    "comments.letor": lambda: lines_up_to(numbered("1 qid:1 1:1 # " + "docid = d{i} " * 9)),
    "wide.letor": lambda: lines_up_to("1 qid:1 " + " ".join(f"{j}:1" for j in range(1, 9_000)) for _ in range(99)),
    "late.letor": lambda: b"1 qid:1 1:1\n" * 80_000 + b"x" * 900,
    "trec-five.txt": lambda: lines_up_to(numbered("q Q0 d{i} 1 1")),
    "trec-long.txt": lambda: lines_up_to(numbered("q Q0 " + "d" * 9_900 + "{i} 1 1 t")),
    "trec-queries.txt": lambda: lines_up_to(numbered("{i} Q0 d 1 1 t")),
    "qrels-twice.txt": lambda: lines_up_to(numbered("q {i} d 1")),
    "qrels-subtopics.txt": lambda: lines_up_to(f"q {i % 997} d{i % 13} 1" for i in itertools.count()),
    "blocks.txt": lambda: lines_up_to(numbered("Query {i}:\n1. d\n")),
    "marked-list.txt": lambda: lines_up_to(numbered("- [{i}](http://a) **b**")),
    "pairs.csv": lambda: lines_up_to(numbered("q{i},m{i},n{i},m{i}"), "query_id,model_a,model_b,winner\n"),
    "raters.csv": lambda: lines_up_to(numbered("q,r{i},good"), "query_id,rater,vote\n"),
    "alike.csv": lambda: lines_up_to((f"{'Aa'[i % 2]}{i // 2},d,1" for i in itertools.count()), CSV),
    "list-deep.csv": lambda: ('query_id,docs\nq,"' + "[" * 100_000 + "]" * 100_000 + '"\n').encode(),
    "list-many.csv": lambda: ("query_id,docs\n" + 'q,"[a, b, c, d]"\n' * 55_000).encode(),
    "list-escaped.csv": lambda: ("query_id,docs\nq,\"['" + "\\\\" * 400_000 + "']\"\n").encode(),
    "list-tuples.csv": lambda: ("query_id,docs\nq,\"[" + "('a',1)," * 120_000 + "('a',1)]\"\n").encode(),
    "dict-cell.csv": lambda: ("query_id,docs\nq,\"{" + "'a':1," * 160_000 + "'b':1}\"\n").encode(),
    "json-cell.csv": lambda: ('query_id,docs\nq,"[' + '""a"",' * 160_000 + '""b""]"\n').encode(),
    "spaced-list.csv": lambda: ("query_id,docs\nq," + "d " * 490_000 + "\n").encode(),
}  # fmt: skip
