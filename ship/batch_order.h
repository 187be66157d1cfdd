/* batch_order: the order of a batch's rows and definitions in their tables, by their sort keys (schema.c).
 *
 * A server that gets rows in this order does not sort them, which was half of what an insert cost it. */
#ifndef SHIP_BATCH_ORDER_H
#define SHIP_BATCH_ORDER_H

#include <stdint.h>

#include "ship/batch.h"

/* The rows' numbers, [b->rows], by hour, hash of the stack, hash of the labels, and time; equal rows stay in their
 * original order.  The caller frees the array. */
uint32_t *batch_order(const struct batch_rows *b);

/* The definitions that the batch uses, [*count], by hash.  The caller frees the array. */
const struct definition **batch_used(const struct batch_rows *b, const struct batch_texts *t, size_t *count);

#endif
