// The driver for a database on a PostgreSQL server.
#include "postgres.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Texts compare by their bytes, as in the object graph.
static const char *schema =
    "CREATE TABLE IF NOT EXISTS item (id bigint PRIMARY KEY, uuid uuid NOT NULL, title text COLLATE \"C\" NOT NULL,"
    " score double precision NOT NULL, created timestamptz NOT NULL, count bigint NOT NULL);"
    "CREATE TABLE IF NOT EXISTS article (id bigint PRIMARY KEY, uuid uuid NOT NULL,"
    " title text COLLATE \"C\" NOT NULL UNIQUE, score double precision NOT NULL, created timestamptz NOT NULL,"
    " count bigint NOT NULL);"
    "CREATE TABLE IF NOT EXISTS game (id bigint PRIMARY KEY, title text COLLATE \"C\" NOT NULL);"
    "CREATE TABLE IF NOT EXISTS player (id bigint PRIMARY KEY, name text COLLATE \"C\" NOT NULL,"
    " score bigint NOT NULL, game_id bigint REFERENCES game);"
    "CREATE INDEX IF NOT EXISTS player_game ON player (game_id);";

#define ITEM "SELECT id, uuid, title, score, created, count FROM item"

static const char *const texts[st_count] = {
    [st_insert] = "INSERT INTO item VALUES ($1, $2, $3, $4, $5, $6)",
    [st_insert_many] = "INSERT INTO item SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[],"
                       " $4::double precision[], $5::timestamptz[], $6::bigint[])",
    [st_upsert_many] = "INSERT INTO article SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[],"
                       " $4::double precision[], $5::timestamptz[], $6::bigint[]) ON CONFLICT (title) DO UPDATE SET"
                       " uuid = excluded.uuid, score = excluded.score, created = excluded.created,"
                       " count = excluded.count",
    [st_fetch] = ITEM,
    [st_fetch_sorted] = ITEM " ORDER BY title, id",
    [st_fetch_articles] = "SELECT id, uuid, title, score, created, count FROM article",
    [st_look_up] = ITEM " WHERE id = $1",
    [st_look_up_locking] = ITEM " WHERE id = $1 FOR UPDATE",
    [st_update] = "UPDATE item SET count = u.count FROM unnest($1::bigint[], $2::bigint[]) AS u (id, count)"
                  " WHERE item.id = u.id",
    [st_touch] = "UPDATE item SET title = $1, count = count + 1 WHERE id = $2",
    [st_increment] = "UPDATE item SET count = $2 + 1 WHERE id = $1 AND count = $2",
    [st_delete] = "DELETE FROM item WHERE id = ANY ($1)",
    [st_filter] = ITEM " WHERE score > $1 ORDER BY title, id LIMIT $2",
    [st_find] = ITEM " WHERE count = $1 AND score > -1 ORDER BY id LIMIT 10",
    [st_insert_games] = "INSERT INTO game SELECT * FROM unnest($1::bigint[], $2::text[])",
    [st_insert_players] =
        "INSERT INTO player SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])",
    [st_games] = "SELECT id, title FROM game ORDER BY id",
    [st_players] = "SELECT id, name, score, game_id FROM player",
    [st_delete_players] = "DELETE FROM player WHERE game_id = ANY ($1)",
    [st_delete_games] = "DELETE FROM game WHERE id = ANY ($1)",
};

static const int binary[8] = {1, 1, 1, 1, 1, 1, 1, 1};

int64_t server_failed(baseline *self) {
    struct server *server = server_of(self);
    snprintf(server->error, sizeof server->error, "%s", PQerrorMessage(server->connection));
    return -1;
}

// Waits for the last result of the sent statement; returns NULL after an error.
static PGresult *last_result(baseline *self) {
    PGresult *last = NULL, *next;
    int failed = 0;
    while ((next = PQgetResult(server_of(self)->connection))) {
        ExecStatusType status = PQresultStatus(next);
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
            server_failed(self);
            failed = 1;
        }
        PQclear(last);
        last = next;
    }
    if (!failed && last) return last;
    PQclear(last);
    return NULL;
}

int server_run(baseline *self, const char *sql) {
    PGresult *result = PQsendQuery(server_of(self)->connection, sql) ? last_result(self) : NULL;
    PQclear(result);
    return result != NULL;
}

int64_t baseline_run(baseline *self, const char *sql) { return server_run(self, sql) ? 0 : -1; }

int64_t baseline_number(baseline *self, const char *sql) {
    PGresult *result = PQsendQuery(server_of(self)->connection, sql) ? last_result(self) : NULL;
    int64_t number = result && PQntuples(result) ? atoll(PQgetvalue(result, 0, 0)) : -1;
    PQclear(result);
    return number;
}

int server_prepare(baseline *self, enum statement statement) {
    struct server *server = server_of(self);
    if (server->prepared[statement]) return 1;
    char name[16];
    snprintf(name, sizeof name, "s%d", statement);
    PGresult *result =
        PQsendPrepare(server->connection, name, texts[statement], 0, NULL) ? last_result(self) : NULL;
    PQclear(result);
    return server->prepared[statement] = result != NULL;
}

