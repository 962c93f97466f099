#include <sqlite3.h>

/* sqlite3_db_config takes a variable list of arguments, which Swift can't pass. */
static inline int csqlite_db_config_flag(sqlite3 *db, int option, int value, int *result) {
    return sqlite3_db_config(db, option, value, result);
}
