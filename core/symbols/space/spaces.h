/* spaces: which module is mapped where, in which process, at which time.
 *
 * Feed the events in the order of their times, then look up in any order.  A
 * process gets a new space when it is forked and when it executes a program;
 * where that has no mapping, the one that it came from is asked, as it was then.
 *
 * A JIT compiler tells of the code that it makes in memory.  That is kept apart from the
 * mappings, since the kernel reports the memory again whenever mprotect(2) changes it:
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

struct mapping {
	uint64_t start, end; /* addresses, end excluded */
	uint64_t offset;     /* in the file, of start */
	uint64_t from_ns;    /* since when */
	uint32_t module;
	bool memory;         /* of no file: code may be made there */
};

/* Those of one kind. */
struct mapping_list {
	struct mapping *items;
	size_t count, cap;
	bool sorted;          /* by start; set by the first lookup */
	uint64_t *max_end;    /* of items[0..i], only when some overlap */
	uint64_t *changes_ns; /* when one replaced another, ascending */
	size_t change_count;
};

struct space {
	int pid;
	uint64_t from_ns;
	struct space *older;  /* the same pid before */
	struct space *parent; /* what it was forked or executed from */
	struct mapping_list mappings, code;
	struct mapping *always; /* of all spaces of pid; empty: there is none */
	uint32_t first_context;
};

/* {0} is valid and empty. */
struct spaces {
	struct map newest;    /* pid -> its newest space: number in all + 1 */
	uint32_t next_context;
	struct arena arena;
	struct space **all;
	size_t all_count, all_cap;
};

void spaces_map(struct spaces *s, int pid, uint64_t time_ns, uint64_t start, uint64_t len,
		uint64_t offset, uint32_t module);

/* The same for memory that no file backs: module is what has the names of code in it, by address. */
void spaces_map_memory(struct spaces *s, int pid, uint64_t time_ns, uint64_t start, uint64_t len,
		       uint32_t module);

/* Code that was made at a time in such memory, or where nothing is mapped: [start, start + len)
 * is what module has at offset, until other code takes its place.  Where no other was before,
 * it is valid from the beginning: its time is when somebody told of it. */
void spaces_code(struct spaces *s, int pid, uint64_t time_ns, uint64_t start, uint64_t len,
		 uint64_t offset, uint32_t module);

/* What pid has at all times, whatever it executes: no memory, but names at addresses where no memory can
 * be ("[java]").  One for each pid, the last one counts. */
void spaces_map_always(struct spaces *s, int pid, uint64_t start, uint64_t len, uint32_t module);

void spaces_fork(struct spaces *s, int pid, int parent_pid, uint64_t time_ns);
void spaces_exec(struct spaces *s, int pid, uint64_t time_ns);

/* The space of pid at a time; made when the process is unknown.  Never NULL. */
struct space *spaces_find(struct spaces *s, int pid, uint64_t time_ns);

/* A number for (space, time) that changes only when an address may mean
 * something else: equal numbers, equal lookups.  Above 0; 0 is the kernel. */
uint32_t space_context(struct spaces *s, struct space *space, uint64_t time_ns);

/* The mapping of address at a time, or the code made there; or NULL. */
const struct mapping *space_lookup(struct space *space, uint64_t address, uint64_t time_ns);

/* Is all of m, which space_lookup() gave, the answer for its addresses, at any time? */
static inline bool space_is_settled(const struct space *space, const struct mapping *m)
{
	const struct mapping_list *list = &space->mappings;

	return !m->memory && !list->max_end && m >= list->items && m < list->items + list->count;
}

void spaces_free(struct spaces *s);

#endif
