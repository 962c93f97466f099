// Values in PostgreSQL's binary formats.
#include "postgres.h"

#include <stdlib.h>
#include <string.h>

void append_bytes(struct buffer *self, const void *bytes, size_t length) {
    if (self->length + length > self->capacity) {
        self->capacity = (self->length + length) * 2;
        self->bytes = realloc(self->bytes, self->capacity);
    }
    memcpy(self->bytes + self->length, bytes, length);
    self->length += length;
}

void append16(struct buffer *self, uint16_t value) {
    value = __builtin_bswap16(value);
    append_bytes(self, &value, sizeof value);
}

void append32(struct buffer *self, uint32_t value) {
    value = swapped32(value);
    append_bytes(self, &value, sizeof value);
}

void append64(struct buffer *self, uint64_t value) {
    value = swapped64(value);
    append_bytes(self, &value, sizeof value);
}

void append_double(struct buffer *self, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    append64(self, bits);
}

void begin_array(struct buffer *self, Oid type, int64_t count) {
    append32(self, 1);
    append32(self, 0);
    append32(self, type);
    append32(self, (uint32_t)count);
    append32(self, 1);
}

struct buffer number_array(const int64_t *numbers, int64_t count) {
    struct buffer array = {0};
    begin_array(&array, 20, count);
    for (int64_t i = 0; i < count; i++) {
        append32(&array, 8);
        append64(&array, (uint64_t)numbers[i]);
    }
    return array;
}

void add_value(struct values *values, const struct buffer *buffer) {
    values->values[values->count] = buffer->bytes;
    values->lengths[values->count++] = (int)buffer->length;
}
