#!/usr/bin/env python3
"""Makes a realm that has the objects of another several times, with new primary keys and links among themselves.

  larger.py BINARY FILE OUTPUT [TIMES]

Ten times unless it says otherwise. Classes without an integer primary key come once.
"""
import json, os, subprocess, sys, tempfile

STEP = 1_000_000_000


def main():
    binary, source, output = sys.argv[1:4]
    times = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    schema = subprocess.run([binary, "schema", "dump", source, "--format", "json"], capture_output=True, check=True).stdout
    classes = {entry["name"]: entry for entry in json.loads(schema)["classes"]}
    keys = {name: entry["primaryKey"] for name, entry in classes.items()
            if entry.get("primaryKey") and entry["properties"][entry["primaryKey"]]["type"] == "int"}
    links = {name: [p for p, facts in entry["properties"].items() if facts.get("objectType") in keys]
             for name, entry in classes.items()}

    def shifted(value, distance):
        return [shifted(v, distance) for v in value] if isinstance(value, list) else value if value is None else value + distance

    with tempfile.TemporaryDirectory() as folder:
        lines, model, data = (os.path.join(folder, name) for name in ("lines", "schema.json", "data.ndjson"))
        subprocess.run([binary, "export", source, "--format", "ndjson", "-q", "-o", lines], check=True)
        with open(model, "wb") as file:
            file.write(schema)
        with open(data, "w") as file:
            for copy in range(times):
                for line in open(lines):
                    object = json.loads(line)
                    name, value = object["class"], object["value"]
                    if name in keys:
                        for property in [keys[name]] + links[name]:
                            value[property] = shifted(value[property], copy * STEP)
                    elif copy > 0:
                        continue
                    file.write(json.dumps(object) + "\n")
        subprocess.run([binary, "bundle", "--schema", model, "--data", data, "--seed", output, "-q", "--no-verify"], check=True)


main()
