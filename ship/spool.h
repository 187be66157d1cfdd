/* spool: parcels in a directory, for as long as a store is away.
 *
 *     spool/01795571603114502164-0123456789abcdef0123456789abcdef.parcel     when it came, its batch
 *     spool/01795571603114502164-0123456789abcdef0123456789abcdef.damaged    was a parcel's file, and is not whole
 *     spool/01795571603114502164-0123456789abcdef0123456789abcdef.refused     a parcel that the store does not take
 *     spool/dropped                                                         "batches samples": what had no room
 *
 * A parcel's file appears when it is complete and on the disk, and goes when the store has it.  At most limit bytes are
 * kept: damaged parcels go first, then refused ones, then the oldest; the last two kinds are counted. */
#ifndef SHIP_SPOOL_H
#define SHIP_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/intern.h"
#include "ship/store.h"

struct parcel;

struct spool {
	const char *path;
	int dir; /* a lock on it is held */
	uint64_t limit;
	uint64_t dropped_batches, dropped_samples; /* by this run */
	uint64_t damaged, refused;                 /* parcels that this run has set aside */
	bool unread;                               /* the directory could not be read, after a message */
	struct intern ids;                         /* numbers of all existing parcels, and of some that no longer
						    * exist */
	uint64_t bytes;                            /* size of all files, an upper bound; UINT64_MAX: not counted yet */
};

struct spool_amount {
	uint64_t parcels, bytes;
	uint64_t damaged, refused; /* files */
};

/* Open the directory, made if it is missing; parcels that are cut short are set aside, after a message each.  again:
 * refused parcels count as parcels again.  Returns 0, or -1 after a message: also if another program uses it. */
int spool_begin(struct spool *s, const char *path, uint64_t limit, bool again);

/* Add a parcel.  Returns 0 when it is on the disk, or -1 after a message. */
int spool_add(struct spool *s, const struct parcel *p);

/* Deliver what is in the spool, the oldest first.  A parcel that is damaged, or that the store refuses while it takes
 * another one, is set aside, after a message; one that it cannot take now stays, and does not block the others.
 * *batches, *samples: the numbers delivered.  STORE_DONE if something was, unless the store went away. */
enum store_outcome spool_deliver(struct spool *s, struct store *store, uint64_t *batches, uint64_t *samples);

/* How much there is. */
void spool_amount(struct spool *s, struct spool_amount *a);

/* Report what was dropped, by this run and earlier ones; after a report with told, it is forgotten. */
void spool_tell_dropped(struct spool *s, bool told);

void spool_close(struct spool *s);

#endif
