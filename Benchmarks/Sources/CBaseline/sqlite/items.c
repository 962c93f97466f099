// The workloads over one table, on SQLite.
#include "sqlite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int bind(sqlite3_stmt *statement, const baseline_row *row) {
    sqlite3_bind_int64(statement, 1, row->id);
    sqlite3_bind_blob(statement, 2, row->uuid, 16, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, row->title, row->title_length, SQLITE_STATIC);
    sqlite3_bind_double(statement, 4, row->score);
    sqlite3_bind_int64(statement, 5, row->created);
    sqlite3_bind_int64(statement, 6, row->count);
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code;
}

static void read_row(sqlite3_stmt *statement, baseline_row *row) {
    row->id = sqlite3_column_int64(statement, 0);
    memcpy(row->uuid, sqlite3_column_blob(statement, 1), 16);
    const void *title = sqlite3_column_text(statement, 2);
    row->title_length = sqlite3_column_bytes(statement, 2);
    row->title = malloc((size_t)row->title_length + 1);
    memcpy(row->title, title, (size_t)row->title_length + 1);
    row->score = sqlite3_column_double(statement, 3);
    row->created = sqlite3_column_int64(statement, 4);
    row->count = sqlite3_column_int64(statement, 5);
}

// Runs a statement once for each row, in one transaction.
static int64_t write_rows(baseline *self, const char *sql, const baseline_row *rows, int64_t count) {
    sqlite3_stmt *insert = file_prepare(self, sql);
    if (!insert) return -1;
    int failed = file_run(self, "BEGIN IMMEDIATE") != SQLITE_OK;
    for (int64_t i = 0; i < count && !failed; i++) failed = bind(insert, &rows[i]) != SQLITE_DONE;
    sqlite3_finalize(insert);
    if (failed || file_run(self, "COMMIT") != SQLITE_OK) return -1;
    return count;
}

int64_t file_insert(baseline *self, const baseline_row *rows, int64_t count) {
    return write_rows(self, "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)", rows, count);
}

int64_t file_upsert(baseline *self, const baseline_row *rows, int64_t count) {
    return write_rows(
        self,
        "INSERT INTO article VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (title) DO UPDATE SET uuid = excluded.uuid,"
        " score = excluded.score, created = excluded.created, count = excluded.count",
        rows, count);
}

int64_t file_insert_each(baseline *self, const baseline_row *rows, int64_t count) {
    sqlite3_stmt *begin = file_prepare(self, "BEGIN IMMEDIATE");
    sqlite3_stmt *insert = file_prepare(self, "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)");
    sqlite3_stmt *commit = file_prepare(self, "COMMIT");
    int failed = !begin || !insert || !commit;
    for (int64_t i = 0; i < count && !failed; i++) {
        failed = sqlite3_step(begin) != SQLITE_DONE || bind(insert, &rows[i]) != SQLITE_DONE
            || sqlite3_step(commit) != SQLITE_DONE;
        sqlite3_reset(begin);
        sqlite3_reset(commit);
    }
    sqlite3_finalize(begin);
    sqlite3_finalize(insert);
    sqlite3_finalize(commit);
    return failed ? -1 : count;
}

// Reads the result of a statement into an array of rows, and returns its checksum.
static int64_t read_all(sqlite3_stmt *statement) {
    size_t capacity = 1024, count = 0;
    baseline_row *rows = malloc(capacity * sizeof *rows);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (count == capacity) {
            capacity *= 2;
            rows = realloc(rows, capacity * sizeof *rows);
        }
        read_row(statement, &rows[count++]);
    }
    int64_t sum = baseline_consume(rows, (int64_t)count);
    return code == SQLITE_DONE ? sum : -1;
}

static int64_t fetch(baseline *self, const char *sql) {
    sqlite3_stmt *select = file_prepare(self, sql);
    if (!select) return -1;
    int64_t sum = read_all(select);
    sqlite3_finalize(select);
    return sum;
}

int64_t file_fetch(baseline *self) {
    return fetch(self, "SELECT id, uuid, title, score, created, count FROM item");
}

int64_t file_fetch_articles(baseline *self) {
    return fetch(self, "SELECT id, uuid, title, score, created, count FROM article");
}

int64_t file_fetch_sorted(baseline *self) {
    return fetch(self, "SELECT id, uuid, title, score, created, count FROM item ORDER BY title, id");
}

int64_t file_filter(baseline *self, double score, int64_t limit) {
    sqlite3_stmt *select = file_prepare(
        self, "SELECT id, uuid, title, score, created, count FROM item WHERE score > ? ORDER BY title, id LIMIT ?");
    if (!select) return -1;
    sqlite3_bind_double(select, 1, score);
    sqlite3_bind_int64(select, 2, limit);
    int64_t sum = read_all(select);
    sqlite3_finalize(select);
    return sum;
}

