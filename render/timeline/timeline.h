/* timeline: which thread ran where, and when: rows of spans, made from folded lines whose header names their
 * first frames (core/format/folded.h):
 *
 *     # pyrograph: ... root=thread,cpu columns=time,count,longest spans=start unit=ns
 *     @1795342502.014325678 spin-a-4711/spin-a;cpu0 4000000 1 4000000
 *
 * One frame of a line gives its row (its thread, or its CPU), another one its kind (its CPU, state or thread).
 * Lines without a time, or without spans=start, are sums: a timeline knows only the totals of their stacks. */
#ifndef RENDER_TIMELINE_H
#define RENDER_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/intern.h"
#include "render/profile/topology.h"
#include "render/rows/rows.h"

enum { TIMELINE_PLAIN = UINT32_MAX };

enum { SHORT_WHOLE = 1000 };

/* The columns of a line (FOLDED_COLUMNS). */
struct timeline_values {
	uint64_t time, count, longest, migrations;
};

/* The frames of a line; all lines with the same frames share one. */
struct timeline_stack {
	uint32_t thread, cpu, state, by; /* ids in names; UINT32_MAX: the lines do not have this frame */
	bool idle;                       /* the idle task's: nobody had the CPU */
	uint32_t trace;                  /* its further frames, in traces; UINT32_MAX: it has none */
	uint32_t root_len;               /* length of its text before the trace */
	uint32_t plain;                  /* the same stack without a trace, if timeline_prepare_merge() made it */
	uint32_t row, kind;              /* places in struct timeline's rows and kinds */
	struct timeline_values sum;
};

struct timeline_span {
	uint64_t start_ns; /* since the epoch */
	uint64_t time_ns;
	uint32_t stack;
	uint32_t more; /* index in extras; TIMELINE_PLAIN: its count is 1, its longest time_ns */
};

/* A sample of what a thread ran: its stack, at a moment. */
struct timeline_sample {
	uint64_t ns; /* since the epoch */
	uint32_t stack;
};

/* The sum of short spans of a stack, which have no place in time. */
struct timeline_sum {
	uint32_t stack;
	struct timeline_values values;
};

/* Several threads waited together for one (FOLDED_STALL). */
struct timeline_stall {
	uint64_t start_ns, end_ns;
	uint64_t longest_ns, waits_ns;
	uint64_t threads;
	uint32_t by;            /* the thread that they waited for, in names */
	uint32_t what, did, in; /* in names: FOLDED_STALL_FOR, ..._DID, ..._IN; UINT32_MAX: unknown */
	uint32_t row;           /* of that thread; UINT32_MAX: it has none */
	bool leads;             /* that thread is the cause of the worst problem (FOLDED_GUILTY) */
};

/* Rows by their part in the worst problem (FOLDED_GUILTY), then in stalls. */
enum timeline_tier { TIMELINE_CAUSE, TIMELINE_COST, TIMELINE_GUILTY, TIMELINE_VICTIM, TIMELINE_ACTIVE, TIMELINE_QUIET };

struct timeline_row {
	uint32_t name;
	const struct topology_cpu *cpu; /* NULL: unknown, or the row is not a CPU */
	size_t first, count;            /* its spans */
	uint64_t time_ns;               /* total of its spans, or of its sums */
	uint64_t waited_ns;             /* total in states of waiting for a CPU, if kinds are states */
	uint64_t ran_ns;                /* total in the state "running" */
	uint64_t start_ns;              /* of its first span */
	uint64_t moves;                 /* spans whose kind differs from that of the previous span */
	uint64_t overlaps;              /* spans that begin well before the previous one ended */
	uint32_t kinds;                 /* how many different kinds it has */
	size_t first_sample, sample_count;
	uint64_t blocked_ns;     /* waits for anything except a CPU, work or a timer */
	uint64_t stalled_ns;     /* tier GUILTY: how long others waited for it; VICTIM: how much of its waits is in
			      * stalls */
	uint32_t short_kind;     /* what gaps between its spans show (timeline_find_shorts()); UINT32_MAX: nothing, ...
				  */
	uint32_t short_part;     /* ... and which part of their time, of SHORT_WHOLE */
	uint64_t short_from_ns, short_to_ns, gap_ns; /* where gaps are, and how much there is of them */
	enum timeline_tier tier; /* QUIET: it did next to nothing except wait for work or a timer */
	bool idle;               /* the idle task, which, if there is one, is the last row and not drawn */
};

