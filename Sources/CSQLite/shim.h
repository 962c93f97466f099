#include <sqlite3.h>
#if defined(__linux__) && __has_include(<linux/stat.h>)
#include <linux/stat.h>
#include <sys/syscall.h>
#endif

/* What tells one file from another. */
typedef struct {
    sqlite3_uint64 device, number, size, names;
    int is_folder;
} csqlite_file;

#ifdef STATX_INO
/* The C library's. Its header would become this module's too, and everything in it, as far as Swift is concerned. */
extern long syscall(long number, ...);
#endif

/* Looks which file is at a path, without following a symbolic link, or which one is open where the path is NULL; -1 where
   there is none, or this can't be said. It is not asked when the file was changed: since Linux 6.13 a file system that was
   asked notes the next change's time exactly, so that each sync of a log that is looked at before each commit would write
   its metadata too. */
static inline int csqlite_look(const char *path, int descriptor, csqlite_file *file) {
#if defined(STATX_INO) && defined(SYS_statx)
    enum { working_folder = -100, no_follow = 0x100, empty_path = 0x1000, kind = 0170000, folder = 0040000 };
    struct statx seen;
    unsigned int wanted = STATX_TYPE | STATX_INO | STATX_SIZE | STATX_NLINK;
    long result = path ? syscall(SYS_statx, working_folder, path, no_follow, wanted, &seen)
                       : syscall(SYS_statx, descriptor, "", empty_path, wanted, &seen);
    if (result != 0) return -1;
    /* As struct stat has it, so that the two ways of looking tell of the same file. */
    sqlite3_uint64 major = seen.stx_dev_major, minor = seen.stx_dev_minor;
    file->device = (major & ~0xfffull) << 32 | (major & 0xfff) << 8 | (minor & ~0xffull) << 12 | (minor & 0xff);
    file->number = seen.stx_ino;
    file->size = seen.stx_size;
    file->names = seen.stx_nlink;
    file->is_folder = (seen.stx_mode & kind) == folder;
    return 0;
#else
    (void)path, (void)descriptor, (void)file;
    return -1;
#endif
}

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

/* How far the write-ahead log is, as all processes that have the database open see it. */
typedef struct {
    /* The pages in the log, and those of them that have been copied to the file. */
    unsigned int pages, copied;
    /* Up to which page the readers of each of the five marks read, if a process holds the lock of the mark. */
    unsigned int marks[5];
} csqlite_log;

/* Reads how far the log is from the index that the processes share, without a lock: https://sqlite.org/walformat.html#shm.
   The connection must have read from the database, so that it has the index. -1 if it has none, or if it changes all the
   time. */
static inline int csqlite_look_at_log(sqlite3 *db, csqlite_log *log) {
    enum { page = 32768, pages = 4, copy = 12, copied = 24, first_mark = 25, marks = 5, tries = 100 };
    sqlite3_file *file = 0;
    void volatile *index = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return -1;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2) return -1;
    if (file->pMethods->xShmMap(file, 0, page, 0, &index) != SQLITE_OK || !index) return -1;
    const volatile unsigned int *words = (const volatile unsigned int *)index;
    for (int i = 0; i < tries; i++) {
        log->pages = words[pages];
        log->copied = words[copied];
        for (int mark = 0; mark < marks; mark++) log->marks[mark] = words[first_mark + mark];
        /* A writer changes the second copy of the header before the first one. */
        if (words[copy + pages] == log->pages && words[pages] == log->pages && log->copied <= log->pages) return 0;
    }
    return -1;
}

/* Whether a connection of any process holds the lock of the one that writes: 1, 0, or -1 if that can't be seen. With a log the
   lock is tried and given back at once, which another program that tries it at the same instant takes for a writer, as it
   does each other's; without one the system is only asked. */
static inline int csqlite_is_written(sqlite3 *db, int uses_log) {
    enum { write_lock = 0 };
    sqlite3_file *file = 0;
    int result = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return -1;
    if (!file || !file->pMethods) return -1;
    if (!uses_log) return file->pMethods->xCheckReservedLock(file, &result) == SQLITE_OK ? result != 0 : -1;
    if (file->pMethods->iVersion < 2) return -1;
    result = file->pMethods->xShmLock(file, write_lock, 1, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE);
    if (result != SQLITE_OK) return (result & 0xff) == SQLITE_BUSY ? 1 : -1;
    file->pMethods->xShmLock(file, write_lock, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE);
    return 0;
}
