/* wall: how the lines of collapse --wall are coloured: each frame by what its time was, mixed by the shares of
 * running (hot), waiting for a CPU, and blocked (cold):
 *
 *     exec-1;handle 100                      running
 *     exec-1;handle;[runnable];[by cc1] 50   waiting for a CPU
 *     exec-1;handle;[blocked: lock] 50       blocked; handle is half hot
 *
 * colour.js computes the same. */
#ifndef RENDER_WALL_H
#define RENDER_WALL_H

#include <stdint.h>

#include "core/str.h"
#include "render/colours/colouring.h"
#include "render/colours/wall_kind.h"

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
