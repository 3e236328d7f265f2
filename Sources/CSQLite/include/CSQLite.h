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

#endif
