// SQLite, for files to which realms are exported, and for SQL on realms.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// What SQLite stores for a virtual table and for a walk through it; its own part comes first.
typedef struct {
  sqlite3_vtab base;
  void *owner;
} csqlite_table;

typedef struct {
  sqlite3_vtab_cursor base;
  void *owner;
} csqlite_cursor;

// Forbids statements, and the schema of a file from a stranger, everything except reading.
void csqlite_harden(sqlite3 *connection, int has_foreign_schema);

// Lets PRAGMA writable_schema work where the system's SQLite is defensive by itself.
void csqlite_unlock_schema(sqlite3 *connection);

// Lets joins do without Bloom filters. Those of SQLite up to 3.40 hash a text by its length, so that they lose rows whose
// texts a collation calls the same.
void csqlite_forbid_bloom_filters(sqlite3 *connection);

#endif
