#!/usr/bin/env python3
"""Measures how commands grow with the realm: each on ten times as many objects as before.

  growth.py [--runs N] [--encrypted] [--only WORDS] [--engine TOOL] BINARY FOLDER [COUNT ...]

10,000, 100,000 and 1,000,000 people unless it says otherwise; the realms are made by people.py in FOLDER and kept there.
Prints a Markdown table: for each number of objects, the median of the wall times and their range, what an object costs, less
the time of `--version`, and the memory at most: all that is resident, mapped files included, and what of it is no page of a
file. What takes longer than a minute is run once. TOOL is a program of the reference engine, which is measured in turn with
ours on plain realms: TOOL json FILE, TOOL verify FILE, TOOL copy FILE COPY. Its rows say how many times as fast we are.
"""
import argparse, os, re, shutil, statistics, subprocess, sys, threading, time

# One object that links to all people, and to which all link: what is removed there must not be searched for everywhere.
HUB = """plan: 1
steps:
- to: 999
  do:
  - add_class: { name: Hub, properties: { people: "Person[]" } }
  - create_objects: { class: Hub, values: [ { people: { objects: [Person, TRUEPREDICATE] } } ], ref: hub }
  - add_property: { class: Person, name: hub, type: Hub, value: { ref: hub } }
  - %s
"""
HUB_OPERATIONS = {
    "delete half of a list": "delete_objects: { class: Person, where: 'active == true' }",
    "unlink all from one": "set: { class: Person, values: { hub: null } }",
    "repoint to a few": "set_primary_key: { class: Person, name: age, on_duplicate: keep_first, repoint: true }",
}
HERE = os.path.dirname(os.path.abspath(__file__))


# A cell of the table that has taken so many seconds is not repeated.
LONG = 60


def run(words):
    """Wall seconds, MB resident, and MB of that which are no pages of files."""
    anonymous, ended = [0], threading.Event()

    def sample(status):
        while not ended.wait(0.02):
            try:
                status.seek(0)
                found = re.search(rb"RssAnon:\s+(\d+)", status.read())
                anonymous.append(int(found[1]) if found else 0)
            except OSError:
                return

    start = time.perf_counter()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    with open(f"/proc/{child.pid}/status", "rb", buffering=0) as status:
        sampler = threading.Thread(target=sample, args=(status,))
        sampler.start()
        _, ending, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        ended.set()
        sampler.join()
    child.returncode = os.waitstatus_to_exitcode(ending)
    if child.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: status {child.returncode}")
    return seconds, usage.ru_maxrss * 1024 / 1e6, max(anonymous) * 1024 / 1e6


