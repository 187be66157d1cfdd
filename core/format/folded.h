/* folded: the text between collapse and render (design: "Folded text").
 *
 *     # pyrograph: host=db1 event=cpu-clock start=2026-11-21T10:15:02.000000000Z \
 *         lost=0/12345 unit=samples           (one line; unit always last)
 *     java-8513/dw-20;start_thread;JavaThread::run;write_[k] 17
 *     @1475682078.014325678 java-8513/lbm;do_page_fault_[k] 147000000
 *
 * - frame;frame;... value: root first; fractions are allowed.
 *   Two values make a differential, if columns= says so, or if there is none and all lines have two.
 * - "@seconds.nanoseconds " before it makes the line timed.
 * - "# " starts a comment.  Comments never end in a number, so that readers
 *   that do not know comments do not take them for a stack.
 * - Several values, where the header's columns= names them ("time,count,longest"):
 *   the first one is the weight of the line.  time, count and migrations (how often a
 *   thread came to the CPU from another) are sums; longest is the longest single
 *   span, and merging lines takes the maximum.
 * - With spans=start each timed line is a span of time, in ns: it begins at the line's
 *   time and lasts for its value.
 *   A line without a time among them is a sum of shorter spans, which have no place in time.
 * - A comment "# stall: ..." is a stretch of time in which several threads waited together, and who made them wait;
 *   the stalls follow the gaps (collapse --timeline):
 *     # stall: start=1475682078.014325678 end=1475682078.164325678 threads=4 longest=149873211 waits=590001230 \
 *         for=lock by=java-8513/indexer did=ran in=Shop.rebuildIndex
 * - A comment "# gap: ..." is a stretch of time that is missing in a recording; the gaps
 *   of a recording follow its header:
 *     # gap: start=1475682078.014325678 end=1475682078.114325678 cpu=3 lost=12 why=throttled
 * - A frame has only printable UTF-8 (core/utf8.h) and no ';' (which becomes ':'); if it would end in
 *   blank + number, the blank becomes '_'. */
#ifndef CORE_FORMAT_FOLDED_H
#define CORE_FORMAT_FOLDED_H

/* The start of the header, the comment on where a profile comes from.  After it come
 * key=value pairs, separated by single blanks.  A value is bare when it contains
 * only [A-Za-z0-9_.,:+/%@~-], else a JSON string.  Keys may be missing. */
#define FOLDED_HEADER "# pyrograph: "

#define FOLDED_HOST "host"
#define FOLDED_EVENT "event" /* e.g. cpu-clock; several joined by commas */
#define FOLDED_START "start" /* ISO 8601, UTC, nanoseconds: first sample */
#define FOLDED_END "end"     /* last sample */
#define FOLDED_CLOCK \
	"clock"            /* monotonic: the wall clock is unknown, times are the kernel's own;
				     * then there are no start and end */
#define FOLDED_FROM "from" /* like start: start of observation ... */
#define FOLDED_TO "to"     /* ... and its end: the wanted part of the recording */
#define FOLDED_CPUS "cpus" /* sampled or observed: "0-3,6" */
#define FOLDED_CLOCK_ERROR \
	"clock-error" /* the wall clock was inconsistent: the largest step or
				     * deviation between its anchors, as "+12.5ms" */
#define FOLDED_CLOCK_WITHIN \
	"clock-within" /* the largest possible error of the wall clock: "1.28ms"; or unsynchronized: nothing keeps the
		        * clock right */
#define FOLDED_UNSYNCHRONIZED "unsynchronized"
#define FOLDED_CLOCK_HOSTS \
	"clock-hosts" /* for lines of several hosts, the error of each host's clock: "db1 1.28ms, db2 unsynchronized" */
#define FOLDED_OWN_COST \
	"own-cost" /* of a continuous recording: its cost and its budget, in percent of one CPU, and what it reduced to
		    * keep the budget: "0.43%/1%", "0.43%/1%, 49Hz without io" */
#define FOLDED_RECORDING_COST \
	"recording-cost"   /* the recording's own cost, for people: "0.3 % of the machine; the targets ran 0.4 % slower
			    * (estimated)" */
