#!/usr/bin/env bash
# Measures what depends on the size of a realm and of its free list: `open` and one transaction with 10,000 free entries
# and more, and `check`.
#
#   Benchmarks/space.sh BINARY FILE CLASS PROPERTY[,PROPERTY ...]
#
# The properties are removed from the class in one transaction, which leaves one free entry for each and each cluster: some
# that are no neighbors, of a class of 1,000,000 objects, give 10,000 entries. Where valgrind is at hand, instructions are
# counted too: they are the same on a machine that is busy.
set -euo pipefail
binary=$1 file=$2 class=$3 properties=$4
here=$(dirname "$0")
folder=$(mktemp -d "$([ -d /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/space.XXXXXX")
trap 'rm -rf "$folder"' EXIT
before=$folder/before.realm after=$folder/after.realm

# A compacted copy has next to no free entries.
"$binary" write-copy "$file" "$before" -q --no-verify
cp "$before" "$after"
"$binary" schema dump "$before" --format json | python3 -c '
import json, sys
schema = json.load(sys.stdin)
for entry in schema["classes"]:
    if entry["name"] == sys.argv[1]:
        for name in sys.argv[2].split(","):
            del entry["properties"][name]
json.dump(schema, sys.stdout)' "$class" "$properties" > "$folder/model.json"
"$binary" migrate "$after" --schema "$folder/model.json" --to-version 1000 --allow-data-loss --no-backup -q

free_entries() {
  python3 - "$1" << 'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
top = struct.unpack_from("<Q", data, 8 * (data[23] & 1))[0]
def node(ref):
    kind, count = data[ref + 4], int.from_bytes(data[ref + 5:ref + 8], "big")
    return (1 << (kind & 7)) >> 1, count
if top == 2 ** 64 - 1:
    # A file written in one go has its top in the footer, and no free list.
    print(0)
    sys.exit()
width, _ = node(top)
positions = int.from_bytes(data[top + 8 + 3 * width // 8:top + 8 + 4 * width // 8], "little")
print(node(positions)[1])
END
}

instructions() {
  command -v valgrind > /dev/null || return 0
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null | sed -n 's/.*Collected : /instructions: /p'
}

for realm in "$before" "$after"; do
  echo "### open, $(stat -c %s "$realm") bytes, $(free_entries "$realm") free entries"
  python3 "$here/compare.py" --runs 21 "open=$binary open $realm" "schema dump=$binary schema dump $realm"
  instructions "$binary" open "$realm"
done

echo "### check"
for realm in "$before" "$after"; do
  python3 "$here/compare.py" --runs 5 "check=$binary check $realm"
  python3 - "$realm" "$binary" << 'END'
import os, resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run([sys.argv[2], "check", sys.argv[1]], stdout=subprocess.DEVNULL, check=True)
wall = time.perf_counter() - start
cpu = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
size = os.path.getsize(sys.argv[1]) / 1e6
print(f"{size:.1f} MB: {size / wall:.0f} MB/s, {size / cpu:.0f} MB for a second of processor time")
END
done
