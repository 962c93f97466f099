// The workloads that read one table from a PostgreSQL server.
#include "postgres.h"

#include <stdlib.h>
#include <string.h>

static void read_row(const PGresult *result, int place, baseline_row *row) {
    row->id = read64(PQgetvalue(result, place, 0));
    memcpy(row->uuid, PQgetvalue(result, place, 1), 16);
    row->title_length = PQgetlength(result, place, 2);
    row->title = malloc((size_t)row->title_length + 1);
    memcpy(row->title, PQgetvalue(result, place, 2), (size_t)row->title_length + 1);
    row->score = read_double(PQgetvalue(result, place, 3));
    row->created = read64(PQgetvalue(result, place, 4)) + postgres_epoch;
    row->count = read64(PQgetvalue(result, place, 5));
}

// Reads the result of a statement into an array of rows, and returns its checksum.
static int64_t read_all(baseline *self, enum statement statement, const struct values *values) {
    PGresult *result = server_query(self, statement, values);
    if (!result) return -1;
    int count = PQntuples(result);
    baseline_row *rows = malloc(sizeof *rows * (size_t)(count + 1));
    for (int i = 0; i < count; i++) read_row(result, i, &rows[i]);
    PQclear(result);
    return baseline_consume(rows, count);
}

int64_t server_fetch(baseline *self) { return read_all(self, st_fetch, NULL); }
int64_t server_fetch_articles(baseline *self) { return read_all(self, st_fetch_articles, NULL); }
int64_t server_fetch_sorted(baseline *self) { return read_all(self, st_fetch_sorted, NULL); }

int64_t server_filter(baseline *self, double score, int64_t limit) {
    uint64_t least, most = swapped64((uint64_t)limit);
    memcpy(&least, &score, 8);
    least = swapped64(least);
    struct values values = {2, {(char *)&least, (char *)&most}, {8, 8}};
    return read_all(self, st_filter, &values);
}

// Runs a statement for each number, each after the result of the previous one.
static int64_t read_each(baseline *self, enum statement statement, const int64_t *numbers, int64_t count) {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t number = swapped64((uint64_t)numbers[i]);
        struct values values = {1, {(char *)&number}, {8}};
        int64_t one = read_all(self, statement, &values);
        if (one < 0) return -1;
        sum += one;
    }
    return sum;
}

int64_t server_look_up(baseline *self, const int64_t *ids, int64_t count) {
    if (!server_run(self, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")) return -1;
    int64_t sum = read_each(self, st_look_up, ids, count);
    return server_run(self, "COMMIT") ? sum : -1;
}

int64_t server_look_up_each(baseline *self, const int64_t *ids, int64_t count) {
    return read_each(self, st_look_up, ids, count);
}

int64_t server_find(baseline *self, const int64_t *numbers, int64_t count) {
    if (!server_run(self, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")) return -1;
    int64_t sum = read_each(self, st_find, numbers, count);
    return server_run(self, "COMMIT") ? sum : -1;
}
