// What the workloads cost when they are written in C, straight on libsqlite3 or libpq, with care: statements are
// prepared once, a run is one transaction where the workload allows it, values cross in binary, nothing waits for the
// server that needn't, and nothing is copied that isn't kept.
//
// Each function returns a checksum that the other side must also come to, or -1 after an error, which
// `baseline_error` then describes.
#ifndef BASELINE_H
#define BASELINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct baseline baseline;

/// A row as a program holds it; the title belongs to whoever made the row.
typedef struct {
    int64_t id;
    uint8_t uuid[16];
    char *title;
    int32_t title_length;
    double score;
    int64_t created;
    int64_t count;
} baseline_row;

/// Opens or makes a file of SQLite's, in WAL mode, with synchronous FULL. Returns NULL when that fails.
baseline *baseline_open(const char *path);
/// Connects to a PostgreSQL server, as libpq's connection string says, and makes the tables in a schema of their own. Where that
/// fails, `baseline_error` says why; NULL only where memory is short.
baseline *baseline_connect(const char *address, const char *schema);
void baseline_close(baseline *);
const char *baseline_error(const baseline *);
/// Runs SQL on a server, where it is the benchmark that has to look after it.
int64_t baseline_run(baseline *, const char *sql);
/// The number that a query on a server answers.
int64_t baseline_number(baseline *, const char *sql);

/// Gives memory that was freed back to the system, so that a peak can be measured.
void baseline_trim(void);

/// Makes the rows `first` to `first + count - 1`, the same as the Swift side makes.
baseline_row *baseline_make_rows(int64_t first, int64_t count);
void baseline_free_rows(baseline_row *, int64_t count);

/// In how many ways the database can be given many rows at once: on a server `COPY` is one, `unnest` another.
int baseline_ways(const baseline *);
/// Chooses one of them, from 0.
void baseline_choose(baseline *, int way);

/// Empties every table.
int64_t baseline_clear(baseline *);
/// Does now what the database would put off, so that rounds begin alike: a checkpoint of the file, or a vacuum of all that the server has.
int64_t baseline_settle(baseline *);

/// Writes the rows in one transaction.
int64_t baseline_insert(baseline *, const baseline_row *, int64_t count);
/// Writes the rows with a transaction each.
int64_t baseline_insert_each(baseline *, const baseline_row *, int64_t count);
/// Reads every row into an array of structs with owned titles, and looks at three of their values.
int64_t baseline_fetch(baseline *);
/// The same in order of the titles.
int64_t baseline_fetch_sorted(baseline *);
/// Looks rows up by id, in one transaction, each when the one before is known.
int64_t baseline_look_up(baseline *, const int64_t *ids, int64_t count);
/// Looks rows up by id, each in a transaction of its own.
int64_t baseline_look_up_each(baseline *, const int64_t *ids, int64_t count);
/// Adds one to `count` of rows, by id, in one transaction.
int64_t baseline_update(baseline *, const int64_t *ids, int64_t count);
/// Gives a row another title, and adds one to its `count`.
int64_t baseline_touch(baseline *, int64_t id, const char *title);
/// Deletes rows by id, in one transaction.
int64_t baseline_delete(baseline *, const int64_t *ids, int64_t count);
/// Reads the first rows by title with more than a score.
int64_t baseline_filter(baseline *, double score, int64_t limit);
/// Reads the rows of which `count` is one of some numbers, number by number, in one transaction.
int64_t baseline_find(baseline *, const int64_t *numbers, int64_t count);

/// Threads that share look-ups among them, each with a connection of its own.
typedef struct baseline_team baseline_team;
baseline_team *baseline_team_open(baseline *, int size);
void baseline_team_close(baseline_team *);
/// Looks rows up by id, each in a transaction of its own.
int64_t baseline_look_up_team(baseline_team *, const int64_t *ids, int64_t count);
/// Adds one to `count` of rows, by id, each in a transaction of its own that reads the row, takes some time to think, and
/// changes the row if nobody else has: otherwise it begins again. With `locks` it locks the row where it reads it. Answers how many rows
/// were changed.
int64_t baseline_increment_team(
    baseline_team *, const int64_t *ids, int64_t count, int64_t microseconds, int locks);
/// Writes a row into the table of each tenant, which has a schema of its own: `prefix` with the tenant's number. On a server only.
int64_t baseline_insert_team(baseline_team *, const char *prefix, const int64_t *tenants, int64_t count);

/// Games, each with as many players; one game's players are made behind each other, or, in turns, one player of each game after the other.
typedef struct {
    int64_t games, players;
    int in_turns;
} baseline_graph;
/// Makes games with players, in one transaction.
int64_t baseline_graph_create(baseline *, baseline_graph);
/// Reads all games and their players, grouped, and looks at each.
int64_t baseline_graph_fetch(baseline *);
/// Deletes the first games and their players, by two prepared statements.
int64_t baseline_cascade(baseline *, int64_t games);

/// Begins to count the process's statements and round trips, of both sides; or ends it. Only on Linux is anything counted.
void baseline_count(int isCounting);
/// The statements that were run while they were counted.
int64_t baseline_statements(void);
/// How often a server was asked for an answer meanwhile.
int64_t baseline_round_trips(void);

/// Where a profiler begins to count for itself, and where it takes down what it has counted.
void baseline_measuring_begins(void);
void baseline_measuring_ends(void);

#endif
