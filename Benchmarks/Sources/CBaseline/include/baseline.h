// The workloads in optimized C on libsqlite3 or libpq: statements are prepared once, a run is one transaction if the
// workload allows it, values are sent in binary, the client waits for the server only where it needs a result, and only
// stored values are copied.
//
// Each function returns a checksum that must equal the other side's, or -1 after an error, which `baseline_error`
// describes.
#ifndef BASELINE_H
#define BASELINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct baseline baseline;

/// A row in memory; the creator of the row owns the title.
typedef struct {
    int64_t id;
    uint8_t uuid[16];
    char *title;
    int32_t title_length;
    double score;
    int64_t created;
    int64_t count;
} baseline_row;

/// Opens a SQLite file in WAL mode with synchronous FULL, and creates it if needed. Returns NULL after an error.
baseline *baseline_open(const char *path);
/// Connects to a PostgreSQL server by a libpq connection string, and creates the tables in the given schema. If that fails,
/// `baseline_error` returns the reason; the result is NULL only if memory is short.
baseline *baseline_connect(const char *address, const char *schema);
void baseline_close(baseline *);
const char *baseline_error(const baseline *);
/// Runs SQL on a server, for statements that belong to no workload.
int64_t baseline_run(baseline *, const char *sql);
/// Returns the number that a query on a server returns.
int64_t baseline_number(baseline *, const char *sql);

/// Returns freed memory to the system, so that a peak can be measured.
void baseline_trim(void);

/// Creates the rows `first` to `first + count - 1`, with the same values as on the Swift side.
baseline_row *baseline_make_rows(int64_t first, int64_t count);
void baseline_free_rows(baseline_row *, int64_t count);

/// Returns the number of methods to write many rows at once, such as `COPY` and `unnest` on a server.
int baseline_method_count(const baseline *);
/// Selects one of these methods by its index.
void baseline_choose_method(baseline *, int method);

/// Empties every table.
int64_t baseline_clear(baseline *);
/// Runs the database's postponed maintenance, so that rounds start in the same state: a checkpoint of the file, or a vacuum on the server.
int64_t baseline_run_maintenance(baseline *);

/// Writes the rows in one transaction.
int64_t baseline_insert(baseline *, const baseline_row *, int64_t count);
/// Writes the rows with a transaction each.
int64_t baseline_insert_each(baseline *, const baseline_row *, int64_t count);
/// Reads every row into an array of structs with owned titles, and adds three of their values to the checksum.
int64_t baseline_fetch(baseline *);
/// Does the same in the order of the titles.
int64_t baseline_fetch_sorted(baseline *);
/// Looks up rows by id in one transaction, each after the result of the previous one.
int64_t baseline_look_up(baseline *, const int64_t *ids, int64_t count);
/// Looks rows up by id, each in a transaction of its own.
int64_t baseline_look_up_each(baseline *, const int64_t *ids, int64_t count);
/// Adds one to `count` of rows, by id, in one transaction.
int64_t baseline_update(baseline *, const int64_t *ids, int64_t count);
/// Writes rows to the table of articles, whose titles are unique, in one transaction; a row with the title of an article updates it.
int64_t baseline_upsert(baseline *, const baseline_row *, int64_t count);
/// Reads every article, as `baseline_fetch` does.
int64_t baseline_fetch_articles(baseline *);
/// Sets the title of a row, and adds one to its `count`.
int64_t baseline_touch(baseline *, int64_t id, const char *title);
/// Deletes rows by id, in one transaction.
int64_t baseline_delete(baseline *, const int64_t *ids, int64_t count);
/// Reads the first rows, in the order of the titles, whose score is greater than the given one.
int64_t baseline_filter(baseline *, double score, int64_t limit);
/// For each number, reads the rows whose `count` equals it, in one transaction.
int64_t baseline_find(baseline *, const int64_t *numbers, int64_t count);

/// Threads that share a workload, each with its own connection.
typedef struct baseline_team baseline_team;
baseline_team *baseline_team_open(baseline *, int size);
void baseline_team_close(baseline_team *);
/// Looks rows up by id, each in a transaction of its own.
int64_t baseline_look_up_team(baseline_team *, const int64_t *ids, int64_t count);
/// Adds one to `count` of rows, by id, each in a transaction that reads the row, waits for the given time, and changes the
/// row; if another transaction has changed it meanwhile, it starts again. With `locks`, reading locks the row. Returns the
/// number of changed rows.
int64_t baseline_increment_team(
    baseline_team *, const int64_t *ids, int64_t count, int64_t microseconds, int locks);
/// Writes a row into the table of each tenant, whose schema is `prefix` followed by the tenant's number. On a server only.
int64_t baseline_insert_team(baseline_team *, const char *prefix, const int64_t *tenants, int64_t count);

/// Games with the same number of players. The players of a game are created one after the other or, with `in_turns`, one of each game in
/// turn.
typedef struct {
    int64_t games, players;
    int in_turns;
} baseline_graph;
/// Creates games with players, in one transaction.
int64_t baseline_graph_create(baseline *, baseline_graph);
/// Reads all games and their players, groups the players by game, and returns the checksum.
int64_t baseline_graph_fetch(baseline *);
/// Deletes the first games and their players with two prepared statements.
int64_t baseline_cascade(baseline *, int64_t games);

/// Starts or stops counting the statements and round trips of the process. Counts only on Linux.
void baseline_count(int isCounting);
/// Returns the number of counted statements.
int64_t baseline_statements(void);
/// Returns the number of counted round trips.
int64_t baseline_round_trips(void);

/// Empty functions at which a profiler starts counting and writes its counts.
void baseline_measuring_begins(void);
void baseline_measuring_ends(void);

#endif
