/* recording: what our recordings contain beyond a plain perf.data file.
 *
 * A recording is a perf.data file, version 2 (PERFILE2; the layout is described
 * in linux/tools/perf/Documentation/perf.data-file-format.txt).  These feature
 * bits are ours; perf knows the bits up to 31 and skips the rest.  They are the
 * last sections of the file.  Each is text, one entry a line, fields separated
 * by single blanks; the last field extends to the end of the line; newlines in
 * names are replaced by '?'.
 *
 * RECORDING_SYMBOLS: the symbols of all observed addresses.  If the section
 * exists, it is the only source of names: the file reads the same on any machine.
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
 * After the symbols of a module come the lines of single addresses, if there is debug
 * information, and the reasons why addresses have no name (core/symbols/space/why.h):
 *
 *     source 0 /src/app/main.cc
 *     source 1 /usr/include/c++/12/bits/stl_algo.h
 *     function 0 _ZSt4sortIPiEvT_S1_
 *     function 1 _ZN3app4lessEii
 *     @1d2f0 0 117
 *     +1 4812 0
 *     +- 0 1
 *     ~7a40 1c5 8a40
 *     !no-symbol 3f
 *
 * "source NUMBER PATH", "function NUMBER NAME": numbers in hex, counted from 0 in each module,
 * each before its first use.  "@ADDRESS SOURCE LINE": the source line of the function at
 * ADDRESS (hex, as in symbols; LINE decimal); then, one a line, the functions inlined
 * there, the outermost first: "+SOURCE LINE FUNCTION".  SOURCE "-": unknown.
 * "~START SIZE ADDRESS": a function without a name, in hex: its offset in the file, its size, and its address as in the
 * file's tables.
 * "!WORD COUNT": so many observed addresses (hex) of the module have no name for that
 * reason.  Readers skip lines that they do not know.
 *
 * "module jit PID [java]": frames of a JVM, and classes, which are not addresses: each has a number
 * of its own from RECORDING_JAVA on, where nothing can be mapped, in a pseudo mapping of that name.
 * The name of a frame ends in how the code was made: _[0] interpreted, _[1] compiled quickly (C1),
 * _[j] compiled (C2), _[i] inlined into the frame that follows in the chain, _[?] most likely inlined
 * as well: the compiler described a nearby instruction, not this one (collect/jvm/near_scopes.h).
 * Class names, and names in other modules "jit", have no such suffix.
 *
 * "module jit PID [python]": the same for functions of Python, from RECORDING_PYTHON on; all end in _[p].
 *
 * RECORDING_CODE: sampled code that a JIT compiler made at a certain time, which mappings do not
 * show (jitdump, perf maps that were read again):
 *
 *     8513 23509317896969 7f2c4d000100 80 1c40 /tmp/jit-8513.dump
 *
 * "PID TIME_NS START SIZE OFFSET PATH" (START, SIZE, OFFSET in hex): from TIME_NS on, until
 * something replaces it, [START, START + SIZE) is [OFFSET, OFFSET + SIZE) of the module
 * "jit PID PATH".
 *
 * RECORDING_QUALITY: a line for people: how complete the stacks are.
 *
 *     98.2 % of user stacks are whole, 0.4 % of frames have no name
 *
 * RECORDING_THREADS: the last names of threads in their runtime, where they differ from the
 * kernel's 15 bytes.
 *
 *     8513 8530 dw-20 - GET /
 *
 * "PID TID NAME", UTF-8, sorted by PID and TID.
 *
 * RECORDING_LOSSES: all losses, including those that are 0.
 *
 *     lost_samples 0
 *
 * "KEY COUNT", keys as in enum recording_loss.
 *
 * RECORDING_TOPOLOGY: one entry for each CPU:
 *
 *     cpu 3 package 0 core 1 node 0 isolated nohz_full irqs 24:eth0-rx-0 25:eth0-tx-0
 *
 * "isolated", "nohz_full" and "irqs" only where they apply; irqs extends to the end of
 * the line: the interrupts that are bound to this CPU, with their names, in which '_'
 * replaces blanks.
 *
 * RECORDING_GAPS: when the ring of a BPF program was full; only if it was:
 *
 *     23509317896969 23509867103143 1017 offcpu
 *
 * "START_NS END_NS COUNT EVENT": so many spans of EVENT, which ended in that time, are
 * missing.
 *
 *     23509317896969 23509867103143 0 cpu-off 1
 *
 * CPU 1 was off, or on again but not sampled yet.
 *
 * RECORDING_OWN: the processes that made the recording, whose time is its own cost: "PID", one a line.  (The cost
 * inside others is in frames of the kernel: bpf_prog_*, bpf_trampoline_*, perf_event_*, uprobe_*.)
 *
 * RECORDING_FILES: files that labels refer to: "NUMBER PATH", in order, from 0 on or, after weeks, from a later number on
 * (earlier files are of what was forgotten).  A file whose path could not be found
 * is "[NAME, inode INODE of MAJOR:MINOR]".
 *
 * RECORDING_SYSCALLS: the names of system calls that labels refer to: "NUMBER NAME".
 *
 * RECORDING_LANES: the quantities that samples of event "lanes" refer to: "NUMBER UNIT NAME", in order from 0 on:
 *
 *     0 bytes memory;free
 *     5 datagrams udp;0.0.0.0:5000;drops
 *
 * UNIT has no blanks; "-": none.  NAME has frames, separated by ';'.
 *
 * RECORDING_DEVICES: the block devices that labels refer to, in order from 0 on, and what all processes had them do:
 *
 *     0 254:0 vda requests 4711 bytes 19300352 merges 17 flushes 3 requeues 0 queue_ns 81200 device_ns 523000000 busy_ns 411000000 most_in_flight 32 observed_ns 10000000000
 *
 * "NUMBER MAJOR:MINOR NAME", then words with numbers: requests that ended (flushes are those of the device's cache, beside
 * them); bios and requests that were merged into others; requests that the device gave back; the time of all requests in
 * the queue and in the device; the time in which the device had one or more, the most that it had, and the time of
 * the observation.
 *
 * RECORDING_SOURCES: what samples of event "noise" refer to: "NUMBER NAME", in order from 0 on: the number and name of
 * an interrupt, or the function that is called.  (A section, not addresses in the chain: interrupts have none, and a
 * reader needs no symbols.)
 *
 *     0 24:eth0
 *     1 tick_nohz_handler
 *
 * RECORDING_TRIGGER: what the recording was written for, by the flight recorder (collect --keep); only then:
 *
 *     23509317896969 8513 8600 63218000 offcpu>50ms
 *
 * "TIME_NS PID TID VALUE CONDITION": when it ended, and how many nanoseconds it took, or RECORDING_LANE_PARTS of the unit
 * of a lane; 0: unknown.
 *
 * RECORDING_WINDOWS: where windows begin and end (collect --between); samples of event "windows" refer to this:
 *
 *     between handle,handle:return
 *     scope thread
 *     nested 3
 *
 * "KEY VALUE": the option as given; whether a window is of a thread or a process; then counts, as in enum recording_windows.
 *
 * RECORDING_CLOCK_STATE: how far the wall clock may have been from the right time at the end of the recording, a line from
 * each who knows (kernel: adjtimex(2); chrony: chronyc tracking):
 *
 *     23509317896969 kernel synchronized 12500000 310000
 *     23509319896969 chrony synchronized 1280000 41000
 *
 * "MONOTONIC_NS WHO synchronized|unsynchronized MAXIMUM_NS ESTIMATE_NS": an upper bound of the error, and a guess.
 * This error matters only for comparing times of several machines.  The last line is the best.
 *
 * RECORDING_WATCH: what a continuous recording (pyrograph watch) did in this window, "KEY VALUE":
 *
 *     window 41
 *     budget 1
 *     cost 0.43
 *     level 1
 *     rate 49
 *     off io
 *     unwritten 120
 *
 * budget and cost: percent of one CPU; cost is that of the window, to its end; level 0: nothing was reduced; off: the
 * collectors that were switched off; unwritten: samples that were lost before this window, because the disk was full.  The
 * last two keys are left out if there is nothing to say.
 *
 * RECORDING_COST: what the recording took, "KEY VALUE", in ns, and that in words, for people:
 *
 *     wall 10000000000
 *     cpus 2
 *     own 43000000
 *     samples 1400000
 *     bpf 12000000
 *     recorded 3100000000
 *     says 0.3 % of the machine; the targets ran 0.4 % slower (estimated)
 *
 * own: CPU time of the recorder while it recorded; samples, bpf: within other programs, estimated (bpf is missing where it
 * may not be counted); recorded: CPU time of the targets, or of all others where all are recorded; missing: unknown.
 *
 * RECORDING_PRIORITIES: threads of event "sched" whose policy, or niceness, was another one than most have (other, 0), as they
 * last left a CPU; sorted by PID and TID:
 *
 *     8513 8530 other 19
 *     8513 8531 batch 0
 *
 * "PID TID POLICY NICENESS": POLICY is other, fifo, rr, batch, idle, deadline or unknown (sched(7)).  Older
 * recordings have no such section: of their threads that is not known.
 *
 * RECORDING_AFFINITIES: how many CPUs the machine has, and threads of event "sched" that may use fewer, by their affinity or their
 * control group's cpuset, as they last left a CPU; sorted by PID and TID, "PID TID COUNT":
 *
 *     cpus 8
 *     8513 8530 1
 *
 * Without this section it is not known.
 *
 * RECORDING_OWNERS: whose the processes are: control groups, each with what is known of its container and pod; then, for each
 * process, its group from a time on:
 *
 *     group 0 /system.slice/nginx.service
 *     group 1 /kubepods.slice/kubepods-pod1f2e0000_aaaa_bbbb_cccc_000000000001.slice/cri-containerd-5fe1...07.scope
 *     container 1 5fe1...07 app
 *     pod 1 1f2e0000-aaaa-bbbb-cccc-000000000001 prod shop-7f9c
 *     limit 1 50000 100000 2
 *     process 8513 0 1
 *     process 8600 23509317896969 -
 *
 * "group NUMBER PATH", "container NUMBER ID NAME", "pod NUMBER UID NAMESPACE NAME", "limit NUMBER QUOTA_US
 * PERIOD_US VERSION" (the CPU time that it may use in each period, or one above it; VERSION of control groups, missing in
 * old recordings), "process PID SINCE_NS NUMBER"; NUMBER is that of the
 * group; since 0: since before the recording; "-": unknown.  PATH is the path in the hierarchy of version 2, or in that
 * hierarchy of version 1 which shows the most about the owner.
 *
 * RECORDING_CLOCKS: the wall clock: "MONOTONIC_NS REALTIME_NS" at the start, every
 * second, and at the end.  Times of records are CLOCK_MONOTONIC.  An unfinished
 * recording has no sections; its first and last anchor, as the same text, are in the
 * file header's third section (event_types, which perf leaves empty). */
