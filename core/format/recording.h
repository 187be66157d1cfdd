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
 * Behind the symbols of a module stands what is known of single addresses, only where there
 * is debug information, and why others have no name (core/symbols/space/why.h):
 *
 *     source 0 /src/app/main.cc
 *     source 1 /usr/include/c++/12/bits/stl_algo.h
 *     function 0 _ZSt4sortIPiEvT_S1_
 *     function 1 _ZN3app4lessEii
 *     @1d2f0 0 117
 *     +1 4812 0
 *     +- 0 1
 *     !no-symbol 3f
 *
 * "source NUMBER PATH", "function NUMBER NAME": numbers in hex, counted from 0 in each module,
 * each before its first use.  "@ADDRESS SOURCE LINE": where in the source the function is at
 * ADDRESS (hex, as those of symbols; LINE decimal); then, each a line, the functions that were
 * compiled into it there, the outermost first: "+SOURCE LINE FUNCTION".  SOURCE "-": not
 * known.  "!WORD COUNT": so many addresses (hex) of the module were seen that have no name, for that reason.  Readers pass over lines that they do not know.
 *
 * "module jit PID [java]": frames of a JVM, and classes, which are no addresses: each has one of its
 * own from RECORDING_JAVA on, where nothing can be mapped, in a pseudo mapping of that name.  A
 * name there ends in how the code was made: _[0] interpreted, _[1] compiled quickly (C1), _[j]
 * compiled (C2), _[i] inlined into the frame that follows in the chain, _[?] as well, most likely: the compiler
 * did not tell of the instruction, but of one that is near (collect/jvm/near_scopes.h).  Names of classes have no such end.
 * Other names of modules "jit" never do.
 *
 * RECORDING_CODE: code that a JIT compiler made at a time, which no mapping tells of (jitdump,
 * perf maps that were read again), of what was sampled:
 *
 *     8513 23509317896969 7f2c4d000100 80 1c40 /tmp/jit-8513.dump
 *
 * "PID TIME_NS START SIZE OFFSET PATH" (START, SIZE, OFFSET in hex): from TIME_NS on, until
 * something else is there, [START, START + SIZE) is what the module "jit PID PATH" calls
 * [OFFSET, OFFSET + SIZE).
 *
 * RECORDING_QUALITY: a line for people: how much of the stacks could be told.
 *
 *     98.2 % of user stacks are whole, 0.4 % of frames have no name
 *
 * RECORDING_THREADS: the names of threads as their runtime knows them, where it is another
 * than the kernel's 15 bytes: as seen last.
 *
 *     8513 8530 dw-20 - GET /
 *
 * "PID TID NAME", UTF-8, sorted by PID and TID.
 *
 * RECORDING_LOSSES: everything that is missing, also when 0.
 *
 *     lost_samples 0
 *
 * "KEY COUNT", keys as in enum recording_loss.
 *
 * RECORDING_TOPOLOGY: the CPUs, an entry each:
 *
 *     cpu 3 package 0 core 1 node 0 isolated nohz_full irqs 24:eth0-rx-0 25:eth0-tx-0
 *
 * "isolated", "nohz_full" and "irqs" only where they hold; irqs runs to the end of
 * the line: the interrupts that may only come to this CPU, with their names, blanks
 * in them replaced by '_'.
 *
 * RECORDING_GAPS: when the ring of a BPF program was found full; only where it was:
 *
 *     23509317896969 23509867103143 1017 offcpu
 *
 * "START_NS END_NS COUNT EVENT": so many spans of time of EVENT, which ended in between,
 * are not in the recording.
 *
 *     23509317896969 23509867103143 0 cpu-off 1
 *
 * CPU 1 was off, or not sampled yet since it was on again.
 *
 * RECORDING_CLOCKS: what the wall clock showed: "MONOTONIC_NS REALTIME_NS", when
 * collecting began, every second, and when it ended.  Times of records are
 * CLOCK_MONOTONIC.  A recording that was not finished has no sections; its first
 * and last anchor, as the same text, are where the file header's third section
 * (event_types, which perf leaves empty) says. */
#ifndef CORE_FORMAT_RECORDING_H
#define CORE_FORMAT_RECORDING_H

#include <stdint.h>

