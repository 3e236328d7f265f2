#!/usr/bin/env python3
"""Measures how commands grow with the realm: each on ten times as many objects as before.

  growth.py [--runs N] BINARY FOLDER [COUNT ...]

10,000, 100,000 and 1,000,000 people unless it says otherwise; the realms are made by people.py in FOLDER and kept there.
Prints a Markdown table: the shortest wall time of each command, and what an object costs, less the time of `--version`.
"""
import argparse, os, shutil, subprocess, sys, time

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


def seconds(words):
    start = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("counts", nargs="*", type=int, default=[10_000, 100_000, 1_000_000])
    arguments = parser.parse_args()
    binary, folder = arguments.binary, arguments.folder
    os.makedirs(folder, exist_ok=True)
    copy = os.path.join(folder, "copy.realm")
    commands = {
        "open": lambda file: [binary, "open", file],
        "export --format core": lambda file: [binary, "export", file, "--format", "core"],
        "query, no index": lambda file: [binary, "query", file, "Person", "age > 42 AND name CONTAINS 'Berg'", "--count"],
        "query, primary key": lambda file: [binary, "query", file, "Person", "id == 42"],
        "stats": lambda file: [binary, "stats", file],
        "check": lambda file: [binary, "check", file],
        "hash": lambda file: [binary, "hash", file],
        "diff with itself": lambda file: [binary, "diff", file, file],
        "write-copy": lambda file: [binary, "write-copy", file, copy, "-q"],
        "write-copy --rebuild": lambda file: [binary, "write-copy", file, copy, "-q", "--rebuild"],
    }
    for name, operation in HUB_OPERATIONS.items():
        plan = os.path.join(folder, name.replace(" ", "-") + ".yml")
        with open(plan, "w") as output:
            output.write(HUB % operation)
        commands["migrate, " + name] = lambda file, plan=plan: [
            binary, "migrate", file, "--plan", plan, "-o", copy, "-q"]
    files = []
    for count in arguments.counts:
        file = os.path.join(folder, f"people-{count}.realm")
        if not os.path.exists(file):
            subprocess.run([sys.executable, os.path.join(HERE, "people.py"), binary, file, str(count)], check=True)
        files.append(file)
    start = min(seconds([binary, "--version"]) for _ in range(arguments.runs))
    print("| command | " + " | ".join(f"{count:,}: ms | µs each" for count in arguments.counts) + " |")
    print("|---|" + "---:|---:|" * len(files))
    for name, words in commands.items():
        cells = []
        for count, file in zip(arguments.counts, files):
            times = []
            for _ in range(arguments.runs):
                for path in (copy, copy + ".management"):
                    shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
                times.append(seconds(words(file)))
            best = min(times)
            cells.append(f"{best * 1e3:.1f} | {max(best - start, 0) * 1e6 / count:.2f}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    os.path.exists(copy) and os.remove(copy)


main()