#ifndef CORE_FORMAT_RECORDING_H
#define CORE_FORMAT_RECORDING_H

#include <stdint.h>

enum recording_feature {
	RECORDING_OWNERS = 234,
	RECORDING_AFFINITIES = 235,
	RECORDING_COST = 236,
	RECORDING_PRIORITIES = 237,
	RECORDING_WATCH = 238,
	RECORDING_SOURCES = 239,
	RECORDING_SYMBOLS = 240,
	RECORDING_THREADS = 241,
	RECORDING_LOSSES = 242,
	RECORDING_CLOCKS = 243,
	RECORDING_TOPOLOGY = 244,
	RECORDING_GAPS = 245,
	RECORDING_CODE = 246,
	RECORDING_QUALITY = 247,
	RECORDING_OWN = 248,
	RECORDING_FILES = 249,
	RECORDING_LANES = 250,
	RECORDING_WINDOWS = 251,
	RECORDING_SYSCALLS = 252,
	RECORDING_DEVICES = 253,
	RECORDING_TRIGGER = 254,
	RECORDING_CLOCK_STATE = 255,
};

/* The start of every sample of ours, from any collector
 * (perf_event_open(2): IDENTIFIER, IP, TID, TIME, CPU, PERIOD, CALLCHAIN). */
struct recording_sample {
	uint64_t id; /* of the event, on a CPU */
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uint32_t cpu, reserved;
	uint64_t period; /* the weight: ns, bytes, a count */
	uint64_t chain_count;
	uint64_t chain[]; /* leaf first, with PERF_CONTEXT_* marks */
};

