#include "CVersion.h"

#include <curses.h>
#include <sqlite3.h>
#include <string.h>
#include <yaml.h>
#if defined(__linux__)
#include <openssl/crypto.h>
#endif
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#ifndef REALMCTL_COMMIT
#define REALMCTL_COMMIT "unknown"
#endif
#ifndef REALMCTL_COMPILER
#define REALMCTL_COMPILER "unknown"
#endif

const char *cversion_commit(void) { return REALMCTL_COMMIT; }
const char *cversion_compiler(void) { return REALMCTL_COMPILER; }

#if defined(__x86_64__)
#define PROCESSOR "x86_64"
#else
#define PROCESSOR "arm64"
#endif
#if defined(__APPLE__)
#define SYSTEM "macos"
#else
#define SYSTEM "linux"
#endif
const char *cversion_system(void) { return PROCESSOR "-" SYSTEM; }

cversion_library cversion_library_at(size_t index) {
  const cversion_library libraries[] = {
#if defined(__linux__)
    {"OpenSSL", OpenSSL_version(OPENSSL_FULL_VERSION_STRING)},
#endif
    {"SQLite", sqlite3_libversion()},
    {"libyaml", yaml_get_version_string()},
    {"ncurses", curses_version() + strlen("ncurses ")},
#if defined(__GLIBC__)
    {"glibc", gnu_get_libc_version()},
#endif
  };
  return index < sizeof libraries / sizeof *libraries ? libraries[index] : (cversion_library){NULL, NULL};
}
