/* folded: the text between collapse and render (design: "Folded text").
 *
 *     # pyrograph: host=db1 event=cpu-clock start=2026-11-21T10:15:02.000000000Z \
 *         lost=0/12345 unit=samples           (one line; unit always last)
 *     java-8513/dw-20;start_thread;JavaThread::run;write_[k] 17
 *     @1475682078.014325678 java-8513/lbm;do_page_fault_[k] 147000000
 *
 * - frame;frame;... value: root first; two values make a differential;
 *   fractions are allowed.
 * - "@seconds.nanoseconds " before it makes the line timed.
 * - "# " starts a comment.  Comments never end in a number, so that readers
 *   which know no comments do not take them for a stack.
 * - No control byte and no ';' inside a frame (';' becomes ':'); a frame that
 *   would end in blank + number has '_' for the blank. */
#ifndef COLLAPSE_FOLDED_H
#define COLLAPSE_FOLDED_H

/* What starts the comment that says where a profile comes from.  After it come
 * key=value pairs, separated by single blanks.  A value is bare when it holds
 * only [A-Za-z0-9_.,:+/%@~-], else a JSON string.  Keys may be missing. */
#define FOLDED_HEADER "# pyrograph: "

#define FOLDED_HOST       "host"
#define FOLDED_EVENT      "event"   /* e.g. cpu-clock; several joined by commas */
#define FOLDED_START      "start"   /* ISO 8601, UTC, nanoseconds: first sample */
#define FOLDED_END        "end"     /* last sample */
#define FOLDED_RATE       "rate"    /* samples a second and CPU, e.g. 99Hz */
#define FOLDED_KERNEL     "kernel"  /* release */
#define FOLDED_COMMAND    "command" /* that made the recording */
#define FOLDED_ROOT       "root"    /* what each stack's first frames are: "pid,thread", or none */
#define FOLDED_FILTER     "filter"  /* what collapse kept, as its options */
#define FOLDED_LOST       "lost"    /* lost/all samples, e.g. 3/12345 */
#define FOLDED_LOSSES     "losses"  /* every other loss that is not 0: "throttled 3, truncated 1" */
#define FOLDED_UNRESOLVED "unresolved" /* frames without a name / all frames */
#define FOLDED_NORMALIZE  "normalize" /* how two values a line are compared: total */
#define FOLDED_UNIT       "unit"    /* of the values: samples, ns, bytes, ...; always last */

/* Annotations at the end of a frame. */
#define FOLDED_KERNEL_FRAME  "_[k]"
#define FOLDED_JIT_FRAME     "_[j]"
#define FOLDED_INLINED_FRAME "_[i]"
#define FOLDED_WAKER_FRAME   "_[w]"

/* The frame between a target's stack and its waker's. */
#define FOLDED_CHAIN_FRAME "--"

#endif
