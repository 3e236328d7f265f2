#!/usr/bin/env python3
"""Measures how fast `realmctl browse` feels to somebody at a terminal.

    Benchmarks/browse/latency.py REALMCTL FILE CLASS [--size 80x24]

Runs the program on a pseudo-terminal, presses keys, and takes the time from a key to the last byte of what is drawn in
answer (no byte for 20 ms ends an answer), the bytes of each answer, the time from the start to the last byte of the
first screen, and the processor time of five idle seconds.
"""
import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

QUIET = 0.02


class Terminal:
    """The program on its terminal."""

    def __init__(self, command, columns, rows):
        self.started = time.perf_counter()
        self.process, self.master = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.execv(command[0], command)

    def answer(self, patience):
        """When the last byte of what is drawn arrived, and how many there were."""
        last, count, wait = None, 0, patience
        while select.select([self.master], [], [], wait)[0]:
            try:
                data = os.read(self.master, 1 << 16)
            except OSError:
                break
            if not data:
                break
            last, wait = time.perf_counter(), QUIET
            count += len(data)
        return last, count

    def press(self, keys, patience=1.0):
        start = time.perf_counter()
        os.write(self.master, keys.encode())
        last, count = self.answer(patience)
        return None if last is None else (last - start) * 1000, count

    def processor_seconds(self):
        with open(f"/proc/{self.process}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def switches(self):
        """How often the program was woken."""
        with open(f"/proc/{self.process}/status", encoding="ascii") as file:
            return sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)

    def resident(self):
        with open(f"/proc/{self.process}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("RssAnon")) / 1024

    def end(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.master)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def report(name, answers):
    times = [time for time, _ in answers if time is not None]
    sizes = [size for _, size in answers]
    if not times:
        print(f"{name:34} nothing was drawn")
        return
    print(f"{name:34} {len(times):4} keys  median {percentile(times, .5):6.2f} ms  99% {percentile(times, .99):6.2f} ms"
          f"  worst {max(times):6.2f} ms  bytes: median {percentile(sizes, .5):6}  most {max(sizes):6}")


DOWN, UP, RIGHT, LEFT = "\x1b[B", "\x1b[A", "\x1b[C", "\x1b[D"
PAGE_DOWN, PAGE_UP = "\x1b[6~", "\x1b[5~"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("file")
    parser.add_argument("name", help="a class with many objects")
    parser.add_argument("--size", default="80x24")
    options = parser.parse_args()
    columns, rows = map(int, options.size.split("x"))
    command = [options.program, "browse", options.file, options.name]

    starts = []
    for _ in range(20):
        terminal = Terminal(command, columns, rows)
        last, count = terminal.answer(2)
        starts.append(((last - terminal.started) * 1000, count))
        terminal.end()
    print(f"{options.file}, {options.name}, {columns} by {rows}")
    report("first screen", starts)

    terminal = Terminal(command, columns, rows)
    terminal.answer(2)
    everything = []
    for name, keys, count in [
            ("one row down", [DOWN], 300), ("one row up", [UP], 300), ("one column", [RIGHT, RIGHT, LEFT, LEFT], 100),
            ("one page", [PAGE_DOWN, PAGE_DOWN, PAGE_UP], 300), ("to the end and back", ["G", "g"], 100),
            ("into an object and back", ["o", "q"], 100), ("backlinks and back", ["b", "q"], 50),
            ("help and back", ["?", "q"], 50), ("schema and back", ["S", "q"], 50)]:
        answers = [terminal.press(keys[index % len(keys)]) for index in range(count)]
        everything += answers
        report(name, answers)
    report("all", everything)

    before, woken = terminal.processor_seconds(), terminal.switches()
    time.sleep(5)
    print(f"five idle seconds: {terminal.processor_seconds() - before:.2f} s of processor time, "
          f"woken {terminal.switches() - woken} times")
    print(f"memory of its own: {terminal.resident():.1f} MB")
    terminal.end()


if __name__ == "__main__":
    sys.exit(main())
