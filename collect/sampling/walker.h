/* walker: a thread that walks user stacks (collect/sampling/stack_walk.h) while the processes live, beside the thread
 * that reads the rings.
 *
 *     ring reader --walker_take()--> waiting --thread--> done --walker_deliver()--> recording
 *
 * Records come out in the order in which they went in.  When too much waits, samples are dropped and counted; other
 * records never are. */
#ifndef COLLECT_SAMPLING_WALKER_H
#define COLLECT_SAMPLING_WALKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "collect/recording/event.h"
#include "collect/recording/living.h"
#include "collect/recording/writer.h"
#include "core/str.h"
#include "core/symbols/jit/jit_files.h"

/* Bytes that may wait by default. */
enum { WALKER_LIMIT = 256 << 20, WALKER_LIMIT_ALWAYS = 64 << 20 /* of recordings that go on for weeks */ };

struct walker;

/* Start.  events must have their ids.
 * known: records about earlier mappings.  When more than limit bytes wait, samples are dropped.
 * Returns NULL after a message. */
struct walker *walker_start(const struct events *events, const struct str *known, size_t limit);

/* Copy the whole records in iov[0..count); drops are counted in r. */
void walker_take(struct walker *w, const struct iovec *iov, int count, struct recording *r);

/* The same, but samples come back: take() gets each sample once it is walked, before the other records are delivered.
 * If take() returns false, the sample goes to the recording, too. */
typedef bool walker_taker(void *self, const uint8_t *record, size_t size);
void walker_take_back(struct walker *w, const struct iovec *iov, int count, struct recording *r, walker_taker *take,
		      void *self);

/* If this many more bytes waited, would samples be dropped? */
bool walker_is_behind(struct walker *w, size_t more);

/* Append finished records to r.  Returns 0, or -1 after a message; later samples are then counted, not walked. */
int walker_deliver(struct walker *w, struct recording *r);

/* Wait until everything is walked, showing progress, and append it.  Returns the same as walker_deliver(). */
int walker_finish(struct walker *w, struct recording *r);

/* Append the name of a frame of Java or Python in a walked chain of process pid; waits until the present batch is walked.
 * Returns false if the address does not stand for such a frame. */
bool walker_frame_name(struct walker *w, int pid, uint64_t address, struct str *to);

/* Forget what is known about address spaces; known: records about all living processes.  Call this between
 * walker_finish() and walker_take(). */
void walker_renew(struct walker *w, const struct str *known);

/* Forget the names of frames of processes that nothing refers to any more. */
void walker_forget(struct walker *w, const struct living *living);

/* After walker_finish(): add the names of frames of Java and Python to files, report runtimes that could not be read, and
 * count unreadable frames. */
void walker_give_names(struct walker *w, struct jit_files *files, struct tally *tally);

/* Accepts NULL; what was not delivered is lost. */
void walker_free(struct walker *w);

#endif
