// What the C files share.
#ifndef BASELINE_INTERNAL_H
#define BASELINE_INTERNAL_H

#include <sqlite3.h>

#include "baseline.h"

struct baseline {
    sqlite3 *db;
};

int baseline_run(baseline *, const char *sql);
sqlite3_stmt *baseline_prepare(baseline *, const char *sql);

// Both sides add up what they saw like this.
static inline int64_t baseline_sum(int64_t title_length, double score, int64_t count) {
    return title_length * 31 + (int64_t)(score * 1000.0) + count * 7;
}

#endif
