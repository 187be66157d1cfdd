/* io_program: the BPF program of collect io (bpf/io/io.bpf.c), its sums, its devices, and the requests that are open at
 * the end. */
#ifndef COLLECT_IO_IO_PROGRAM_H
#define COLLECT_IO_IO_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/io/io.h"
#include "collect/spans/span_program.h"

extern struct span_program io_program;

/* Gets the program's records.  size: that of the record with its stack; a record with IO_BY_HASH ends before the
 * stack. */
struct io_listener {
	void (*request)(const struct io_record *r, size_t size);
	void (*total)(const struct io_total *news); /* short ones, since the last time */
	void (*file)(const struct io_file *f);
};

/* Check rights and load the program.  Returns 0, or -1 after a message. */
int io_program_load(struct collection *c, uint64_t min_ns, const char *cgroup,
		    const struct io_listener *listener);

/* Pass all data to the listener. */
void io_program_drain(void);

/* From now on, stacks that were sent before are sent again, so that the collector may forget them. */
void io_program_next_generation(void);

/* Make the program send the file's name again at its next use. */
void io_program_forget_file(const struct inode_id *id);

/* After the end, stop the program and pass all data, including the targets' requests that are still open, as of
 * end_ns. */
void io_program_halt(uint64_t end_ns);

/* After io_program_halt(): the devices that were used, by number, each with its dev_t.  Returns how many. */
size_t io_program_devices(uint32_t numbers[IO_DEVICES], struct io_device devices[IO_DEVICES]);

/* Number of requests lost so far because the ring or the table of requests was full, or because the kernel did not show
 * their ends to the program. */
uint64_t io_program_lost(void);

/* bpf_missed(), plus the requests whose file has no name because of a missed event. */
uint64_t io_program_missed(void);

void io_program_free(void);

#endif