static int64_t look_up(sqlite3_stmt *select, int64_t id) {
    baseline_row row;
    sqlite3_bind_int64(select, 1, id);
    int64_t sum = -1;
    if (sqlite3_step(select) == SQLITE_ROW) {
        read_row(select, &row);
        sum = baseline_sum(row.title_length, row.score, row.count);
        free(row.title);
    }
    sqlite3_reset(select);
    return sum;
}

static int64_t look_up_all(baseline *self, const int64_t *ids, int64_t count) {
    sqlite3_stmt *select = file_prepare(
        self, "SELECT id, uuid, title, score, created, count FROM item WHERE id = ?");
    if (!select) return -1;
    int64_t sum = 0;
    for (int64_t i = 0; i < count && sum >= 0; i++) {
        int64_t one = look_up(select, ids[i]);
        sum = one < 0 ? -1 : sum + one;
    }
    sqlite3_finalize(select);
    return sum;
}

int64_t file_look_up(baseline *self, const int64_t *ids, int64_t count) {
    if (file_run(self, "BEGIN") != SQLITE_OK) return -1;
    int64_t sum = look_up_all(self, ids, count);
    return file_run(self, "COMMIT") == SQLITE_OK ? sum : -1;
}

int64_t file_find(baseline *self, const int64_t *numbers, int64_t count) {
    sqlite3_stmt *select = file_prepare(
        self,
        "SELECT id, uuid, title, score, created, count FROM item WHERE count = ? AND score > -1 ORDER BY id LIMIT 10");
    if (!select) return -1;
    int failed = file_run(self, "BEGIN") != SQLITE_OK;
    int64_t sum = 0;
    for (int64_t i = 0; i < count && !failed; i++) {
        sqlite3_bind_int64(select, 1, numbers[i]);
        int64_t found = read_all(select);
        failed = found < 0;
        sum += found;
        sqlite3_reset(select);
    }
    sqlite3_finalize(select);
    return file_run(self, "COMMIT") == SQLITE_OK && !failed ? sum : -1;
}

// Outside a transaction, a statement is a read transaction of its own.
int64_t file_look_up_each(baseline *self, const int64_t *ids, int64_t count) { return look_up_all(self, ids, count); }

// Runs a statement once for each id, in one transaction.
static int64_t change(baseline *self, const char *sql, const int64_t *ids, int64_t count) {
    sqlite3_stmt *statement = file_prepare(self, sql);
    if (!statement) return -1;
    int failed = file_run(self, "BEGIN IMMEDIATE") != SQLITE_OK;
    for (int64_t i = 0; i < count && !failed; i++) {
        sqlite3_bind_int64(statement, 1, ids[i]);
        failed = sqlite3_step(statement) != SQLITE_DONE;
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    if (failed || file_run(self, "COMMIT") != SQLITE_OK) return -1;
    return count;
}

int64_t file_update(baseline *self, const int64_t *ids, int64_t count) {
    return change(self, "UPDATE item SET count = count + 1 WHERE id = ?", ids, count);
}

int64_t file_touch(baseline *self, int64_t id, const char *title) {
    sqlite3_stmt *update = file_prepare(self, "UPDATE item SET title = ?, count = count + 1 WHERE id = ?");
    if (!update) return -1;
    sqlite3_bind_text(update, 1, title, -1, SQLITE_STATIC);
    sqlite3_bind_int64(update, 2, id);
    int code = sqlite3_step(update);
    sqlite3_finalize(update);
    return code == SQLITE_DONE ? 0 : -1;
}

int64_t file_increment_each(baseline *self, const int64_t *ids, int64_t count, int64_t microseconds, int locks) {
    (void)locks;
    sqlite3_stmt *update = file_prepare(self, "UPDATE item SET count = count + 1 WHERE id = ?");
    if (!update) return -1;
    int code = SQLITE_DONE;
    for (int64_t i = 0; i < count && code == SQLITE_DONE; i++) {
        if (microseconds) usleep((useconds_t)microseconds);
        sqlite3_bind_int64(update, 1, ids[i]);
        // SQLite has one writer at a time, which may be another thread.
        do {
            code = sqlite3_step(update);
            sqlite3_reset(update);
        } while (code == SQLITE_BUSY);
    }
    sqlite3_finalize(update);
    return code == SQLITE_DONE ? count : -1;
}

int64_t file_delete(baseline *self, const int64_t *ids, int64_t count) {
    return change(self, "DELETE FROM item WHERE id = ?", ids, count);
}
