// sqlite3_db_config takes any number of arguments, which Swift does not call.
#include "CSQLite.h"

static void set(sqlite3 *connection, int option, int value) { (void)sqlite3_db_config(connection, option, value, (int *)0); }

void csqlite_unlock_schema(sqlite3 *connection) { set(connection, SQLITE_DBCONFIG_DEFENSIVE, 0); }

void csqlite_forbid_bloom_filters(sqlite3 *connection) {
  // SQLite has no public name for the bit; versions without such filters ignore it.
  const unsigned bloom_filters = 0x00080000;
  (void)sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, connection, bloom_filters);
}

void csqlite_harden(sqlite3 *connection, int has_foreign_schema) {
  set(connection, SQLITE_DBCONFIG_DEFENSIVE, 1);
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
  set(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
#endif
  set(connection, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0);
  set(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0);
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
  if (has_foreign_schema) set(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0);
#else
  (void)has_foreign_schema;
#endif
}
