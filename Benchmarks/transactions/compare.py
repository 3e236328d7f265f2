#!/usr/bin/env python3
"""Times one write transaction after another against the reference engine, each on a fresh copy of a realm.

  compare.py [--runs N] [--folder FOLDER] [--engine PROGRAM] TOOL FILE CLASS OPERATION=ARGUMENT [...]

TOOL is the built `transaction-benchmark`, whose comment lists the operations. PROGRAM takes the same arguments, does the
same with the engine, and prints the same line: "... in all SECONDS ...". Both take turns, so that a machine whose speed
drifts treats them alike. Copies are made in FOLDER, memory unless given.

Prints a Markdown table: medians of the time from the beginning of the transaction to its end on the disk, the median of
the ratios of neighboring runs, and what of the file is different afterwards: blocks of 4,096 bytes that were changed or
added, which is what has to be written whatever the way; and the bytes that TOOL handed to the system to write.
"""
import argparse, glob, os, re, shutil, statistics, subprocess, sys, tempfile

BLOCK = 4096


def changed_blocks(before, after):
    count = 0
    with open(before, "rb") as old, open(after, "rb") as new:
        while block := new.read(BLOCK):
            count += old.read(BLOCK) != block
    return count


def run(program, source, folder, table, operation, argument):
    path = os.path.join(folder, "run.realm")
    shutil.copyfile(source, path)
    words = [program, path, table, operation, argument]
    result = subprocess.run(words, capture_output=True, text=True)
    found = re.search(r"in all ([0-9.e-]+)(?:.*?, (\d+) bytes)?", result.stdout)
    if result.returncode != 0 or not found:
        sys.exit(f"{' '.join(words)}: status {result.returncode} {result.stderr}")
    blocks = changed_blocks(source, path)
    for left in glob.glob(glob.escape(path) + "*"):
        shutil.rmtree(left) if os.path.isdir(left) else os.remove(left)
    return float(found.group(1)), blocks, int(found.group(2) or 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", default="/dev/shm" if os.path.isdir("/dev/shm") else None)
    parser.add_argument("--engine")
    parser.add_argument("tool")
    parser.add_argument("file")
    parser.add_argument("table")
    parser.add_argument("operations", nargs="+")
    arguments = parser.parse_args()
    programs = [arguments.tool] + ([arguments.engine] if arguments.engine else [])
    print("| operation | s | engine, s | ratio | blocks | engine, blocks | bytes written |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for operation, argument in (words.split("=", 1) for words in arguments.operations):
            samples = [[] for _ in programs]
            for _ in range(arguments.runs):
                for program, results in zip(programs, samples):
                    results.append(run(program, arguments.file, folder, arguments.table, operation, argument))
            times = [f"{statistics.median(time for time, _, _ in results):.3g}" for results in samples]
            blocks = [f"{statistics.median(count for _, count, _ in results):,.0f}" for results in samples]
            ratio = [f"{statistics.median(a[0] / b[0] for a, b in zip(samples[0], results)):.2f}" for results in samples[1:]]
            cells = [times[0], times[1], ratio[0], blocks[0], blocks[1]] if ratio else [times[0], "", "", blocks[0], ""]
            written = f"{statistics.median(size for _, _, size in samples[0]):,.0f}"
            print(f"| {operation} {argument} | {' | '.join(cells)} | {written} |", flush=True)


main()
