// The workloads that write to a PostgreSQL server.
#include "postgres.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The number of rows that a statement inserts with `unnest`.
enum { chunk = 10000 };

// MARK: COPY

/// The number of bytes that are sent at once.
enum { send_size = 64 * 1024 };

static void append_row_start(struct buffer *buffer, int fields) { append16(buffer, (uint16_t)fields); }

static void append_number_field(struct buffer *buffer, int64_t value) {
    append32(buffer, 8);
    append64(buffer, (uint64_t)value);
}

static void append_text_field(struct buffer *buffer, const char *text, size_t length) {
    append32(buffer, (uint32_t)length);
    append_bytes(buffer, text, length);
}

int64_t server_copy(
    baseline *self, const char *sql, int64_t count, void (*write)(struct buffer *, int64_t, const void *),
    const void *context) {
    PGconn *connection = server_of(self)->connection;
    if (!PQsendQuery(connection, sql)) return server_failed(self);
    PGresult *result = PQgetResult(connection);
    int begun = PQresultStatus(result) == PGRES_COPY_IN;
    PQclear(result);
    struct buffer buffer = {0};
    append_bytes(&buffer, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
    int failed = !begun;
    for (int64_t i = 0; i < count && !failed; i++) {
        write(&buffer, i, context);
        if (buffer.length < send_size) continue;
        failed = PQputCopyData(connection, buffer.bytes, (int)buffer.length) != 1;
        buffer.length = 0;
    }
    append16(&buffer, 0xffff);
    if (!failed) failed = PQputCopyData(connection, buffer.bytes, (int)buffer.length) != 1;
    free(buffer.bytes);
    if (begun) failed |= PQputCopyEnd(connection, failed ? "given up" : NULL) != 1;
    int64_t changed = -1;
    while ((result = PQgetResult(connection))) {
        if (PQresultStatus(result) == PGRES_COMMAND_OK) changed = changed_rows(result);
        PQclear(result);
    }
    return failed || changed < 0 ? server_failed(self) : changed;
}

static void write_item(struct buffer *buffer, int64_t index, const void *context) {
    const baseline_row *row = &((const baseline_row *)context)[index];
    append_row_start(buffer, 6);
    append_number_field(buffer, row->id);
    append_text_field(buffer, (const char *)row->uuid, 16);
    append_text_field(buffer, row->title, (size_t)row->title_length);
    append32(buffer, 8);
    append_double(buffer, row->score);
    append_number_field(buffer, row->created - postgres_epoch);
    append_number_field(buffer, row->count);
}

// MARK: unnest

/// The arrays of a statement that writes many rows.
struct arrays {
    int count;
    struct buffer columns[6];
};

static void begin_arrays(struct arrays *self, const Oid *types, int count, int64_t rows) {
    self->count = count;
    for (int i = 0; i < count; i++) {
        self->columns[i].length = 0;
        begin_array(&self->columns[i], types[i], rows);
    }
}

static int send_arrays(baseline *self, enum statement statement, const struct arrays *arrays) {
    struct values values = {0};
    for (int i = 0; i < arrays->count; i++) add_value(&values, &arrays->columns[i]);
    return server_send(self, statement, &values);
}

static void free_arrays(struct arrays *self) {
    for (int i = 0; i < self->count; i++) free(self->columns[i].bytes);
}

static int64_t write_unnested(
    baseline *self, enum statement statement, const baseline_row *rows, int64_t count) {
    static const Oid types[] = {20, 2950, 25, 701, 1184, 20};
    if (!server_prepare(self, statement)) return -1;
    PQenterPipelineMode(server_of(self)->connection);
    int sent = server_send_text(self, "BEGIN"), expected = 2;
    struct arrays arrays = {0};
    for (int64_t first = 0; first < count && sent; first += chunk) {
        int64_t part = count - first < chunk ? count - first : chunk;
        begin_arrays(&arrays, types, 6, part);
        for (const baseline_row *row = rows + first; row < rows + first + part; row++) {
            append_number_field(&arrays.columns[0], row->id);
            append_text_field(&arrays.columns[1], (const char *)row->uuid, 16);
            append_text_field(&arrays.columns[2], row->title, (size_t)row->title_length);
            append32(&arrays.columns[3], 8);
            append_double(&arrays.columns[3], row->score);
            append_number_field(&arrays.columns[4], row->created - postgres_epoch);
            append_number_field(&arrays.columns[5], row->count);
        }
        sent = send_arrays(self, statement, &arrays);
        expected++;
    }
    if (sent) sent = server_send_text(self, "COMMIT");
    free_arrays(&arrays);
    return sent ? server_collect(self, expected, NULL, NULL) : server_failed(self);
}

int64_t server_insert(baseline *self, const baseline_row *rows, int64_t count) {
    if (self->method == way_unnest) return write_unnested(self, st_insert_many, rows, count);
    return server_copy(self, "COPY item FROM STDIN (FORMAT binary)", count, write_item, rows);
}

int64_t server_upsert(baseline *self, const baseline_row *rows, int64_t count) {
    return write_unnested(self, st_upsert_many, rows, count);
}

/// The values of a row for a statement.
struct item_values {
    uint64_t id, number, score, created;
    struct values values;
};

static void set_item(struct item_values *self, const baseline_row *row) {
    self->id = swapped64((uint64_t)row->id);
    self->number = swapped64((uint64_t)row->count);
    self->created = swapped64((uint64_t)(row->created - postgres_epoch));
    memcpy(&self->score, &row->score, 8);
    self->score = swapped64(self->score);
    self->values = (struct values){
        6,
        {(char *)&self->id, (const char *)row->uuid, row->title, (char *)&self->score, (char *)&self->created,
         (char *)&self->number},
        {8, 16, row->title_length, 8, 8, 8}};
}

// Outside a transaction, a statement is a transaction of its own: one round trip.
int64_t server_insert_each(baseline *self, const baseline_row *rows, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        struct item_values item;
        set_item(&item, &rows[i]);
        struct values values = item.values;
        PGresult *result = server_query(self, st_insert, &values);
        if (!result) return -1;
        PQclear(result);
    }
    return count;
}