#define FOLDED_RATE "rate" /* samples a second and CPU, e.g. 99Hz */
#define FOLDED_INTERVAL \
	"interval"               /* of sampled allocations: the average bytes that a sample stands
				      * for, e.g. 131072 */
#define FOLDED_KERNEL "kernel"   /* release */
#define FOLDED_COMMAND "command" /* that made the recording */
#define FOLDED_ROOT "root"       /* the roots whose frames come first in each stack: "pid,thread", or none */
#define FOLDED_PODS \
	"pods" /* whose samples these are: "prod/shop-7f9c, prod/db-0", at most 20, the largest first; ... */
#define FOLDED_CONTAINERS "containers"
#define FOLDED_UNITS "units"
#define FOLDED_OWNERS_BETWEEN ", "
#define FOLDED_OWNERS_MORE " more" /* ... and the number of those that are not named, as the last one: "7 more" */
#define FOLDED_FILTER "filter"     /* what collapse kept, as its options */
#define FOLDED_BETWEEN \
	"between" /* lines are limited to windows, or to the time outside of them: the two events of the windows, as in
		   * collect --between */
#define FOLDED_WINDOWS "windows"                  /* ... and how many of all windows were chosen: 12/120 */
#define FOLDED_LOST "lost"                        /* lost/all samples, e.g. 3/12345 */
#define FOLDED_BROKEN_STACKS "broken user stacks" /* a loss: "... 3 of 10" */
#define FOLDED_LOSSES "losses"                    /* every other loss that is not 0: "throttled 3, truncated 1" */
#define FOLDED_UNRESOLVED "unresolved"            /* frames that cannot be told apart, e.g. [libc.so.6], / all frames */
#define FOLDED_QUALITY \
	"quality"                      /* for people: how complete the stacks are: "98.2 % of user stacks are whole, 0.4
				     * % of frames have no name" */
#define FOLDED_NORMALIZE "normalize"   /* how two values a line are compared: total, duration, windows */
#define FOLDED_BY_WINDOWS "windows"    /* ... scaled as if both had the same number of windows */
#define FOLDED_COLUMNS "columns"       /* the names of several values: "time,count,longest" */
#define FOLDED_COMPARED "before,after" /* ... those of a differential */
#define FOLDED_SPANS "spans"           /* start: timed lines are spans of time */
#define FOLDED_SUMS \
	"sums"                   /* timed lines that are sums of many spans, with the time at which the sum was made, /
				  * all lines: e.g. 12/345 */
#define FOLDED_SUMS_OF "sums-of" /* the approximate duration that each of those sums covers: 1s, 250ms */
#define FOLDED_SHORT \
	"short" /* spans=start: spans shorter than that were recorded as sums, which are lines without a time: 1ms */
#define FOLDED_SHORT_SUMS \
	"short-sums" /* ... or, for heat maps, have no lines: the number of such spans, and their time in ns:
		      * 890/1234567 */
#define FOLDED_SHORT_MORE \
	"short-more" /* too-many: the sums also contain longer spans, because there were too many of them in a second */
#define FOLDED_TOPOLOGY \
	"topology" /* the CPUs: "0 package=0 core=0 node=0; 1 package=0 core=1 node=0
				      * isolated nohz_full irqs=24:eth0-rx-0,25:eth0-tx-0" */
#define FOLDED_OPEN \
	"open"                   /* how many spans had not ended with the recording; their length
				     * is the observed part */
#define FOLDED_GUILTY "guilty"   /* of timelines: the thread of the worst problem's cause, named as in root thread */
#define FOLDED_VICTIMS "victims" /* ... and those that it cost most, separated by ";" */
#define FOLDED_LEFT_OUT \
	"left-out"         /* the share of waits that were left out because of their kind (by default, waits for work),
			    * / all values: 234500000/240100000 */
#define FOLDED_UNIT "unit" /* unit of the values: samples, ns, bytes, ...; always last */

