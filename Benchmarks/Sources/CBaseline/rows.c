// Making rows, and opening the file that they go to.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static const char *schema =
    "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, uuid BLOB NOT NULL, title TEXT NOT NULL,"
    " score REAL NOT NULL, created INTEGER NOT NULL, count INTEGER NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS game (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;"
    "CREATE TABLE IF NOT EXISTS player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER NOT NULL,"
    " game_id INTEGER REFERENCES game) STRICT;"
    "CREATE INDEX IF NOT EXISTS player_game ON player (game_id);";

baseline *baseline_open(const char *path, int full) {
    baseline *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &self->db, flags, NULL) != SQLITE_OK
        || baseline_run(self, "PRAGMA journal_mode = WAL") != SQLITE_OK
        || baseline_run(self, full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL") != SQLITE_OK
        || baseline_run(self, "PRAGMA foreign_keys = ON") != SQLITE_OK
        || baseline_run(self, schema) != SQLITE_OK) {
        baseline_close(self);
        return NULL;
    }
    sqlite3_busy_timeout(self->db, 10000);
    return self;
}

void baseline_close(baseline *self) {
    if (!self) return;
    sqlite3_close(self->db);
    free(self);
}

const char *baseline_error(const baseline *self) { return self ? sqlite3_errmsg(self->db) : "could not be opened"; }

int baseline_run(baseline *self, const char *sql) { return sqlite3_exec(self->db, sql, NULL, NULL, NULL); }

sqlite3_stmt *baseline_prepare(baseline *self, const char *sql) {
    sqlite3_stmt *statement = NULL;
    return sqlite3_prepare_v2(self->db, sql, -1, &statement, NULL) == SQLITE_OK ? statement : NULL;
}

// splitmix64: the same numbers on both sides.
static uint64_t mixed(uint64_t seed) {
    uint64_t z = seed + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

baseline_row *baseline_make_rows(int64_t first, int64_t count) {
    baseline_row *rows = malloc(sizeof *rows * (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        baseline_row *row = &rows[i];
        uint64_t number = (uint64_t)(first + i);
        uint64_t a = mixed(number), b = mixed(a);
        row->id = first + i;
        memcpy(row->uuid, &a, 8);
        memcpy(row->uuid + 8, &b, 8);
        char text[32];
        row->title_length = snprintf(text, sizeof text, "Item %015llu", (unsigned long long)(a % 1000000000000000u));
        row->title = malloc((size_t)row->title_length + 1);
        memcpy(row->title, text, (size_t)row->title_length + 1);
        row->score = (double)(b % 1000000) / 1000.0;
        row->created = 1700000000000000 + (int64_t)number * 1000;
        row->count = (int64_t)(number % 1000);
    }
    return rows;
}

void baseline_free_rows(baseline_row *rows, int64_t count) {
    for (int64_t i = 0; i < count; i++) free(rows[i].title);
    free(rows);
}

int64_t baseline_clear(baseline *self) {
    return baseline_run(self, "DELETE FROM player; DELETE FROM game; DELETE FROM item;") == SQLITE_OK ? 0 : -1;
}

int64_t baseline_checkpoint(baseline *self) {
    return sqlite3_wal_checkpoint_v2(self->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) == SQLITE_OK ? 0 : -1;
}

void baseline_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
