/* span_program: handles the BPF program of a collector that measures spans of time: loads it, tells it when the
 * recording begins and ends, reads its ring, walks the stacks of its spans, and counts what is lost.
 *
 *     prepare()   span_program_add_event(); span_program_check(); s = NAME_bpf__open(); program->object = SPAN_OBJECT(s);
 *                 what is special to the program; span_program_load()
 *     stop()      span_program_halt(); what is left; span_program_finish()
 *     free()      span_program_free()
 *
 * All other functions are those of span_life, unless the source has its own, which may call the one of span_life. */
#ifndef COLLECT_SPANS_SPAN_PROGRAM_H
#define COLLECT_SPANS_SPAN_PROGRAM_H

#include "bpf/span_control.h"
#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/bpf/detail.h"
#include "collect/recording/chain_builder.h"
#include "collect/run/collection.h"
#include "collect/spans/span_walk.h"
#include "core/amount.h"

/* The parts of a skeleton, which bpftool makes for each program with types of its own. */
struct span_object {
	void *opened;
	struct bpf_object_skeleton *skeleton;
	struct bpf_object *object;
	struct span_rules *rules;
	struct target_rules *targets;
	struct span_control *control;
};

#define SPAN_OBJECT(s)                                                                                        \
	((struct span_object){ (s), (s)->skeleton, (s)->obj, &(s)->rodata->rules, &(s)->rodata->target_rules, \
			       &(s)->data->control })

enum { SPAN_MISSING = 8 };

struct span_program {
	/* Set by the collector; take() may be set later, but before the program is loaded. */
	const char *name;       /* of the collector */
	const char *event_name; /* RECORDING_FAULTS, ... */
	bpf_elf_bytes *bytes;   /* of its skeleton */
	const char *option;     /* the option that makes its maps smaller; NULL: there is none */
	const char *records;    /* the map of records, whose room grows for copies of stacks; NULL: the program makes
				 * none */
	uint32_t ring_most;     /* maximum bytes of its ring; 0: as many as suit */
	bool wants_all;         /* an option other than --min says that the user wants every stack, whatever the cost */
	bpf_ring_take *take;    /* gets what comes through the ring */

	/* What becomes of it. */
	struct span_object object;
	bool takes_all; /* --budget does not limit its stacks */
	struct bpf_ring ring;
	size_t event_number;
	const struct event *event; /* after start(); NULL: none was added */
	struct span_walk walk;
	struct chain_builder chain;
	uint64_t lost_stacks;

	const char *missing[SPAN_MISSING]; /* names of what this kernel cannot tell, up to a NULL */
};

/* Add the program's event to those of c, and choose whether stacks are walked.  detail: which spans are single; NULL:
 * as for events without options. */
void span_program_add_event(struct span_program *p, struct collection *c, const struct detail *detail);

/* Check rights.  Returns 0, or -1 after a message. */
int span_program_check(const struct span_program *p);

/* A tracepoint that some kernels lack, and the programs that need it. */
struct span_tracepoint {
	const char *name, *programs[2];
	const char *what; /* what is missing without it, in words; NULL: nothing, as another tracepoint replaces it */
};

/* Load only the programs whose tracepoint exists; the list ends with {0}.  p->missing gets the words for the others.
 * Returns the kernel's types, or NULL after a message. */
struct btf *span_program_choose(struct span_program *p, const struct span_tracepoint *tracepoints);

/* Add words to p->missing. */
void span_program_add_missing(struct span_program *p, const char *what);

/* Load the program for the targets of c.  Spans shorter than min_ns are not single.  cgroup: may be NULL.  Returns 0,
 * or -1 after a message. */
int span_program_load(struct span_program *p, struct collection *c, uint64_t min_ns, const char *cgroup);

/* The length of a record with its stack, which begins at this offset; if the record is malformed, more than any record
 * has. */
size_t span_record_size(size_t stack, int32_t kernel_count, int32_t user_count, uint32_t copied);

extern const struct source_life span_life;

/* Attach the program, and pass the present targets. */
int span_program_start(struct span_program *p, struct collection *c);

/* Pass all records to take(). */
void span_program_take(struct span_program *p);

/* Record the sums up to until_ns, and everything that is walked. */
int span_program_write(struct span_program *p, uint64_t until_ns);

/* Stop the program, after end().  Then all records have arrived. */
void span_program_halt(struct span_program *p);

/* Walk the last stacks, record all, and count the losses. */
int span_program_finish(struct span_program *p, struct collection *c, uint64_t end_ns);

/* Kernel memory, as text. */
struct amount_text span_program_memory(const struct span_program *p);

/* Say how many stacks were not copied; nothing if all were. */
void span_program_say_uncopied(const struct span_program *p);

void span_program_free(struct span_program *p);

#endif
