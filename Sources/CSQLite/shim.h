#include <sqlite3.h>

/* sqlite3_db_config takes a variable list of arguments, which Swift can't pass. */
static inline int csqlite_db_config_flag(sqlite3 *db, int option, int value, int *result) {
    return sqlite3_db_config(db, option, value, result);
}

/* Reads the first bytes of a database's file as they are, without a lock and without looking at its journals. The
   descriptor is SQLite's own: closing another one would end all locks that this process has on the file. */
static inline int csqlite_read_start(sqlite3 *db, void *bytes, int count, sqlite3_int64 *size) {
    sqlite3_file *file = 0;
    int result = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (result != SQLITE_OK) return result;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    result = file->pMethods->xFileSize(file, size);
    if (result != SQLITE_OK || *size == 0) return result;
    result = file->pMethods->xRead(file, bytes, count, 0);
    return result == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : result;
}

/* Whether a write to the disk leaves the bytes beside it alone, even when the power goes. */
static inline int csqlite_writes_are_apart(sqlite3 *db) {
    sqlite3_file *file = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
    if (!file || !file->pMethods) return 0;
    return (file->pMethods->xDeviceCharacteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) != 0;
}

/* Whether anybody reads from the write-ahead log, here or in another process. Who begins to read while everything in
   the log is in the file as well doesn't: so the next writer can begin the log anew when this answers 0. The locks
   tried are those by which readers say how far they read: https://sqlite.org/walformat.html#wal_locks. */
static inline int csqlite_log_is_read(sqlite3 *db) {
    enum { first_mark = 4, marks = 4 };
    sqlite3_file *file = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 1;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2) return 1;
    int lock = SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE;
    if (file->pMethods->xShmLock(file, first_mark, marks, lock) != SQLITE_OK) return 1;
    file->pMethods->xShmLock(file, first_mark, marks, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE);
    return 0;
}
