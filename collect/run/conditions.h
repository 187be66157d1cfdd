/* conditions: the values of --when, which decide when the flight recorder (flight.h) writes the data that it keeps:
 *
 *     offcpu>50ms  runnable>5ms  throttled>20ms  fault>5ms  io>100ms  lock>1ms  syscall>20ms  syscall:write>20ms  noise>50us
 *     lane:udp.depth>1M
 *
 * BPF programs report spans of such a length one by one, and wake us. */
#ifndef COLLECT_RUN_CONDITIONS_H
#define COLLECT_RUN_CONDITIONS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/recording/spans.h"
#include "core/opts.h"

struct condition {
	const char *text;       /* as it was given */
	const char *source;     /* the collector that sees it */
	const char *event;      /* RECORDING_OFFCPU, ... */
	char *detail;           /* the name of a system call or lane; NULL: any */
	uint32_t detail_number; /* of the system call, with RECORDING_SYSCALL_COMPAT */
	bool throttled;         /* of spans in RECORDING_THROTTLED */
	uint64_t more_than;     /* ns; of a lane: RECORDING_LANE_PARTS of its unit */
};

/* What met a condition. */
struct hit {
	const char *condition; /* the condition as text, or other words for the cause */
	uint64_t time_ns;      /* CLOCK_MONOTONIC; 0: nothing yet */
	uint64_t value;        /* as in struct condition; 0: none */
	bool is_lane;
	int pid, tid; /* 0: no thread */
};

struct conditions {
	struct condition *list;
	size_t count, cap;
	pthread_mutex_t lock; /* protects the members below, since another thread reads lanes */
	struct hit hit;       /* the first since conditions_take() */
	uint64_t times;       /* how many since then */
	int wake;             /* an eventfd that is readable after a hit */
};

/* Parse the values of --when, which must outlive c.  Wrong ones exit 2. */
void conditions_parse(struct conditions *c, const struct text_list *texts);

/* The source that sees the spans or lanes of this value of --when; NULL if it is wrong. */
const char *conditions_source(const char *text);

/* The shortest span, in ns, that can meet a condition on this source, whose BPF program reports such spans at once.
 * UINT64_MAX: there is no condition on it. */
uint64_t conditions_least(const struct conditions *c, const char *source);

/* Check whether a span of event e meets a condition. */
void conditions_see_span(struct conditions *c, const struct event *e, const struct span *s);

/* Check whether the lane called name ("udp;0.0.0.0:5000;depth") meets a condition with this value, in
 * RECORDING_LANE_PARTS.  May be called by any thread. */
void conditions_see_lane(struct conditions *c, const char *name, uint64_t time_ns, uint64_t value);

/* Add a hit that is not about a span or a lane; may be called by any thread.  hit->condition must outlive c. */
void conditions_add_hit(struct conditions *c, const struct hit *hit);

/* Move the first hit since the last call to *hit.  Returns how many hits there were. */
uint64_t conditions_take(struct conditions *c, struct hit *hit);

void conditions_free(struct conditions *c);

#endif
