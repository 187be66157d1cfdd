/* wall_kind: what the time of a thread was, by the frame at the leaf (collapse --wall), and its colour. */
#ifndef RENDER_WALL_KIND_H
#define RENDER_WALL_KIND_H

#include <stddef.h>
#include <stdint.h>

enum { WALL_RUNNING, WALL_RUNNABLE, WALL_BLOCKED, WALL_KINDS };

extern const struct wall_kind {
	const char *label;
	uint32_t rgb;
} wall_kinds[WALL_KINDS];

/* The kind of a frame such as "[blocked: lock]"; WALL_RUNNING: of any other one. */
unsigned wall_kind_called(const char *name, size_t len);

#endif
