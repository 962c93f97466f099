// The workloads over games and their players, on SQLite.
#include "sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *owned(sqlite3_stmt *statement, int column) {
    const void *text = sqlite3_column_text(statement, column);
    size_t length = (size_t)sqlite3_column_bytes(statement, column) + 1;
    return memcpy(malloc(length), text, length);
}

// Inserts a row whose first columns are a number and a text; the other columns are already bound.
static int insert(sqlite3_stmt *statement, int64_t id, const char *format, int64_t number) {
    char text[32];
    int length = snprintf(text, sizeof text, format, (long long)number);
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_text(statement, 2, text, length, SQLITE_STATIC);
    int failed = sqlite3_step(statement) != SQLITE_DONE;
    sqlite3_reset(statement);
    return failed;
}

int64_t file_graph_create(baseline *self, baseline_graph graph) {
    sqlite3_stmt *game = file_prepare(self, "INSERT INTO game VALUES (?, ?)");
    sqlite3_stmt *player = file_prepare(self, "INSERT INTO player VALUES (?, ?, ?, ?)");
    int64_t count = graph.games * graph.players;
    int failed = !game || !player || file_run(self, "BEGIN IMMEDIATE") != SQLITE_OK;
    for (int64_t i = 0; i < graph.games && !failed; i++) failed = insert(game, i + 1, "Game %lld", i);
    for (int64_t i = 0; i < count && !failed; i++) {
        int64_t place = baseline_place_of(i, graph);
        sqlite3_bind_int64(player, 3, place);
        sqlite3_bind_int64(player, 4, baseline_game_of(i, graph) + 1);
        failed = insert(player, i + 1, "Player %lld", place);
    }
    sqlite3_finalize(game);
    sqlite3_finalize(player);
    if (failed || file_run(self, "COMMIT") != SQLITE_OK) return -1;
    return count;
}

// Reads the games into an array; returns their number, or -1.
static int64_t read_games(baseline *self, game_row **result) {
    sqlite3_stmt *select = file_prepare(self, "SELECT id, title FROM game ORDER BY id");
    if (!select) return -1;
    size_t capacity = 64, count = 0;
    game_row *games = malloc(capacity * sizeof *games);
    while (sqlite3_step(select) == SQLITE_ROW) {
        if (count == capacity) games = realloc(games, (capacity *= 2) * sizeof *games);
        games[count++] = (game_row){sqlite3_column_int64(select, 0), owned(select, 1), NULL, 0};
    }
    sqlite3_finalize(select);
    *result = games;
    return (int64_t)count;
}

// Reads the players in the order of their games; returns their number, or -1.
static int64_t read_players(baseline *self, player_row **result) {
    sqlite3_stmt *select = file_prepare(self, "SELECT id, name, score, game_id FROM player ORDER BY game_id");
    if (!select) return -1;
    size_t capacity = 1024, count = 0;
    player_row *players = malloc(capacity * sizeof *players);
    while (sqlite3_step(select) == SQLITE_ROW) {
        if (count == capacity) players = realloc(players, (capacity *= 2) * sizeof *players);
        players[count++] = (player_row){
            sqlite3_column_int64(select, 0), owned(select, 1), sqlite3_column_int64(select, 2),
            sqlite3_column_int64(select, 3)};
    }
    sqlite3_finalize(select);
    *result = players;
    return (int64_t)count;
}

int64_t file_graph_fetch(baseline *self) {
    if (file_run(self, "BEGIN") != SQLITE_OK) return -1;
    game_row *games = NULL;
    player_row *players = NULL;
    int64_t game_count = read_games(self, &games), player_count = read_players(self, &players);
    if (game_count < 0 || player_count < 0 || file_run(self, "COMMIT") != SQLITE_OK) return -1;
    for (int64_t i = 0, next = 0; i < game_count; i++) {
        games[i].players = &players[next];
        while (next < player_count && players[next].game == games[i].id) next++;
        games[i].count = (size_t)(&players[next] - games[i].players);
    }
    return baseline_consume_graph(games, game_count, players, player_count);
}

int64_t file_cascade(baseline *self, int64_t games) {
    sqlite3_stmt *players = file_prepare(self, "DELETE FROM player WHERE game_id = ?");
    sqlite3_stmt *game = file_prepare(self, "DELETE FROM game WHERE id = ?");
    int failed = !players || !game || file_run(self, "BEGIN IMMEDIATE") != SQLITE_OK;
    for (int64_t i = 1; i <= games && !failed; i++) {
        sqlite3_bind_int64(players, 1, i);
        sqlite3_bind_int64(game, 1, i);
        failed = sqlite3_step(players) != SQLITE_DONE || sqlite3_step(game) != SQLITE_DONE;
        sqlite3_reset(players);
        sqlite3_reset(game);
    }
    sqlite3_finalize(players);
    sqlite3_finalize(game);
    if (failed || file_run(self, "COMMIT") != SQLITE_OK) return -1;
    return games;
}
