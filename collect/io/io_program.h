/* io_program: loads and runs the BPF program of collect io (bpf/io.bpf.c). */
#ifndef COLLECT_IO_IO_PROGRAM_H
#define COLLECT_IO_IO_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/io.h"
#include "collect/bpf/bpf.h"

struct io_rules {
	uint64_t min_ns;               /* shorter ones may lack their stack */
	uint64_t urgent_ns;            /* longer ones are told at once */
	const struct targets *targets; /* NULL: everybody */
	const char *cgroup;            /* or NULL */
	bool inherit;
	bool walks;          /* copy user stacks, so that they can be walked, ... */
	uint64_t copies_max; /* ... at most so many on each CPU in each USER_COPY_NS; 0: all */
};

/* What the program tells.  size: of the record, with its stack; with IO_BY_HASH it ends before the stack. */
struct io_listener {
	void (*request)(const struct io_record *r, size_t size);
	void (*total)(const struct io_total *news); /* short ones, since the last time */
	void (*file)(const struct io_file *f);
};

/* Check rights and load the program.  missing: words for what this kernel cannot tell, "who made pages dirty"; valid for
 * ever, NULL after the last.  Returns 0, or -1 after a message. */
int io_program_load(const struct io_rules *rules, const struct io_listener *listener, const char *missing[4]);

/* Start measuring. command: a process that becomes a target at its exec; 0: none. */
int io_program_start(const struct targets *targets, int command);

/* A descriptor that is readable when much data is pending.  io_program_drain() passes all of the data to the listener;
 * io_program_round() passes only a part, to be quick, and no totals. */
int io_program_fd(void);
void io_program_drain(void);
void io_program_round(void);

/* From now on stacks that were sent before are sent again: the collector may forget them. */
void io_program_next_generation(void);

/* Its name is told again when it is used again. */
void io_program_forget_file(const struct inode_id *id);

/* The recording begins at begin_ns, in the near future: what was before does not count. */
void io_program_begin(uint64_t begin_ns);

/* The recording ends at end_ns. */
void io_program_end(uint64_t end_ns);

/* Stop, after end_ns.  All data has arrived then. */
void io_program_stop(void);

/* Pass the targets' requests that have not ended to the listener, as of end_ns, after io_program_stop(). */
void io_program_take_open(uint64_t end_ns);

/* The devices that were used, by number, after io_program_stop(); each with its dev_t.  Returns how many. */
size_t io_program_devices(uint32_t numbers[IO_DEVICES], struct io_device devices[IO_DEVICES]);

struct io_losses {
	uint64_t records;   /* the ring was full */
	uint64_t requests;  /* the table of requests was full, or their ends were not shown to the program */
	uint64_t unstacked; /* stacks: their table was full */
};

struct io_losses io_program_losses(void);

/* When measuring began. */
uint64_t io_program_begin_ns(void);

/* Number of stacks that were followed by frame pointers because of copies_max, or because the ring was half full. */
uint64_t io_program_uncopied(void);

/* Kernel memory in bytes. */
uint64_t io_program_memory(void);

/* bpf_missed(), and requests whose file has no name because of such an event. */
uint64_t io_program_missed(void);

void io_program_free(void);

/* Why it cannot be loaded here, as bpf_object_obstacle() says it. */
const char *io_program_obstacle(void);

#endif
