#!/usr/bin/env python3
"""Times commands in turn, so that changes in the speed of the machine affect all of them alike.

  compare.py [--runs N] [--cpus LIST] [--remove FILE] NAME=COMMAND [NAME=COMMAND ...]

FILE, and what stands beside it under names that begin with its name, is removed before each run, outside the time that is
taken.

Each command's output is read and counted, not kept. Prints a Markdown table: medians over the runs of wall and processor
time and of the largest resident memory, bytes of output, and the ratio of wall times to the first command, taken pair by
pair.
"""
import argparse, glob, os, shlex, shutil, statistics, subprocess, sys, time


def run(words, cpus, remove):
    for path in glob.glob(glob.escape(remove) + "*") if remove else []:
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    def pin():
        if cpus:
            os.sched_setaffinity(0, cpus)
    start = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, preexec_fn=pin)
    size = 0
    while block := process.stdout.read(1 << 20):
        size += len(block)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{shlex.join(words)}: status {process.returncode}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, size


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--cpus", default="")
    parser.add_argument("--remove", default="")
    parser.add_argument("commands", nargs="+")
    arguments = parser.parse_args()
    cpus = [int(cpu) for cpu in arguments.cpus.split(",") if cpu]
    commands = [(name, shlex.split(words)) for name, words in (c.split("=", 1) for c in arguments.commands)]
    samples = {name: [] for name, _ in commands}
    for name, words in commands:
        run(words, cpus, arguments.remove)
    for _ in range(arguments.runs):
        for name, words in commands:
            samples[name].append(run(words, cpus, arguments.remove))
    first = samples[commands[0][0]]
    print("| command | wall s | cpu s | MB resident | MB out | MB out/s | times the first |")
    print("|---|---|---|---|---|---|---|")
    for name, _ in commands:
        median = [statistics.median(column) for column in zip(*samples[name])]
        ratio = statistics.median(a[0] / b[0] for a, b in zip(first, samples[name]))
        print(f"| {name} | {median[0]:.4f} | {median[1]:.4f} | {median[2]:.1f} | {median[3] / 1e6:.1f} "
              f"| {median[3] / 1e6 / median[0]:.0f} | {ratio:.2f} |")


main()
