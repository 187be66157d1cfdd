/* frame: a frame's name and the annotation at its end.
 *
 *     vfs_write_[k]     kernel        handle_[j]    compiled at run time
 *     inlined_[i]       inlined       wake_up_[w]   of a waker's stack
 *     interpreted_[0]   interpreted   warm_[1]      compiled by a JVM's C1
 *     likely_[?]        inlined, most likely    app.views.handle_[p]  Python
 *
 * The annotation decides the colour and stays out of labels. */
#ifndef RENDER_FRAME_H
#define RENDER_FRAME_H

#include <stddef.h>
#include <string.h>

/* The letter of the annotation at the end of name, or 0. */
static inline char frame_annotation(const char *name, size_t len)
{
	const char *end = name + len;

	if (len < 4 || end[-4] != '_' || end[-3] != '[' || end[-1] != ']' || !end[-2] || !strchr("kjiwp01?", end[-2]))
		return 0;
	return end[-2];
}

/* Bytes of name without its annotation. */
static inline size_t frame_base_len(const char *name, size_t len)
{
	return frame_annotation(name, len) ? len - 4 : len;
}

#endif
