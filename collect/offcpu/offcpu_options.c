#include "collect/offcpu/offcpu_options.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/recording.h"
#include "core/str.h"

enum { DEFAULT_MIN_NS = 1000, MAX_HOPS = 16 };

#define DEFAULT_THREADS 65536

static const char *min, *states, *wakers, *events; /* wakers "": one hop */

struct offcpu_options offcpu_options = { .max_threads = DEFAULT_THREADS };

const struct opt offcpu_option_table[] = {
	{ 0, "min", "TIME", "skip shorter blocks: 10us, 5ms, 2 (s) [1us]", .text = &min },
	{ 0, "max", "TIME", "skip longer blocks: 10us, 5ms, 2 (s)", .ns = &offcpu_options.max_ns },
	{ 0, "state", "LIST", "only sleeping, blocked-io, ... [all but idle]", .text = &states },
	{ 0, "wakers", "HOPS", "stacks of wakers, too; =2: and their wakers, ...", .text = &wakers, .optional = true },
	{ 0, "timeout", "TIME", "report threads blocked this long (500ms, 2m)", .ns = &offcpu_options.timeout_ns },
	{ 0, "events", "MIN", "each block (of MIN or longer) by itself", .text = &events, .optional = true },
	{ 0, "watch", "TIME", "live, no recording: threads back on -C, how late", .ns = &offcpu_options.watch_ns },
	{ 0, "cgroup", "PATH", "threads of this control group or below", .text = &offcpu_options.cgroup },
	{ 0, "max-threads", "N", "threads at a time [" OPT_TEXT(DEFAULT_THREADS) "]",
	  .num = &offcpu_options.max_threads, .min = 1, .max = 1 << 22 },
	{ 0, "user-stacks-at-return", NULL, NULL, .flag = &offcpu_options.at_return },
	{ 0, "watch-counts", NULL, NULL, .flag = &offcpu_options.counts },
	{ 0 }
};

/* The names of states that collapse uses (core/format/folded.h). */
static const struct {
	const char *name;
	uint32_t state;
} blocked_states[] = {
	{ "sleeping", RECORDING_SLEEPING }, { "blocked-io", RECORDING_BLOCKED_IO },
	{ "blocked", RECORDING_BLOCKED },   { "stopped", RECORDING_STOPPED },
	{ "traced", RECORDING_TRACED },     { "parked", RECORDING_PARKED },
	{ "idle", RECORDING_IDLE },         { "unknown-state", RECORDING_STATE_UNKNOWN },
};

enum { BLOCKED_STATES = sizeof(blocked_states) / sizeof(*blocked_states) };

const char *blocked_state_name(uint32_t state)
{
	for (size_t i = 0; i < BLOCKED_STATES; i++) {
		if (blocked_states[i].state == state)
			return blocked_states[i].name;
	}
	return NULL;
}

static uint32_t offcpu_options_find_state(const char *name, size_t len)
{
	struct str known = { 0 };

	for (size_t i = 0; i < BLOCKED_STATES; i++) {
		if (strlen(blocked_states[i].name) == len && !memcmp(name, blocked_states[i].name, len))
			return 1u << blocked_states[i].state;
		str_addf(&known, "%s%s", i ? ", " : "", blocked_states[i].name);
	}
	die_usage("--state %.*s: no such state; the states are %s", (int)len, name, str_text(&known));
}

static uint32_t parse_states(const char *list)
{
	uint32_t mask = 0;

	for (;; list++) {
		size_t len = strcspn(list, ",");

		mask |= offcpu_options_find_state(list, len);
		list += len;
		if (!*list)
			return mask;
	}
}

static uint32_t all_but_idle(void)
{
	uint32_t mask = 0;

	for (size_t i = 0; i < BLOCKED_STATES; i++)
		mask |= 1u << blocked_states[i].state;
	return mask & ~(1u << RECORDING_IDLE);
}

bool offcpu_options_want_all(void)
{
	return offcpu_options.detail.singly && !offcpu_options.detail.min_ns;
}

void offcpu_options_check(char **command)
{
	struct offcpu_options *o = &offcpu_options;
	uint64_t number;

	if (!min)
		o->min_ns = DEFAULT_MIN_NS;
	else if (!parse_duration(min, &o->min_ns))
		die_usage("--min %s: not a time, such as 10us, 5ms, 2 (seconds), 0", min);
	if (wakers && !*wakers && command && parse_u64(command[0], &number))
		die_usage("--wakers takes its number after '=': --wakers=%s", command[0]);
	if (wakers && !*wakers)
		o->wakers = 1;
	else if (wakers && (!parse_u64(wakers, &o->wakers) || !o->wakers || o->wakers > MAX_HOPS))
		die_usage("--wakers=%s: not a number of hops from 1 to %d", wakers, MAX_HOPS);
	o->detail = detail_parse(events, command);
	if (o->single_ns && (!o->detail.singly || o->detail.min_ns > o->single_ns))
		o->detail = (struct detail){ true, o->single_ns };
	if (!o->max_ns)
		o->max_ns = UINT64_MAX;
	if (o->max_ns < o->min_ns)
		die_usage("--max is less than --min");
	o->states = states ? parse_states(states) : all_but_idle();
	if (o->timeout_ns && o->timeout_ns < o->min_ns)
		die_usage("--timeout is less than --min");
}
