// The workloads over games and their players, on a PostgreSQL server.
#include "postgres.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The number of players that a statement inserts with `unnest`.
enum { chunk = 10000 };

// MARK: Creating

static void append_number(struct buffer *buffer, int64_t value) {
    append32(buffer, 8);
    append64(buffer, (uint64_t)value);
}

static void append_name(struct buffer *buffer, const char *format, int64_t number) {
    char text[32];
    int length = snprintf(text, sizeof text, format, (long long)number);
    append32(buffer, (uint32_t)length);
    append_bytes(buffer, text, (size_t)length);
}

static void write_game(struct buffer *buffer, int64_t index, const void *context) {
    (void)context;
    append16(buffer, 2);
    append_number(buffer, index + 1);
    append_name(buffer, "Game %lld", index);
}

static void write_player(struct buffer *buffer, int64_t index, const void *context) {
    baseline_graph graph = *(const baseline_graph *)context;
    int64_t place = baseline_place_of(index, graph);
    append16(buffer, 4);
    append_number(buffer, index + 1);
    append_name(buffer, "Player %lld", place);
    append_number(buffer, place);
    append_number(buffer, baseline_game_of(index, graph) + 1);
}

static int64_t create_by_copy(baseline *self, baseline_graph graph) {
    if (!server_run(self, "BEGIN")) return -1;
    if (server_copy(self, "COPY game FROM STDIN (FORMAT binary)", graph.games, write_game, NULL) < 0) return -1;
    int64_t count = graph.games * graph.players;
    if (server_copy(self, "COPY player FROM STDIN (FORMAT binary)", count, write_player, &graph) < 0) return -1;
    return server_run(self, "COMMIT") ? count : -1;
}

static int send_games(baseline *self, int64_t games) {
    struct buffer ids = {0}, titles = {0};
    begin_array(&ids, 20, games);
    begin_array(&titles, 25, games);
    for (int64_t i = 0; i < games; i++) {
        append_number(&ids, i + 1);
        append_name(&titles, "Game %lld", i);
    }
    struct values values = {0};
    add_value(&values, &ids);
    add_value(&values, &titles);
    int sent = server_send(self, st_insert_games, &values);
    free(ids.bytes);
    free(titles.bytes);
    return sent;
}

static int send_players(baseline *self, int64_t first, int64_t count, baseline_graph graph) {
    struct buffer columns[4] = {0};
    struct values values = {0};
    for (int i = 0; i < 4; i++) begin_array(&columns[i], i == 1 ? 25 : 20, count);
    for (int64_t i = first; i < first + count; i++) {
        append_number(&columns[0], i + 1);
        int64_t place = baseline_place_of(i, graph);
        append_name(&columns[1], "Player %lld", place);
        append_number(&columns[2], place);
        append_number(&columns[3], baseline_game_of(i, graph) + 1);
    }
    for (int i = 0; i < 4; i++) add_value(&values, &columns[i]);
    int sent = server_send(self, st_insert_players, &values);
    for (int i = 0; i < 4; i++) free(columns[i].bytes);
    return sent;
}

static int64_t create_by_unnest(baseline *self, baseline_graph graph) {
    if (!server_prepare(self, st_insert_games) || !server_prepare(self, st_insert_players)) return -1;
    PQenterPipelineMode(server_of(self)->connection);
    int sent = server_send_text(self, "BEGIN") && send_games(self, graph.games), expected = 3;
    int64_t count = graph.games * graph.players;
    for (int64_t first = 0; first < count && sent; first += chunk, expected++) {
        sent = send_players(self, first, count - first < chunk ? count - first : chunk, graph);
    }
    if (sent) sent = server_send_text(self, "COMMIT");
    int64_t changed = sent ? server_collect(self, expected, NULL, NULL) : server_failed(self);
    return changed < 0 ? -1 : changed - graph.games;
}

int64_t server_graph_create(baseline *self, baseline_graph graph) {
    return self->method == way_unnest ? create_by_unnest(self, graph) : create_by_copy(self, graph);
}

// MARK: Fetching

struct query_results {
    int count;
    PGresult *results[2];
};

static void store_result(void *context, PGresult *result) {
    struct query_results *query_results = context;
    query_results->results[query_results->count++] = result;
}

static char *owned(const PGresult *result, int row, int column) {
    size_t length = (size_t)PQgetlength(result, row, column) + 1;
    return memcpy(malloc(length), PQgetvalue(result, row, column), length);
}

// Returns the game with an id. The games are sorted by id; usually it is the game of the previous player.
static game_row *find_game(game_row *games, int64_t count, int64_t id, game_row *last) {
    if (last && last->id == id) return last;
    int64_t low = 0, high = count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (games[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return &games[low];
}

// Groups the players by game with a counting sort.
static player_row *grouped(const PGresult *result, game_row *games, int64_t game_count) {
    int count = PQntuples(result);
    player_row *players = malloc(sizeof *players * (size_t)(count + 1));
    game_row **owners = malloc(sizeof *owners * (size_t)(count + 1)), *game = NULL;
    for (int i = 0; i < count; i++) {
        game = find_game(games, game_count, read64(PQgetvalue(result, i, 3)), game);
        owners[i] = game;
        game->count++;
    }
    player_row *next = players;
    for (int64_t i = 0; i < game_count; i++) {
        games[i].players = next;
        next += games[i].count;
        games[i].count = 0;
    }
    for (int i = 0; i < count; i++) {
        owners[i]->players[owners[i]->count++] = (player_row){
            read64(PQgetvalue(result, i, 0)), owned(result, i, 1), read64(PQgetvalue(result, i, 2)), owners[i]->id};
    }
    free(owners);
    return players;
}

int64_t server_graph_fetch(baseline *self) {
    if (!server_prepare(self, st_games) || !server_prepare(self, st_players)) return -1;
    PQenterPipelineMode(server_of(self)->connection);
    struct query_results query_results = {0};
    int sent = server_send_text(self, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        && server_send(self, st_games, NULL) && server_send(self, st_players, NULL)
        && server_send_text(self, "COMMIT");
    if (!sent || server_collect(self, 4, store_result, &query_results) < 0 || query_results.count != 2) return server_failed(self);
    int game_count = PQntuples(query_results.results[0]);
    game_row *games = malloc(sizeof *games * (size_t)(game_count + 1));
    for (int i = 0; i < game_count; i++) {
        games[i] = (game_row){
            read64(PQgetvalue(query_results.results[0], i, 0)), owned(query_results.results[0], i, 1), NULL, 0};
    }
    player_row *players = grouped(query_results.results[1], games, game_count);
    int player_count = PQntuples(query_results.results[1]);
    PQclear(query_results.results[0]);
    PQclear(query_results.results[1]);
    return baseline_consume_graph(games, game_count, players, player_count);
}

// MARK: Deleting

int64_t server_cascade(baseline *self, int64_t games) {
    if (!server_prepare(self, st_delete_players) || !server_prepare(self, st_delete_games)) return -1;
    int64_t *ids = malloc(sizeof *ids * (size_t)games);
    for (int64_t i = 0; i < games; i++) ids[i] = i + 1;
    struct buffer array = number_array(ids, games);
    struct values values = {0};
    add_value(&values, &array);
    PQenterPipelineMode(server_of(self)->connection);
    int sent = server_send_text(self, "BEGIN") && server_send(self, st_delete_players, &values)
        && server_send(self, st_delete_games, &values) && server_send_text(self, "COMMIT");
    int64_t changed = sent ? server_collect(self, 4, NULL, NULL) : server_failed(self);
    free(array.bytes);
    free(ids);
    return changed < 0 ? -1 : games;
}
