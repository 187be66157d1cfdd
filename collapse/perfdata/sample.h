/* sample: a sample, recorded by perf or by us. */
#ifndef COLLAPSE_PERFDATA_SAMPLE_H
#define COLLAPSE_PERFDATA_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "core/format/recording.h"

enum { SAMPLE_CALL_BYTES = 24 };

struct owner_group;

struct recorded_sample {
	struct recorded_event *event;
	uint64_t ip, time_ns, period;
	int32_t pid, tid;
	uint32_t cpu;
	bool kernel; /* the record says that ip is a kernel address; a 32-bit address alone does not show this */
	const uint8_t *ip_bytes; /* where ip is in the record */
	const uint8_t *chain;    /* chain_count numbers of 8 bytes, at any alignment */
	uint64_t chain_count;    /* if this is 0, there is no call chain; then ip, unless it is 0, is the stack */
	const uint8_t *calls;    /* call_count records of calls that had not returned yet, the newest first: {u64 from,
				  * to, flags} (perf record --call-graph lbr); NULL: there are none */
	uint64_t call_count;
	bool by_calls;      /* the user part of the chain is made of calls */
	bool is_deferred;   /* the user part is in a later record (collapse/perfdata/sideband.h), which has ... */
	uint64_t cookie;    /* ... this number */
	const uint8_t *raw; /* raw_len bytes of PERF_SAMPLE_RAW */
	uint32_t raw_len;

	/* The data for unwinding the user part of the stack (core/unwind/unwinder.h); NULL or 0: not recorded. */
	uint64_t regs_abi;
	const uint8_t *regs;              /* event.attr.sample_regs_user says which */
	const uint8_t *stack;             /* copy of stack_len bytes, ... */
	uint64_t stack_len, stack_wanted; /* ... of stack_wanted that were requested */
	bool walked;                      /* the user part of the chain was unwound, ... */
	int end;                          /* ... and this is how it ended: enum recording_end */
	bool chain_is_temporary;          /* chain is not in the file: collapse/fold/user_stacks.h */

	/* Values of the spans of time that the sample sums up (core/format/recording.h); a sample of
	 * another event is a single occurrence at time_ns. */
	uint64_t count, longest_ns, begin_ns, migrations;
	uint32_t span_flags; /* enum recording_span_flag */

	/* Taken from the labels in the chain.  state and by are -1 if the sample has no label for them. */
	uint64_t class_address;                 /* of the class name of an object, in module "[java]"; 0: none */
	uint64_t task_address;                  /* of the task's name, in module "[python]"; 0: none */
	uint64_t awaiting_address;              /* of the names of what awaits it, there; 0: none */
	int state;                              /* enum recording_state */
	const char *state_word;                 /* of samples from text: another name for a state; NULL: none */
	const struct owner_group *owner;        /* of samples from text: whose they are; NULL: whose the process is */
	int by;                                 /* tid; 0: idle; RECORDING_BY_OTHERS */
	int fault;                              /* enum recording_fault; -1: none */
	int64_t file;                           /* its number in RECORDING_FILES; -1: none */
	int64_t offset;                         /* in that file; -1: none */
	int64_t syscall;                        /* RECORDING_LABEL_SYSCALL; -1: none */
	unsigned error;                         /* errno of that call; 0: none */
	int io;                                 /* enum recording_io; -1: none */
	int device;                             /* its number in RECORDING_DEVICES; -1: none */
	int64_t sector;                         /* number of the device, and the sector where a request begins; -1:
						 * none */
	int64_t size;                           /* of each request, in bytes; -1: none */
	int dirtier_pid, dirtier_tid;           /* who last wrote to the data that is being written to the device; tid
						 * 0: unknown */
	unsigned reasons;                       /* bit mask, 1 << enum recording_reason, of the reasons for which time
						 * passed, and ... */
	uint64_t parts[RECORDING_REASON_COUNT]; /* ... how much time each of them took; values of other reasons are
						 * undefined */
	int64_t lane;                           /* its number in RECORDING_LANES; -1: none */
	int64_t source;                         /* of noise: its number in RECORDING_SOURCES; -1: none */
	int lock;                               /* enum recording_lock; -1: none */
	int64_t lock_address;                   /* 48 bits of it; -1: unknown */
	int owner_pid, owner_tid;               /* the thread that had the lock; pid 0: unknown; tid -1: it is known
						 * that no thread had it */
	bool has_wakers;                        /* stacks of wakers follow in the chain, ... */
	uint64_t own_count;                     /* ... after this many entries */
	int waker_pid, waker_tid;               /* the first waker */
	uint32_t parallelism;                   /* how many threads ran at the time of the sample; 0: not asked for */
	bool has_process;                       /* it is of EVENT_PROCESSES: a process in one program */
	struct recording_process process;
	const char *args;   /* [process.args_bytes] */
	int window;         /* enum recording_window; -1: it is none */
	uint8_t in_window;  /* the class of the window in which the sample lies (collapse/roots/windows.h); 0: in none,
			    * or not needed */
	uint8_t untaken;    /* enum recording_untaken; 0: the sample has a stack, or needs none */
	bool has_meanwhile; /* the first waker is the owner of a lock, with its stack during the wait */
};

/* Read a PERF_RECORD_SAMPLE.  Returns false if it is malformed (too short, or of an unknown
 * event). */
bool sample_read(const struct perfdata *d, const struct record *r, struct recorded_sample *s);

/* The event of a PERF_RECORD_SAMPLE; NULL: unknown. */
struct recorded_event *sample_event(const struct perfdata *d, const struct record *r);

/* Read only a sample's event and time.  If the event measures time, begin_ns is the start of that
 * time; else it equals time_ns. */
bool sample_read_time(const struct perfdata *d, const struct record *r, struct recorded_event **event,
		      uint64_t *time_ns, uint64_t *begin_ns);

/* The time of a record that is not a sample; fallback if the record has none. */
uint64_t record_time(const struct perfdata *d, const struct record *r, uint64_t fallback);

/* The same for the CPU, and for the thread of such a record. */
uint32_t record_cpu(const struct perfdata *d, const struct record *r, uint32_t fallback);
int32_t record_tid(const struct perfdata *d, const struct record *r, int32_t fallback);

#endif
