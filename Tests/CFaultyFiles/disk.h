#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdint.h>

/* The contents of a disk, and the writes that only the operating system has. The caller must hold a lock. */
typedef struct disk disk;
typedef struct disk_file disk_file;

disk *disk_make(void);
void disk_free(disk *disk);
/* Opens a file; a new one is on the disk once it has been synced. */
disk_file *disk_open(disk *disk, const char *path, int existed);
void disk_write(disk_file *file, const void *bytes, int64_t count, int64_t offset);
void disk_truncate(disk_file *file, int64_t size);
void disk_sync(disk_file *file);
/* A deletion is on the disk once the folder has been synced. */
void disk_delete(disk *disk, const char *path);
void disk_sync_folder(disk *disk);
int64_t disk_cut(disk *disk, uint64_t seed);

#endif
