#include "collect/recording/event.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collect/machine/tracefs.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/unwind/unwinder.h"

struct name {
	const char *text;
	uint32_t type;
	uint64_t config;
};

#define WALKED_TYPE ((uint64_t)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER))

#define HARDWARE(text, which)                                   \
	{                                                       \
		text, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##which \
	}
#define SOFTWARE(text, which)                                   \
	{                                                       \
		text, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##which \
	}

static const struct name names[] = {
	HARDWARE("cycles", CPU_CYCLES),
	HARDWARE("cpu-cycles", CPU_CYCLES),
	HARDWARE("instructions", INSTRUCTIONS),
	HARDWARE("cache-references", CACHE_REFERENCES),
	HARDWARE("cache-misses", CACHE_MISSES),
	HARDWARE("branches", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-instructions", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-misses", BRANCH_MISSES),
	HARDWARE("bus-cycles", BUS_CYCLES),
	HARDWARE("ref-cycles", REF_CPU_CYCLES),
	HARDWARE("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
	SOFTWARE("cpu-clock", CPU_CLOCK),
	SOFTWARE("task-clock", TASK_CLOCK),
	SOFTWARE("page-faults", PAGE_FAULTS),
	SOFTWARE("faults", PAGE_FAULTS),
	SOFTWARE("minor-faults", PAGE_FAULTS_MIN),
	SOFTWARE("major-faults", PAGE_FAULTS_MAJ),
	SOFTWARE("context-switches", CONTEXT_SWITCHES),
	SOFTWARE("cs", CONTEXT_SWITCHES),
	SOFTWARE("cpu-migrations", CPU_MIGRATIONS),
	SOFTWARE("migrations", CPU_MIGRATIONS),
	SOFTWARE("alignment-faults", ALIGNMENT_FAULTS),
	SOFTWARE("emulation-faults", EMULATION_FAULTS),
};

static const struct name caches[] = {
	{ "L1-dcache", 0, PERF_COUNT_HW_CACHE_L1D }, { "L1-icache", 0, PERF_COUNT_HW_CACHE_L1I },
	{ "LLC", 0, PERF_COUNT_HW_CACHE_LL },        { "dTLB", 0, PERF_COUNT_HW_CACHE_DTLB },
	{ "iTLB", 0, PERF_COUNT_HW_CACHE_ITLB },     { "branch", 0, PERF_COUNT_HW_CACHE_BPU },
	{ "node", 0, PERF_COUNT_HW_CACHE_NODE },
};

#define CACHE_CONFIG(op, result) (PERF_COUNT_HW_CACHE_OP_##op << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct name cache_operations[] = {
	{ "-loads", 0, CACHE_CONFIG(READ, ACCESS) },          { "-load-misses", 0, CACHE_CONFIG(READ, MISS) },
	{ "-stores", 0, CACHE_CONFIG(WRITE, ACCESS) },        { "-store-misses", 0, CACHE_CONFIG(WRITE, MISS) },
	{ "-prefetches", 0, CACHE_CONFIG(PREFETCH, ACCESS) }, { "-prefetch-misses", 0, CACHE_CONFIG(PREFETCH, MISS) },
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool recording_event_find_name(const char *text, size_t len, struct perf_event_attr *attr)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		if (strlen(names[i].text) == len && !memcmp(names[i].text, text, len)) {
			attr->type = names[i].type;
			attr->config = names[i].config;
			return true;
		}
	}
	return false;
}

/* "LLC-load-misses" */
static bool find_cache(const char *text, size_t len, struct perf_event_attr *attr)
{
	for (size_t i = 0; i < COUNT(caches); i++) {
		size_t cache_len = strlen(caches[i].text);

		if (len < cache_len || memcmp(caches[i].text, text, cache_len))
			continue;
		for (size_t j = 0; j < COUNT(cache_operations); j++) {
			const struct name *op = &cache_operations[j];

			if (strlen(op->text) == len - cache_len &&
			    !memcmp(op->text, text + cache_len, len - cache_len)) {
				attr->type = PERF_TYPE_HW_CACHE;
				attr->config = caches[i].config | op->config;
				return true;
			}
		}
	}
	return false;
}

/* "r1a2": the event's hexadecimal number in the CPU's manual. */
static bool parse_raw(const char *text, size_t len, struct perf_event_attr *attr)
{
	if (text[0] != 'r' || len < 2 || len > 17 || strspn(text + 1, "0123456789abcdefABCDEF") < len - 1)
		return false;
	attr->type = PERF_TYPE_RAW;
	attr->config = strtoull(text + 1, NULL, 16);
	return true;
}

/* Parse what follows the name: ":u" user code, ":k" kernel, ":p" to ":ppp" precise. */
static bool parse_modifiers(const char *text, struct perf_event_attr *attr)
{
	bool user = strchr(text, 'u'), kernel = strchr(text, 'k');

	attr->exclude_kernel = user && !kernel;
	attr->exclude_user = kernel && !user;
	for (const char *c = text; *c; c++) {
		if (!strchr("ukp", *c) || (*c == 'p' && attr->precise_ip == 3))
			return false;
		attr->precise_ip += *c == 'p';
	}
	return true;
}

static struct event *recording_event_add(struct events *events, const char *text)
{
	struct event *e;

	events->list = xgrow(events->list, &events->cap, events->count + 1, sizeof(*e));
	e = &events->list[events->count++];
	*e = (struct event){ .name = xstrdup(text), .attr.size = sizeof(e->attr) };
	return e;
}