struct timeline_kind {
	uint32_t name;
	uint64_t time_ns;
	const struct topology_cpu *cpu; /* NULL: unknown, or the kind is not a CPU */
	bool idle;                      /* nothing is drawn for it */
	bool waiting, running;          /* a state in which a thread waits for a CPU; one in which it has a CPU */
	bool dull;                      /* a wait for work, or for time to pass, which needs no label */
	bool blocked;                   /* a state in which it waits for anything except a CPU, work or a timer */
	uint32_t rgb, safe;             /* set by timeline_colours() */
};

struct timeline { /* {0} is empty */
	struct rows_input in;
	struct intern texts; /* stacks, by their number */
	struct timeline_stack *stacks;
	size_t stacks_cap;
	uint32_t *rank;              /* [stack] its place by text, which does not depend on the order of lines;
				      * UINT32_MAX: timeline_merge() has merged it into others; set by
				      * timeline_arrange() */
	struct intern names;         /* threads, CPUs, states */
	struct timeline_span *spans; /* after timeline_arrange(): sorted by row and time */
	size_t span_count, spans_cap;
	struct timeline_values *extras;
	size_t extra_count, extras_cap;
	struct intern traces;            /* the frames of stacks after their roots */
	uint32_t *trace_rank;            /* [trace] its place by text; set by timeline_arrange() */
	struct timeline_sample *samples; /* after timeline_arrange(): sorted by row and time */
	size_t sample_count, samples_cap;
	struct timeline_sum *sums; /* after timeline_arrange(): one for each stack that has a sum, sorted by rank */
	size_t sum_count, sums_cap;
	struct timeline_stall *stalls; /* in the order of the lines */
	size_t stall_count, stalls_cap;
	struct topology topology;
	bool timed;              /* some lines are spans */
	bool summed;             /* some lines are sums */
	bool has_cpu, has_state; /* the lines name the CPU, the state */
	bool has_waits;          /* states show what threads wait for (root doing) */
	bool has_by;             /* lines name the thread that had the CPU while another waited */
	int by_place;            /* the place in a stack of the frame `by`, according to the last header */
	bool has_migrations;     /* a column counts migrations */

	bool strays_left;          /* timeline_leave_strays() found some */
	struct timeline_row *rows; /* in the order of the picture */
	size_t row_count;
	struct timeline_kind *kinds; /* by topology, or the largest time first */
	size_t kind_count;
	bool by_cpu; /* rows are CPUs */
	bool kinds_are_cpus, kinds_are_states;
	bool whole;               /* time in which no thread ran was idle time (timeline_is_whole()) */
	uint64_t time_ns;         /* total of all stacks; after timeline_arrange(), without idle ones */
	uint64_t idle_ns;         /* total of the idle ones */
	uint32_t process;         /* the name of a thread of the process to which most threads belong, ... */
	size_t process_len;       /* ... and the length of the process's part in it, "java-8513/"; 0: no such process */
	uint64_t dropped_samples; /* by timeline_merge() */
	uint64_t merged;          /* spans merged into others by timeline_merge() */
	uint64_t merged_ns;       /* spans that begin within the same piece of this many ns were merged */
};

struct timeline_filter { /* {0} takes every line */
	struct line_filter lines;
	bool sums; /* lines without a time are sums of shorter spans, if there is a root doing, or short= */
};

/* Add the lines of path ("-" is stdin).  A bad line is reported (the first few),
 * skipped and counted.  Returns 0, or -1 after a message if path could not be read. */
int timeline_read(struct timeline *t, const char *path, const struct timeline_filter *filter);

/* The same for struct rows_chart, with sums. */
int timeline_read_spans(void *t, const char *path, const struct line_filter *filter);

/* The number of rows that are drawn: all except that of the idle task. */
static inline size_t timeline_rows(const struct timeline *t)
{
	return t->row_count - (t->row_count && t->rows[t->row_count - 1].idle);
}

