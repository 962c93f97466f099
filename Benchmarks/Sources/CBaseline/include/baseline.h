// What the workloads cost when they are written in C, straight on libsqlite3, with care: statements are prepared once
// for a run, a run is one transaction where the workload allows it, and nothing is copied that isn't kept.
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

/// Opens or makes the file, in WAL mode; `full` means synchronous FULL. Returns NULL when that fails.
baseline *baseline_open(const char *path, int full);
void baseline_close(baseline *);
const char *baseline_error(const baseline *);

/// Gives memory that was freed back to the system, so that a peak can be measured.
void baseline_trim(void);

/// Makes the rows `first` to `first + count - 1`, the same as the Swift side makes.
baseline_row *baseline_make_rows(int64_t first, int64_t count);
void baseline_free_rows(baseline_row *, int64_t count);

/// Empties every table.
int64_t baseline_clear(baseline *);
/// Moves the log into the file, so that a round begins with none.
int64_t baseline_checkpoint(baseline *);

/// Writes the rows in one transaction.
int64_t baseline_insert(baseline *, const baseline_row *, int64_t count);
/// Writes the rows with a transaction each.
int64_t baseline_insert_each(baseline *, const baseline_row *, int64_t count);
/// Reads every row into an array of structs with owned titles, and looks at three of their values.
int64_t baseline_fetch(baseline *);
/// Looks rows up by id, in one transaction.
int64_t baseline_look_up(baseline *, const int64_t *ids, int64_t count);
/// Looks rows up by id, each in a transaction of its own.
int64_t baseline_look_up_each(baseline *, const int64_t *ids, int64_t count);
/// The same on several threads, each with a connection of its own, the look-ups shared out among them.
int64_t baseline_look_up_threads(const char *path, const int64_t *ids, int64_t count, int threads);
/// Adds one to `count` of rows, by id, in one transaction.
int64_t baseline_update(baseline *, const int64_t *ids, int64_t count);
/// Deletes rows by id, in one transaction.
int64_t baseline_delete(baseline *, const int64_t *ids, int64_t count);
/// Reads the first rows by title with more than a score.
int64_t baseline_filter(baseline *, double score, int64_t limit);

/// Reads the rows of which `count` is one of some numbers, number by number, in one transaction.
int64_t baseline_find(baseline *, const int64_t *numbers, int64_t count);

/// Makes games with players, in one transaction.
int64_t baseline_graph_create(baseline *, int64_t games, int64_t players);
/// Reads all games and their players, grouped, and looks at each.
int64_t baseline_graph_fetch(baseline *);
/// Deletes the first games and their players, by two prepared statements a game.
int64_t baseline_cascade(baseline *, int64_t games);

#endif
