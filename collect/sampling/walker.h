/* walker: a thread beside the one that reads the rings, which walks user stacks (collect/sampling/stack_walk.h)
 * while the processes live.
 *
 *     ring reader --walker_take()--> waiting --thread--> done --walker_deliver()--> recording
 *
 * Records come out in the order in which they came in.  When too much waits, samples are
 * dropped, and counted; nothing else ever is. */
#ifndef COLLECT_SAMPLING_WALKER_H
#define COLLECT_SAMPLING_WALKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "collect/recording/event.h"
#include "collect/recording/writer.h"
#include "core/str.h"
#include "core/symbols/jit/jit_files.h"

/* Bytes that may wait. */
enum { WALKER_LIMIT = 256 << 20 };

struct walker;

/* events have their ids; known: records that tell what was mapped before.  With more than
 * limit bytes waiting, samples are dropped. */
struct walker *walker_start(const struct events *events, const struct str *known, size_t limit);

/* Copy the whole records in iov[0..count); what is dropped is counted in r. */
void walker_take(struct walker *w, const struct iovec *iov, int count, struct recording *r);

/* So much waits that samples are dropped. */
bool walker_is_behind(struct walker *w);

/* Samples that were walked, of the event with that id, are shown to take before they are delivered: it returns
 * whether it keeps them, and they are not. */
void walker_divert(struct walker *w, uint64_t id, bool (*take)(void *self, const uint8_t *record, size_t size),
		   void *self);

/* Append what is done to r.  Returns 0, or -1 after a message; what comes later is counted
 * then, and not walked. */
int walker_deliver(struct walker *w, struct recording *r);

/* Wait until everything is done, show how far it is, append it.  Returns as walker_deliver(). */
int walker_finish(struct walker *w, struct recording *r);

/* After walker_finish(): give the names of Java frames to files, and say whose could not be had.  Returns how many
 * frames could not be read. */
uint64_t walker_give_names(struct walker *w, struct jit_files *files);

/* NULL is accepted; what was not delivered is lost. */
void walker_free(struct walker *w);

#endif
