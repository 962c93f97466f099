// Counts the statements and round trips of both sides: the linker redirects the calls of these functions of libsqlite3 and
// libpq to this file (`--wrap` in Package.swift).
#include "include/baseline.h"

#include <stdatomic.h>

static atomic_bool is_counting;
static atomic_llong statements, round_trips;

void baseline_count(int isCounting) { atomic_store(&is_counting, isCounting != 0); }
int64_t baseline_statements(void) { return atomic_load(&statements); }
int64_t baseline_round_trips(void) { return atomic_load(&round_trips); }

// The functions do nothing; the assembly prevents the compiler from removing the calls.
__attribute__((noinline)) void baseline_measuring_begins(void) { __asm__ volatile(""); }
__attribute__((noinline)) void baseline_measuring_ends(void) { __asm__ volatile("" ::: "memory"); }

#ifdef __linux__
#include <libpq-fe.h>
#include <sqlite3.h>

static inline int counts(void) { return atomic_load_explicit(&is_counting, memory_order_relaxed); }
static inline void add(atomic_llong *number) { atomic_fetch_add_explicit(number, 1, memory_order_relaxed); }

int __real_sqlite3_step(sqlite3_stmt *);
int __wrap_sqlite3_step(sqlite3_stmt *statement) {
    if (counts() && !sqlite3_stmt_busy(statement)) add(&statements);
    return __real_sqlite3_step(statement);
}

int __real_sqlite3_exec(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
int __wrap_sqlite3_exec(
    sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **message) {
    if (counts()) add(&statements);
    return __real_sqlite3_exec(db, sql, row, context, message);
}

// A result with a command tag, such as "INSERT 0 1", ends a statement.
PGresult *__real_PQgetResult(PGconn *);
PGresult *__wrap_PQgetResult(PGconn *connection) {
    PGresult *result = __real_PQgetResult(connection);
    if (counts() && result && PQcmdStatus(result)[0]) add(&statements);
    return result;
}

// In a pipeline, the client waits only at its end.
static inline void count_round_trip(PGconn *connection) {
    if (counts() && PQpipelineStatus(connection) == PQ_PIPELINE_OFF) add(&round_trips);
}

int __real_PQsendQuery(PGconn *, const char *);
int __wrap_PQsendQuery(PGconn *connection, const char *sql) {
    count_round_trip(connection);
    return __real_PQsendQuery(connection, sql);
}

int __real_PQsendQueryParams(
    PGconn *, const char *, int, const Oid *, const char *const *, const int *, const int *, int);
int __wrap_PQsendQueryParams(
    PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values, const int *lengths,
    const int *formats, int format) {
    count_round_trip(connection);
    return __real_PQsendQueryParams(connection, sql, count, types, values, lengths, formats, format);
}

int __real_PQsendPrepare(PGconn *, const char *, const char *, int, const Oid *);
int __wrap_PQsendPrepare(PGconn *connection, const char *name, const char *sql, int count, const Oid *types) {
    count_round_trip(connection);
    return __real_PQsendPrepare(connection, name, sql, count, types);
}

int __real_PQsendQueryPrepared(
    PGconn *, const char *, int, const char *const *, const int *, const int *, int);
int __wrap_PQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats,
    int format) {
    count_round_trip(connection);
    return __real_PQsendQueryPrepared(connection, name, count, values, lengths, formats, format);
}

int __real_PQpipelineSync(PGconn *);
int __wrap_PQpipelineSync(PGconn *connection) {
    if (counts()) add(&round_trips);
    return __real_PQpipelineSync(connection);
}

int __real_PQputCopyEnd(PGconn *, const char *);
int __wrap_PQputCopyEnd(PGconn *connection, const char *message) {
    if (counts()) add(&round_trips);
    return __real_PQputCopyEnd(connection, message);
}
#endif