enum recording_feature {
	RECORDING_SYMBOLS = 240,
	RECORDING_THREADS = 241,
	RECORDING_LOSSES = 242,
	RECORDING_CLOCKS = 243,
	RECORDING_TOPOLOGY = 244,
	RECORDING_GAPS = 245,
	RECORDING_CODE = 246,
	RECORDING_QUALITY = 247,
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

/* Events that no PMU counts, but a BPF program of ours.  Their attribute is
 * PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT, with the letters of the name, of which
 * there are eight at most, in config1: a killed collector writes no names.  Their
 * samples have PERF_SAMPLE_RAW, struct recording_span, behind the chain, and weigh
 * nanoseconds. */
#define RECORDING_SCHED   "sched"   /* time in scheduler states; labels STATE, BY */
#define RECORDING_OFFCPU  "offcpu"  /* time blocked, by stack; labels STATE, WAKER */
#define RECORDING_TIMEOUT "timeout" /* as offcpu: blocked so far, and still is */
#define RECORDING_ALLOC   "alloc"   /* bytes allocated, by stack; label CLASS of Java objects */
#define RECORDING_WAKEUP  "wakeup"  /* time from being woken or preempted until running;
				     * labels STATE (woken, preempted, ...), BY, WAKER */

/* Samples of RECORDING_ALLOC come from the kernel, and their user stacks were walked: they have
 * struct recording_span, too, whose count is the objects that the bytes stand for, and longest_ns the
 * bytes of the one that was seen.  Weights are scaled: each stands for all that were allocated since the last
 * sample. */

/* What a sample of such an event sums up: `count` spans of time that ended between
 * begin_ns and the sample's time, of together PERIOD ns.  One that is RECORDING_SINGLE
 * is a single span, [begin_ns, begin_ns + PERIOD), and the sample's time is its end. */
struct recording_span {
	uint32_t size;          /* of what follows (PERF_SAMPLE_RAW) */
	uint32_t flags;         /* enum recording_span_flag */
	uint64_t count;         /* 0: a part of a span that goes on */
	uint64_t longest_ns;    /* of all spans that ended in this, and so far */
	uint64_t begin_ns;      /* CLOCK_MONOTONIC */
	uint64_t migrations;    /* sched, running: times that the thread came to this CPU
				 * from another one */
};

enum recording_span_flag {
	RECORDING_SINGLE = 1,
	RECORDING_OPEN = 2,     /* it (or the last of them) had not ended when the recording did */
	RECORDING_WALKED = 4,   /* the user part of its own stack was walked, see below; those of wakers never are */
};

/* Where the user part of a chain ends early.  In events whose attribute has
 * exclude_callchain_user, and no PERF_SAMPLE_STACK_USER, and in spans that are RECORDING_WALKED,
 * registers and a piece of the stack were taken, and we walked it (core/unwind/unwinder.h): the chain has what we found, and, as its
 * last entry, a label END unless it reaches the thread's first function.  An address that is exact
 * stands behind a PERF_CONTEXT_USER of its own.  A thread of the kernel has no user part, nor a
 * label.  (With exclude_callchain_kernel too no chains were asked for, and there are none.) */
enum recording_end {
	RECORDING_END_COMPLETE = 0,
	RECORDING_END_TRUNCATED = 1,    /* the piece of the stack was too small */
	RECORDING_END_TOO_DEEP = 2,     /* more frames than are kept */
	RECORDING_END_NO_CFI = 3,       /* at code that does not say how to go on */
	RECORDING_END_NO_FILE = 4,      /* at code whose file is gone, or another build */
	RECORDING_END_UNMAPPED = 5,     /* at an address where nothing was mapped */
	RECORDING_END_BROKEN = 6,       /* what was read made no sense */
	RECORDING_END_NO_REGISTERS = 7, /* a 32-bit program, or a thread that was exiting */
	RECORDING_END_OTHER_STACK = 8,  /* at what a signal handler interrupted: it has a stack of its own; or whole,
					 * but for callers between, of a virtual thread, which are in the heap */
	RECORDING_ENDS,
};

/* Labels are entries of a chain that are no addresses: in the hole between user and
 * kernel addresses, where no machine has memory.  KIND in bits 48 to 55, a value
 * below.  They stand behind the frames of the chain, and only in samples of the
 * events above (END: of those that we walked): in code without frame pointers the kernel takes any value for an
 * address, one in 256 of which begins as labels do (core/format/chain.h). */
#define RECORDING_LABEL_BASE 0x4c00000000000000u
#define RECORDING_LABEL(kind, value) (RECORDING_LABEL_BASE | (uint64_t)(kind) << 48 | (uint64_t)(value))
#define RECORDING_IS_LABEL(entry) ((entry) >> 56 == 0x4c)
#define RECORDING_LABEL_KIND(entry) ((unsigned)((entry) >> 48) & 0xff)
#define RECORDING_LABEL_VALUE(entry) ((entry) & 0xffffffffffffu)

/* Where the module "[java]" of each JVM begins; addresses are 16 apart. */
#define RECORDING_JAVA 0x4d00000000000000u
#define RECORDING_JAVA_PATH "[java]"

enum recording_label {
	RECORDING_LABEL_STATE = 1, /* enum recording_state */
	RECORDING_LABEL_BY = 2,    /* the thread that had the CPU: its tid; 0 is the idle one; of a
				    * wakeup, which is one wait: the one that had it longest */
	RECORDING_LABEL_WAKER = 3, /* pid << 24 | tid: what follows in the chain is the stack of
				    * the one who woke the one before (several: hop by hop).
				    * 0: an interrupt; its stack ends where it came in
				    * (core/symbols/names/interrupts.h), and nobody woke it.  What the
				    * idle thread does is an interrupt's doing, too. */
	RECORDING_LABEL_END = 4,   /* enum recording_end */
	RECORDING_LABEL_CLASS = 5, /* of the object that was allocated: RECORDING_JAVA + value is
				    * the address of its name */
};

enum { RECORDING_BY_OTHERS = 0xffffff }; /* a BY: more threads than were told apart */

/* What a thread does with its time.  The states 2 to 5 are those of a thread that
 * could run and has no CPU; 6 to 12 those of one that waits for something else. */
enum recording_state {
	RECORDING_STATE_UNKNOWN = 0,
	RECORDING_RUNNING = 1,
	RECORDING_PREEMPTED = 2,  /* put off the CPU inside the kernel */
	RECORDING_QUANTUM = 3,    /* put off the CPU on its way back to user code: its time was
				   * over, or somebody more urgent came */
	RECORDING_YIELDED = 4,    /* gave the CPU away and could go on: sched_yield(2) */
	RECORDING_WOKEN = 5,      /* woken, or new, and not running yet */
	RECORDING_SLEEPING = 6,   /* interruptible: TASK_INTERRUPTIBLE */
	RECORDING_BLOCKED_IO = 7, /* waits for a device: in_iowait */
	RECORDING_BLOCKED = 8,    /* uninterruptible, and no I/O */
	RECORDING_STOPPED = 9,    /* by a signal */
	RECORDING_TRACED = 10,    /* stopped by a debugger */
	RECORDING_PARKED = 11,    /* a kernel thread of a CPU that is off */
	RECORDING_IDLE = 12,      /* a kernel thread with nothing to do: TASK_IDLE */
	RECORDING_DEAD = 13,      /* has ended: takes no time, counts once */
	RECORDING_STATE_COUNT,
};

/* Keys of the loss table, with what they count. */
#define RECORDING_LOSS_TABLE(X)                                                          \
	X(lost_records, "times that the kernel found a ring full")                       \
	X(lost_samples, "samples that the kernel dropped, mostly since a ring was full")  \
	X(unwritten_records, "records that could not be written: the disk was full")     \
	X(throttled, "times that the kernel paused an event: rate too high")             \
	X(cpus_off, "times that a CPU was off: nothing of it was seen until it was back")    \
	X(late_reads, "times that a ring was found more than half full")                 \
	X(truncated_stacks, "stacks cut at kernel.perf_event_max_stack")                 \
	X(truncated_copies, "stacks larger than the piece that was copied")          \
	X(broken_stacks, "stacks that could not be followed to the end")          \
	X(unwinding_late, "samples dropped because unwinding did not keep up")           \
	X(java_frames_unread, "Java frames that could not be read, as the JVM went on meanwhile")     \
	X(java_names_unread, "names of Java threads that could not be read")                \
	X(bad_map_lines, "faults in maps and dumps of JIT-compiled code")                \
	X(unread_map_bytes, "bytes left unread of such maps and dumps: too many, or no time")  \
	X(short_stacks, "user stacks that do not begin where a thread does")             \
	X(unresolved_frames, "frames without a name")                                    \
	X(total_frames, "frames in all, for comparison")                                 \
	X(total_samples, "samples in all, for comparison")                               \
	X(clock_steps, "times that the wall clock was set")                               \
	X(untracked_threads, "threads that found no room in the table of threads")        \
	X(untracked_switches, "switches of threads that found no room")                   \
	X(missed_switches, "switches that the kernel did not show; when they were is guessed")  \
	X(missed_ns, "nanoseconds of those that are guessed")                             \
	X(lost_spans, "spans of time that found the BPF program's ring full")             \
	X(lost_stacks, "stacks that could not be taken")                                  \
	X(others_ns, "nanoseconds of waiting for a CPU that could not be laid to a thread")  \
	X(open_spans, "spans of time still open at the end, closed there")

#endif