int events_add(struct events *events, const char *text)
{
	struct event *e = recording_event_add(events, text);
	size_t len = strcspn(text, ":");
	uint64_t id;

	if (recording_event_find_name(text, len, &e->attr) || find_cache(text, len, &e->attr) ||
	    parse_raw(text, len, &e->attr)) {
		if (text[len] && !parse_modifiers(text + len + 1, &e->attr))
			die_usage("event %s: only u, k and p may follow the colon", text);
		return 0;
	}
	if (!text[len])
		die_usage("unknown event '%s': try cycles, cpu-clock, page-faults, r1a2, or a "
			  "tracepoint such as sched:sched_switch",
			  text);
	if (tracefs_event_id(text, &id))
		return -1;
	e->attr.type = PERF_TYPE_TRACEPOINT;
	e->attr.config = id;
	return 0;
}

bool event_is_tracepoint(const struct event *e)
{
	return e->attr.type == PERF_TYPE_TRACEPOINT;
}

bool event_is_ours(const struct event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_BPF_OUTPUT && !e->recorded_as;
}

size_t events_add_dummy(struct events *events)
{
	struct event *e = recording_event_add(events, "dummy");

	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_DUMMY;
	e->attr.exclude_kernel = 1; /* needs no rights, and shows nothing of the kernel */
	return events->count - 1;
}

/* Does the event occur at a place in kernel code, rather than when a counter or a timer overflows? */
static bool is_counted_by_hits(const struct event *e)
{
	return event_is_tracepoint(e) ||
	       (e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config != PERF_COUNT_SW_CPU_CLOCK &&
		e->attr.config != PERF_COUNT_SW_TASK_CLOCK);
}

void event_configure(struct event *e, const struct sampling *how)
{
	struct perf_event_attr *attr = &e->attr;

	attr->sample_type = EVENT_SAMPLE_TYPE;
	attr->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	attr->disabled = 1;
	attr->inherit = how->inherit;
	attr->enable_on_exec = how->on_exec;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->watermark = 1;
	attr->wakeup_watermark = (uint32_t)(how->ring_size / 4);
	attr->exclude_kernel |= how->user_only;
	attr->exclude_user |= how->kernel_only;
	if (event_is_tracepoint(e))
		attr->sample_type |= PERF_SAMPLE_RAW;

	attr->exclude_callchain_kernel |= how->no_stacks;
	attr->exclude_callchain_user |= how->no_stacks || how->stack_bytes;
	if (how->stack_bytes) {
		attr->sample_type |= WALKED_TYPE;
		attr->sample_regs_user = unwind_sample_registers();
		attr->sample_stack_user = how->stack_bytes;
	}
	if (how->period) {
		attr->sample_period = how->period;
		if (how->period > 1 && is_counted_by_hits(e))
			attr->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	} else if (event_is_tracepoint(e) && !how->frequency_chosen) {
		attr->sample_period = 1;
	} else {
		attr->freq = 1;
		attr->sample_freq = how->frequency_hz;
	}
}

bool event_lacks_period(const struct event *e)
{
	return !(e->attr.sample_type & PERF_SAMPLE_PERIOD);
}

bool event_is_walked(const struct event *e)
{
	return e->attr.sample_type & PERF_SAMPLE_STACK_USER;
}

struct perf_event_attr event_recorded(const struct event *e)
{
	struct perf_event_attr attr = e->attr;

	attr.sample_type &= ~WALKED_TYPE;
	attr.sample_type |= PERF_SAMPLE_PERIOD;
	attr.sample_regs_user = 0;
	attr.sample_stack_user = 0;
	if (e->recorded_as) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_BPF_OUTPUT;
		attr.config1 = attr.config2 = 0;
		memcpy(&attr.config1, e->recorded_as, strnlen(e->recorded_as, sizeof(attr.config1)));
		attr.sample_type |= PERF_SAMPLE_RAW;
	}
	return attr;
}

void event_add_side_band(struct event *e)
{
	e->attr.mmap = 1;
	e->attr.mmap2 = 1;
	/* Do not set build_id: with it, Linux 6.18 also marks the MMAP2 records of other processes' events, and perf
	 * 6.1 then takes a device number for the length of a build-id, and overwrites its stack.  We read the build-ids
	 * ourselves. */
	e->attr.comm = 1;
	e->attr.comm_exec = 1;
	e->attr.task = 1;
	e->attr.ksymbol = 1;
}

void events_drop_last(struct events *events)
{
	struct event *e = &events->list[--events->count];

	free(e->name);
	free(e->ids);
	free(e->fds);
}

void event_add_id(struct event *e, uint64_t id)
{
	e->ids = xgrow(e->ids, &e->id_cap, e->id_count + 1, sizeof(*e->ids));
	e->ids[e->id_count++] = id;
}

void event_add_fd(struct event *e, int fd, int cpu)
{
	e->fds = xgrow(e->fds, &e->fd_cap, e->fd_count + 1, sizeof(*e->fds));
	e->fds[e->fd_count++] = (struct event_fd){ fd, cpu };
}

void events_forget_fds(struct events *events)
{
	for (size_t i = 0; i < events->count; i++)
		events->list[i].id_count = events->list[i].fd_count = 0;
}

void events_free(struct events *events)
{
	while (events->count)
		events_drop_last(events);
	free(events->list);
	*events = (struct events){ 0 };
}
