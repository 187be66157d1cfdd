/* idle: recognises stacks of time in which there was nothing to do, which charts leave out at first. */
#ifndef RENDER_IDLE_H
#define RENDER_IDLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"
#include "render/profile/number.h"
#include "render/profile/root_places.h"
#include "render/profile/source.h"

/* Is stack[0..len) that of a CPU in its idle loop?  The thread is swapper (pid 0) or, if no root frame names threads,
 * the stack contains the loop; and the loop is not interrupted: its functions do not call an interrupt, softirq or
 * other work. */
bool idle_cpu(const struct root_places *r, const char *stack, size_t len);

/* Is it a sleep or a wait for work, in which nobody keeps the thread waiting?  Root frame "wait" or "idle" tells or, if
 * stacks have all the time of threads, the last frame, "[blocked: sleep]". */
bool idle_wait(const struct root_places *r, const char *stack, size_t len);

/* Are stacks with this header about threads that wait, so that idle means threads rather than CPUs? */
bool idle_of_threads(const struct folded_source *header);

/* "sleep and waits for work", or "idle CPUs". */
const char *idle_what(bool of_threads);

/* Append "Idle hidden: 1,900 samples of idle CPUs, 95.00% of all". */
void idle_words_add(struct str *out, bool of_threads, uint64_t left_out, uint64_t all, const struct unit *unit);

#endif