/* ... and the end of every other record (TID, TIME, CPU, IDENTIFIER). */
struct recording_trailer {
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, reserved;
	uint64_t id;
};

/* Events of our BPF programs.  Their attribute is PERF_TYPE_SOFTWARE,
 * PERF_COUNT_SW_BPF_OUTPUT, with the letters of the name, at most eight, in config1: a
 * killed collector writes no names.  config2 is how long a span must be, in ns, to be
 * a RECORDING_SINGLE, one by one: 1 for all; 0 for none, all are summed.  With another
 * value, an event has both: single spans, and sums of the shorter ones (and of those
 * that were too many a second: summed_spans), and no time is in both.  Their samples have PERF_SAMPLE_RAW, struct
 * recording_span, after the chain; their weight is in nanoseconds. */
#define RECORDING_SCHED "sched"     /* time in scheduler states; labels STATE, BY */
#define RECORDING_OFFCPU "offcpu"   /* time blocked, by stack; labels STATE, WAKER */
#define RECORDING_TIMEOUT "timeout" /* like offcpu: the duration so far of a block that is under way */
#define RECORDING_ALLOC "alloc"     /* bytes allocated, by stack; label CLASS of Java objects */
#define RECORDING_WAKEUP \
	"wakeup"                   /* time from being woken or preempted until running;
				     * labels STATE (woken, preempted, ...), BY, WAKER */
