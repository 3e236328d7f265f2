// SQLite, for files that realms are exported to, and for SQL over realms.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// What SQLite keeps of a virtual table and of a walk through it: its own part first.
typedef struct {
  sqlite3_vtab base;
  void *owner;
} csqlite_table;

typedef struct {
  sqlite3_vtab_cursor base;
  void *owner;
} csqlite_cursor;

// Takes away what statements, or the schema of a file from a stranger, could do beyond reading.
void csqlite_harden(sqlite3 *connection, int has_foreign_schema);

#endif
