#!/usr/bin/env python3
"""Makes the archives of a release, the same bytes from the same binary and commit. Called by `make dist`.

dist.py machine STAGE DIST SCRATCH  everything that contains the binary, from what `make install` put into STAGE
dist.py source BINARY DIST SCRATCH  the sources, with the packages that they need
dist.py release DIST                what names the archives of all machines, and the checksums of all files
"""
import base64, csv, gzip, hashlib, io, json, lzma, os, platform, re, shutil, stat, subprocess, sys, tarfile, time, zipfile
from glob import glob
from pathlib import Path
from urllib.parse import quote

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SUMMARY = "Inspect, query, edit, check, export, import and migrate Realm database files"
LINUX = sys.platform == "linux"
TRIPLE = f"{platform.machine()}-unknown-linux-gnu" if LINUX else f"{platform.machine()}-apple-macosx"
# What others call the processor: Debian, nfpm and images one way, wheels another.
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64"}[platform.machine()]
# A static binary needs no C library: the second tag lets Alpine install it.
WHEEL = "manylinux_2_17_{0}.musllinux_1_1_{0}" if LINUX else "macosx_15_0_{0}"


def output_of(*command, default=None):
    try:
        return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        if default is None:
            raise
        return default


# A source archive has the commit's time as that of its files.
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH") or output_of("git", "log", "-1", "--format=%ct", default="")
            or (ROOT / "Makefile").stat().st_mtime)
COMMIT = output_of("git", "rev-parse", "HEAD", default="")
WHEN = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH))


def version(binary):
    return output_of(str(binary), "--version").split()[1]


# MARK: Archives. A file is (name, mode, bytes).

def files(folder):
    """All files below a folder."""
    return [(str(path.relative_to(folder)), 0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644, path.read_bytes())
            for path in sorted(folder.rglob("*")) if path.is_file()]


def tar(contents, folders=()):
    """A tar archive with all folders of its files, owned by root."""
    contents = sorted(contents)
    modes = {str(parent): 0o755 for name, _, _ in contents for parent in Path(name).parents if str(parent) != "."}
    modes.update(folders)
    result = io.BytesIO()
    with tarfile.open(fileobj=result, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, mode, data in sorted([(name, mode, None) for name, mode in modes.items()] + contents):
            entry = tarfile.TarInfo(name)
            entry.mode, entry.mtime, entry.uname, entry.gname = mode, EPOCH, "root", "root"
            if data is None:
                entry.type = tarfile.DIRTYPE
            else:
                entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data) if data is not None else None)
    return result.getvalue()


def zipped(contents):
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, mode, data in contents:
            # Their times begin with 1980.
            entry = zipfile.ZipInfo(name, time.gmtime(max(EPOCH, 315532800))[:6])
            entry.create_system, entry.external_attr = 3, (stat.S_IFREG | mode) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return result.getvalue()


def unnamed_gzip(data):
    return gzip.compress(data, 9, mtime=0)


def json_bytes(value):
    return (json.dumps(value, indent=2, sort_keys=True) + "\n").encode()


# MARK: What the binary contains

def toolchain_file(name):
    return Path(shutil.which(os.environ.get("SWIFT", "swift"))).resolve().parent.parent / name


def libraries(scratch):
    """Name, version, licence, where it comes from, and its texts, of everything that is linked into the binary."""
    pin = json.loads((ROOT / "Package.resolved").read_text())["pins"][0]
    parser = next(path for path in (ROOT / "Vendored", scratch / "checkouts")
                  if path.exists()) / "swift-argument-parser/LICENSE.txt"
    result = [("swift-argument-parser", pin["state"]["version"], "Apache-2.0 WITH Swift-exception",
               f"pkg:github/apple/swift-argument-parser@{pin['state']['version']}", [parser])]
    if not LINUX:
        # Everything else is part of macOS.
        prefix = Path(output_of("brew", "--prefix", "libyaml"))
        number = output_of("pkg-config", "--modversion", "yaml-0.1")
        return result + [("libyaml", number, "MIT", f"pkg:brew/libyaml@{number}", [next(prefix.glob("[Ll][Ii][Cc]*"))])]
    swift = re.search(r"Swift version (\S+)", output_of(os.environ.get("SWIFT", "swift"), "--version"))[1]
    result.append(("swift", swift, "Apache-2.0 WITH Swift-exception", f"pkg:github/swiftlang/swift@swift-{swift}-RELEASE",
                   [toolchain_file("share/swift/LICENSE.txt")]))
    packages = [("openssl", "libssl-dev", "Apache-2.0"), ("glibc", "libc6-dev", "LGPL-2.1-or-later"),
                ("ncurses", "libncurses-dev", "X11-distribute-modifications-variant"), ("libyaml", "libyaml-dev", "MIT"),
                ("sqlite", "libsqlite3-dev", "blessing"),
                ("gcc", max((Path(folder).name for folder in glob("/usr/share/doc/libstdc++-*-dev")),
                            key=lambda name: int(name.split("-")[1])), "GPL-3.0-or-later WITH GCC-exception-3.1")]
    needed = "".join(Path(path).read_text() for path in glob("/usr/lib/*/pkgconfig/libcrypto.pc"))
    needed = " ".join(re.findall("(?m)^Libs.private:.*", needed)).split()
    packages += [row for flag, row in [("-lz", ("zlib", "zlib1g-dev", "Zlib")), ("-lzstd", ("zstd", "libzstd-dev", "BSD-3-Clause"))]
                 if flag in needed]
    system = platform.freedesktop_os_release()["ID"]
    for name, package, licence in packages:
        number = output_of("dpkg-query", "-W", "-f", "${Version}", package)
        texts = [Path(f"/usr/share/doc/{package}/copyright")]
        texts += [Path("/usr/share/common-licenses", text) for text in ["Apache-2.0", "LGPL-2.1", "GPL-3"]
                  if licence.startswith(text)]
        url = f"pkg:deb/{system}/{quote(package)}@{quote(number, safe=':')}?arch={DEBIAN}"
        result.append((name, number, licence, url, texts))
    return result