#define RECORDING_FAULTS "faults"  /* page faults, by stack; labels FAULT, FILE, OFFSET, REASON */
#define RECORDING_CALLS "syscalls" /* system calls, by stack; labels SYSCALL, ERRNO, FILE, REASON, BY */
#define RECORDING_LANE "lanes"     /* quantities over time; label LANE */
#define RECORDING_IO \
	"io" /* requests to block devices, by stack; labels IO, DEVICE, SIZE, FILE, OFFSET, DIRTIER, REASON */
#define RECORDING_LOCKS \
	"locks" /* waits for locks, by stack; labels LOCK, OWNER, REASON, MEANWHILE, WAKER (the owner; the thread that
		 * released the lock) */
#define RECORDING_PROCESSES "process" /* programs that ran in processes; struct recording_process */

#define RECORDING_WALL \
	"wall" /* what threads did, by sampling: as sched, with the stacks of those that did not run; runnable ones are
		* "preempted" */

#define RECORDING_WINDOW "windows" /* times between two events of a thread or process; label WINDOW */
#define RECORDING_NOISE \
	"noise" /* what had a CPU: RUNNING and IDLE, and disturbances, each without what disturbed it in turn; labels
		 * STATE, SOURCE (not of threads).  The samples of a CPU add up to the time of its observation; their
		 * thread is the one that was disturbed, or that had the CPU.  Only noise is ever a RECORDING_SINGLE */

/* Samples of RECORDING_ALLOC come from the kernel, and their user stacks were walked: they also have
 * struct recording_span; its count is the number of objects that the bytes stand for, and longest_ns the
 * bytes of the sampled one.  Weights are scaled: each stands for everything allocated since the last
 * sample. */

/* Samples of RECORDING_LANE are not spans: at its time, the quantity LANE has the value PERIOD, in thousandths of its
 * unit.  A value that does not change is repeated within RECORDING_LANE_REPEAT_NS, so that gaps can be told from
 * silence. */
#define RECORDING_LANE_PARTS 1000
#define RECORDING_LANE_REPEAT_NS 1000000000ull

/* The sum in a sample of such an event: `count` spans that ended between begin_ns and the
 * sample's time, totalling PERIOD ns.  A RECORDING_SINGLE is a single span, [begin_ns,
 * begin_ns + PERIOD), and the sample's time is its end.  A wait for a CPU is recorded in
 * parts, one for each turn of another thread: the last one counts, and its longest_ns is
 * the length of the wait, even where other parts are summed because they are short. */
struct recording_span {
	uint32_t size;       /* of the rest (PERF_SAMPLE_RAW) */
	uint32_t flags;      /* enum recording_span_flag */
	uint64_t count;      /* 0: a part of an ongoing span */
	uint64_t longest_ns; /* the longest of the ended spans; so far, if ongoing */
	uint64_t begin_ns;   /* CLOCK_MONOTONIC */
	uint64_t migrations; /* sched, running: how often the thread came to this CPU
				 * from another one */
};

/* A sample of RECORDING_PROCESSES is a RECORDING_SINGLE span: the time in which a process (pid and tid of the sample) ran
 * one program, from its fork or exec to its end or next exec; or an exec that failed, which takes no time.  This struct
 * follows struct recording_span, whose size includes it. */
struct recording_process {
	uint64_t started_ns; /* CLOCK_MONOTONIC: when the process was forked, perhaps before the recording */
	uint64_t cpu_ns;     /* of all its threads, in this span */
	uint64_t peak_bytes; /* the most resident memory, as in getrusage(2), which includes what the process did
			      * before */
	uint32_t parent;     /* pid, at the begin of the span */
	uint16_t begun;      /* enum recording_begun */
	uint16_t ended;      /* enum recording_ended */
	uint32_t status;     /* the status of wait(2), if ended is RECORDING_EXITED; the errno of an exec that failed */
	uint32_t flags;      /* enum recording_process_flag */
	char name[16];       /* any bytes, then 0 */
	uint32_t args_bytes, reserved; /* so many bytes of arguments follow: each argument ends in a 0, except where
				        * they were cut; then zeros, up to a multiple of 8 */
};

