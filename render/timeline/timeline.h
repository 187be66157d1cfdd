/* timeline: who was where, when: rows of spans, as of folded lines whose first frames
 * are told by the header (core/format/folded.h):
 *
 *     # pyrograph: ... root=thread,cpu columns=time,count,longest spans=start unit=ns
 *     @1795342502.014325678 spin-a-4711/spin-a;cpu0 4000000 1 4000000
 *
 * A frame of the line says in which row it is (its thread, or its CPU), another one of
 * which kind (its CPU; its state; its thread).  Lines without a time, and those without
 * spans=start, are sums: of them a timeline knows what each stack took in all. */
#ifndef RENDER_TIMELINE_H
#define RENDER_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/regexp.h"
#include "render/profile/source.h"
#include "render/profile/topology.h"

enum { TIMELINE_PLAIN = UINT32_MAX };

/* The columns of a line (FOLDED_COLUMNS). */
struct timeline_values {
	uint64_t time, count, longest, migrations;
};

/* A line's frames, once for all lines that have them. */
struct timeline_stack {
	uint32_t thread, cpu, state, by; /* in names; UINT32_MAX: the lines tell none */
	bool idle;                       /* of the idle task: time that nobody took */
	uint32_t row, kind;              /* see below */
	struct timeline_values sum;
};

struct timeline_span {
	uint64_t start_ns; /* since the epoch */
	uint64_t time_ns;
	uint32_t stack;
	uint32_t more; /* in extras; TIMELINE_PLAIN: count 1, longest time_ns */
};

struct timeline_row {
	uint32_t name;
	const struct topology_cpu *cpu; /* NULL: not known, or no CPU */
	size_t first, count;            /* its spans */
	uint64_t time_ns;               /* of all of them, or of all sums */
	uint64_t waited_ns;             /* ... in states of waiting for a CPU, where kinds are states */
	uint64_t ran_ns;                /* ... and in the running one */
	uint64_t start_ns;              /* of the first one */
	uint64_t moves;                 /* times that a span is of another kind than the one before */
	uint64_t overlaps;              /* spans that begin well before the one before has ended */
	uint32_t kinds;                 /* how many different ones it has */
	bool idle;                      /* of the idle task, the last one if it is there, and not drawn */
};

struct timeline_kind {
	uint32_t name;
	uint64_t time_ns;
	const struct topology_cpu *cpu; /* NULL: not known, or no CPU */
	bool idle;                      /* nothing is drawn for it */
	bool waiting, running;          /* a state in which a thread wants a CPU, or has it */
	uint32_t rgb, safe;             /* of timeline_colours() */
};

struct timeline {            /* {0} is empty */
	struct intern texts; /* stacks, by their number */
	struct timeline_stack *stacks;
	size_t stacks_cap;
	uint32_t *rank;              /* of each stack, by its text: what the order of lines does
				      * not change; set by timeline_arrange() */
	struct intern names;         /* of threads, CPUs, states */
	struct timeline_span *spans; /* after timeline_arrange(): by row and time */
	size_t span_count, spans_cap;
	struct timeline_values *extras;
	size_t extra_count, extras_cap;
	struct folded_source source;
	struct topology topology;
	bool timed;              /* lines are spans; ... */
	bool summed;             /* ... or sums */
	bool has_cpu, has_state; /* the lines tell them */
	bool has_by;             /* ... and who had the CPU that a thread waited for */
	int by_place;            /* which frame that is; the last header has the word */
	bool has_migrations;     /* as a column */

	uint64_t start_ns, end_ns; /* the window; 0, 0: not known */
	bool relative;             /* ... by no wall clock: times are told from start_ns on */
	struct timeline_row *rows; /* in the order of the picture */
	size_t row_count;
	struct timeline_kind *kinds; /* by topology, or by falling time */
	size_t kind_count;
	bool by_cpu; /* rows are CPUs */
	bool kinds_are_cpus, kinds_are_states;
	bool whole;         /* what no thread took was idle (timeline_is_whole()) */
	uint64_t time_ns;   /* of all stacks, after timeline_arrange() but the idle ones */
	uint64_t idle_ns;   /* of those */
	uint32_t process;   /* the name of a thread of the process that most are of, ... */
	size_t process_len; /* ... and how much of it that is: "java-8513/"; 0: none */
	uint64_t merged;    /* spans that went into others (timeline_merge()) */
	uint64_t merged_ns; /* those that begin in the same so many ns */

	uint64_t lines, bad_lines, filtered_lines; /* without comments and empty ones */
};

struct timeline_filter { /* {0} takes every line */
	struct regexp **include, **exclude;
	size_t include_count, exclude_count;
};

/* Add the lines of path ("-" is stdin).  A bad line is reported (the first few),
 * skipped and counted.  Returns 0, or -1 after a message if path could not be read. */
int timeline_read(struct timeline *t, const char *path, const struct timeline_filter *filter);

/* Rows that are drawn: all but that of the idle task. */
static inline size_t timeline_rows(const struct timeline *t)
{
	return t->row_count - (t->row_count && t->rows[t->row_count - 1].idle);
}

/* Find the window: what the header says, and where spans are. */
void timeline_window(struct timeline *t);

/* Make from_ns..to_ns, since the epoch, the window, and cut the spans to it. */
void timeline_clip(struct timeline *t, uint64_t from_ns, uint64_t to_ns);

enum timeline_order { TIMELINE_BY_TIME, TIMELINE_BY_NAME, TIMELINE_BY_FIRST, TIMELINE_BY_MOVES, TIMELINE_BY_WAITING };

/* How it shall be arranged. */
struct timeline_wish {
	bool by_cpu;               /* rows are CPUs and kinds threads */
	bool by_state;             /* kinds are states, though the lines have CPUs */
	bool total;                /* only the sums */
	enum timeline_order order; /* of rows; CPUs always stand by topology */
};

/* Make rows and kinds, and put the spans into order.  Returns NULL, or what is missing
 * for that. */
const char *timeline_arrange(struct timeline *t, const struct timeline_wish *wish);

/* Set process and process_len of a timeline whose stacks have their sums. */
void timeline_find_process(struct timeline *t);

/* How much of the beginning of a shown name is that process. */
size_t timeline_skipped(const struct timeline *t, const char *label, size_t len);

/* Are all threads of the machine in it, so that a CPU that none of them had was idle?  By
 * the header: the command that recorded it, and what was left out. */
bool timeline_is_whole(const struct timeline *t);

/* What a CPU did when no thread of the timeline had it: "idle" or "not these threads". */
static inline const char *timeline_idle_word(const struct timeline *t)
{
	return t->whole ? "idle" : "not these threads";
}

/* A point in time as it is told: since the epoch, or since the window's start. */
static inline uint64_t timeline_told(const struct timeline *t, uint64_t ns)
{
	return t->relative ? ns - t->start_ns : ns;
}

/* Put spans together until there are at most limit (0: any number): of the spans of a row
 * that begin within the same piece of time, those of one stack become one, in the place
 * of its first, with the sum of their times. */
void timeline_merge(struct timeline *t, size_t limit);

/* Give the kinds their colours. */
void timeline_colours(struct timeline *t);

/* The columns of a span. */
struct timeline_values timeline_values_of(const struct timeline *t, const struct timeline_span *span);

/* Append "CPU 3" for cpu3; else the name as it is shown (bars_shown_len()). */
void timeline_label_add(struct str *out, const struct timeline *t, uint32_t name);

void timeline_free(struct timeline *t);

#endif
