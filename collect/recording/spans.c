#include "collect/recording/spans.h"

#include <string.h>
#include <time.h>

#include "core/memory.h"
#include "core/unwind/unwinder.h"

/* The number of entries that fit in a record of 64 kB. */
enum {
	CHAIN_MAX = (UINT16_MAX - sizeof(struct perf_event_header) - sizeof(struct recording_sample) -
		     sizeof(struct recording_span)) /
		    sizeof(uint64_t)
};

size_t spans_add_event(struct events *events, const char *name)
{
	struct event *e;
	uint64_t letters = 0;

	memcpy(&letters, name, strnlen(name, sizeof(letters)));
	events->list = xgrow(events->list, &events->cap, events->count + 1, sizeof(*events->list));
	e = &events->list[events->count];
	*e = (struct event){ .name = xstrdup(name),
			     .attr = {
				     .type = PERF_TYPE_SOFTWARE,
				     .size = sizeof(e->attr),
				     .config = PERF_COUNT_SW_BPF_OUTPUT,
				     .config1 = letters,
				     .sample_period = 1,
				     .sample_type = EVENT_SAMPLE_TYPE | PERF_SAMPLE_RAW,
				     .sample_id_all = 1,
				     .use_clockid = 1,
				     .clockid = CLOCK_MONOTONIC,
			     } };
	event_add_id(e, SPANS_FIRST_ID + events->count);
	return events->count++;
}

void spans_walk(struct event *e)
{
	e->attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	e->attr.sample_regs_user = unwind_sample_registers();
}

/* Add a chain and a span.  The caller adds the `more` bytes that follow; the first `own` of them belong to the span. */
static void add_chain_and_span(struct str *out, const struct event *e, const struct span *s, uint64_t ip, size_t own,
			       size_t more)
{
	size_t room = CHAIN_MAX - more / sizeof(uint64_t);
	size_t count = s->chain_count <= room ? s->chain_count : room;
	size_t size = sizeof(struct perf_event_header) + sizeof(struct recording_sample) + count * sizeof(uint64_t) +
		      sizeof(struct recording_span) + more;
	struct perf_event_header header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, (uint16_t)size };
	struct recording_sample sample = {
		.id = e->ids[0],
		.ip = ip,
		.pid = (uint32_t)s->pid,
		.tid = (uint32_t)s->tid,
		.time_ns = s->time_ns,
		.cpu = s->cpu,
		.period = s->ns,
		.chain_count = count,
	};
	struct recording_span tail = {
		.size = (uint32_t)(sizeof(tail) - sizeof(tail.size) + own),
		.flags = s->flags,
		.count = s->count,
		.longest_ns = s->longest_ns,
		.begin_ns = s->begin_ns,
		.migrations = s->migrations,
	};

	str_add(out, (const char *)&header, sizeof(header));
	str_add(out, (const char *)&sample, sizeof(sample));
	str_add(out, (const char *)s->chain, count * sizeof(*s->chain));
	str_add(out, (const char *)&tail, sizeof(tail));
}

void span_add(struct str *out, const struct event *e, const struct span *s)
{
	add_chain_and_span(out, e, s, s->chain_count ? s->chain[0] : 0, 0, 0);
}

void span_add_with(struct str *out, const struct event *e, const struct span *s, const void *own, size_t len)
{
	add_chain_and_span(out, e, s, s->chain_count ? s->chain[0] : 0, len, len);
	str_add(out, own, len);
}

static void spans_add_u64(struct str *out, uint64_t n)
{
	str_add(out, (const char *)&n, sizeof(n));
}

/* In the kernel's order: abi, registers; size, the stack, how much of the stack was copied. */
void span_add_copied(struct str *out, const struct event *e, const struct span *s, const struct span_copy *copy)
{
	size_t regs = copy->reg_count * sizeof(*copy->regs);
	struct perf_event_header python = { SPANS_PYTHON, 0, (uint16_t)(sizeof(python) + copy->python_len) };

	if (copy->python_len) {
		str_add(out, (const char *)&python, sizeof(python));
		str_add(out, copy->python, copy->python_len);
	}
	add_chain_and_span(out, e, s, copy->ip, 0,
			   2 * sizeof(uint64_t) + regs + (copy->stack_len ? copy->stack_len + sizeof(uint64_t) : 0));
	spans_add_u64(out, copy->abi);
	str_add(out, (const char *)copy->regs, regs);
	spans_add_u64(out, copy->stack_len ? copy->stack_wanted : 0);
	if (!copy->stack_len)
		return;
	str_add(out, (const char *)copy->stack, copy->stack_len);
	spans_add_u64(out, copy->stack_len);
}