enum recording_begun {
	RECORDING_BEFORE = 0, /* before the recording */
	RECORDING_FORKED = 1, /* the process is a copy of its parent, with the parent's arguments */
	RECORDING_EXECED = 2,
	RECORDING_FAILED = 3, /* no program, because its exec failed; the arguments are those of that exec */
	RECORDING_BEGUN_COUNT,
};

enum recording_ended {
	RECORDING_RUNS = 0,     /* it did not end with the recording */
	RECORDING_EXITED = 1,   /* with a status */
	RECORDING_REPLACED = 2, /* by the program of the next exec */
	RECORDING_LOST = 3,     /* when is not known */
	RECORDING_ENDED_COUNT,
};

enum recording_process_flag {
	RECORDING_AWAITED = 1, /* its parent slept as it ended */
	RECORDING_ARGS_CUT = 2,
	RECORDING_CORE = 4, /* it left a core file */
};

enum recording_span_flag {
	RECORDING_SINGLE = 1,
	RECORDING_OPEN = 2,   /* the span (or the last of them) had not ended when the recording did */
	RECORDING_WALKED = 4, /* the user part of its own stack was walked, see below.  Those of its
			       * wakers may be, too, but have no END */
};

/* Why the user part of a chain ends early.  In events whose attribute has
 * exclude_callchain_user without PERF_SAMPLE_STACK_USER, and in RECORDING_WALKED spans, we
 * walked a copy of registers and stack (core/unwind/unwinder.h): the chain has the frames that
 * we found and, unless it reaches the thread's first function, a label END as its last entry.
 * An exact address follows a PERF_CONTEXT_USER of its own.  A kernel thread has neither a user
 * part nor a label.  (With exclude_callchain_kernel as well, there are no chains.) */
enum recording_end {
	RECORDING_END_COMPLETE = 0,
	RECORDING_END_TRUNCATED = 1,    /* the copy of the stack was too small */
	RECORDING_END_TOO_DEEP = 2,     /* more frames than are kept */
	RECORDING_END_NO_CFI = 3,       /* at code without unwind information */
	RECORDING_END_NO_FILE = 4,      /* at code whose file is gone, or from another build */
	RECORDING_END_UNMAPPED = 5,     /* at an address where nothing was mapped */
	RECORDING_END_BROKEN = 6,       /* at inconsistent data */
	RECORDING_END_NO_REGISTERS = 7, /* a 32-bit program, or a thread that was exiting */
	RECORDING_END_OTHER_STACK = 8,  /* at a signal handler with its own stack; or complete, except for callers
					 * of a virtual thread, which are in the heap */
	RECORDING_ENDS,
};

/* Labels are entries of a chain that are not addresses: they lie in the hole between user and kernel addresses, where
 * no machine has memory.  KIND is in bits 48 to 55, the value below.  They follow the frames of the chain, only in
 * samples of the events above (END: of those that we walked): in code without frame pointers the kernel takes any value
 * for an address, and one in 256 of these begins like a label (core/format/chain.h). */
#define RECORDING_LABEL_BASE 0x4c00000000000000u
#define RECORDING_LABEL(kind, value) (RECORDING_LABEL_BASE | (uint64_t)(kind) << 48 | (uint64_t)(value))
#define RECORDING_IS_LABEL(entry) ((entry) >> 56 == 0x4c)
#define RECORDING_LABEL_KIND(entry) ((unsigned)((entry) >> 48) & 0xff)
#define RECORDING_LABEL_VALUE(entry) ((entry)&0xffffffffffffu)

/* Where the module "[java]" of each JVM begins; addresses are 16 apart. */
#define RECORDING_JAVA 0x4d00000000000000u
#define RECORDING_JAVA_PATH "[java]"

/* The same for "[python]". */
#define RECORDING_PYTHON 0x5000000000000000u
#define RECORDING_PYTHON_PATH "[python]"