/* The start of the comment on a gap (only in timed output).  After it come pairs as in
 * the header. */
#define FOLDED_GAP "# gap: "

#define FOLDED_GAP_START "start" /* seconds.nanoseconds, as before a timed line */
#define FOLDED_GAP_END "end"     /* exclusive */
#define FOLDED_GAP_CPU "cpu"     /* missing: all of them */
#define FOLDED_GAP_LOST "lost"   /* samples; missing: unknown */
#define FOLDED_GAP_WHY "why"     /* lost, throttled, reader-late, ...; always last */

/* The start of the comment on a stall, and its pairs. */
#define FOLDED_STALL "# stall: "

#define FOLDED_STALL_START "start"     /* seconds.nanoseconds, as before a timed line */
#define FOLDED_STALL_END "end"         /* exclusive */
#define FOLDED_STALL_THREADS "threads" /* how many waited */
#define FOLDED_STALL_LONGEST "longest" /* ns, of one wait */
#define FOLDED_STALL_WAITS "waits"     /* ns, of all of them */
#define FOLDED_STALL_FOR "for"         /* what the threads waited for: a word of FOLDED_WAIT_TABLE */
#define FOLDED_STALL_FOR_CPU "cpu"       /* ... a CPU, which that thread had */
#define FOLDED_STALL_FOR_EVENTS "events" /* no thread: that thread did not handle events, as it should */
#define FOLDED_STALL_BY "by"           /* the thread that they waited for, named as in root thread */
#define FOLDED_STALL_DID "did"         /* and what that thread did: ran, slept, io, no-cpu, network, process, waited */
#define FOLDED_STALL_IN "in"           /* the function; missing: unknown */

/* Quantities over time: timed lines "lane;memory;free 81920"; the value holds from that time on.  Comments before them
 * tell the units. */
#define FOLDED_LANE "lane"
#define FOLDED_LANE_HEADER "# lane: "
#define FOLDED_LANE_UNIT "unit" /* bytes, %, datagrams, ... */
#define FOLDED_LANE_NAME "name" /* its frames; always last */

/* Processes: each timed line is a process in one program, with the columns time, count, cpu (ns) and peak (bytes of
 * memory, of which merging takes the maximum):
 *     @1475682078.014325678 cc1-4711;ppid:4710;exec;exit:0;awaited;cc1 -quiet a.c 523456789 1 498000000 41943040
 * The frames are the name and the pid; the parent; how it began (before: before the recording; fork: as a copy of its
 * parent; exec; failed:ENOENT: an exec that failed, which takes no time); how it ended (exit:STATUS; signal:SEGV, with
 * +core;
 * exec: the next line of this pid goes on; runs: the recording ended; lost; -: an exec that failed); whether its parent
 * slept then (awaited, or -); its arguments, which were cut if they end in "...".  The first line of a new process that
 * reuses a pid is not of kind exec. */
#define FOLDED_PROCESS_ROOTS "process,parent,begun,ended,awaited,args"
#define FOLDED_PROCESS_PARENT "ppid:"
#define FOLDED_PROCESS_BEFORE "before"
#define FOLDED_PROCESS_FORK "fork"
#define FOLDED_PROCESS_EXEC "exec"
#define FOLDED_PROCESS_FAILED "failed:"
#define FOLDED_PROCESS_EXIT "exit:"
#define FOLDED_PROCESS_SIGNAL "signal:"
#define FOLDED_PROCESS_CORE "+core"
#define FOLDED_PROCESS_RUNS "runs"
#define FOLDED_PROCESS_LOST "lost"
#define FOLDED_PROCESS_AWAITED "awaited"
#define FOLDED_PROCESS_NONE "-"

/* Annotations at the end of a frame. */
#define FOLDED_KERNEL_FRAME "_[k]"
#define FOLDED_JIT_FRAME "_[j]"
#define FOLDED_INLINED_FRAME "_[i]"
#define FOLDED_LIKELY_FRAME "_[?]"      /* inlined, by the nearest debug information (Java) */
#define FOLDED_INTERPRETED_FRAME "_[0]" /* code of a runtime with a JIT compiler: interpreted, ... */
#define FOLDED_QUICK_FRAME "_[1]"       /* ... or compiled quickly (HotSpot's C1; V8's Sparkplug, Maglev) */
#define FOLDED_PYTHON_FRAME "_[p]"      /* run by the interpreter of Python */
#define FOLDED_WAKER_FRAME "_[w]"

