/* leaders: which thread has most of each kind of event, for the first line of the chart that shows this kind:
 *
 *     Of locks: worker-1 of java-8513 waited for locks most: 3.2 s of 5.3 s, 61.2 % of that in Desk.rebuildCache
 *
 * "Of", then the collector that recorded it (core/format/events.h). */
#ifndef COLLAPSE_CAUSE_LEADERS_H
#define COLLAPSE_CAUSE_LEADERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/explanation.h"
#include "collapse/perfdata/sample.h"
#include "core/map.h"

/* What a thread has of one kind with one stack. */
struct leader_part {
	unsigned kind;          /* event_row_at() */
	uint32_t thread, stack; /* numbers in struct history, struct stacks */
	uint64_t value;         /* ns, or bytes */
	bool busy;              /* the kernel was doing something for the thread, which had work to do */
};

struct leaders { /* {0} is valid and empty */
	struct leader_part *parts;
	size_t count, cap;
	struct map by_stack; /* hash table: (kind, busy and thread, stack) -> number of the part + 1 */
};

/* Is a sample of one of these kinds? */
bool leaders_want(const struct recorded_sample *s);

void leaders_add(struct leaders *l, const struct recorded_sample *s, uint32_t thread, uint32_t stack);

/* Append a line for each kind that occurs.  Sleep and waits for work do not count, nor do waits that may be for work,
 * unless a finding says otherwise. */
void leaders_lines(const struct leaders *l, const struct explanation *e, struct str *out);

/* Append why the JVM with this first thread collects garbage: "; for garbage collection, report-1, which allocated most: 236
 * MiB of 239 MiB, all in Report.render"; or, where allocations were not recorded, how to find out; nothing if the thread
 * that allocated most is of another process. */
void leaders_add_allocator(const struct leaders *l, const struct explanation *e, uint32_t process, struct str *out);

void leaders_free(struct leaders *l);

#endif
