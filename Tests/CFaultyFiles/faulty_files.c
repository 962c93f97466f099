#define _GNU_SOURCE
#ifdef HAS_SQLITE  // Without the trait, neither the library nor a user of these files exists.
#include "faulty_files.h"

#include "disk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct faulty_files {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    char *name;
    pthread_mutex_t lock;
    uint32_t operations, kinds;
    int64_t after, times, matched, failed;
    int32_t result, partial;
    disk *disk;
};

typedef struct {
    sqlite3_file base;
    faulty_files *files;
    sqlite3_file *real;
    uint32_t kind;
    disk_file *recorded;
    int syncs_folder;
} faulty_file;

/* Returns the result code with which an operation fails, or SQLITE_OK. */
static int fault(faulty_files *files, uint32_t operation, uint32_t kind) {
    int result = SQLITE_OK;
    pthread_mutex_lock(&files->lock);
    if ((files->operations & operation) && (files->kinds & kind)) {
        int64_t number = files->matched++;
        if (number >= files->after && number - files->after < files->times) {
            files->failed++;
            result = files->result;
        }
    }
    pthread_mutex_unlock(&files->lock);
    return result;
}

#define FILE_OF(base) faulty_file *file = (faulty_file *)(base)
#define FAIL_IF(operation, kind)                                  \
    do {                                                          \
        int result_ = fault(file->files, (operation), (kind));    \
        if (result_ != SQLITE_OK) return result_;                 \
    } while (0)

static int close_file(sqlite3_file *base) {
    FILE_OF(base);
    return file->real->pMethods ? file->real->pMethods->xClose(file->real) : SQLITE_OK;
}

static int read_file(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    FILE_OF(base);
    FAIL_IF(FAULTY_READ, file->kind);
    return file->real->pMethods->xRead(file->real, bytes, count, offset);
}

static int write_through(faulty_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int result = file->real->pMethods->xWrite(file->real, bytes, count, offset);
    if (result == SQLITE_OK && file->recorded) {
        pthread_mutex_lock(&file->files->lock);
        disk_write(file->recorded, bytes, count, offset);
        pthread_mutex_unlock(&file->files->lock);
    }
    return result;
}

static int write_file(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    FILE_OF(base);
    int result = fault(file->files, FAULTY_WRITE, file->kind);
    if (result == SQLITE_OK) return write_through(file, bytes, count, offset);
    if (file->files->partial) write_through(file, bytes, count / 2, offset);
    return result;
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
    FILE_OF(base);
    FAIL_IF(FAULTY_TRUNCATE, file->kind);
    int result = file->real->pMethods->xTruncate(file->real, size);
    if (result == SQLITE_OK && file->recorded) {
        pthread_mutex_lock(&file->files->lock);
        disk_truncate(file->recorded, size);
        pthread_mutex_unlock(&file->files->lock);
    }
    return result;
}

/* A real sync isn't needed to simulate its effect, and takes time. */
static int sync_file(sqlite3_file *base, int flags) {
    FILE_OF(base);
    FAIL_IF(FAULTY_SYNC, file->kind);
    if (!file->recorded) return file->real->pMethods->xSync(file->real, flags);
    pthread_mutex_lock(&file->files->lock);
    disk_sync(file->recorded);
    if (file->syncs_folder) disk_sync_folder(file->files->disk);
    file->syncs_folder = 0;
    pthread_mutex_unlock(&file->files->lock);
    return SQLITE_OK;
}

static int size_of_file(sqlite3_file *base, sqlite3_int64 *size) {
    FILE_OF(base);
    FAIL_IF(FAULTY_SIZE, file->kind);
    return file->real->pMethods->xFileSize(file->real, size);
}

static int lock_file(sqlite3_file *base, int level) {
    FILE_OF(base);
    FAIL_IF(FAULTY_LOCK, file->kind);
    return file->real->pMethods->xLock(file->real, level);
}

