#!/usr/bin/env python3
"""Makes the realm that the benchmarks measure: people with texts, numbers, dates, links and lists, and the cities they live in.

  people.py BINARY OUTPUT [PEOPLE] [SEED]

100,000 people and seed 1 unless it says otherwise; the same arguments give the same objects. There is a city for every 200
people. The objects go to `realmctl bundle` as NDJSON, so that no more than one is in memory here.
"""
import json, os, random, subprocess, sys, tempfile

FIRST = "Ada Ben Cleo Dan Eva Finn Gül Hana Ivo Jörg Kaya Lena Mila Noah Olga Paul Rosa Sam Tom Uma Vera Wim Zoë".split()
LAST = "Adler Berg Costa Dahl Ek Fischer Gomez Haas Ito Jansen Kraus Lind Meyer Novak Okoro Pohl Ruiz Sato Toth Weiß".split()
WORDS = 'sea light "quoted" stone river tree night house wind fire road tower glass field snow\\melt song café 東京'.split()
TAGS = ["red", "green", "blue", "new", "old", "fast", "slow"]


def property(name, type, **more):
    return {"name": name, "mapTo": name, "type": type, "optional": False, "indexed": False, **more}


CLASSES = [
    {"name": "City", "primaryKey": "id", "embedded": False, "asymmetric": False, "properties": {p["name"]: p for p in [
        property("id", "int", indexed=True), property("name", "string", indexed=True), property("population", "int")]}},
    {"name": "Person", "primaryKey": "id", "embedded": False, "asymmetric": False, "properties": {p["name"]: p for p in [
        property("id", "int", indexed=True), property("name", "string"), property("email", "string", optional=True),
        property("bio", "string"), property("age", "int"), property("score", "double"), property("active", "bool"),
        property("created", "date"), property("city", "object", objectType="City", optional=True),
        property("friends", "list", objectType="Person"), property("tags", "list", objectType="string")]}},
]


def objects(people, seed):
    pick = random.Random(seed)
    cities = max(people // 200, 1)
    for number in range(cities):
        yield "City", {"id": number, "name": f"City {number}", "population": pick.randrange(10_000_000)}
    for number in range(people):
        name = f"{pick.choice(FIRST)} {pick.choice(LAST)}"
        yield "Person", {
            "id": number, "name": name,
            "email": None if pick.random() < 0.1 else f"{name.replace(' ', '.').lower()}{number}@example.com",
            "bio": " ".join(pick.choices(WORDS, k=pick.randrange(4, 20))), "age": pick.randrange(100),
            "score": pick.random() * 10_000, "active": pick.random() < 0.5,
            "created": f"20{pick.randrange(10, 26)}-0{pick.randrange(1, 10)}-{pick.randrange(10, 29)}T12:{number % 60:02d}:00Z",
            "city": pick.randrange(cities), "friends": [pick.randrange(people) for _ in range(pick.randrange(4))],
            "tags": pick.sample(TAGS, pick.randrange(4))}


def main():
    binary, output = sys.argv[1:3]
    people, seed = (int(word) for word in (sys.argv[3:] + ["100000", "1"][len(sys.argv) - 3:]))
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(output))) as folder:
        model, data = (os.path.join(folder, name) for name in ("schema.json", "data.ndjson"))
        with open(model, "w") as file:
            json.dump({"schemaVersion": 1, "classes": CLASSES}, file)
        with open(data, "w") as file:
            for name, value in objects(people, seed):
                file.write(json.dumps({"class": name, "value": value}) + "\n")
        subprocess.run([binary, "bundle", "--schema", model, "--data", data, "--seed", output, "-q", "--force"], check=True)


main()
