// Forwards each workload to the driver of its database.
#include "driver.h"

#include <pthread.h>
#include <stdlib.h>

void baseline_close(baseline *self) {
    if (self) self->driver->close(self);
}

const char *baseline_error(const baseline *self) {
    return self ? self->driver->error(self) : "the database could not be opened";
}

int baseline_method_count(const baseline *self) { return self->driver->method_count; }
void baseline_choose_method(baseline *self, int method) { self->method = method; }

int64_t baseline_clear(baseline *self) { return self->driver->clear(self); }
int64_t baseline_run_maintenance(baseline *self) { return self->driver->run_maintenance(self); }

int64_t baseline_insert(baseline *self, const baseline_row *rows, int64_t count) {
    return self->driver->insert(self, rows, count);
}

int64_t baseline_insert_each(baseline *self, const baseline_row *rows, int64_t count) {
    return self->driver->insert_each(self, rows, count);
}

int64_t baseline_fetch(baseline *self) { return self->driver->fetch(self); }
int64_t baseline_fetch_sorted(baseline *self) { return self->driver->fetch_sorted(self); }

int64_t baseline_look_up(baseline *self, const int64_t *ids, int64_t count) {
    return self->driver->look_up(self, ids, count);
}

int64_t baseline_look_up_each(baseline *self, const int64_t *ids, int64_t count) {
    return self->driver->look_up_each(self, ids, count);
}

int64_t baseline_update(baseline *self, const int64_t *ids, int64_t count) {
    return self->driver->update(self, ids, count);
}

int64_t baseline_upsert(baseline *self, const baseline_row *rows, int64_t count) {
    return self->driver->upsert(self, rows, count);
}

int64_t baseline_fetch_articles(baseline *self) { return self->driver->fetch_articles(self); }

int64_t baseline_touch(baseline *self, int64_t id, const char *title) {
    return self->driver->touch(self, id, title);
}

int64_t baseline_delete(baseline *self, const int64_t *ids, int64_t count) {
    return self->driver->delete_rows(self, ids, count);
}

int64_t baseline_filter(baseline *self, double score, int64_t limit) {
    return self->driver->filter(self, score, limit);
}

int64_t baseline_find(baseline *self, const int64_t *numbers, int64_t count) {
    return self->driver->find(self, numbers, count);
}

int64_t baseline_graph_create(baseline *self, baseline_graph graph) {
    return self->driver->graph_create(self, graph);
}

int64_t baseline_graph_fetch(baseline *self) { return self->driver->graph_fetch(self); }
int64_t baseline_cascade(baseline *self, int64_t games) { return self->driver->cascade(self, games); }

struct share {
    baseline *connection;
    const int64_t *ids;
    int64_t count, microseconds, sum;
    int locks;
    const char *prefix;
};

static void *look_up_share(void *context) {
    struct share *share = context;
    share->sum = share->connection ? baseline_look_up_each(share->connection, share->ids, share->count) : -1;
    return NULL;
}

static void *increment_share(void *context) {
    struct share *share = context;
    baseline *connection = share->connection;
    share->sum = connection
        ? connection->driver->increment_each(connection, share->ids, share->count, share->microseconds, share->locks)
        : -1;
    return NULL;
}

static void *insert_share(void *context) {
    struct share *share = context;
    baseline *connection = share->connection;
    share->sum = connection
        ? connection->driver->insert_tenants(connection, share->prefix, share->ids, share->count)
        : -1;
    return NULL;
}

struct baseline_team {
    int size;
    struct share shares[];
};

baseline_team *baseline_team_open(baseline *self, int size) {
    baseline_team *team = calloc(1, sizeof *team + (size_t)size * sizeof(struct share));
    team->size = size;
    for (int i = 0; i < size; i++) team->shares[i].connection = self->driver->reopen(self);
    return team;
}

void baseline_team_close(baseline_team *team) {
    for (int i = 0; i < team->size; i++) baseline_close(team->shares[i].connection);
    free(team);
}

static int64_t run_team(
    baseline_team *team, const int64_t *ids, int64_t count, int64_t microseconds, void *(*work)(void *)) {
    pthread_t handles[team->size];
    for (int i = 0; i < team->size; i++) {
        struct share *share = &team->shares[i];
        int64_t first = count * i / team->size, end = count * (i + 1) / team->size;
        share->ids = ids + first;
        share->count = end - first;
        share->microseconds = microseconds;
        if (pthread_create(&handles[i], NULL, work, share) != 0) abort();
    }
    int64_t sum = 0;
    for (int i = 0; i < team->size; i++) {
        pthread_join(handles[i], NULL);
        sum = sum < 0 || team->shares[i].sum < 0 ? -1 : sum + team->shares[i].sum;
    }
    return sum;
}

int64_t baseline_look_up_team(baseline_team *team, const int64_t *ids, int64_t count) {
    return run_team(team, ids, count, 0, look_up_share);
}

int64_t baseline_increment_team(
    baseline_team *team, const int64_t *ids, int64_t count, int64_t microseconds, int locks) {
    for (int i = 0; i < team->size; i++) team->shares[i].locks = locks;
    return run_team(team, ids, count, microseconds, increment_share);
}

int64_t baseline_insert_team(baseline_team *team, const char *prefix, const int64_t *tenants, int64_t count) {
    for (int i = 0; i < team->size; i++) team->shares[i].prefix = prefix;
    return run_team(team, tenants, count, 0, insert_share);
}