static int unlock_file(sqlite3_file *base, int level) {
    FILE_OF(base);
    return file->real->pMethods->xUnlock(file->real, level);
}

static int check_reserved(sqlite3_file *base, int *answer) {
    FILE_OF(base);
    FAIL_IF(FAULTY_LOCK, file->kind);
    return file->real->pMethods->xCheckReservedLock(file->real, answer);
}

static int control_file(sqlite3_file *base, int operation, void *argument) {
    FILE_OF(base);
    return file->real->pMethods->xFileControl(file->real, operation, argument);
}

static int sector_size(sqlite3_file *base) {
    FILE_OF(base);
    return file->real->pMethods->xSectorSize(file->real);
}

static int characteristics(sqlite3_file *base) {
    FILE_OF(base);
    return file->real->pMethods->xDeviceCharacteristics(file->real);
}

static int map_index(sqlite3_file *base, int page, int size, int extends, void volatile **address) {
    FILE_OF(base);
    FAIL_IF(FAULTY_MAP, FAULTY_INDEX);
    return file->real->pMethods->xShmMap(file->real, page, size, extends, address);
}

static int lock_index(sqlite3_file *base, int offset, int count, int flags) {
    FILE_OF(base);
    if (flags & SQLITE_SHM_LOCK) FAIL_IF(FAULTY_MAP_LOCK, FAULTY_INDEX);
    return file->real->pMethods->xShmLock(file->real, offset, count, flags);
}

static void index_barrier(sqlite3_file *base) {
    FILE_OF(base);
    file->real->pMethods->xShmBarrier(file->real);
}

static int unmap_index(sqlite3_file *base, int deletes) {
    FILE_OF(base);
    return file->real->pMethods->xShmUnmap(file->real, deletes);
}

static const sqlite3_io_methods methods = {
    2, close_file, read_file, write_file, truncate_file, sync_file, size_of_file, lock_file, unlock_file,
    check_reserved, control_file, sector_size, characteristics, map_index, lock_index, index_barrier, unmap_index,
    0, 0};

/* The file system */

static uint32_t kind_of(int flags) {
    if (flags & SQLITE_OPEN_MAIN_DB) return FAULTY_MAIN;
    if (flags & SQLITE_OPEN_WAL) return FAULTY_LOG;
    if (flags & SQLITE_OPEN_MAIN_JOURNAL) return FAULTY_JOURNAL;
    return FAULTY_OTHER;
}

static uint32_t kind_of_name(const char *name) {
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, "-wal") == 0) return FAULTY_LOG;
    if (length > 8 && strcmp(name + length - 8, "-journal") == 0) return FAULTY_JOURNAL;
    return FAULTY_MAIN;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *outFlags) {
    faulty_files *files = vfs->pAppData;
    FILE_OF(base);
    memset(file, 0, sizeof *file);
    file->files = files;
    file->real = (sqlite3_file *)(file + 1);
    file->kind = kind_of(flags);
    int result = fault(files, FAULTY_OPEN, file->kind);
    if (result == SQLITE_READONLY) {
        flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
        flags |= SQLITE_OPEN_READONLY;
    } else if (result != SQLITE_OK) {
        return result;
    }
    int records = files->disk && name && file->kind != FAULTY_OTHER;
    int existed = records && access(name, F_OK) == 0;
    result = files->real->xOpen(files->real, name, file->real, flags, outFlags);
    if (result != SQLITE_OK) return result;
    file->base.pMethods = &methods;
    if (records) {
        pthread_mutex_lock(&files->lock);
        file->recorded = disk_open(files->disk, name, existed);
        file->syncs_folder = !existed;
        pthread_mutex_unlock(&files->lock);
    }
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncsFolder) {
    faulty_files *files = vfs->pAppData;
    int result = fault(files, FAULTY_DELETE, kind_of_name(name));
    if (result != SQLITE_OK) return result;
    result = files->real->xDelete(files->real, name, files->disk ? 0 : syncsFolder);
    if (files->disk && result == SQLITE_OK) {
        pthread_mutex_lock(&files->lock);
        disk_delete(files->disk, name);
        if (syncsFolder) disk_sync_folder(files->disk);
        pthread_mutex_unlock(&files->lock);
    }
    return result;
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
    faulty_files *files = vfs->pAppData;
    int result = fault(files, FAULTY_ACCESS, kind_of_name(name));
    return result != SQLITE_OK ? result : files->real->xAccess(files->real, name, flags, answer);
}

