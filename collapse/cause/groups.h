/* groups: waits with the same cause. */
#ifndef COLLAPSE_CAUSE_GROUPS_H
#define COLLAPSE_CAUSE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/finding.h"
#include "core/map.h"

struct group_key {
	enum finding_kind kind;
	enum wait_kind wait;
	uint32_t guilty;      /* FINDING_STOLEN, FINDING_THROTTLED: the victim's process; FINDING_GAVE_WAY: 0 */
	enum block_wish wish; /* of the victims */
};

/* Shares of several threads. */
struct group_shares {
	struct map numbers; /* hash table of the threads, once there are many: thread -> number in items + 1 */
	struct finding_share *items;
	size_t count, cap;
};

struct group {
	struct group_key key;
	bool merged; /* into another one */
	uint64_t count, total_ns, longest_ns, longest_at_ns;
	size_t whole;                   /* the wait of which a part was added last, ... */
	uint64_t whole_ns, whole_at_ns; /* ... how much of that wait belongs to this group, and since when */
	struct cause longest;           /* of the longest wait, ... */
	uint32_t longest_victim;
	uint32_t site_stack;                     /* its stack */
	uint64_t ran_ns, ready_ns, throttled_ns; /* what the guilty one did meanwhile */
	struct group_shares victims, guilty, by;
	struct group_shares
		thieves; /* of a wait for a CPU: the threads that had it, where guilty has their processes */
	struct finding_stretch *windows; /* when the guilty one was waited for */
	size_t window_count, window_cap;
};

/* {0} is valid and empty. */
struct groups {
	struct group *items;
	size_t count, cap, latest;
	struct map by_key;
};

/* Add a wait and its cause; the guilty thread gets a share (HISTORY_NONE: nobody does).  whole is the number of a wait
 * that comes in consecutive parts; 0: the wait comes in one piece. */
void groups_add(struct groups *all, const struct group_key *key, const struct history_span *wait, const struct cause *c,
		size_t whole);

/* Add the contents of b to a, and mark b as merged. */
void group_merge(struct group *a, struct group *b);

/* Add to the share of a thread. */
void group_share_add(struct group_shares *shares, uint32_t thread, uint64_t ns);

/* Free what shares own. */
void group_shares_free(struct group_shares *shares);

/* The thread with the largest share; HISTORY_NONE: there is none. */
uint32_t group_largest(const struct group_shares *shares);

/* The group to which groups_add() added last. */
static inline struct group *groups_last(struct groups *all)
{
	return &all->items[all->latest];
}

enum { GROUP_PAUSE_NS = 1000000 }; /* windows this close together are one */

/* Merge windows that overlap, and sort them for group_covers(). */
void group_sort(struct group *g);

/* Did any victim wait for the guilty thread at that time? */
bool group_covers(const struct group *g, uint64_t ns);

void groups_free(struct groups *all);

#endif
