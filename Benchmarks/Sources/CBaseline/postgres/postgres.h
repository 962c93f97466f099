// Declarations shared by the files of the PostgreSQL driver.
#ifndef BASELINE_POSTGRES_H
#define BASELINE_POSTGRES_H

#include <libpq-fe.h>

#include "../driver.h"

/// The methods to write many rows.
enum { way_copy, way_unnest };

/// The prepared statements, each of which is prepared before its first use.
enum statement {
    st_insert,
    st_insert_many,
    st_upsert_many,
    st_fetch,
    st_fetch_sorted,
    st_fetch_articles,
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
    /// The connection that vacuums for both sides. With `connection`, the baseline's server process would start its round with a warm
    /// cache.
    PGconn *housekeeping;
    char *address, *schema;
    char prepared[st_count];
    /// The message of the last error.
    char error[512];
};

static inline struct server *server_of(baseline *self) { return (struct server *)self; }

// Running statements. Each function returns NULL or 0 after an error, and stores its message.

/// The values of a statement, in binary.
struct values {
    int count;
    const char *values[8];
    int lengths[8];
};

/// Runs statements without values; returns whether they succeeded.
int server_run(baseline *, const char *sql);
/// Prepares a statement if it isn't prepared yet.
int server_prepare(baseline *, enum statement);
/// Runs a prepared statement, and waits for its result in the binary format.
PGresult *server_query(baseline *, enum statement, const struct values *);
/// Send a prepared statement, or the text of a statement such as BEGIN, in a pipeline.
int server_send(baseline *, enum statement, const struct values *);
int server_send_text(baseline *, const char *sql);
/// Ends a pipeline; returns the number of rows that its statements changed, or -1. Passes every result with rows to `take`.
int64_t server_collect(baseline *, int count, void (*handle_result)(void *context, PGresult *), void *context);
/// Returns the number of rows that a statement changed.
int64_t changed_rows(const PGresult *);
/// Stores libpq's error message; returns -1.
int64_t server_failed(baseline *);

// Encoding and decoding.

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

/// Microseconds between 1970 and 2000, the epoch of PostgreSQL's timestamps.
static const int64_t postgres_epoch = 946684800000000;

/// A growable array of bytes.
struct buffer {
    char *bytes;
    size_t length, capacity;
};

void append_bytes(struct buffer *, const void *, size_t);
void append16(struct buffer *, uint16_t);
void append32(struct buffer *, uint32_t);
void append64(struct buffer *, uint64_t);
void append_double(struct buffer *, double);
/// Appends the header of an array without nulls.
void begin_array(struct buffer *, Oid type, int64_t count);
/// Returns an array of 64-bit numbers.
struct buffer number_array(const int64_t *numbers, int64_t count);
/// Adds a value to the values of a statement.
void add_value(struct values *, const struct buffer *);

/// Copies rows into a table with the given COPY statement; `write` appends each row in COPY's binary format.
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
int64_t server_upsert(baseline *, const baseline_row *, int64_t count);
int64_t server_fetch_articles(baseline *);
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