def remove(path):
    for leftover in (path, path + ".management", path + ".lock", path + ".note", path + ".db"):
        if os.path.isdir(leftover):
            shutil.rmtree(leftover)
        elif os.path.lexists(leftover):
            os.remove(leftover)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--encrypted", action="store_true")
    parser.add_argument("--only", default="", help="part of the names of the commands")
    parser.add_argument("--engine")
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("counts", nargs="*", type=int, default=[10_000, 100_000, 1_000_000])
    arguments = parser.parse_args()
    binary, folder = arguments.binary, arguments.folder
    os.makedirs(folder, exist_ok=True)
    copy, key = os.path.join(folder, "copy.realm"), os.path.join(folder, "key")
    if not os.path.exists(key):
        with open(key, "wb") as output:
            output.write(bytes(range(64)))
    opened = ["--key-file", key] if arguments.encrypted else []
    same = ["--out-key-same"] if arguments.encrypted else []

    def ours(*words):
        return lambda file: [binary, words[0], file, *words[1:], *opened]

    def copied(*words):
        return lambda file: [binary, words[0], file, *words[1:], "-q", *opened, *same]

    def data_of(file):
        data = file + ".ndjson"
        if not os.path.exists(data):
            subprocess.run([binary, "export", file, "--format", "typed-ndjson", "-q", "-o", data, *opened], check=True)
        return data

    # Commands that scan, then those that sort or look up keys.
    commands = {
        "open": ours("open"),
        "export --format core": ours("export", "--format", "core"),
        "export --format ndjson": ours("export", "--format", "ndjson"),
        "query, no index": ours("query", "Person", "age > 42 AND name CONTAINS 'Berg'", "--count"),
        "query, primary key": ours("query", "Person", "id == 42"),
        "query, backlinks": ours("query", "City", "@links.@count > 100", "--count"),
        "stats": ours("stats"),
        "check": ours("check"),
        "hash": ours("hash"),
        "write-copy": copied("write-copy", copy),
        "write-copy --no-verify": copied("write-copy", copy, "--no-verify"),
        "compact": copied("compact", "-o", copy),
        "write-copy --rebuild": copied("write-copy", copy, "--rebuild"),
        "diff with itself": lambda file: [binary, "diff", file, file, *opened],
        "summarize": ours("summarize", "Person"),
        "query, sorted": ours("query", "Person", "TRUEPREDICATE SORT(name ASC, score DESC) LIMIT(10)"),
        "query, grouped": ours("query", "Person", "--group-by", "city.name"),
        "export to SQLite": lambda file: [
            binary, "export", file, "--format", "sqlite", "-o", copy + ".db", "-q", *opened],
    }
    commands["recover"] = copied("recover", "-o", copy)
    # The objects of the realm as NDJSON, into a new realm.
    commands["import NDJSON"] = lambda file: [
        binary, "import", copy, data_of(file), "--create", "--schema", file, "-q", *opened, *same]
    for name, operation in HUB_OPERATIONS.items():
        plan = os.path.join(folder, name.replace(" ", "-") + ".yml")
        with open(plan, "w") as output:
            output.write(HUB % operation)
        commands["migrate, " + name] = copied("migrate", "--plan", plan, "-o", copy)
    engine = {}
    if tool := not arguments.encrypted and arguments.engine:
        engine = {
            "export --format core": lambda file: [tool, "json", file],
            "check": lambda file: [tool, "verify", file],
            "write-copy": lambda file: [tool, "copy", file, copy],
            "write-copy --no-verify": lambda file: [tool, "copy", file, copy],
        }
    files = []
    for count in arguments.counts:
        file = os.path.join(folder, f"people-{count}.realm")
        if not os.path.exists(file):
            subprocess.run([sys.executable, os.path.join(HERE, "people.py"), binary, file, str(count)], check=True)
        if arguments.encrypted:
            plain, file = file, file.replace(".realm", ".encrypted.realm")
            if not os.path.exists(file):
                subprocess.run([binary, "write-copy", plain, file, "-q", "--out-key-file", key], check=True)
        files.append(file)
    start = min(run([binary, "--version"])[0] for _ in range(arguments.runs))
    print("| command | " + " | ".join(f"{count:,}: ms | µs each | MB, no file" for count in arguments.counts) + " |")
    print("|---|" + "---:|---:|---:|" * len(files))
    for name, words in commands.items():
        if arguments.only not in name:
            continue
        cells, others = [], []
        for count, file in zip(arguments.counts, files):
            times, theirs, memory, anonymous = [], [], 0, 0
            while len(times) < arguments.runs and sum(times) < LONG:
                remove(copy)
                seconds, resident, own = run(words(file))
                times.append(seconds)
                memory, anonymous = max(memory, resident), max(anonymous, own)
                if name in engine:
                    remove(copy)
                    theirs.append(run(engine[name](file))[0])
            middle = statistics.median(times)
            each = max(middle - start, 0) * 1e6 / count
            cells.append(f"{middle * 1e3:.1f} ({min(times) * 1e3:.1f}–{max(times) * 1e3:.1f}) | {each:.2f} | {memory:.0f}, {anonymous:.0f}")
            if theirs:
                others.append(f"{statistics.median(theirs) * 1e3:.1f} | {statistics.median(theirs) / middle:.2f} × | ")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
        if others:
            print("| the engine | " + " | ".join(others) + " |", flush=True)
    remove(copy)


main()
