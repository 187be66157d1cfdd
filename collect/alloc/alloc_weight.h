/* alloc_weight: how many bytes and objects a sampled allocation stands for.
 *
 * A thread allocates from its TLAB (thread-local allocation buffer, T bytes: tens of kB to MBs) unseen.  An object is
 * seen when it does not fit into the rest (hotspot/share/gc/shared, memAllocator.cpp, threadLocalAllocBuffer.cpp):
 *
 *     |--- objects that nobody sees ---------------|left|
 *                              left <= limit: a new TLAB begins with it
 *                              left >  limit: it is put outside, and the TLAB goes on
 *
 * The limit is usually T/64.  Smaller objects, which nearly all are, go outside only when there is no room for a new
 * TLAB before a collection: then one object does, and whatever comes next begins the new TLAB, and counts for itself
 * only.  The probability that such an object is the one that does not fit is proportional to its size.  So these
 * objects are a sample by bytes, one for every T bytes: an object that is seen stands for the T bytes since the last
 * new TLAB, whatever its class and size, and for T / size objects.
 *
 * Larger ones are seen too often outside (each one, near the end) and too rarely as the first in a new TLAB.  Neither
 * T nor their size is the right weight: with half of the bytes in small objects and half in ones of T/8 that would
 * yield 79 % and 21 %.  An object of size s that comes at a random moment is seen with the probability that less than
 * s is left.  How long less than s is left depends on how fast objects that still fit use up the TLAB; this rate is
 * computed, from small to large s, from how many objects of each size were seen.  So we compute these probabilities,
 * for sizes in steps of a quarter of an octave, from what each thread has shown so far, and weigh each object seen by
 * the inverse (Horvitz and Thompson, 1952).
 *
 * That holds for objects that come at random moments.  Most programs make many of a kind in a row: buffers that are
 * read, an array that is filled.  The first object of a burst that does not fit leaves the TLAB as it is, and all later
 * ones of the burst are outside, too; none of them tells how many fitted before.  What was allocated between two events
 * of the thread is known, except for what was left: half of what did not fit is the best guess.  With short bursts,
 * these bytes are charged to the object seen at the end; with long bursts, half of them to each of the objects at both
 * ends (the first in a TLAB gets half of the TLAB).  Each object outside also weighs its own size.  How much the number
 * of objects outside varies from TLAB to TLAB tells which weighting applies, or how to blend them.
 *
 * From a few hundred objects on, shares of classes are accurate to 5 points for random mixes and for bursts, to 2
 * points for long bursts.  They are less accurate for a program whose iterations, or alternating bursts, take about as
 * much as a TLAB: the end of the TLAB then falls on the same classes again and again.  Sampling at regular steps cannot
 * see that, and only the JVM could choose other steps.  Errors of 5 to 15 points are common then, and simulations
 * showed up to 40. A loop that does nothing else may even be in step with TLABs that hold thousands of its iterations:
 * the object that did not fit begins the next TLAB, which ends at the same place of the iteration, so that one class
 * gets everything.  The sum of bytes stays right.
 *
 * The contents of a thread's last TLAB are not seen.  To make up for them, the first object that is seen of a thread
 * that existed before the recording counts as a TLAB. */
#ifndef COLLECT_ALLOC_ALLOC_WEIGHT_H
#define COLLECT_ALLOC_ALLOC_WEIGHT_H

#include <stdbool.h>
#include <stdint.h>

struct alloc_weights;

struct alloc_weights *alloc_weights_new(void);

/* Note a thread that existed before sampling began. */
void alloc_weights_add_thread(struct alloc_weights *w, int tid);

struct alloc_weight {
	uint64_t bytes, objects;
};

/* An object of size bytes did not fit into the rest of the TLAB of thread tid: it is the first in a new TLAB of
 * tlab bytes, of which limit bytes may be wasted (0: unknown); if tlab is 0, it is outside any TLAB. */
struct alloc_weight alloc_weigh(struct alloc_weights *w, int tid, uint64_t size, uint64_t tlab, uint64_t limit);

/* Did objects come in bursts, which makes shares of classes less certain? */
bool alloc_weights_have_bursts(const struct alloc_weights *w);

/* Did objects of nearly always the same size begin the TLABs of a thread?  This happens where little else is allocated,
 * or where a program is in step with its TLABs, so that the objects seen are not a random sample. */
bool alloc_weights_are_in_step(const struct alloc_weights *w);

/* Did TLABs begin like the previous one more often than by chance, or in a cycle of up to eight?  Then the program goes through phases longer
 * than a TLAB, or is nearly in step with TLABs: the data does not tell which. */
bool alloc_weights_are_in_order(const struct alloc_weights *w);

void alloc_weights_free(struct alloc_weights *w);

#endif
