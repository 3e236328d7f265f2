#!/usr/bin/env bash
# Measures reading: export, open and schema dump, compared with the reference engine's JSON tool if there is one.
#
#   Benchmarks/read.sh BINARY FILE [ENGINE_JSON_TOOL]
set -euo pipefail
binary=$1 file=$2 engine=${3:-}
here=$(dirname "$0")

for cpus in 0 0,1; do
  echo "### export on processor $cpus"
  commands=()
  [ -z "$engine" ] || commands+=("engine=$engine $file")
  for format in core json typed-ndjson; do commands+=("$format=$binary export $file --format $format"); done
  commands+=("csv, one class=$binary export $file --format csv --only Person")
  python3 "$here/compare.py" --cpus "$cpus" "${commands[@]}"
done

echo "### open and schema dump"
sparse=$(mktemp -d)/sparse.realm
trap 'rm -rf "$(dirname "$sparse")"' EXIT
# A normal-form realm may be longer than its content: size must not matter.
cp "$file" "$sparse"
truncate -s 10G "$sparse"
python3 "$here/compare.py" --runs 21 --cpus 0 \
  "open=$binary open $file" "open, 10 GB sparse=$binary open $sparse" \
  "schema dump=$binary schema dump $file" "schema dump, 10 GB sparse=$binary schema dump $sparse"
