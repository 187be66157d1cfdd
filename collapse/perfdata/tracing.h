/* tracing: the formats of the scheduler's tracepoints, which a perf.data file contains
 * (section HEADER_TRACING_DATA, or record 66 of pipe mode), and their events.
 *
 * Layout of the section: linux/tools/perf/util/trace-event-read.c, trace-cmd.dat(5).
 * The offsets of fields and the meaning of prev_state's bits differ between kernels, so both are read from the text of
 * the format, by name. */
#ifndef COLLAPSE_PERFDATA_TRACING_H
#define COLLAPSE_PERFDATA_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

enum sched_kind {
	SCHED_NOTHING,
	SCHED_SWITCH,
	SCHED_WAKEUP,
	SCHED_WAKING,
	SCHED_WAKEUP_NEW,
	SCHED_MIGRATE,
	SCHED_RUNTIME, /* sched_stat_runtime: how long tid has run since its previous sched_stat_runtime */
	SCHED_FORK,    /* perf's record of a fork, used if there is no sched_wakeup_new */
	SCHED_LOST,    /* not a tracepoint: a record that the ring of a CPU was full */
	SCHED_IN,      /* not a tracepoint: PERF_RECORD_SWITCH of a recorded thread, rather than of a recorded CPU */
	SCHED_OUT,
	SCHED_GONE, /* not a tracepoint: PERF_RECORD_EXIT */
	SCHED_KIND_COUNT,
};

struct sched_event {
	uint64_t time_ns;
	uint64_t record; /* offset of the event's record, which has the call chain; for SCHED_RUNTIME: ns */
	int32_t tid;     /* the thread that is switched out, woken or moved */
	int32_t next;    /* the thread that is switched in; or the CPU on which tid is woken, or to which it is moved */
	uint32_t before; /* used by switches.c */
	uint16_t cpu;    /* where it happened */
	uint8_t kind;    /* enum sched_kind */
	char state;      /* state of tid, as the kernel prints it: R S D T t X Z P I K W N x n; '+': preempted; '?': not
			  * known */
};

enum { SCHED_CPU_UNKNOWN = 0xffff };

struct tracing_field {
	uint32_t offset, size; /* size 0: there is no such field */
};

struct tracing_format {
	enum sched_kind kind; /* SCHED_NOTHING: the file does not describe it */
	uint64_t id;          /* attr.config of its event */
	struct tracing_field tid, next;
	struct tracing_field state;           /* of SCHED_RUNTIME: runtime */
	struct tracing_field comm, next_comm; /* names of tid and next, NUL-padded */
	uint64_t preempted;                   /* a bit of prev_state; 0: this kernel has none */
	char letters[64];                     /* for the bits of prev_state; 0: none */
};

/* {0}: the file has no formats. */
struct tracing {
	struct tracing_format formats[SCHED_KIND_COUNT]; /* by kind */
};

/* Append the name of the tracepoint with this id, "sched:sched_switch", if the section has the format of the
 * tracepoint. */
void tracing_add_name(struct str *out, const uint8_t *section, size_t len, uint64_t id);

/* Read the section; invalid formats are skipped. */
void tracing_read(struct tracing *t, const uint8_t *section, size_t len);

/* Add a format: the text of a "format" file in tracefs. */
void tracing_add_format(struct tracing *t, const char *text, size_t len);

/* The format of the tracepoint with this id, or NULL. */
const struct tracing_format *tracing_find(const struct tracing *t, uint64_t id);

/* Read tid, next, kind and state from an event's raw bytes; other members are not touched.  Returns false if there are
 * too few bytes. */
bool tracing_event(const struct tracing_format *f, const uint8_t *raw, size_t len, struct sched_event *e);

/* The name in a field, *len bytes without the NULs; NULL: there is none. */
const char *tracing_comm(struct tracing_field field, const uint8_t *raw, size_t raw_len, size_t *len);

/* Kernels 4.14 to 4.19 store 1 << index where others store 1 << (index - 1), index 0 being R (fixed in 5.0 by commit
 * 3054426dc68e, and in later stable ones), but their format has the same text as others', so R looks like S, and S like
 * D.  This can be seen by the idle thread, which is only ever switched out in state R.  Returns the true state for the
 * state that such a kernel reports.  I looks like '+', and cannot be told from it. */
char tracing_unshift(char state);

#endif