// MARK: Changing

// Runs one statement with one or two arrays of numbers; returns the number of rows that it changed.
static int64_t change(baseline *self, enum statement statement, const int64_t *ids, const int64_t *more, int64_t count) {
    struct buffer first = number_array(ids, count), second = {0};
    struct values values = {0};
    add_value(&values, &first);
    if (more) {
        second = number_array(more, count);
        add_value(&values, &second);
    }
    PGresult *result = server_query(self, statement, &values);
    int64_t changed = result ? changed_rows(result) : -1;
    PQclear(result);
    free(first.bytes);
    free(second.bytes);
    return changed;
}

int64_t server_update(baseline *self, const int64_t *ids, int64_t count) {
    int64_t *counts = malloc(sizeof *counts * (size_t)count);
    for (int64_t i = 0; i < count; i++) counts[i] = ids[i] % 1000 + 1;
    int64_t changed = change(self, st_update, ids, counts, count);
    free(counts);
    return changed;
}

int64_t server_touch(baseline *self, int64_t id, const char *title) {
    uint64_t key = swapped64((uint64_t)id);
    struct values values = {2, {title, (char *)&key}, {(int)strlen(title), 8}};
    PGresult *result = server_query(self, st_touch, &values);
    PQclear(result);
    return result ? 0 : -1;
}

static void store_count(void *context, PGresult *result) {
    if (PQntuples(result) == 1) *(int64_t *)context = read64(PQgetvalue(result, 0, 5));
    PQclear(result);
}

// Increments a row in two round trips: begin and read, then change and commit.
static int64_t increment(baseline *self, int64_t id, int64_t microseconds, enum statement look_up) {
    PGconn *connection = server_of(self)->connection;
    uint64_t key = swapped64((uint64_t)id);
    struct values values = {1, {(char *)&key}, {8}};
    int64_t count = -1;
    PQenterPipelineMode(connection);
    if (!server_send_text(self, "BEGIN") || !server_send(self, look_up, &values)) return server_failed(self);
    if (server_collect(self, 2, store_count, &count) < 0 || count < 0) return -1;
    if (microseconds) usleep((useconds_t)microseconds);
    uint64_t known = swapped64((uint64_t)count);
    struct values changed = {2, {(char *)&key, (char *)&known}, {8, 8}};
    PQenterPipelineMode(connection);
    if (!server_send(self, st_increment, &changed) || !server_send_text(self, "COMMIT")) return server_failed(self);
    return server_collect(self, 2, NULL, NULL);
}

int64_t server_increment_each(baseline *self, const int64_t *ids, int64_t count, int64_t microseconds, int locks) {
    enum statement look_up = locks ? st_look_up_locking : st_look_up;
    if (!server_prepare(self, look_up) || !server_prepare(self, st_increment)) return -1;
    for (int64_t i = 0; i < count; i++) {
        int64_t changed;
        while ((changed = increment(self, ids[i], microseconds, look_up)) == 0) {}
        if (changed < 0) return -1;
    }
    return count;
}

int64_t server_delete(baseline *self, const int64_t *ids, int64_t count) {
    return change(self, st_delete, ids, NULL, count);
}

// Returns a key that no row has, unique across threads.
static int64_t item_number(void) {
    static _Atomic int64_t last = 0;
    return ++last;
}

// Selects the schema of each tenant and writes a row in one round trip.
int64_t server_insert_tenants(baseline *self, const char *prefix, const int64_t *tenants, int64_t count) {
    PGconn *connection = server_of(self)->connection;
    baseline_row *rows = baseline_make_rows(1, 1);
    struct item_values item;
    set_item(&item, rows);
    int64_t sum = 0;
    for (int64_t i = 0; i < count && sum >= 0; i++) {
        char schema[160];
        snprintf(schema, sizeof schema, "SET search_path = \"%s%lld\"", prefix, (long long)tenants[i]);
        if (!i && (!server_run(self, schema) || !server_prepare(self, st_insert))) sum = -1;
        // The table may contain the row of an earlier round.
        uint64_t id = swapped64((uint64_t)item_number());
        item.values.values[0] = (char *)&id;
        PQenterPipelineMode(connection);
        if (sum < 0 || !server_send_text(self, schema) || !server_send(self, st_insert, &item.values)) {
            sum = server_failed(self);
        } else {
            int64_t changed = server_collect(self, 2, NULL, NULL);
            sum = changed < 0 ? -1 : sum + changed;
        }
    }
    baseline_free_rows(rows, 1);
    return sum;
}