def sbom(number, binary, parts):
    """An SPDX document of the binary."""
    def package(name, number, licence, url):
        return {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": number, "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
                "copyrightText": "NOASSERTION",
                **({"externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                      "referenceLocator": url}]} if url else {})}
    digest = hashlib.sha256(binary).hexdigest()
    own = package("realmctl", number, "Apache-2.0", None)
    own["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    own["primaryPackagePurpose"] = "APPLICATION"
    return json_bytes({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"realmctl-{number}-{TRIPLE}", "documentNamespace": f"urn:sha256:{digest}",
        "creationInfo": {"created": WHEN, "creators": [f"Tool: realmctl-dist-{number}"]},
        "packages": [own] + [package(*part[:4]) for part in parts],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": "SPDXRef-realmctl"}]
        + [{"spdxElementId": "SPDXRef-realmctl", "relationshipType": "STATIC_LINK",
            "relatedSpdxElement": f"SPDXRef-{part[0]}"} for part in parts]})


# MARK: What contains it

def wheel(number, binary, documents):
    """A package for Python's index: its script is the binary."""
    tag = WHEEL.format(platform.machine())
    info = f"realmctl-{number}.dist-info"
    tags = "".join(f"Tag: py3-none-{one}\n" for one in tag.split("."))
    contents = [(f"realmctl-{number}.data/scripts/realmctl", 0o755, binary),
                ("realmctl/__init__.py", 0o644, b""),
                ("realmctl/__main__.py", 0o644, (HERE / "wheel-main.py").read_bytes())]
    contents += [(f"{info}/licenses/{name}", mode, data) for name, mode, data in documents]
    contents += [(f"{info}/METADATA", 0o644, (
        f"Metadata-Version: 2.1\nName: realmctl\nVersion: {number}\nSummary: {SUMMARY}\nLicense: Apache-2.0\n"
        "Requires-Python: >=3.7\n").encode()),
        (f"{info}/WHEEL", 0o644, f"Wheel-Version: 1.0\nGenerator: realmctl\nRoot-Is-Purelib: false\n{tags}".encode())]
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    for name, _, data in contents:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow([name, f"sha256={digest}", len(data)])
    rows.writerow([f"{info}/RECORD", "", ""])
    return f"realmctl-{number}-py3-none-{tag}.whl", zipped(contents + [(f"{info}/RECORD", 0o644, record.getvalue().encode())])


def image(number, binary, documents):
    """An image with nothing but the binary, as an OCI layout that `docker load` takes as well."""
    layer = tar([("bin/realmctl", 0o755, binary)] + [(f"usr/share/doc/realmctl/{name}", mode, data) for name, mode, data in documents],
                {"data": 0o755, "tmp": 0o1777})
    packed = unnamed_gzip(layer)
    blobs = []

    def blob(data, media):
        digest = hashlib.sha256(data).hexdigest()
        blobs.append((f"blobs/sha256/{digest}", 0o644, data))
        return {"mediaType": f"application/vnd.oci.image.{media}", "digest": f"sha256:{digest}", "size": len(data)}

    labels = {"org.opencontainers.image.title": "realmctl", "org.opencontainers.image.description": SUMMARY,
              "org.opencontainers.image.version": number, "org.opencontainers.image.licenses": "Apache-2.0",
              "org.opencontainers.image.revision": COMMIT}
    config = blob(json_bytes({
        "architecture": DEBIAN, "os": "linux", "created": WHEN,
        "config": {"Entrypoint": ["/bin/realmctl"], "Env": ["PATH=/bin"], "WorkingDir": "/data", "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]}}), "config.v1+json")
    contents = blob(packed, "layer.v1.tar+gzip")
    manifest = blob(json_bytes({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                                "config": config, "layers": [contents], "annotations": labels}), "manifest.v1+json")
    manifest["annotations"] = {"org.opencontainers.image.ref.name": number, "io.containerd.image.name": f"realmctl:{number}"}
    path = lambda one: "blobs/" + one["digest"].replace(":", "/")
    return tar(blobs + [
        ("oci-layout", 0o644, b'{"imageLayoutVersion": "1.0.0"}'),
        ("index.json", 0o644, json_bytes({"schemaVersion": 2, "manifests": [manifest]})),
        ("manifest.json", 0o644, json_bytes([{"Config": path(config), "RepoTags": [f"realmctl:{number}"],
                                              "Layers": [path(contents)]}]))])


def system_packages(number, stage, dist):
    """Packages of Debian, Fedora, Alpine and Arch, whose manual pages are compressed."""
    for page in stage.glob("usr/share/man/man*/*"):
        Path(f"{page}.gz").write_bytes(unnamed_gzip(page.read_bytes()))
        page.unlink()
    for path in stage.rglob("*"):
        os.utime(path, (EPOCH, EPOCH))
    maintainer = os.environ["MAINTAINER"]
    environment = {**os.environ, "VERSION": number, "ARCH": DEBIAN, "STAGE": str(stage), "SUMMARY": SUMMARY,
                   "SOURCE_DATE_EPOCH": str(EPOCH)}
    # nfpm puts no variable in here.
    config = (HERE / "nfpm.yaml").read_text() + f"archlinux:\n  packager: {json.dumps(maintainer)}\n"
    for kind in ["rpm", "apk", "archlinux"]:
        subprocess.run(["nfpm", "package", "--config", "-", "--packager", kind, "--target", str(dist)], text=True,
                       input=config, env=environment, check=True, stdout=subprocess.DEVNULL)
    # Debian's policy asks for some more.
    documents = stage / "usr/share/doc/realmctl"
    (documents / "copyright").write_text(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\n"
        f"Copyright: {time.gmtime(EPOCH).tm_year} the authors of realmctl\nLicense: Apache-2.0\n"
        " On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0. NOTICE names the licences of\n"
        " what the binary contains; their texts are in the folder licenses.\n")
    (documents / "LICENSE").unlink()
    (documents / "changelog.Debian.gz").write_bytes(unnamed_gzip((
        f"realmctl ({number}-1) unstable; urgency=medium\n\n  * See CHANGELOG.md of this version.\n\n"
        f" -- {maintainer}  {time.strftime('%a, %d %b %Y %H:%M:%S +0000', time.gmtime(EPOCH))}\n").encode()))
    overrides = stage / "usr/share/lintian/overrides/realmctl"
    overrides.parent.mkdir(parents=True)
    overrides.write_text("# The same static binary for every system.\n"
                         "realmctl: statically-linked-binary\nrealmctl: embedded-library\n")
    size = sum(path.stat().st_size for path in stage.rglob("*") if path.is_file()) // 1024
    (stage / "DEBIAN").mkdir()
    (stage / "DEBIAN/md5sums").write_text("".join(
        f"{hashlib.md5(data).hexdigest()}  {name}\n" for name, _, data in files(stage / "usr") for name in [f"usr/{name}"]))
    homepage = f"Homepage: {os.environ['REPOSITORY']}\n" if os.environ.get("REPOSITORY") else ""
    (stage / "DEBIAN/control").write_text(
        f"Package: realmctl\nVersion: {number}-1\nArchitecture: {DEBIAN}\nMaintainer: {maintainer}\nSection: database\n"
        f"Priority: optional\nInstalled-Size: {size}\n{homepage}Description: tool for Realm database files\n"
        f" {SUMMARY.replace(' and migrate', ', and migrate')}\n from the command line, without the app or an SDK.\n")
    for path in stage.rglob("*"):
        os.utime(path, (EPOCH, EPOCH))
    subprocess.run(["dpkg-deb", "-Zxz", "--root-owner-group", "--build", str(stage), str(dist)], check=True,
                   env=environment, stdout=subprocess.DEVNULL)


def is_dynamic(binary):
    """Whether an ELF file names a program that loads its libraries (PT_INTERP)."""
    start, size, count = (int.from_bytes(binary[i:i + n], "little") for i, n in ((32, 8), (54, 2), (56, 2)))
    return any(int.from_bytes(binary[start + i * size:][:4], "little") == 3 for i in range(count))


def machine(stage, dist, scratch):
    stage, dist, scratch = Path(stage), Path(dist), Path(scratch)
    dist.mkdir(parents=True)
    binary = (stage / "usr/bin/realmctl").read_bytes()
    if LINUX and is_dynamic(binary):
        sys.exit("the binary needs libraries of this system, which no package here would name; build it without SYSTEM_LIBS")
    number = version((stage / "usr/bin/realmctl").resolve())
    parts = libraries(scratch)
    documents = stage / "usr/share/doc/realmctl"
    for name, *_, texts in parts:
        folder = documents / "licenses" / name
        folder.mkdir(parents=True)
        for text in texts:
            (folder / text.name).write_bytes(text.read_bytes())
    for path in stage.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)

    name = f"realmctl-{number}-{TRIPLE}"
    legal = [(path, mode, data) for path, mode, data in files(documents) if path != "dogs.realm"]
    contents = [(re.sub("^share/doc/realmctl/(LICENSE|NOTICE|licenses)", r"\1", path), mode, data)
                for path, mode, data in files(stage / "usr")]
    write = lambda file, data: (dist / file).write_bytes(data)
    write(f"{name}.tar.xz", lzma.compress(tar([(f"{name}/{path}", mode, data) for path, mode, data in contents])))
    write(f"{name}.spdx.json", sbom(number, binary, parts))
    write(*wheel(number, binary, legal))
    if LINUX:
        write(f"{name}.oci.tar", image(number, binary, legal))
        system_packages(number, stage, dist)


def source(binary, dist, scratch):
    name = f"realmctl-{version(Path(binary).resolve())}"
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        contents = [(f"{name}/{entry.name}", 0o755 if entry.mode & 0o100 else 0o644, archive.extractfile(entry).read())
                    for entry in archive if entry.isfile()]
    contents += [(f"{name}/Vendored/{path}", mode, data) for path, mode, data in files(Path(scratch) / "checkouts")
                 if "/.git/" not in path]
    Path(dist, f"{name}-source.tar.xz").write_bytes(lzma.compress(tar(contents)))


# MARK: What names all archives

def release(dist):
    dist = Path(dist)
    archives = {re.fullmatch(r"realmctl-[^-]+-(.+)\.tar\.xz", path.name)[1]: path
                for path in sorted(dist.glob("realmctl-*.tar.xz")) if not path.name.endswith("-source.tar.xz")}
    number = next(iter(archives.values())).name.split("-")[1]

    contents, variants = [], []
    for triple, path in archives.items():
        with tarfile.open(path) as archive:
            for entry in archive:
                inner = entry.name.partition("/")[2]
                if entry.isfile() and re.match("bin/|LICENSE|NOTICE|licenses/", inner):
                    contents.append((f"realmctl.artifactbundle/{triple}/{inner}", entry.mode, archive.extractfile(entry).read()))
        variants.append({"path": f"{triple}/bin/realmctl", "supportedTriples": [triple]})
    bundle = zipped([("realmctl.artifactbundle/info.json", 0o644, json_bytes({
        "schemaVersion": "1.0",
        "artifacts": {"realmctl": {"type": "executable", "version": number, "variants": variants}}}))] + contents)
    name = f"realmctl-{number}.artifactbundle.zip"
    (dist / name).write_bytes(bundle)

    # Files with the address of the release in them.
    repository = os.environ.get("REPOSITORY", "").rstrip("/")
    values = {"VERSION": number, "REPOSITORY": repository, "COMMIT": COMMIT, "BUNDLE": hashlib.sha256(bundle).hexdigest(),
              "SLUG": "/".join(repository.split("/")[-2:])}
    origin = dist / f"realmctl-{number}-source.tar.xz"
    values["SOURCE"] = hashlib.sha256(origin.read_bytes()).hexdigest()
    filled = lambda path: re.sub("@([A-Z]+)@", lambda match: values[match[1]], (HERE / path).read_text())
    if repository:
        (dist / "realmctl.rb").write_text(filled("realmctl.rb.in"))
        (dist / "schema-gate.yml").write_text(filled("schema-gate.yml.in"))
        (dist / f"realmctl-{number}-plugin.zip").write_bytes(zipped([
            ("realmctl-plugin/Package.swift", 0o644, filled("plugin/Package.swift.in").encode()),
            ("realmctl-plugin/Plugins/Realmctl/Plugin.swift", 0o644, (HERE / "plugin/Plugin.swift").read_bytes()),
            ("realmctl-plugin/LICENSE", 0o644, (ROOT / "LICENSE").read_bytes())]))
    else:
        print("left out, for want of REPOSITORY: formula, plugin package, example workflow", file=sys.stderr)

    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(dist.iterdir())
            if not path.name.startswith("SHA256SUMS")]
    (dist / "SHA256SUMS").write_text("".join(sums))


os.umask(0o022)
{"machine": machine, "source": source, "release": release}[sys.argv[1]](*sys.argv[2:])
