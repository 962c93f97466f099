// Creating rows, and computing checksums.
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// splitmix64, so that both sides get the same numbers.
static uint64_t mixed(uint64_t seed) {
    uint64_t z = seed + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

baseline_row *baseline_make_rows(int64_t first, int64_t count) {
    baseline_row *rows = malloc(sizeof *rows * (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        baseline_row *row = &rows[i];
        uint64_t number = (uint64_t)(first + i);
        uint64_t a = mixed(number), b = mixed(a);
        row->id = first + i;
        memcpy(row->uuid, &a, 8);
        memcpy(row->uuid + 8, &b, 8);
        char text[32];
        row->title_length = snprintf(text, sizeof text, "Item %015llu", (unsigned long long)(a % 1000000000000000u));
        row->title = malloc((size_t)row->title_length + 1);
        memcpy(row->title, text, (size_t)row->title_length + 1);
        row->score = (double)(b % 1000000) / 1000.0;
        row->created = 1700000000000000 + (int64_t)number * 1000;
        row->count = (int64_t)(number % 1000);
    }
    return rows;
}

void baseline_free_rows(baseline_row *rows, int64_t count) {
    for (int64_t i = 0; i < count; i++) free(rows[i].title);
    free(rows);
}

int64_t baseline_consume(baseline_row *rows, int64_t count) {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) sum += baseline_sum(rows[i].title_length, rows[i].score, rows[i].count);
    baseline_free_rows(rows, count);
    return sum;
}

int64_t baseline_game_of(int64_t player, baseline_graph graph) {
    return graph.in_turns ? player % graph.games : player / graph.players;
}

int64_t baseline_place_of(int64_t player, baseline_graph graph) {
    return graph.in_turns ? player / graph.games : player % graph.players;
}

int64_t baseline_consume_graph(game_row *games, int64_t game_count, player_row *players, int64_t player_count) {
    int64_t sum = 0;
    for (int64_t i = 0; i < game_count; i++) {
        for (size_t j = 0; j < games[i].count; j++) sum += games[i].players[j].score + 1;
    }
    for (int64_t i = 0; i < game_count; i++) free(games[i].title);
    for (int64_t i = 0; i < player_count; i++) free(players[i].name);
    free(games);
    free(players);
    return sum;
}

void baseline_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
