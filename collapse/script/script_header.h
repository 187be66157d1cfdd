/* script_header: the first line of a sample in the text of perf script, in all orders of its fields (perf's
 * print_sample_start() in builtin-script.c; -F chooses the fields):
 *
 *     java 8513/8530 [002]  1234.567890:     250000 cpu-clock:u:            a stack follows
 *     V8 WorkerThread 25607 4794564.109216: cycles:                         no CPU, no period
 *     func_ab 15294 cpu-clock:                                              no time
 *     a 1021 1234.567890:          1 raw 0x1a8:                             a name with blanks, an address or nothing behind it
 *                bash  8513  1234.567890:          1 cycles:  55d0 main (/bin/bash)    no stack: the address is here
 *      swapper     0 [001]  1234.567890: sched:sched_switch: prev_comm=...  what a tracepoint says
 *
 * The name of a thread may contain blanks, colons and numbers, so the fields after it are found from the time, or the
 * event, to the left. */
#ifndef COLLAPSE_SCRIPT_SCRIPT_HEADER_H
#define COLLAPSE_SCRIPT_SCRIPT_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fields that the headers of an input have; other fields are looked for in each line. */
enum {
	SCRIPT_HAS_TIME = 1 << 0,
	SCRIPT_HAS_THREAD = 1 << 1,  /* the number of the thread, perhaps with that of the process */
	SCRIPT_HAS_PERIOD = 1 << 2,  /* ... before the event, if there is no time before the event */
	SCRIPT_HAS_RETURNS = 1 << 3, /* lines end in "\r\n" */
};

struct script_header {
	const char *comm, *event; /* both point into the line; comm may be empty; event NULL: not printed */
	size_t comm_len, event_len;
	int32_t pid, tid; /* -1: not printed */
	uint32_t cpu;     /* UINT32_MAX: not printed */
	bool has_time, has_period, period_too_large;
	uint64_t time_ns, period;
	const char *rest; /* the text after the event, without blanks at its beginning */
	size_t rest_len;
};

/* Read line[0..len), which has no newline; has: SCRIPT_HAS_...  Returns false if it is not a header. */
bool script_header_read(const char *line, size_t len, unsigned has, struct script_header *h);

/* The end of the comments of --header at the beginning of text; text itself if there are none, or their end is not in
 * text.  Arguments of the recorded command ("# cmdline : ") may have several lines, without "# " before them. */
const char *script_comments_end(const char *text, size_t len);

/* The fields of the headers at the beginning of an input. */
unsigned script_header_fields(const char *text, size_t len);

/* Does the line begin with an address, followed by something, "\t    7f00 main+0x1 (/bin/a)"? */
bool script_is_frame(const char *line, size_t len);

/* Is this a blank line, or one of the lines with the output of a BPF program, which come before or after a sample's
 * stack?
 *
 *           BPF output: 0000: 52 61 69 73 65 20 61 20  Raise a
 *                       0008: 42 50 46 20 65 76 65 6e  BPF even
 *           BPF string: "Raise a BPF even" */
bool script_is_output(const char *line, size_t len);

/* What perf script prints for a damaged trace of Intel PT, ARM SPE, ..., where a sample could be:
 *  instruction trace error type 1 time 94.1 cpu 0 pid 1 tid 1 ip 0 code 5: Failed to get instruction */
bool script_is_error(const char *line, size_t len);

/* The beginning of "7f00 main+0x1 (/bin/a)" after the event of a sample without a stack, perhaps after the text of a
 * tracepoint; NULL: there is no such frame. */
const char *script_frame_in(const char *rest, size_t len);

/* The length of such a frame, without the fields after its file: "401136 f (/bin/a)    12ab3000 4K" (-F +phys_addr). */
size_t script_frame_len(const char *frame, size_t len);

#endif
