/* root: one kind of frame at the root of stacks.
 *
 * To add one: add a row to a table: in span_roots.c for records of the collectors of faults, system calls, block I/O,
 * locks and lanes, in process_roots.c for those of processes, in owner_roots.c for whose a process is, else in roots.c. */
#ifndef COLLAPSE_ROOTS_ROOT_H
#define COLLAPSE_ROOTS_ROOT_H

#include <stddef.h>
#include <stdint.h>

struct recorded_sample;
struct roots;
struct str;

struct root {
	const char *name;
	size_t words; /* how many its key has */
	void (*key)(struct roots *r, const struct recorded_sample *s, uint32_t *words);
	void (*write)(const struct roots *r, const uint32_t *words, struct str *out);
};

/* Each table ends with a row without a name. */
extern const struct root span_roots[], process_roots[], owner_roots[];

#endif
