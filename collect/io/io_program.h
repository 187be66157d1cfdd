/* io_program: the BPF program of collect io (bpf/io/io.bpf.c), its sums, its devices, and what is open at the end. */
#ifndef COLLECT_IO_IO_PROGRAM_H
#define COLLECT_IO_IO_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/io/io.h"
#include "collect/spans/span_program.h"

extern struct span_program io_program;

/* The program's records.  size: of the record, with its stack; with IO_BY_HASH it ends before the stack. */
struct io_listener {
	void (*request)(const struct io_record *r, size_t size);
	void (*total)(const struct io_total *news); /* short ones, since the last time */
	void (*file)(const struct io_file *f);
};

/* Check rights and load it.  Returns 0, or -1 after a message. */
int io_program_load(const struct collection *c, uint64_t min_ns, const char *cgroup,
		    const struct io_listener *listener);

/* Pass all data to the listener. */
void io_program_drain(void);

/* From now on stacks that were sent before are sent again: the collector may forget them. */
void io_program_next_generation(void);

/* The file's name is sent again when it is used again. */
void io_program_forget_file(const struct inode_id *id);

/* Stop, after the end, and pass all data, with the targets' requests that have not ended, as of end_ns. */
void io_program_halt(uint64_t end_ns);

/* The devices that were used, by number, after io_program_halt(); each with its dev_t.  Returns how many. */
size_t io_program_devices(uint32_t numbers[IO_DEVICES], struct io_device devices[IO_DEVICES]);

/* Number of requests lost so far: the ring or the table of requests was full, or their ends were not shown to the program. */
uint64_t io_program_lost(void);

/* bpf_missed(), and requests whose file has no name because of such an event. */
uint64_t io_program_missed(void);

void io_program_free(void);

#endif
