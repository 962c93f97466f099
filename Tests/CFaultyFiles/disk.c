#include "disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTOR 512

typedef struct {
    char *bytes;
    int64_t size, capacity;
} image;

/* A write; one without bytes is a truncation to its offset. */
typedef struct change {
    struct change *next;
    int64_t offset, count;
    char bytes[];
} change;

struct disk_file {
    disk_file *next;
    char *path;
    /* The contents that are certainly on the disk, if the file itself is. */
    image synced;
    int exists, is_deleted;
    change *first, *last;
};

struct disk {
    disk_file *files;
};

static void grow(image *image, int64_t size) {
    if (size > image->capacity) {
        image->capacity = size * 2;
        image->bytes = realloc(image->bytes, image->capacity);
    }
    if (size > image->size) memset(image->bytes + image->size, 0, size - image->size);
    if (size > image->size) image->size = size;
}

static void put(image *image, const char *bytes, int64_t count, int64_t offset) {
    grow(image, offset + count);
    memcpy(image->bytes + offset, bytes, count);
}

static void cut_to(image *image, int64_t size) {
    grow(image, size);
    image->size = size;
}

disk *disk_make(void) { return calloc(1, sizeof(disk)); }

static void forget(disk_file *file) {
    for (change *next, *change = file->first; change; change = next) {
        next = change->next;
        free(change);
    }
    file->first = file->last = NULL;
}

void disk_free(disk *disk) {
    for (disk_file *next, *file = disk->files; file; file = next) {
        next = file->next;
        forget(file);
        free(file->synced.bytes);
        free(file->path);
        free(file);
    }
    free(disk);
}

static disk_file *find(disk *disk, const char *path) {
    for (disk_file *file = disk->files; file; file = file->next)
        if (strcmp(file->path, path) == 0) return file;
    return NULL;
}

static void load(disk_file *file) {
    FILE *stream = fopen(file->path, "rb");
    if (!stream) return;
    char buffer[65536];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, stream)) > 0)
        put(&file->synced, buffer, (int64_t)count, file->synced.size);
    fclose(stream);
}

disk_file *disk_open(disk *disk, const char *path, int existed) {
    disk_file *file = find(disk, path);
    if (!file) {
        file = calloc(1, sizeof *file);
        file->path = strdup(path);
        file->next = disk->files;
        disk->files = file;
        file->exists = existed;
        /* Read it once, before it is locked: closing it after a later read would release the locks of this process. */
        if (existed && access(path, F_OK) == 0) load(file);
    } else if (file->is_deleted && !existed) {
        file->is_deleted = 0;
        disk_truncate(file, 0);
    }
    return file;
}

static void append(disk_file *file, int64_t offset, const void *bytes, int64_t count) {
    change *new = malloc(sizeof(change) + (size_t)count);
    new->next = NULL;
    new->offset = offset;
    new->count = count;
    if (count) memcpy(new->bytes, bytes, (size_t)count);
    if (file->last) file->last->next = new; else file->first = new;
    file->last = new;
}

void disk_write(disk_file *file, const void *bytes, int64_t count, int64_t offset) {
    if (count > 0) append(file, offset, bytes, count);
}

void disk_truncate(disk_file *file, int64_t size) { append(file, size, NULL, 0); }

static void apply(image *image, const change *change) {
    if (change->count == 0) cut_to(image, change->offset);
    else put(image, change->bytes, change->count, change->offset);
}

void disk_sync(disk_file *file) {
    for (change *change = file->first; change; change = change->next) apply(&file->synced, change);
    forget(file);
    file->exists = 1;
}

void disk_delete(disk *disk, const char *path) {
    disk_file *file = find(disk, path);
    if (!file) return;
    forget(file);
    file->is_deleted = 1;
}

void disk_sync_folder(disk *disk) {
    for (disk_file *file = disk->files; file; file = file->next) {
        if (!file->is_deleted) continue;
        file->exists = 0;
        file->synced.size = 0;
    }
}

static uint64_t random_number(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* A write reaches the disk sector by sector, and each of them may or may not have got there. */
static int64_t apply_part(image *image, const change *change, uint64_t *state) {
    int64_t lost = 0;
    int64_t end = change->offset + change->count;
    for (int64_t start = change->offset; start < end;) {
        int64_t next = (start / SECTOR + 1) * SECTOR;
        if (next > end) next = end;
        if (random_number(state) & 1) put(image, change->bytes + (start - change->offset), next - start, start);
        else lost = 1;
        start = next;
    }
    return lost;
}

static int64_t settle(disk_file *file, uint64_t *state) {
    int64_t lost = 0;
    uint64_t mode = random_number(state) % 3;
    for (change *change = file->first; change; change = change->next) {
        if (mode == 0 || (mode == 1 && random_number(state) % 2)) lost++;
        else if (mode == 2 && change->count) lost += apply_part(&file->synced, change, state);
        else apply(&file->synced, change);
    }
    return lost;
}

int64_t disk_cut(disk *disk, uint64_t seed) {
    uint64_t state = seed;
    int64_t lost = 0;
    for (disk_file *file = disk->files; file; file = file->next) {
        int had_changes = file->first != NULL;
        int is_there = file->exists;
        if (!file->exists && had_changes) is_there = random_number(&state) & 1;
        if (file->is_deleted) is_there = file->exists && (random_number(&state) & 1);
        lost += settle(file, &state);
        forget(file);
        file->exists = is_there;
        file->is_deleted = 0;
        if (!is_there) {
            file->synced.size = 0;
            unlink(file->path);
            continue;
        }
        FILE *stream = fopen(file->path, "wb");
        if (!stream) continue;
        fwrite(file->synced.bytes, 1, (size_t)file->synced.size, stream);
        fclose(stream);
    }
    return lost;
}
