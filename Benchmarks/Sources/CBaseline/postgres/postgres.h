// What the files about PostgreSQL share.
#ifndef BASELINE_POSTGRES_H
#define BASELINE_POSTGRES_H

#include <libpq-fe.h>

#include "../driver.h"

/// The ways in which many rows are written.
enum { way_copy, way_unnest };

/// The statements that are prepared, each when it is needed first.
enum statement {
    st_insert,
    st_insert_many,
    st_fetch,
    st_fetch_sorted,
    st_look_up,
    st_look_up_locking,
    st_update,
    st_touch,
    st_increment,
    st_delete,
    st_filter,
    st_find,
    st_insert_games,
    st_insert_players,
    st_games,
    st_players,
    st_delete_players,
    st_delete_games,
    st_count
};

struct server {
    struct baseline base;
    PGconn *connection;
    /// Does for both sides what the server would put off: were it `connection`, the baseline's server process alone would begin its round warm.
    PGconn *housekeeping;
    char *address, *schema;
    char prepared[st_count];
    /// What libpq said of the last failure.
    char error[512];
};

static inline struct server *of(baseline *self) { return (struct server *)self; }

// Running. Each function returns NULL, or 0, where a statement failed, and keeps the error.

/// The values of a statement, in binary.
struct values {
    int count;
    const char *values[8];
    int lengths[8];
};

/// Runs statements without values; answers whether they succeeded.
int server_run(baseline *, const char *sql);
/// Makes sure that a statement is prepared.
int server_prepare(baseline *, enum statement);
/// Runs a prepared statement and waits for its answer, which is in binary.
PGresult *server_query(baseline *, enum statement, const struct values *);
/// Sends a prepared statement in a pipeline, or begins and ends transactions there by a word.
int server_send(baseline *, enum statement, const struct values *);
int server_send_word(baseline *, const char *sql);
/// Ends a pipeline; answers how many rows its statements changed, or -1. Hands every answer that has rows to `take`.
int64_t server_collect(baseline *, int count, void (*take)(void *context, PGresult *), void *context);
/// How many rows a statement changed.
int64_t changed_rows(const PGresult *);
/// Keeps what libpq says; answers -1.
int64_t server_failed(baseline *);

// Bytes, as they cross.

static inline uint64_t swapped64(uint64_t value) { return __builtin_bswap64(value); }
static inline uint32_t swapped32(uint32_t value) { return __builtin_bswap32(value); }

static inline int64_t read64(const char *bytes) {
    uint64_t value;
    __builtin_memcpy(&value, bytes, 8);
    return (int64_t)swapped64(value);
}

static inline double read_double(const char *bytes) {
    int64_t bits = read64(bytes);
    double value;
    __builtin_memcpy(&value, &bits, 8);
    return value;
}

/// Microseconds between 1970 and 2000, where PostgreSQL's time begins.
static const int64_t postgres_epoch = 946684800000000;

/// Bytes that grow.
struct buffer {
    char *bytes;
    size_t length, capacity;
};

void append_bytes(struct buffer *, const void *, size_t);
void append16(struct buffer *, uint16_t);
void append32(struct buffer *, uint32_t);
void append64(struct buffer *, uint64_t);
void append_double(struct buffer *, double);
/// The beginning of an array of so many elements, none of them null.
void begin_array(struct buffer *, Oid type, int64_t count);
/// Makes an array of 64-bit numbers.
struct buffer number_array(const int64_t *numbers, int64_t count);
/// Adds a value to those of a statement.
void add_value(struct values *, const struct buffer *);

/// Copies rows into a table: what `begin` says, then what was appended by `write` for each, in COPY's binary form.
int64_t server_copy(
    baseline *, const char *sql, int64_t count, void (*write)(struct buffer *, int64_t index, const void *context),
    const void *context);

int64_t server_insert(baseline *, const baseline_row *, int64_t count);
int64_t server_insert_each(baseline *, const baseline_row *, int64_t count);
int64_t server_fetch(baseline *);
int64_t server_fetch_sorted(baseline *);
int64_t server_look_up(baseline *, const int64_t *ids, int64_t count);
int64_t server_look_up_each(baseline *, const int64_t *ids, int64_t count);
int64_t server_update(baseline *, const int64_t *ids, int64_t count);
int64_t server_touch(baseline *, int64_t id, const char *title);
int64_t server_delete(baseline *, const int64_t *ids, int64_t count);
int64_t server_filter(baseline *, double score, int64_t limit);
int64_t server_find(baseline *, const int64_t *numbers, int64_t count);
int64_t server_graph_create(baseline *, baseline_graph);
int64_t server_graph_fetch(baseline *);
int64_t server_cascade(baseline *, int64_t games);
int64_t server_insert_tenants(baseline *, const char *prefix, const int64_t *tenants, int64_t count);
int64_t server_increment_each(baseline *, const int64_t *ids, int64_t count, int64_t microseconds, int locks);

#endif