/* Find the window from the header and the spans. */
void timeline_window(struct timeline *t);

/* Call this before timeline_find_window(): it leaves out spans and samples that are hours away from all others.  A
 * message reports them, and they are added to the source's losses; the header's window is then ignored. */
void timeline_leave_strays(struct timeline *t);

/* Make from_ns..to_ns (since the epoch) the window, and cut the spans to it. */
void timeline_clip(struct timeline *t, uint64_t from_ns, uint64_t to_ns);

/* Calls the three functions above, with --from and --to (NULL: not given).  Returns NULL, or why there is nothing to
 * draw. */
const char *timeline_find_window(struct timeline *t, const char *from, const char *to);

enum timeline_order {
	TIMELINE_BY_TIME,
	TIMELINE_BY_NAME,
	TIMELINE_BY_FIRST,
	TIMELINE_BY_MOVES,
	TIMELINE_BY_WAITING,
	TIMELINE_BY_STALLS, /* threads of stalls, then those that ran or wanted to; quiet threads come last */
};

/* How a timeline is to be arranged. */
struct timeline_wish {
	bool by_cpu;               /* rows are CPUs and kinds threads */
	bool by_state;             /* kinds are states even if the lines have CPUs */
	bool total;                /* only sums are wanted */
	enum timeline_order order; /* order of rows; rows that are CPUs are always sorted by topology */
};

/* Is this the state of a thread that waits for a CPU? */
bool timeline_is_waiting(const char *state);

/* Set tier, stalled_ns of all rows, and row of all stalls; rows are not sorted yet. */
void timeline_find_stalls(struct timeline *t);

/* Set what rows show in the gaps between their spans, from the sums of shorter ones; timeline_arrange() calls it. */
void timeline_find_shorts(struct timeline *t);

/* How many of the drawn rows are not quiet; these come first. */
size_t timeline_busy_rows(const struct timeline *t);

/* Make rows and kinds, and sort the spans.  Returns NULL, or what the lines lack. */
const char *timeline_arrange(struct timeline *t, const struct timeline_wish *wish);

/* Set process and process_len.  The stacks must have their sums. */
void timeline_find_process(struct timeline *t);

/* The length of t->process at the beginning of a shown name; 0 if the name does not begin with it. */
size_t timeline_skipped(const struct timeline *t, const char *label, size_t len);

/* Were all threads of the machine recorded, so that a CPU on which none of them ran was idle?  The header tells, by the
 * command that recorded, and by its filter. */
bool timeline_is_whole(const struct timeline *t);

/* What a CPU did while no thread of the timeline ran on it: "idle" or "not these threads". */
static inline const char *timeline_idle_word(const struct timeline *t)
{
	return t->whole ? "idle" : "not these threads";
}

/* A time in the form that is shown: since the epoch, or since the window's start. */
static inline uint64_t timeline_told(const struct timeline *t, uint64_t ns)
{
	return t->in.relative ? ns - t->in.start_ns : ns;
}

/* Merge spans until there are at most limit (0: any number): spans of the same row and stack that begin within the same
 * piece of time become one, in the place of the first, with the sum of their times.  Stacks of one kind that differ
 * only in traces become one, without a trace; and only this many samples are kept, evenly spaced. */
void timeline_merge(struct timeline *t, size_t limit);

/* Call this before timeline_arrange() if timeline_merge() may have to merge spans because of limit. */
void timeline_prepare_merge(struct timeline *t, size_t limit);

/* Give the kinds their colours. */
void timeline_colours(struct timeline *t);

/* A span's columns. */
struct timeline_values timeline_values_of(const struct timeline *t, const struct timeline_span *span);

/* Append the name of a kind in the form that is shown: "CPU 3", "another thread". */
void timeline_kind_add(struct str *out, const struct timeline *t, const struct timeline_kind *kind);

/* Append "CPU 3" for cpu3, and any other name in the form that is shown (bars_shown_len()). */
void timeline_label_add(struct str *out, const struct timeline *t, uint32_t name);

void timeline_free(struct timeline *t);
void timeline_leave(void *t); /* the same, for struct rows_chart */

#endif