enum recording_label {
	RECORDING_LABEL_STATE = 1,    /* enum recording_state */
	RECORDING_LABEL_BY = 2,       /* the tid of the thread that had the CPU; 0 is the idle one; for
				    * a wakeup, which is one wait: the one that had it longest */
	RECORDING_LABEL_WAKER = 3,    /* pid << 24 | tid: the stack of the thread that woke the
				    * previous one follows in the chain (several: hop by hop).
				    * 0: an interrupt; its stack ends at its entry
				    * (core/symbols/names/interrupts.h), and has no waker.  Wakeups
				    * by the idle thread count as interrupts, too. */
	RECORDING_LABEL_END = 4,      /* enum recording_end */
	RECORDING_LABEL_CLASS = 5,    /* of the allocated object: RECORDING_JAVA + value is the
				    * address of its name */
	RECORDING_LABEL_FAULT = 6,    /* enum recording_fault */
	RECORDING_LABEL_FILE = 7,     /* its number in RECORDING_FILES */
	RECORDING_LABEL_OFFSET = 8,   /* in that file, of the page */
	RECORDING_LABEL_REASON = 9,   /* reason << RECORDING_REASON_SHIFT | ns: how much of the time went where; one
				     * label for each reason.  Without ns: all of it */
	RECORDING_LABEL_SYSCALL = 10, /* its number, with RECORDING_SYSCALL_COMPAT; names are in RECORDING_SYSCALLS */
	RECORDING_LABEL_ERRNO = 11,   /* the error that it returned */
	RECORDING_LABEL_IO = 12,      /* enum recording_io */
	RECORDING_LABEL_DEVICE = 13,  /* its number in RECORDING_DEVICES, and for one request its first sector + 1:
				      * sector << RECORDING_SECTOR_SHIFT | number */
	RECORDING_LABEL_SIZE = 14,    /* of each request, in bytes */
	RECORDING_LABEL_LOCK = 15,    /* below RECORDING_LOCK_ADDRESS: enum recording_lock.  Otherwise its address, of
				     * which 48 bits are kept; in single waits, besides the other */
	RECORDING_LABEL_OWNER = 16,   /* pid << 24 | tid: who had the lock; pid 0: the process is not known */
	RECORDING_LABEL_LANE = 17,    /* its number in RECORDING_LANES */
	RECORDING_LABEL_DIRTIER = 19, /* pid << 24 | tid: the last thread that made a page of the written file dirty */
	RECORDING_LABEL_MEANWHILE = 20, /* the first WAKER is the owner of the lock, with its stack during the wait; the
					 * next one, if any, released the lock */
	RECORDING_LABEL_WINDOW = 21,    /* enum recording_window */
	RECORDING_LABEL_SOURCE = 22,    /* of noise: its number in RECORDING_SOURCES */
	RECORDING_LABEL_TASK = 24, /* of asyncio, which ran: RECORDING_PYTHON + value is the address of its name.  It
					 * follows the thread's own frames */
	RECORDING_LABEL_AWAITING = 25, /* ... the address of the names of the functions that await it, "main > fetch" */
	RECORDING_LABEL_UNTAKEN = 23,  /* enum recording_untaken: these spans have no stack, to keep to the budget */
};

enum { RECORDING_SECTOR_SHIFT = 8 };

enum recording_untaken {
	RECORDING_UNTAKEN_SHORT = 1, /* each was shorter than a millisecond, or than --min of its collector */
	RECORDING_UNTAKEN_LONG = 2,
};

/* A window: these bits.  With RECORDING_OPEN, it had not ended when the recording did. */
enum recording_window {
	RECORDING_WINDOW_PROCESS = 1, /* the window is of all threads of its process; otherwise of its thread */
	RECORDING_WINDOW_CUT = 2,     /* the window ended with its thread or process, or at an exec */
	RECORDING_WINDOW_BITS = 3,
};

/* Events that did not begin or end a window: keys in RECORDING_WINDOWS, and what each one counts. */
#define RECORDING_WINDOW_TABLE(X)                                                     \
	X(nested, "begins inside a window of the same thread, from deeper calls")     \
	X(overlapping, "begins by other threads inside a window of the process")      \
	X(replaced, "windows left out: a new one began where their end was expected") \
	X(stray, "ends outside of a window")

enum recording_windows {
#define RECORDING_WINDOW_ENUM(key, what) RECORDING_WINDOWS_##key,
	RECORDING_WINDOW_TABLE(RECORDING_WINDOW_ENUM)
#undef RECORDING_WINDOW_ENUM
		RECORDING_WINDOWS_COUNT,
};

