/* spaces: which module is mapped where, in which process, at which time.
 *
 * Feed the events in order of time, then look up in any order.  A process gets a
 * new space when it is forked and when it executes a program; where that has no
 * mapping, the space that it came from is used, as of that time.
 *
 * Code reported by a JIT compiler is kept separate from the mappings, since the kernel
 * reports the memory again whenever mprotect(2) changes it:
 *
 *     time ->    1           2           3
 *     code       foo---------bar------------------     later code replaces earlier
 *     mappings   memory------------------memory---     mprotect()
 */
#ifndef CORE_SYMBOLS_SPACE_SPACES_H
#define CORE_SYMBOLS_SPACE_SPACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/map.h"

/* A part of a process's memory, and what it shows. */
struct mapping {
	uint64_t start, end; /* addresses, end excluded */
	uint64_t offset;     /* of start in the file */
	uint64_t from_ns;    /* when it began */
	uint32_t module;
	bool memory; /* not from a file: code may be generated in it */
};

enum { ALWAYS_MAX = 2 };

/* All mappings of one kind in a space. */
struct mapping_list {
	struct mapping *items;
	size_t count, cap;
	bool sorted;          /* by start; the first lookup sorts */
	uint64_t *max_end;    /* [count]: largest end in items[0..i]; only when some overlap */
	uint64_t *changes_ns; /* the times at which one mapping replaced another, ascending */
	size_t change_count;
	struct overlaps *overlaps; /* only when many of them overlap at one address */
};

struct space {
	int pid;
	uint64_t from_ns;
	struct space *older;  /* the previous space of the same pid */
	struct space *jump;   /* one far before it, so that an old one is found in few steps */
	size_t age;           /* how many are older */
	struct space *parent; /* the space from which it was forked or executed */
	struct mapping_list mappings, code;
	struct mapping *always; /* [ALWAYS_MAX], mappings that all spaces of pid have; may be empty */
	uint32_t first_context;
};

/* Where anything is mapped, in any space at any time. */
struct reach {
	struct stretch_of_memory {
		uint64_t start, end;
	} * items; /* [count], apart from each other, ascending */
	size_t count;
	bool known; /* nothing was mapped since it was found */
};

/* {0} is valid and empty. */
struct spaces {
	struct map newest; /* pid -> its newest space: index in all + 1 */
	uint32_t next_context;
	struct arena arena;
	struct space **all;
	size_t all_count, all_cap;
	struct reach reach;
};

void spaces_map(struct spaces *s, int pid, uint64_t time_ns, uint64_t start, uint64_t len, uint64_t offset,
		uint32_t module);

/* The same for memory without a file: module has the names of the code in it, by address. */
void spaces_map_memory(struct spaces *s, int pid, uint64_t time_ns, uint64_t start, uint64_t len, uint32_t module);

/* Add code that was generated at a time in such memory, or where nothing is mapped: [start, start + len) is what
 * module has at offset, until other code replaces it.  If there was no code before, this code is valid from
 * the start, because time_ns only says when the code was reported. */
void spaces_code(struct spaces *s, int pid, uint64_t time_ns, uint64_t start, uint64_t len, uint64_t offset,
		 uint32_t module);

/* Set a mapping that pid always has, whatever it executes: not memory, but names at addresses where there cannot be
 * memory ("[java]", "[python]").  There is one for each start, ALWAYS_MAX in all; the last one counts. */
void spaces_map_always(struct spaces *s, int pid, uint64_t start, uint64_t len, uint32_t module);

void spaces_fork(struct spaces *s, int pid, int parent_pid, uint64_t time_ns);
void spaces_exec(struct spaces *s, int pid, uint64_t time_ns);

/* The space of pid at a time, created if the process is unknown.  Never NULL. */
struct space *spaces_find(struct spaces *s, int pid, uint64_t time_ns);

/* Sort for lookups, so that several threads may look up at once, until something is mapped. */
void spaces_prepare(struct spaces *s);

/* A number for (space, time) that changes only when an address may mean something else: equal numbers give equal
 * lookups.  Above 0; 0 is the kernel. */
uint32_t space_context(struct spaces *s, struct space *space, uint64_t time_ns);

/* The mapping of address at a time, or the code that was generated there; or NULL. */
const struct mapping *space_lookup(struct space *space, uint64_t address, uint64_t time_ns);

/* May anything be mapped at address?  Broken stacks contain other values in place of addresses.  For these, the answer
 * is usually no, so they need not be looked up in a space and its parents. */
bool spaces_reach(struct spaces *s, uint64_t address);

/* Does m, from space_lookup(), apply to all its addresses at any time? */
static inline bool space_is_settled(const struct space *space, const struct mapping *m)
{
	const struct mapping_list *list = &space->mappings;

	return !m->memory && !list->max_end && list->count && m >= list->items && m < list->items + list->count;
}

void spaces_free(struct spaces *s);

#endif
