// The functions that each database implements for the baseline.
#ifndef BASELINE_DRIVER_H
#define BASELINE_DRIVER_H

#include "include/baseline.h"

struct driver {
    void (*close)(baseline *);
    const char *(*error)(const baseline *);
    /// The number of methods to write many rows; the fastest one is the baseline.
    int method_count;
    int64_t (*clear)(baseline *);
    int64_t (*run_maintenance)(baseline *);
    int64_t (*insert)(baseline *, const baseline_row *, int64_t count);
    int64_t (*insert_each)(baseline *, const baseline_row *, int64_t count);
    int64_t (*fetch)(baseline *);
    int64_t (*fetch_sorted)(baseline *);
    int64_t (*look_up)(baseline *, const int64_t *ids, int64_t count);
    int64_t (*look_up_each)(baseline *, const int64_t *ids, int64_t count);
    int64_t (*update)(baseline *, const int64_t *ids, int64_t count);
    int64_t (*upsert)(baseline *, const baseline_row *, int64_t count);
    int64_t (*fetch_articles)(baseline *);
    int64_t (*touch)(baseline *, int64_t id, const char *title);
    int64_t (*delete_rows)(baseline *, const int64_t *ids, int64_t count);
    int64_t (*filter)(baseline *, double score, int64_t limit);
    int64_t (*find)(baseline *, const int64_t *numbers, int64_t count);
    int64_t (*graph_create)(baseline *, baseline_graph);
    int64_t (*graph_fetch)(baseline *);
    int64_t (*cascade)(baseline *, int64_t games);
    int64_t (*increment_each)(baseline *, const int64_t *ids, int64_t count, int64_t microseconds, int locks);
    int64_t (*insert_tenants)(baseline *, const char *prefix, const int64_t *tenants, int64_t count);
    /// Opens another connection to the same database, for another thread.
    baseline *(*reopen)(baseline *);
};

/// The first member of the connection struct of each database.
struct baseline {
    const struct driver *driver;
    /// The index of the selected method to write many rows.
    int method;
};

// Returns a row's part of the checksum, which both sides compute.
static inline int64_t baseline_sum(int64_t title_length, double score, int64_t count) {
    return title_length * 31 + (int64_t)(score * 1000.0) + count * 7;
}

// Returns the checksum of rows, and frees them.
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

// Return the index of a player's game, and the player's index in the game.
int64_t baseline_game_of(int64_t player, baseline_graph);
int64_t baseline_place_of(int64_t player, baseline_graph);
// Returns the checksum of games and their players, and frees both.
int64_t baseline_consume_graph(game_row *games, int64_t game_count, player_row *players, int64_t player_count);

#endif
