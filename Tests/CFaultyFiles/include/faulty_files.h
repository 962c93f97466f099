#ifndef FAULTY_FILES_H
#define FAULTY_FILES_H

#include <stdint.h>

/* A file system for SQLite that fails when it is told to, over the one that SQLite would use. It can also remember
   what has reached the disk, and put the files back to what a power cut could have left of them. */
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

/* Registers a file system under a name; `records` says whether it remembers what has reached the disk. */
faulty_files *faulty_files_make(const char *name, int records);
/* Every connection that uses it must be closed. */
void faulty_files_free(faulty_files *files);

/* From the operation after the next `after` matching ones, so many answer `result` instead of being done. A write
   that fails with `partial` set has written its first half. An open that fails with SQLITE_READONLY opens the file
   for reading only, and says nothing. */
void faulty_files_fail(
    faulty_files *files, uint32_t operations, uint32_t kinds, int64_t after, int64_t times, int32_t result,
    int32_t partial);
/* Lets everything work again. */
void faulty_files_heal(faulty_files *files);
/* How many operations have matched since the last call of `faulty_files_fail`, and how many of them failed. */
int64_t faulty_files_matched(faulty_files *files);
int64_t faulty_files_failed(faulty_files *files);

/* Puts every file back to what a power cut could have left: what was synced, and of the rest a random part. Every
   connection must be closed. Returns how many writes were lost. */
int64_t faulty_files_cut(faulty_files *files, uint64_t seed);

/* Makes this thread, and no other, work as another user; answers 0 if it could. */
int32_t faulty_become(uint32_t user);

#endif