/* What a block device is asked to do: one of these kinds, which are the kernel's (REQ_OP_...), and bits. */
enum recording_io {
	RECORDING_IO_READ = 0,
	RECORDING_IO_WRITE = 1,
	RECORDING_IO_FLUSH = 2, /* of the device's cache */
	RECORDING_IO_DISCARD = 3,
	RECORDING_IO_SECURE_ERASE = 5,
	RECORDING_IO_ZONE_APPEND = 7,
	RECORDING_IO_WRITE_ZEROES = 9,
	RECORDING_IO_EMPTY_FLUSH = 255, /* a thread waits for a flush, but writes nothing */
	RECORDING_IO_KIND = 255,
	RECORDING_IO_SYNC = 1 << 8, /* somebody waits for it */
	RECORDING_IO_META = 1 << 9,
	RECORDING_IO_FUA = 1 << 10,      /* the data are on the medium when the device says that the write is done */
	RECORDING_IO_PREFLUSH = 1 << 11, /* and what was written before, too */
	RECORDING_IO_AHEAD = 1 << 12,    /* nobody has asked for it yet */
	RECORDING_IO_FAILED = 1 << 13,
	RECORDING_IO_END = 1 << 14,
};

enum { RECORDING_SYSCALL_COMPAT = 1 << 30 }; /* of a 32-bit program on a 64-bit kernel */

/* A lock that is waited for; flags may be added. */
enum recording_lock {
	RECORDING_LOCK_FUTEX = 0, /* a futex, whose kind is told by the functions in the stack */
	RECORDING_LOCK_PI = 1,    /* a futex with priority inheritance */
	RECORDING_LOCK_SPIN = 2,  /* from here on: the kernel's */
	RECORDING_LOCK_RWLOCK = 3,
	RECORDING_LOCK_MUTEX = 4,
	RECORDING_LOCK_RWSEM = 5,
	RECORDING_LOCK_RTMUTEX = 6,
	RECORDING_LOCK_PERCPU = 7,
	RECORDING_LOCK_KINDS,

	RECORDING_LOCK_KIND = 15, /* mask */
	RECORDING_LOCK_READ = 16,
	RECORDING_LOCK_WRITE = 32,
	RECORDING_LOCK_MMAP = 64, /* that of a process's mappings */
	RECORDING_LOCKS_END = 128,
};

enum { RECORDING_LOCK_ADDRESS = 4096 };

/* A page fault: these bits, and what was mapped at the address. */
enum recording_fault {
	RECORDING_FAULT_MAJOR = 1,
	RECORDING_FAULT_WRITE = 2,
	RECORDING_FAULT_EXEC = 4,
	RECORDING_FAULT_ACCESS = 6, /* both bits: it is not known whether it was a read or a write */
	RECORDING_FAULT_UNKNOWN = 0 << 3,
	RECORDING_FAULT_ANONYMOUS = 1 << 3,
	RECORDING_FAULT_FILE = 2 << 3,
	RECORDING_FAULT_COPY = 3 << 3, /* a page is copied when it is written to */
	RECORDING_FAULT_SWAP = 4 << 3,
	RECORDING_FAULTS_END = 5 << 3,
};

enum { RECORDING_REASON_SHIFT = 42 };

/* Where the time of a page fault, a system call, or a request to a block device went. */
enum recording_reason {
	RECORDING_REASON_CPU = 0,        /* in the kernel, on a CPU */
	RECORDING_REASON_IO = 1,         /* waiting for a device */
	RECORDING_REASON_MMAP_LOCK = 2,  /* waiting for the lock of its process's mappings */
	RECORDING_REASON_RECLAIM = 3,    /* freeing memory, the waits for that included */
	RECORDING_REASON_COMPACTION = 4, /* joining free pages, likewise */
	RECORDING_REASON_RUNNABLE = 5,   /* waiting for a CPU */
	RECORDING_REASON_OTHER = 6,      /* blocked otherwise */
	RECORDING_REASON_QUEUE = 7,      /* a request to a device: the time until the device got it */
	RECORDING_REASON_DEVICE = 8,     /* ... in the device */
	RECORDING_REASON_THROTTLED = 9,  /* it could run, but its control group had used up its quota of CPU time; until
					  * Linux 6.17: later kernels stop threads only on their way to user code */
	RECORDING_REASON_COUNT,
};

enum { RECORDING_BY_OTHERS = 0xffffff }; /* value of a BY: one of more threads than could be told apart */

/* What a thread does with its time.  In states 2 to 5 it is runnable without a CPU;
 * in 6 to 12 it waits for something else. */
