/* recording: what a recording of ours holds beyond a plain perf.data file.
 *
 * A recording is a perf.data file, version 2 (PERFILE2; the layout is described
 * in linux/tools/perf/Documentation/perf.data-file-format.txt).  These feature
 * bits are ours; perf knows the bits up to 31 and skips the rest.  They are the
 * last sections of the file.  Each is text, one entry a line, fields separated
 * by single blanks, the last field runs to the end of the line; newlines in
 * names are replaced by '?'.
 *
 * RECORDING_SYMBOLS: the symbols of every address that was seen.  When the
 * section is there, it is the only source of names: the file reads the same on
 * any machine.
 *
 *     module kernel - [kernel.kallsyms]
 *     ffffffff81a00f10 1f0 entry_SYSCALL_64
 *     module elf 5b1e5b9ffa5b4bb5d1ad6eb4b5c6ec1e4c6fd1cd /usr/lib/libc.so.6
 *     28490 2f0 __libc_start_call_main
 *     module jit 8513 /tmp/perf-8513.map
 *     7f2c4d000100 80 LFoo;::bar
 *
 * "module KIND ID PATH": ID is the build-id in hex, or DEV:INODE in hex where
 * there is none (as in the MMAP2 record), or the pid of a JIT map; '-' for the
 * kernel.  Then "START SIZE NAME" in hex, sorted by START: an address in the
 * kernel or JIT code, the offset in the file of an ELF module.  Names are as in
 * the symbol table, not demangled.
 *
 * RECORDING_THREADS: names that are longer than the kernel's 15 bytes.
 *
 *     8513 8530 dw-20 - GET /
 *
 * "PID TID NAME".
 *
 * RECORDING_LOSSES: everything that is missing, also when 0.
 *
 *     lost_samples 0
 *
 * "KEY COUNT", keys as in enum recording_loss.
 *
 * RECORDING_CLOCKS: what the wall clock showed: "MONOTONIC_NS REALTIME_NS", at
 * the start, every second, and at the end.  Times of records are
 * CLOCK_MONOTONIC.  A recording that was not finished has no sections; its first
 * and last anchor, as the same text, are where the file header's third section
 * (event_types, which perf leaves empty) says. */
#ifndef COLLECT_RECORDING_H
#define COLLECT_RECORDING_H

#include <stdint.h>

enum recording_feature {
	RECORDING_SYMBOLS = 240,
	RECORDING_THREADS = 241,
	RECORDING_LOSSES = 242,
	RECORDING_CLOCKS = 243,
};

/* What every sample of ours begins with, whatever collected it
 * (perf_event_open(2): IDENTIFIER, IP, TID, TIME, CPU, PERIOD, CALLCHAIN). */
struct recording_sample {
	uint64_t id;            /* of the event, on a CPU */
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time_ns;       /* CLOCK_MONOTONIC */
	uint32_t cpu, reserved;
	uint64_t period;        /* the weight: ns, bytes, a count */
	uint64_t chain_count;
	uint64_t chain[];       /* leaf first, with PERF_CONTEXT_* marks */
};

/* ... and what every other record ends with (TID, TIME, CPU, IDENTIFIER). */
struct recording_trailer {
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, reserved;
	uint64_t id;
};

/* Keys of the loss table, with what they count. */
#define RECORDING_LOSS_TABLE(X)                                                          \
	X(lost_records, "times that the kernel found a ring full")                       \
	X(lost_samples, "samples that the kernel dropped, mostly since a ring was full")  \
	X(unwritten_records, "records that could not be written: the disk was full")     \
	X(throttled, "times that the kernel paused an event: rate too high")             \
	X(late_reads, "times that a ring was found more than half full")                 \
	X(truncated_stacks, "stacks cut at kernel.perf_event_max_stack")                 \
	X(short_stacks, "user stacks of one or two frames that lack their start")       \
	X(unresolved_frames, "frames without a name")                                    \
	X(total_frames, "frames in all, for comparison")                                 \
	X(total_samples, "samples in all, for comparison")                               \
	X(clock_steps, "times that the wall clock was set")

#endif
