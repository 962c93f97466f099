#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <microhttpd.h>

/* libmicrohttpd is configured by a variable list of arguments, which Swift can't pass. Each function below passes the arguments
   of one purpose. */

/* Returns a socket that listens on a port of 127.0.0.1, 0 for any free one; -1 with errno if that fails. No argument selects
   another address, so the server can't be reached from other machines. */
static inline int microhttpd_listen(uint16_t port) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) return -1;
    int yes = 1;
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 &&
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 &&
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0 && listen(descriptor, 128) == 0)
        return descriptor;
    int cause = errno;
    close(descriptor);
    errno = cause;
    return -1;
}

/* Returns the port that a socket listens on. */
static inline uint16_t microhttpd_port(int descriptor) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    return getsockname(descriptor, (struct sockaddr *)&address, &length) == 0 ? ntohs(address.sin_port) : 0;
}

struct microhttpd_limits {
    unsigned int connections;
    unsigned int idle_seconds;
    size_t header_bytes;
    size_t stack_bytes;
};

/* The functions that a server calls, on the threads of its connections. The flags are 0 or 1. */
struct microhttpd_callbacks {
    /* The first argument of all functions below. */
    void *context;
    /* Gets the target of a request as the client wrote it, before its headers are read; returns the exchange. */
    void *(*begin)(void *context, const char *target);
    /* Gets a request's head, each part of its body, and its end; returns 0 to close the connection. */
    int (*handle)(void *context, void *exchange, struct MHD_Connection *connection, const char *method,
                  const char *part, size_t size);
    /* Releases the exchange. */
    void (*complete)(void *context, void *exchange, struct MHD_Connection *connection);
    /* Reports that a connection begins or has ended; its socket is open in both cases. */
    void (*change)(void *context, struct MHD_Connection *connection, int is_open);
};

struct microhttpd_server {
    struct MHD_Daemon *daemon;
    struct microhttpd_callbacks callbacks;
};

/* The functions that the library calls. Its types are named here alone, because Swift imports its enumerations differently with each
   version of its header. */

static void *microhttpd_begin(void *server, const char *target, struct MHD_Connection *connection) {
    struct microhttpd_callbacks *callbacks = &((struct microhttpd_server *)server)->callbacks;
    (void)connection;
    return callbacks->begin(callbacks->context, target);
}

static enum MHD_Result microhttpd_handle(void *server, struct MHD_Connection *connection, const char *path,
                                         const char *method, const char *version, const char *part, size_t *size,
                                         void **exchange) {
    struct microhttpd_callbacks *callbacks = &((struct microhttpd_server *)server)->callbacks;
    size_t count = *size;
    (void)path;
    (void)version;
    *size = 0;
    return callbacks->handle(callbacks->context, *exchange, connection, method, part, count) ? MHD_YES : MHD_NO;
}

static void microhttpd_complete(void *server, struct MHD_Connection *connection, void **exchange,
                                enum MHD_RequestTerminationCode reason) {
    struct microhttpd_callbacks *callbacks = &((struct microhttpd_server *)server)->callbacks;
    (void)reason;
    callbacks->complete(callbacks->context, *exchange, connection);
    *exchange = NULL;
}

static void microhttpd_change(void *server, struct MHD_Connection *connection, void **socket_context,
                              enum MHD_ConnectionNotificationCode event) {
    struct microhttpd_callbacks *callbacks = &((struct microhttpd_server *)server)->callbacks;
    (void)socket_context;
    callbacks->change(callbacks->context, connection, event == MHD_CONNECTION_NOTIFY_STARTED);
}

/* Starts to serve the connections of a listening socket, with a thread for each connection; returns NULL if that fails. Without
   MHD_USE_ERROR_LOG the library prints nothing. */
static inline struct microhttpd_server *microhttpd_start(int socket, struct microhttpd_limits limits,
                                                         struct microhttpd_callbacks callbacks) {
    struct microhttpd_server *server = malloc(sizeof *server);
    if (!server) return NULL;
    server->callbacks = callbacks;
    server->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC, 0, NULL, NULL,
        microhttpd_handle, server, MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, limits.connections,
        MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.header_bytes,
        MHD_OPTION_THREAD_STACK_SIZE, limits.stack_bytes, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK,
        microhttpd_begin, server, MHD_OPTION_NOTIFY_COMPLETED, microhttpd_complete, server,
        MHD_OPTION_NOTIFY_CONNECTION, microhttpd_change, server, MHD_OPTION_END);
    if (server->daemon) return server;
    int cause = errno;
    free(server);
    errno = cause;
    return NULL;
}

/* Waits for the threads of all connections, and closes the listening socket. */
static inline void microhttpd_stop(struct microhttpd_server *server) {
    MHD_stop_daemon(server->daemon);
    free(server);
}

/* Returns the socket of a connection; -1 if it is unknown. */
static inline int microhttpd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *information =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return information ? information->connect_fd : -1;
}

/* Restarts the time after which a silent connection is closed. The library counts it from the last byte, and only a time that replaces 0
   starts anew. */
static inline void microhttpd_restart_timeout(struct MHD_Connection *connection, unsigned int seconds) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/* Gets a header; the strings are valid during the call. */
typedef void (*microhttpd_visit)(void *context, const char *name, const char *value);

struct microhttpd_visitor {
    microhttpd_visit visit;
    void *context;
};

static enum MHD_Result microhttpd_visit_header(void *visitor, enum MHD_ValueKind kind, const char *name,
                                               const char *value) {
    struct microhttpd_visitor *receiver = visitor;
    (void)kind;
    receiver->visit(receiver->context, name ? name : "", value ? value : "");
    return MHD_YES;
}

/* Calls a function with each header of a request, in their order. */
static inline void microhttpd_each_header(struct MHD_Connection *connection, microhttpd_visit visit, void *context) {
    struct microhttpd_visitor visitor = {visit, context};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, microhttpd_visit_header, &visitor);
}

/* Returns a response with a copy of the bytes. */
static inline struct MHD_Response *microhttpd_bytes(const void *bytes, size_t size) {
    /* The library doesn't write to bytes that it copies. */
    return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

/* The results of a function that reads a stream: at the end, and after a failure, which breaks the connection. */
static const ssize_t microhttpd_end = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t microhttpd_failure = MHD_CONTENT_READER_END_WITH_ERROR;

/* Returns a response of unknown size. The library calls read for each buffer to fill, and release once at the end. */
static inline struct MHD_Response *microhttpd_stream(ssize_t (*read)(void *, uint64_t, char *, size_t),
                                                     void (*release)(void *), void *context) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 32 << 10, read, context, release);
}

static inline int microhttpd_add_header(struct MHD_Response *response, const char *name, const char *value) {
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static inline int microhttpd_respond(struct MHD_Connection *connection, unsigned int status,
                                     struct MHD_Response *response) {
    return MHD_queue_response(connection, status, response) == MHD_YES;
}
