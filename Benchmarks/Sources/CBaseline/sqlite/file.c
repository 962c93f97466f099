// The driver for a SQLite file.
#include "sqlite.h"

#include <stdlib.h>
#include <string.h>

static const char *schema =
    "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, uuid BLOB NOT NULL, title TEXT NOT NULL,"
    " score REAL NOT NULL, created INTEGER NOT NULL, count INTEGER NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS article (id INTEGER PRIMARY KEY, uuid BLOB NOT NULL, title TEXT NOT NULL UNIQUE,"
    " score REAL NOT NULL, created INTEGER NOT NULL, count INTEGER NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS game (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER NOT NULL,"
    " game_id INTEGER REFERENCES game) STRICT;"
    "CREATE INDEX IF NOT EXISTS player_game ON player (game_id);";

int file_run(baseline *self, const char *sql) { return sqlite3_exec(db(self), sql, NULL, NULL, NULL); }

sqlite3_stmt *file_prepare(baseline *self, const char *sql) {
    sqlite3_stmt *statement = NULL;
    return sqlite3_prepare_v2(db(self), sql, -1, &statement, NULL) == SQLITE_OK ? statement : NULL;
}

static void file_close(baseline *self) {
    struct file *file = (struct file *)self;
    sqlite3_close(file->db);
    free(file->path);
    free(file);
}

static const char *file_error(const baseline *self) { return sqlite3_errmsg(db(self)); }

static int64_t file_clear(baseline *self) {
    return file_run(self, "DELETE FROM player; DELETE FROM game; DELETE FROM item; DELETE FROM article;")
            == SQLITE_OK ? 0 : -1;
}

// Runs a checkpoint.
static int64_t file_run_maintenance(baseline *self) {
    return sqlite3_wal_checkpoint_v2(db(self), NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) == SQLITE_OK ? 0 : -1;
}

static baseline *file_reopen(baseline *self) { return baseline_open(((struct file *)self)->path); }

static const struct driver driver = {
    .close = file_close,
    .error = file_error,
    .method_count = 1,
    .clear = file_clear,
    .run_maintenance = file_run_maintenance,
    .insert = file_insert,
    .insert_each = file_insert_each,
    .fetch = file_fetch,
    .fetch_sorted = file_fetch_sorted,
    .look_up = file_look_up,
    .look_up_each = file_look_up_each,
    .update = file_update,
    .upsert = file_upsert,
    .fetch_articles = file_fetch_articles,
    .touch = file_touch,
    .delete_rows = file_delete,
    .filter = file_filter,
    .find = file_find,
    .graph_create = file_graph_create,
    .graph_fetch = file_graph_fetch,
    .cascade = file_cascade,
    .increment_each = file_increment_each,
    .reopen = file_reopen,
};

baseline *baseline_open(const char *path) {
    struct file *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->base.driver = &driver;
    file->path = strdup(path);
    baseline *self = &file->base;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &file->db, flags, NULL) != SQLITE_OK
        || file_run(self, "PRAGMA journal_mode = WAL") != SQLITE_OK
        || file_run(self, "PRAGMA synchronous = FULL") != SQLITE_OK
        // The cache size of the other side's connections.
        || file_run(self, "PRAGMA cache_size = -8000") != SQLITE_OK
        || file_run(self, "PRAGMA foreign_keys = ON") != SQLITE_OK || file_run(self, schema) != SQLITE_OK) {
        file_close(self);
        return NULL;
    }
    sqlite3_busy_timeout(file->db, 10000);
    return self;
}
