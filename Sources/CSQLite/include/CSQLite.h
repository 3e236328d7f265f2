// SQLite, for files that realms are exported to.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

#endif
