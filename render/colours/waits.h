/* waits: the kinds of wait and their colours, which are the same in each chart.  They also colour flame graphs by a
 * stack's kind of wait, that of its root frame `wait`.
 *
 *     java;[lock];start_thread;serve;futex_wait_[k];--;main_[w]      lock ...; waker
 *
 * Frames outside of such a frame have the colours of their names.  colour.js computes the same. */
#ifndef RENDER_WAITS_H
#define RENDER_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"
#include "render/colours/colouring.h"
#include "render/colours/scheme.h"

/* The kinds, ended by {0}; the last one is that of wakers. */
extern const struct wait_kind {
	const char *frame, *label;
	uint32_t rgb, safe; /* safe: in timelines, for colour-blind people */
} wait_kinds[];

/* The kind of a frame such as "[lock]"; NULL: no such frame. */
const struct wait_kind *wait_kind_called(const char *name, size_t len);

struct wait_colouring {
	struct colouring colouring;
	const struct colouring *by_name;
	const struct tree *tree;
	uint8_t *kind; /* [frame] 1 + its index; 0: none */
};

/* by_name and t must outlive it. */
void wait_colouring_make(struct wait_colouring *w, const struct colouring *by_name, const struct tree *t,
			 const struct profile *p);

/* Does frame root, or one above it, have a kind of wait? */
bool wait_colouring_has(const struct wait_colouring *w, uint32_t root, size_t kind);

/* Append the script's setting: ,"waits":[["[lock]","lock","#rrggbb"],...]. */
void wait_kinds_settings(struct str *out);

void wait_colouring_free(struct wait_colouring *w);

/* How the lines of collapse --wall are coloured: each frame by how its time was spent, mixed by the shares of running
 * (hot), waiting for a CPU, and blocked (cold):
 *
 *     exec-1;handle 100                      running
 *     exec-1;handle;[runnable];[by cc1] 50   waiting for a CPU
 *     exec-1;handle;[blocked: lock] 50       blocked; handle is half hot
 *
 * colour.js computes the same. */

struct wall_colouring {
	struct colouring colouring;
	const struct colouring *by_name;
	const struct tree *tree;
	uint64_t (*times)[WALL_KINDS]; /* [frame] */
};

/* by_name and t must outlive it. */
void wall_colouring_make(struct wall_colouring *w, const struct colouring *by_name, const struct tree *t,
			 const struct profile *p);

/* Append the script's setting: ,"wall":[["running","#rrggbb"],...]. */
void wall_settings(struct str *out);

void wall_colouring_free(struct wall_colouring *w);

#endif