/* Stands for the missing part of an incomplete stack: the first frame after the root
 * frames. */
#define FOLDED_TRUNCATED_FRAME "[truncated]"

/* The frame of root `state`: what a thread did with its time
 * (core/format/recording.h, enum recording_state). */
#define FOLDED_STATE_TABLE(X)       \
	X(RUNNING, "running")       \
	X(PREEMPTED, "preempted")   \
	X(QUANTUM, "quantum-over")  \
	X(YIELDED, "yielded")       \
	X(WOKEN, "woken")           \
	X(THROTTLED, "throttled")   \
	X(SLEEPING, "sleeping")     \
	X(BLOCKED_IO, "blocked-io") \
	X(BLOCKED, "blocked")       \
	X(STOPPED, "stopped")       \
	X(TRACED, "traced")         \
	X(PARKED, "parked")         \
	X(IDLE, "idle")             \
	X(DEAD, "dead")             \
	X(NOISE_THREAD, "thread")   \
	X(INTERRUPT, "interrupt")   \
	X(CALL, "call")             \
	X(SOFTIRQ, "softirq")       \
	X(TIMER, "timer")           \
	X(WORK, "work")             \
	X(NMI, "nmi")               \
	X(HARDWARE, "hardware")     \
	X(STATE_UNKNOWN, "unknown-state")

/* The frame of root `wait`: what a blocked thread waited for, by the functions in its stack; and the word for options.
 * A span without a stack has no such frame. */
#define FOLDED_WAIT_TABLE(X)                                                                             \
	X(UNKNOWN, "[unknown wait]", "unknown")                                                          \
	X(ANOTHER_THREAD, "[thread]", "thread")                                                          \
	X(IO, "[I/O]", "io")                                                                             \
	X(FAULT, "[page fault]", "fault")                                                                \
	X(SLEEP, "[sleep]", "sleep")                                                                     \
	X(LOCK, "[lock]", "lock")                                                                        \
	X(GIL, "[GIL]", "gil") /* the lock of an interpreter, which runs one of its threads at a time */ \
	X(PROCESS, "[process]", "process")                                                               \
	X(NETWORK, "[network]", "network")                                                               \
	X(PAUSE, "[pause]", "pause") /* a JVM stops its threads, mostly for its garbage collector */     \
	X(WORK, "[work]", "work")    /* it has nothing to do */

/* The frame of root `doing` is the frame of `wait` where a thread slept or was blocked and the kind of wait is known;
 * else that of `state`.  A sample of running code, which takes no time, has this frame. */
#define FOLDED_SAMPLED "sampled"

/* The frame of root `by`, after the state of a thread that waits for a CPU, or is throttled: the thread
 * that had the CPU, named as in root `thread`, or one of these.  Other states have no such
 * frame. */
#define FOLDED_BY_IDLE "[idle]"     /* no thread: the CPU was leaving the idle state */
#define FOLDED_BY_OTHERS "[others]" /* more threads than could be distinguished */
/* In state throttled: whose CPU limit stopped the thread, "[limit: 0.2 CPUs, pod prod/shop]", or "[limit: unknown]". */
#define FOLDED_BY_LIMIT "[limit: "

/* The frame between a target's stack and its waker's, which ends in the waker's name:
 * "--;futex_wake_[w];main_[w];java_[w]". */
#define FOLDED_CHAIN_FRAME "--"

/* The waker was an interrupt: in place of a thread, after such a stack
 * ("hrtimer_interrupt_[w];asm_sysvec_apic_timer_interrupt_[w];[interrupt]_[w]") and as
 * root `waker`. */
#define FOLDED_WAKER_INTERRUPT "[interrupt]"

#endif
