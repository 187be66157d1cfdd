/* deliver: puts a parcel into a store: at least once, and no more than once. */
#ifndef SHIP_DELIVER_H
#define SHIP_DELIVER_H

#include "ship/batch.h"
#include "ship/store.h"

/* Definitions that the store lacks, and the announcement, come first: inserting them twice is harmless, since their
 * tables keep one of equal rows.  Then the samples, unless the store has them: they are one block, which a server takes
 * whole or not at all, and each row has a number of its batch.  So a program that was killed, or that lost the
 * connection, at any moment, can simply deliver again.  If there is no answer, deliver() asks once more
 * whether the store has the samples, and returns STORE_AWAY if it does not have them, or does not say.  *was_there: set
 * if the store had the samples before. */
enum store_outcome deliver(struct store *s, const struct parcel *p, bool *was_there);

#endif
