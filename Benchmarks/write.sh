#!/usr/bin/env bash
# Measures writing: whole copies, plain and encrypted, and seeds built from JSON.
#
#   [ENGINE=DRIVER] Benchmarks/write.sh BINARY FILE [DISK_FOLDER]
#
# DRIVER is a program that lets the reference engine copy a realm: DRIVER copy FILE --to DEST [--out-key KEY_FILE]
# [--repeat N], which prints what it took. Copies go to memory first, where bringing them to the disk costs nothing, then to
# DISK_FOLDER (the folder for temporary files unless given), where that counts.
set -euo pipefail
binary=$1 file=$2 disk=${3:-${TMPDIR:-/tmp}} engine=${ENGINE:-}
here=$(dirname "$0")
memory=$(mktemp -d "$([ -d /dev/shm ] && echo /dev/shm || echo "$disk")/write.XXXXXX")
disk=$(mktemp -d "$disk/write.XXXXXX")
trap 'rm -rf "$memory" "$disk"' EXIT
cp "$file" "$memory/source.realm"
chmod u+w "$memory/source.realm"
source=$memory/source.realm key=$memory/key copy=$memory/copy.realm
head -c 64 /dev/urandom > "$key"
megabytes() { echo "$(($(stat -c %s "$1") / 1000000)) MB"; }

engine_copy() {
  [ -z "$engine" ] || commands+=("engine$1=$engine copy $source --to $copy --repeat 1$2")
}

echo "### write-copy of $(megabytes "$source"), writing alone"
commands=()
engine_copy "" ""
commands+=("plain=$binary write-copy $source $copy -q --no-verify")
python3 "$here/compare.py" --remove "$copy" "${commands[@]}"
commands=()
engine_copy ", encrypted" " --out-key $key"
commands+=("encrypted=$binary write-copy $source $copy -q --no-verify --out-key-file $key")
python3 "$here/compare.py" --remove "$copy" "${commands[@]}" | tail -n +3
if [ -n "$engine" ]; then
  for options in "" "--out-key $key"; do
    rm -rf "$copy"*
    echo "engine alone, inside one process ${options:+(encrypted) }$($engine copy "$source" --to "$copy" $options --repeat 5)"
  done
fi
rm -rf "$copy"*

echo "### write-copy, what is compared and brought to the disk"
python3 "$here/compare.py" --remove "$copy" \
  "plain=$binary write-copy $source $copy -q --no-verify" "compared=$binary write-copy $source $copy -q" \
  "encrypted=$binary write-copy $source $copy -q --no-verify --out-key-file $key" \
  "encrypted, compared=$binary write-copy $source $copy -q --out-key-file $key" \
  "rebuilt=$binary bundle $source --seed $copy -q --no-verify --schema-version 987654321" \
  "rebuilt, compared=$binary bundle $source --seed $copy -q --schema-version 987654321"
python3 "$here/compare.py" --remove "$disk/copy.realm" \
  "to disk, synced=$binary write-copy $source $disk/copy.realm -q --no-verify" \
  "to disk, synced, compared=$binary write-copy $source $disk/copy.realm -q" | tail -n +3

"$binary" write-copy "$source" "$memory/encrypted.realm" -q --out-key-file "$key"
echo "### write-copy from an encrypted source"
python3 "$here/compare.py" --remove "$copy" \
  "decrypted=$binary write-copy $memory/encrypted.realm $copy -q --no-verify --key-file $key --decrypt" \
  "same key=$binary write-copy $memory/encrypted.realm $copy -q --no-verify --key-file $key --out-key-same" \
  "same key, compared=$binary write-copy $memory/encrypted.realm $copy -q --key-file $key --out-key-same"
rm "$memory/encrypted.realm"

data=$memory/data.ndjson schema=$memory/schema.json
"$binary" export "$source" --format ndjson -q -o "$data"
"$binary" schema dump "$source" --format json -q -o "$schema"
echo "### bundle from $(megabytes "$data") of JSON"
python3 "$here/compare.py" --runs 3 --remove "$copy" \
  "built=$binary bundle --schema $schema --data $data --seed $copy -q --no-verify" \
  "built, compared=$binary bundle --schema $schema --data $data --seed $copy -q"
