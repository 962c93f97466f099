// What a database has to do for the baseline: a table of functions for each.
#ifndef BASELINE_DRIVER_H
#define BASELINE_DRIVER_H

#include "include/baseline.h"

struct driver {
    void (*close)(baseline *);
    const char *(*error)(const baseline *);
    /// In how many ways it writes many rows; they are tried, and the quickest counts.
    int ways;
    int64_t (*clear)(baseline *);
    int64_t (*settle)(baseline *);
    int64_t (*insert)(baseline *, const baseline_row *, int64_t count);
    int64_t (*insert_each)(baseline *, const baseline_row *, int64_t count);
    int64_t (*fetch)(baseline *);
    int64_t (*fetch_sorted)(baseline *);
    int64_t (*look_up)(baseline *, const int64_t *ids, int64_t count);
    int64_t (*look_up_each)(baseline *, const int64_t *ids, int64_t count);
    int64_t (*update)(baseline *, const int64_t *ids, int64_t count);
    int64_t (*touch)(baseline *, int64_t id, const char *title);
    int64_t (*delete_rows)(baseline *, const int64_t *ids, int64_t count);
    int64_t (*filter)(baseline *, double score, int64_t limit);
    int64_t (*find)(baseline *, const int64_t *numbers, int64_t count);
    int64_t (*graph_create)(baseline *, baseline_graph);
    int64_t (*graph_fetch)(baseline *);
    int64_t (*cascade)(baseline *, int64_t games);
    int64_t (*increment_each)(baseline *, const int64_t *ids, int64_t count, int64_t microseconds, int locks);
    int64_t (*insert_tenants)(baseline *, const char *prefix, const int64_t *tenants, int64_t count);
    /// Another connection to the same database, for a thread of its own.
    baseline *(*reopen)(baseline *);
};

/// Comes first in what each database keeps of a connection.
struct baseline {
    const struct driver *driver;
    /// Which of the driver's ways is in force, from 0.
    int way;
};

// Both sides add up what they saw like this.
static inline int64_t baseline_sum(int64_t title_length, double score, int64_t count) {
    return title_length * 31 + (int64_t)(score * 1000.0) + count * 7;
}

// Adds rows up, and frees them.
int64_t baseline_consume(baseline_row *rows, int64_t count);

// Games and players in memory.
typedef struct {
    int64_t id;
    char *name;
    int64_t score, game;
} player_row;

typedef struct {
    int64_t id;
    char *title;
    player_row *players;
    size_t count;
} game_row;

// Which game a player is of, and which of its players it is, both from 0.
int64_t baseline_game_of(int64_t player, baseline_graph);
int64_t baseline_place_of(int64_t player, baseline_graph);
// Adds up games that lead to their players, and frees both.
int64_t baseline_consume_graph(game_row *games, int64_t game_count, player_row *players, int64_t player_count);

#endif
