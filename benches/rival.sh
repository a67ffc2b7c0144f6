#!/usr/bin/env bash
# Measures tuzdyq beside a rival in one run, because absolute times are not stable on a shared machine:
#
#   benches/rival.sh RIVAL [ROUNDS]
#
# RIVAL is a program that speaks `position startpos`, `go depth N` and `perft N`. Each figure is the median over the
# rounds of the ratio within a round.
set -euo pipefail
rival=${1:?usage: benches/rival.sh RIVAL [ROUNDS]}
rounds=${2:-9}
here=$(cd "$(dirname "$0")/.." && pwd)
cargo build --release --quiet --locked --manifest-path "$here/Cargo.toml"
own=${CARGO_TARGET_DIR:-$here/target}/release/tuzdyq

median() { sort -g | awk '{ a[NR] = $1 } END { printf "%.2f", a[int((NR + 1) / 2)] }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'; }
# The number after a word in the last line of input that has the word.
field() { awk -v word="$1" '{ for (i = 1; i < NF; i++) if ($i == word) value = $(i + 1) } END { print value }'; }
# Keeps the input open until the answer is there: not every program finishes a search at the end of its input.
search() { printf 'position startpos\ngo depth 20\nquit\n' | "$rival"; }

: > /tmp/rival.$$.log
trap 'rm -f /tmp/rival.$$.log' EXIT
for ((round = 0; round < rounds; round++)); do
  rival_perft=$(printf 'position startpos\nperft 9\nquit\n' | "$rival" | field nps)
  one=$("$own" perft 9 | field nps)
  two=$("$own" perft 9 --threads 2 | field nps)
  rival_search=$(search)
  own_search=$("$own" go depth 20)
  single=$("$own" go movetime 2000 | field nps)
  double=$("$own" go movetime 2000 --threads 2 | field nps)
  {
    echo "perft $(ratio "$one" "$rival_perft")"
    echo "perft2 $(ratio "$two" "$one")"
    echo "nps $(ratio "$(field nps <<< "$own_search")" "$(field nps <<< "$rival_search")")"
    echo "depth20 $(ratio "$(grep '^info depth 20 ' <<< "$own_search" | field time)" "$(grep '^info depth 20 ' <<< "$rival_search" | field time)")"
    echo "nps2 $(ratio "$double" "$single")"
  } >> /tmp/rival.$$.log
done
figure() { printf '%-52s %s\n' "$2" "$(awk -v key="$1" '$1 == key { print $2 }' /tmp/rival.$$.log | median)"; }
figure perft "perft 9, leaves a second, tuzdyq / rival"
figure perft2 "perft 9, leaves a second, two threads / one"
figure nps "go depth 20, nodes a second, tuzdyq / rival"
figure depth20 "go depth 20, time, tuzdyq / rival"
figure nps2 "go movetime 2000, nodes a second, two threads / one"
