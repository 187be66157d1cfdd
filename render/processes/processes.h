/* processes: which processes ran when, from the timed lines of collapse --processes (core/format/folded.h):
 *
 *     @1475682078.014325678 cc1-4711;ppid:4710;exec;exit:0;awaited;cc1 -quiet a.c 523456789 1 498000000 41943040
 *
 * A line is a span: a process in one program.  Spans of one pid that follow each other are a process.  Processes are a
 * tree, and rows of the picture: children below their parents, in the order in which they began.  Several processes
 * with the same name below one row are pooled in a single row, and so are their children: cc1 x 412. */
#ifndef RENDER_PROCESSES_PROCESSES_H
#define RENDER_PROCESSES_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/intern.h"
#include "core/str.h"
#include "render/rows/rows.h"

#define PROCESS_NONE UINT32_MAX

enum { PROCESSES_LANES = 24 }; /* of a row, at most */

struct process_span {
	uint64_t time_ns, ns, cpu_ns, peak;
	uint32_t pid, parent;
	uint32_t name, args; /* texts */
	uint32_t kind;       /* "exec;exit:0;awaited": of kinds */
	size_t number;       /* in order of arrival */
	bool continues;      /* the previous span, from an earlier recording */
};

/* What a kind of span says. */
struct process_kind {
	bool execed, failed; /* it began with an exec; it is a failed exec */
	bool replaced, runs; /* it ended with an exec; it did not end */
	bool before;         /* it began before the recording */
	bool wrong;          /* it ended with a status other than 0, or by a signal */
	bool awaited;        /* its parent slept as it ended */
};

struct process_life {
	size_t first, count; /* its spans */
	uint64_t begin_ns, end_ns, cpu_ns, peak;
	uint32_t pid, name;
	uint32_t parent, child, next; /* processes, or PROCESS_NONE; `child` is the first child, `next` the next child
				       * of its parent */
	uint32_t lane;                /* within its row */
	uint32_t descendants;
	bool quiet; /* it existed all the time, did next to nothing, and started nothing */
};

struct process_row {
	size_t first, count; /* its processes: places in order */
	uint32_t depth, lanes;
	bool quiet;
};

/* A stretch of the critical path, with the process that was waited for. */
struct process_stretch {
	uint32_t process;
	uint64_t from_ns, to_ns;
};

struct process_total { /* of all processes with one name */
	uint32_t name;
	uint64_t runs, ns, cpu_ns, peak, wrong;
};

struct processes { /* {0} is empty */
	struct rows_input in;
	struct intern texts, kind_texts;
	struct process_kind *kinds; /* [kind_texts.count] */
	size_t kind_cap;
	struct process_span *spans;
	size_t span_count, span_cap;
	struct process_life *list; /* [count], by pid and time */
	size_t count;
	uint32_t *order; /* [count]: processes by row and time */
	struct process_row *rows;
	size_t row_count, row_cap, quiet_rows;
	struct process_stretch *path; /* the latest first */
	size_t path_count, path_cap;
	struct process_total *totals; /* [total_count], those with the most CPU time first */
	size_t total_count;
};

/* Add the lines of a file ("-": stdin).  Returns 0, or -1 after a message. */
int processes_read(struct processes *p, const char *path, const struct line_filter *filter);

/* Add one line, which may be a comment.  Returns NULL, or what is wrong with it. */
const char *processes_line(struct processes *p, const struct line_filter *filter, const char *line, size_t len);

/* Call this after everything was read.  It makes processes, rows, totals and the critical path, and cuts to from and to
 * if given (as in --from).  pool: this many processes with the same name are pooled; 0: never.  Returns NULL, or why
 * there is nothing to draw. */
const char *processes_finish(struct processes *p, const char *from, const char *to, uint32_t pool);

/* Its parts. */
void processes_make(struct processes *p);
void processes_make_rows(struct processes *p, uint32_t pool);
void processes_find_path(struct processes *p);

static inline const char *process_text(const struct processes *p, uint32_t text)
{
	return intern_text(&p->texts, text);
}

void processes_free(struct processes *p);

/* ---- The lines that an SVG of processes was made from; arguments may be cut ---- */

/* As in struct chart_entry. */
bool processes_is_in(const char *svg, size_t len);
int processes_unfold(FILE *out, const char *svg, size_t len, const char *path);

#endif