static int full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
    faulty_files *files = vfs->pAppData;
    return files->real->xFullPathname(files->real, name, count, path);
}

static int randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    faulty_files *files = vfs->pAppData;
    return files->real->xRandomness(files->real, count, bytes);
}

static int sleep_for(sqlite3_vfs *vfs, int microseconds) {
    faulty_files *files = vfs->pAppData;
    return files->real->xSleep(files->real, microseconds);
}

static int current_time(sqlite3_vfs *vfs, double *days) {
    faulty_files *files = vfs->pAppData;
    return files->real->xCurrentTime(files->real, days);
}

static int last_error(sqlite3_vfs *vfs, int count, char *words) {
    faulty_files *files = vfs->pAppData;
    return files->real->xGetLastError ? files->real->xGetLastError(files->real, count, words) : 0;
}

static int current_time64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
    faulty_files *files = vfs->pAppData;
    return files->real->xCurrentTimeInt64(files->real, milliseconds);
}

faulty_files *faulty_files_make(const char *name, int records) {
    sqlite3_initialize();
    faulty_files *files = calloc(1, sizeof *files);
    files->real = sqlite3_vfs_find(NULL);
    files->name = strdup(name);
    pthread_mutex_init(&files->lock, NULL);
    if (records) files->disk = disk_make();
    files->vfs = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = (int)sizeof(faulty_file) + files->real->szOsFile,
        .mxPathname = files->real->mxPathname,
        .zName = files->name,
        .pAppData = files,
        .xOpen = open_file,
        .xDelete = delete_file,
        .xAccess = access_file,
        .xFullPathname = full_path,
        .xRandomness = randomness,
        .xSleep = sleep_for,
        .xCurrentTime = current_time,
        .xGetLastError = last_error,
        .xCurrentTimeInt64 = current_time64,
    };
    sqlite3_vfs_register(&files->vfs, 0);
    return files;
}

void faulty_files_free(faulty_files *files) {
    sqlite3_vfs_unregister(&files->vfs);
    if (files->disk) disk_free(files->disk);
    pthread_mutex_destroy(&files->lock);
    free(files->name);
    free(files);
}

void faulty_files_fail(
    faulty_files *files, uint32_t operations, uint32_t kinds, int64_t after, int64_t times, int32_t result,
    int32_t partial) {
    pthread_mutex_lock(&files->lock);
    files->operations = operations;
    files->kinds = kinds;
    files->after = after;
    files->times = times;
    files->result = result;
    files->partial = partial;
    files->matched = files->failed = 0;
    pthread_mutex_unlock(&files->lock);
}

void faulty_files_heal(faulty_files *files) {
    pthread_mutex_lock(&files->lock);
    files->times = 0;
    pthread_mutex_unlock(&files->lock);
}

int64_t faulty_files_matched(faulty_files *files) {
    pthread_mutex_lock(&files->lock);
    int64_t matched = files->matched;
    pthread_mutex_unlock(&files->lock);
    return matched;
}

int64_t faulty_files_failed(faulty_files *files) {
    pthread_mutex_lock(&files->lock);
    int64_t failed = files->failed;
    pthread_mutex_unlock(&files->lock);
    return failed;
}

int64_t faulty_files_cut(faulty_files *files, uint64_t seed) {
    return files->disk ? disk_cut(files->disk, seed) : 0;
}
#endif
