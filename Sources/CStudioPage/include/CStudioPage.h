#ifndef CSTUDIOPAGE_H
#define CSTUDIOPAGE_H

#include <stddef.h>

/* A file of the page. */
struct studio_page_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

/* Returns the number of files. */
size_t studio_page_file_count(void);

/* Returns a file; the index must be less than the number of files. */
struct studio_page_file studio_page_file_at(size_t index);

#endif
