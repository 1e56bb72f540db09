#!/bin/sh
# trec_eval, two processes in turn. It prints four decimals and computes no intervals.
# -c: judged queries that a run lacks count as 0. Duplicates: it stops at a document that stands twice.
set -e
measures="-m ndcg_cut.10 -m map -m P.10 -m recip_rank -m recall.100"
trec_eval -q -c $measures "$3" "$1" > "$4.a.txt"
trec_eval -q -c $measures "$3" "$2" > "$4.b.txt"
