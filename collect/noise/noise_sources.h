/* noise_sources: the names of what had CPUs (sources), and how long each source had each CPU. */
#ifndef COLLECT_NOISE_NOISE_SOURCES_H
#define COLLECT_NOISE_NOISE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/noise.h"
#include "core/format/recording.h"
#include "core/intern.h"
#include "core/map.h"
#include "core/str.h"
#include "core/symbols/kallsyms.h"

/* A source on a CPU. */
struct noise_total {
	enum recording_state state;
	uint64_t id;
	uint32_t kind, cpu;
	uint32_t name; /* in names; of a thread, in threads */
	uint64_t ns, count;
	uint64_t longest_ns, longest_at_ns; /* of one time; CLOCK_MONOTONIC */
	uint64_t over;                      /* how many times were over the budget */
};

struct noise_sources {         /* {0} is empty */
	struct intern names;   /* names of all sources but threads, to which a recording refers */
	struct intern threads; /* of those that have totals */
	struct kallsyms symbols;
	struct map numbers;        /* id and kind: the name + 1 */
	struct map places;         /* of totals */
	struct noise_total *items; /* [count] */
	size_t count, cap;
	uint64_t budget_ns; /* 0: none */
};

/* Read the names of the kernel's functions. */
void noise_sources_begin(struct noise_sources *s, uint64_t budget_ns);

bool noise_is_thread(uint32_t kind);

/* enum recording_state of a source. */
enum recording_state noise_state(uint32_t kind, uint64_t id);

/* The word for it: "interrupt". */
const char *noise_state_word(enum recording_state state);

/* The number of a source's name in `names`; not for threads.  label: the name of an interrupt; may be empty. */
uint32_t noise_sources_name(struct noise_sources *s, uint32_t kind, uint64_t id, const char label[NOISE_NAME]);

/* Append the name of any source. */
void noise_name_add(const struct noise_sources *s, uint32_t kind, uint64_t id, const char label[NOISE_NAME],
		    struct str *out);

/* The name of a total's source. */
const char *noise_total_name(const struct noise_sources *s, const struct noise_total *t);

/* Add times of a source to its total on a CPU.  times->name is the label; a thread gets the name that it had last.  At
 * 65,536 totals, all threads except those with the most time are joined into one "[other threads]" on each CPU. */
void noise_sources_add(struct noise_sources *s, uint32_t kind, uint64_t id, uint32_t cpu,
		       const struct noise_sum *times);

/* Sort the totals by CPU, state (what runs first) and name; nothing can be added after that. */
void noise_sources_sort(struct noise_sources *s);

/* Append the section RECORDING_SOURCES. */
void noise_sources_format(const struct noise_sources *s, struct str *out);

void noise_sources_free(struct noise_sources *s);

#endif