enum recording_state {
	RECORDING_STATE_UNKNOWN = 0,
	RECORDING_RUNNING = 1,
	RECORDING_PREEMPTED = 2,  /* preempted inside the kernel */
	RECORDING_QUANTUM = 3,    /* preempted on its return to user code: its time slice ended,
				   * or a more urgent thread came */
	RECORDING_YIELDED = 4,    /* gave up the CPU while runnable: sched_yield(2) */
	RECORDING_WOKEN = 5,      /* woken, or new, and not running yet */
	RECORDING_SLEEPING = 6,   /* interruptible: TASK_INTERRUPTIBLE */
	RECORDING_BLOCKED_IO = 7, /* waits for a device: in_iowait */
	RECORDING_BLOCKED = 8,    /* uninterruptible, not I/O */
	RECORDING_STOPPED = 9,    /* by a signal */
	RECORDING_TRACED = 10,    /* stopped by a debugger */
	RECORDING_PARKED = 11,    /* a kernel thread of an offline CPU */
	RECORDING_IDLE = 12,      /* a kernel thread with nothing to do: TASK_IDLE */
	RECORDING_DEAD = 13,      /* ended: takes no time, counts once */

	/* What has a CPU that is meant for another thread; only in RECORDING_NOISE. */
	RECORDING_NOISE_THREAD = 14, /* another thread */
	RECORDING_INTERRUPT = 15,
	RECORDING_CALL = 16, /* a function that another CPU makes this one call */
	RECORDING_SOFTIRQ = 17,
	RECORDING_TIMER = 18,    /* a function that a timer calls */
	RECORDING_WORK = 19,     /* a function that a workqueue calls */
	RECORDING_NMI = 20,      /* a non-maskable interrupt */
	RECORDING_HARDWARE = 21, /* time that is missing without a cause in software: a hypervisor, firmware */

	RECORDING_THROTTLED = 22, /* could run, but its control group has used up its quota of CPU time (cpu.max,
				   * cpu.cfs_quota_us); before this state was known, such time was in 2 and 3 */
	RECORDING_STATE_COUNT,
};

/* Keys of the loss table, and what each counts. */
#define RECORDING_LOSS_TABLE(X)                                                                          \
	X(lost_records, "times that the kernel found a ring full")                                       \
	X(lost_samples, "samples that the kernel dropped, mostly because a ring was full")               \
	X(unwritten_records, "records that could not be written: the disk was full")                     \
	X(throttled, "times that the kernel paused an event: rate too high")                             \
	X(cpus_off, "times that a CPU was off: nothing was recorded there until it was back")            \
	X(late_reads, "times that a buffer was found over half full")                                    \
	X(truncated_stacks, "stacks cut at kernel.perf_event_max_stack")                                 \
	X(truncated_copies, "stacks larger than the piece that was copied")                              \
	X(broken_stacks, "stacks that could not be followed to the end")                                 \
	X(unwinding_late, "samples dropped because unwinding did not keep up")                           \
	X(java_frames_unread, "Java frames that could not be read, because the JVM kept running")        \
	X(python_frames_unread, "Python frames that could not be named, because their code was gone")    \
	X(lost_pythons, "samples whose Python frames found the BPF program's ring full")                 \
	X(java_names_unread, "names of Java threads that could not be read")                             \
	X(groups_unread, "processes that count as of their parent's control group: too many a second")   \
	X(bad_map_lines, "faults in maps and dumps of JIT-compiled code")                                \
	X(unread_map_bytes, "bytes of such maps and dumps not read: too many, or out of time")           \
	X(short_stacks, "user stacks that do not begin where a thread does")                             \
	X(unresolved_frames, "frames without a name")                                                    \
	X(total_frames, "frames in all, for comparison")                                                 \
	X(total_samples, "samples in all, for comparison")                                               \
	X(clock_steps, "times that the wall clock was set")                                              \
	X(untracked_threads, "threads that found no room in the table of threads")                       \
	X(untracked_switches, "switches of threads that found no room")                                  \
	X(missed_switches, "switches that the kernel did not show; their times are guessed")             \
	X(missed_ns, "nanoseconds guessed for those")                                                    \
	X(lost_spans, "spans of time that found the BPF program's ring full")                            \
	X(missed_events, "events that came while the BPF program for them was at work on that CPU")      \
	X(summed_spans, "spans summed, though long enough to be recorded one by one: too many a second") \
	X(lost_stacks, "stacks that could not be taken")                                                 \
	X(uncopied_stacks, "user stacks by frame pointers: too many to be copied, or read too late")     \
	X(unpaired_faults, "page faults without a duration: most of them ended in a signal")             \
	X(unpaired_calls, "system calls without a duration: not seen whole, or more than --max-threads") \
	X(untracked_lanes, "quantities over time that found no room")                                    \
	X(bad_csv_lines, "lines of --csv that could not be read")                                        \
	X(others_ns, "nanoseconds of waiting for a CPU that could not be attributed to a thread")        \
	X(open_spans, "spans of time that had not ended, closed at the end")

#endif