static int send_prepared(baseline *self, enum statement statement, const struct values *values) {
    char name[16];
    snprintf(name, sizeof name, "s%d", statement);
    return PQsendQueryPrepared(
        server_of(self)->connection, name, values ? values->count : 0, values ? values->values : NULL,
        values ? values->lengths : NULL, binary, 1);
}

PGresult *server_query(baseline *self, enum statement statement, const struct values *values) {
    if (!server_prepare(self, statement)) return NULL;
    if (send_prepared(self, statement, values)) return last_result(self);
    server_failed(self);
    return NULL;
}

int server_send(baseline *self, enum statement statement, const struct values *values) {
    return send_prepared(self, statement, values);
}

int server_send_text(baseline *self, const char *sql) {
    return PQsendQueryParams(server_of(self)->connection, sql, 0, NULL, NULL, NULL, NULL, 1);
}

int64_t server_collect(baseline *self, int count, void (*handle_result)(void *context, PGresult *), void *context) {
    PGconn *connection = server_of(self)->connection;
    int64_t changed = 0;
    if (!PQpipelineSync(connection)) return server_failed(self);
    for (int i = 0; i < count; i++) {
        PGresult *result;
        while ((result = PQgetResult(connection))) {
            ExecStatusType status = PQresultStatus(result);
            if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
                if (status == PGRES_FATAL_ERROR) server_failed(self);
                changed = -1;
            }
            if (changed >= 0 && status == PGRES_COMMAND_OK) changed += changed_rows(result);
            if (status == PGRES_TUPLES_OK && handle_result) {
                handle_result(context, result);
            } else {
                PQclear(result);
            }
        }
    }
    PQclear(PQgetResult(connection));
    return PQexitPipelineMode(connection) ? changed : server_failed(self);
}

int64_t changed_rows(const PGresult *result) { return atoll(PQcmdTuples((PGresult *)result)); }

static void server_close(baseline *self) {
    struct server *server = server_of(self);
    PQfinish(server->connection);
    PQfinish(server->housekeeping);
    free(server->address);
    free(server->schema);
    free(server);
}

static const char *server_error(const baseline *self) { return ((const struct server *)self)->error; }

static int64_t server_clear(baseline *self) { return server_run(self, "TRUNCATE item, game, player, article") ? 0 : -1; }

static void ignore(void *context, const char *message) {
    (void)context;
    (void)message;
}

static int64_t server_run_maintenance(baseline *self) {
    struct server *server = server_of(self);
    if (!server->housekeeping) {
        server->housekeeping = PQconnectdb(server->address);
        // A user that doesn't own the server gets a notice for each catalog that it may not vacuum.
        PQsetNoticeProcessor(server->housekeeping, ignore, NULL);
    }
    if (PQstatus(server->housekeeping) == CONNECTION_OK) {
        PGresult *result = PQexec(server->housekeeping, "VACUUM ANALYZE");
        int is_done = PQresultStatus(result) == PGRES_COMMAND_OK;
        PQclear(result);
        if (is_done) return 0;
    }
    snprintf(server->error, sizeof server->error, "%s", PQerrorMessage(server->housekeeping));
    return -1;
}

static baseline *server_reopen(baseline *self) {
    return baseline_connect(server_of(self)->address, server_of(self)->schema);
}

static const struct driver driver = {
    .close = server_close,
    .error = server_error,
    .method_count = 2,
    .clear = server_clear,
    .run_maintenance = server_run_maintenance,
    .insert = server_insert,
    .insert_each = server_insert_each,
    .fetch = server_fetch,
    .fetch_sorted = server_fetch_sorted,
    .look_up = server_look_up,
    .look_up_each = server_look_up_each,
    .update = server_update,
    .upsert = server_upsert,
    .fetch_articles = server_fetch_articles,
    .touch = server_touch,
    .delete_rows = server_delete,
    .filter = server_filter,
    .find = server_find,
    .graph_create = server_graph_create,
    .graph_fetch = server_graph_fetch,
    .cascade = server_cascade,
    .increment_each = server_increment_each,
    .insert_tenants = server_insert_tenants,
    .reopen = server_reopen,
};

baseline *baseline_connect(const char *address, const char *name) {
    struct server *server = calloc(1, sizeof *server);
    if (!server) return NULL;
    server->base.driver = &driver;
    server->address = strdup(address);
    server->schema = strdup(name);
    server->connection = PQconnectdb(address);
    baseline *self = &server->base;
    if (PQstatus(server->connection) != CONNECTION_OK) {
        server_failed(self);
        return self;
    }
    // Suppresses the notices for tables that already exist.
    PQsetNoticeProcessor(server->connection, ignore, NULL);
    char sql[256];
    snprintf(sql, sizeof sql, "CREATE SCHEMA IF NOT EXISTS \"%s\"; SET search_path = \"%s\"", name, name);
    if (server_run(self, sql)) server_run(self, schema);
    return self;
}
