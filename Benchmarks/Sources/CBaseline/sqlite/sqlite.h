// Declarations shared by the files of the SQLite driver.
#ifndef BASELINE_SQLITE_H
#define BASELINE_SQLITE_H

#include <sqlite3.h>

#include "../driver.h"

struct file {
    struct baseline base;
    sqlite3 *db;
    char *path;
};

static inline sqlite3 *db(const baseline *self) { return ((const struct file *)self)->db; }

int file_run(baseline *, const char *sql);
sqlite3_stmt *file_prepare(baseline *, const char *sql);

int64_t file_insert(baseline *, const baseline_row *, int64_t count);
int64_t file_insert_each(baseline *, const baseline_row *, int64_t count);
int64_t file_fetch(baseline *);
int64_t file_fetch_sorted(baseline *);
int64_t file_look_up(baseline *, const int64_t *ids, int64_t count);
int64_t file_look_up_each(baseline *, const int64_t *ids, int64_t count);
int64_t file_update(baseline *, const int64_t *ids, int64_t count);
int64_t file_upsert(baseline *, const baseline_row *, int64_t count);
int64_t file_fetch_articles(baseline *);
int64_t file_touch(baseline *, int64_t id, const char *title);
int64_t file_delete(baseline *, const int64_t *ids, int64_t count);
int64_t file_filter(baseline *, double score, int64_t limit);
int64_t file_find(baseline *, const int64_t *numbers, int64_t count);
int64_t file_graph_create(baseline *, baseline_graph);
int64_t file_graph_fetch(baseline *);
int64_t file_cascade(baseline *, int64_t games);
int64_t file_increment_each(baseline *, const int64_t *ids, int64_t count, int64_t microseconds, int locks);

#endif
