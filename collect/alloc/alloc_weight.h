/* alloc_weight: how many bytes, and objects, an allocation that was seen stands for.
 *
 * A thread allocates from its TLAB (thread-local allocation buffer, T bytes: tens of kB to MBs) without
 * telling anybody.  An object is seen when it does not fit into what is left (hotspot/share/gc/shared,
 * memAllocator.cpp, threadLocalAllocBuffer.cpp):
 *
 *     |--- objects that nobody sees ---------------|left|
 *                              left <= limit: a new TLAB begins with it
 *                              left >  limit: it is put outside of any, and the TLAB goes on
 *
 * The limit is T/64, mostly.  Objects up to it, nearly all that there are, are not outside, but when there is no room for
 * a new TLAB before a collection: then one is, and whatever comes next begins the new TLAB, and stands for itself.  That such an
 * object is the one that does not fit is as likely as it is large: a sample by bytes, one every T.  What is seen
 * stands for the T bytes since the last new TLAB, whatever its class and size; for T / size objects.
 *
 * Larger ones are seen too often outside (each one, as the end comes near) and too rarely as the first in a
 * new TLAB.  Neither T nor their size is their weight: with half of the bytes in small objects and half
 * in ones of T/8 that would make 79 % and 21 % of it.  An object of size s that comes at a random moment
 * is seen with the probability that less than s is left.  How long less than s is left follows from how
 * fast the TLAB is used up by what still fits, which follows, from small to large s, from how many of
 * each size were seen.  So these probabilities are worked out, for sizes in steps of a quarter of an octave,
 * from what each thread has shown so far, and each object seen weighs the inverse (Horvitz and Thompson, 1952).
 *
 * That holds for objects that come at random moments.  Most programs make many of a kind in a row: buffers that are
 * read, an array that is filled.  The first of a burst that does not fit leaves the TLAB as it is, and
 * all that follow are outside, too; none of them tells how many fitted before.  What was allocated between
 * two events of the thread is known, but for what was left: half of what did not fit is the best guess.
 * Of short bursts, it goes to the object that was seen then; of long ones by halves to the objects at both ends
 * (the first in a TLAB gets half of the TLAB); and each one outside weighs itself besides.  Which of the
 * weighings holds, or what part of each, follows from how much the number of objects outside varies from
 * TLAB to TLAB.
 *
 * Shares of classes are right within 5 points from a few hundred objects on for random mixes, and for bursts,
 * within 2 for long ones.  They are not for a program whose rounds, or whose bursts that come in turns,
 * take about as much as a TLAB: its end then falls on the same classes again and again.  Sampling at regular
 * steps cannot see that, and only the JVM could choose other ones: 5 to 15 points are common then, up to
 * 40 were seen in simulations.  A loop that does nothing else may even be in step with TLABs that hold thousands of its
 * rounds: what did not fit begins the next one, which ends at the same place of the round, so that one class has
 * all.  The sum of bytes stays right.
 *
 * What a thread has in its last TLAB is not seen; the first object that is seen of a thread that lived
 * before stands for a TLAB in its place. */
#ifndef COLLECT_ALLOC_ALLOC_WEIGHT_H
#define COLLECT_ALLOC_ALLOC_WEIGHT_H

#include <stdbool.h>
#include <stdint.h>

struct alloc_weights;

struct alloc_weights *alloc_weights_new(void);

/* The thread lived before anything was seen. */
void alloc_weights_add_thread(struct alloc_weights *w, int tid);

struct alloc_weight {
	uint64_t bytes, objects;
};

/* An object of size bytes did not fit into what was left of the TLAB of thread tid: it is the first one in
 * a new TLAB, of tlab bytes, of which limit may be wasted (0: not known), or, tlab 0, outside of any. */
struct alloc_weight alloc_weigh(struct alloc_weights *w, int tid, uint64_t size, uint64_t tlab, uint64_t limit);

/* Did objects come in bursts, so that which classes they have is less certain? */
bool alloc_weights_have_bursts(const struct alloc_weights *w);

/* Was what began the TLABs of a thread nearly always of the same size?  So it is where little else is allocated, and where
 * a program goes in step with its TLABs: then what is seen is no sample. */
bool alloc_weights_are_in_step(const struct alloc_weights *w);

/* Did TLABs begin as the one before more often than by chance?  So the program goes through phases, of which each is
 * longer than a TLAB, or nearly in step with them: nobody can tell which from what is seen. */
bool alloc_weights_are_in_order(const struct alloc_weights *w);

void alloc_weights_free(struct alloc_weights *w);

#endif
