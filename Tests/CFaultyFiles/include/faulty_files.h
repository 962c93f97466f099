#ifndef FAULTY_FILES_H
#define FAULTY_FILES_H

#include <stdint.h>

/* A file system for SQLite that fails on demand, on top of SQLite's default one. It can also record the writes that
   have reached the disk, and restore a state of the files that a power cut could have left. */
typedef struct faulty_files faulty_files;

/* Operations, as bits. */
#define FAULTY_OPEN 1
#define FAULTY_READ 2
#define FAULTY_WRITE 4
#define FAULTY_SYNC 8
#define FAULTY_TRUNCATE 16
#define FAULTY_SIZE 32
#define FAULTY_DELETE 64
#define FAULTY_ACCESS 128
#define FAULTY_LOCK 256
#define FAULTY_MAP 512
#define FAULTY_MAP_LOCK 1024

/* Kinds of files, as bits. */
#define FAULTY_MAIN 1
#define FAULTY_LOG 2
#define FAULTY_JOURNAL 4
#define FAULTY_INDEX 8
#define FAULTY_OTHER 16

/* Registers a file system under a name; `records` sets whether it records the writes that have reached the disk. */
faulty_files *faulty_files_make(const char *name, int records);
/* Every connection that uses it must be closed. */
void faulty_files_free(faulty_files *files);

/* After the next `after` matching operations, `times` operations return `result` and are not executed. A write that
   fails with `partial` set writes its first half. An open that fails with SQLITE_READONLY opens the file for reading
   only, without an error. */
void faulty_files_fail(
    faulty_files *files, uint32_t operations, uint32_t kinds, int64_t after, int64_t times, int32_t result,
    int32_t partial);
/* Removes the fault. */
void faulty_files_heal(faulty_files *files);
/* The number of operations that have matched since the last call of `faulty_files_fail`, and of those that failed. */
int64_t faulty_files_matched(faulty_files *files);
int64_t faulty_files_failed(faulty_files *files);

/* Restores a state of every file that a power cut could have left: the synced writes, and a random part of the others.
   Every connection must be closed. Returns the number of lost writes. */
int64_t faulty_files_cut(faulty_files *files, uint64_t seed);

/* Changes the user of this thread only; returns 0 on success. */
int32_t faulty_become(uint32_t user);

#endif
