#include <libpq-fe.h>

#ifndef LIBPQ_HAS_PIPELINING
// Before version 14 libpq has no pipelines: entering one fails, and nothing else of them is ever called.
static const ExecStatusType PGRES_PIPELINE_SYNC = (ExecStatusType)10;
static const ExecStatusType PGRES_PIPELINE_ABORTED = (ExecStatusType)11;
static inline int PQenterPipelineMode(PGconn *connection) { return 0; }
static inline int PQexitPipelineMode(PGconn *connection) { return 0; }
static inline int PQpipelineSync(PGconn *connection) { return 0; }
static inline int PQsendFlushRequest(PGconn *connection) { return 0; }
#endif
