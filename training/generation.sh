#!/usr/bin/env bash
# Makes one generation of the network: games, sets, network, match. See training/README.md.
#
# usage: training/generation.sh N FOLDER [more options of tuzdyq-training...]
# GAMES, NODES and THREADS may be set in the environment.
set -euo pipefail
cd "$(dirname "$0")/.."
number=${1:?the number of the generation, from 1}
folder=${2:?the folder for the files}
shift 2
games=${GAMES:-22000} nodes=${NODES:-3000} threads=${THREADS:-2}
before=$((number - 1))

cargo build --release --workspace --locked
bin=${CARGO_TARGET_DIR:-target}/release
mkdir -p "$folder"

if ((before == 0)); then
  player=(--classic) rival=UseNetwork=false
else
  player=(--eval-file "$folder/network-$before.tqn") rival="EvalFile=$folder/network-$before.tqn"
fi
"$bin/tuzdyq" datagen --games "$games" --nodes "$nodes" --seed "$number" "${player[@]}" --threads "$threads" \
  --out "$folder/games-$number.tqd"
"$bin/tuzdyq" datagen shuffle "$folder/games-$number.tqd" --share 30 --seed "$number" \
  --training "$folder/training-$number.tqd" --validation "$folder/validation-$number.tqd"

# Games of weaker networks count less, and those of much weaker ones not at all.
data=("$folder/training-$number.tqd")
for ((older = number - 1; older >= 1 && older >= number - 3; older--)); do
  data+=("$folder/training-$older.tqd=0.$((30 * (4 - number + older) / 3))")
done
# A match that was interrupted goes on with the network that is there.
network=$folder/network-$number.tqn
if [[ ! -e $network ]]; then
  "$bin/tuzdyq-training" "${data[@]}" --validation "$folder/validation-$number.tqd" --name "generation $number" \
    --threads "$threads" --out "$network" "$@"
fi

"$bin/tuzdyq" match --engine self --engine self --option1 "EvalFile=$network" \
  --option2 "$rival" --nodes 25000 --games 400 --openings positions/openings.txt --seed "$number" \
  --concurrency "$threads" --resume "$folder/match-$number.log"
