/* finding: one problem found in a recording, with the thread and the function that caused it. */
#ifndef COLLAPSE_CAUSE_FINDING_H
#define COLLAPSE_CAUSE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/block_wait.h"
#include "collapse/cause/follow.h"
#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

enum finding_kind {
	FINDING_RAN,    /* threads waited for one that ran */
	FINDING_NO_CPU, /* ... that wanted to run, but got no CPU for most of that time */
	FINDING_SLEPT,  /* ... that slept */
	FINDING_PAUSE,  /* ... that had their JVM stop them */
	FINDING_IO,     /* ... that waited for a device; or the victims waited for it themselves */
	FINDING_SHORT,  /* threads read files again because the files were dropped from memory: guilty is who used up
			 * the memory */
	FINDING_WAITED, /* ... that waited for something outside the recording: the network, another process */
	FINDING_TREE,   /* a tree of processes, such as a build: guilty is the process that made it last that long, one
			 * of guilty_count of the same name */
	FINDING_PIPE,   /* a process of a pipeline was busy while others waited for it: guilty */
	FINDING_FORKS,  /* guilty started many processes that did little */
	FINDING_CHILD,  /* a process waited for the end of another one, which computed */
	FINDING_STUCK,  /* threads were still waiting for locks when the recording ended: guilty is one of them */
	FINDING_MAYBE,  /* threads waited for a thread of which it is not known whether it ran, slept, waited for a
		        * device, or had no work */
	FINDING_STOLEN, /* threads waited for a CPU that another process had: guilty is one of its threads */
	FINDING_PINNED, /* threads waited for a CPU that another thread of their process had, while another CPU was
			    * idle */
	FINDING_CROWD,  /* ... and no CPU was idle */
	FINDING_GAVE_WAY,  /* threads that had asked for a lower priority waited for a CPU that guilty had */
	FINDING_THROTTLED, /* a control group's limit stopped threads: guilty is the thread of their process that ran
			    * most */
	FINDING_TURN,      /* a thread that handles events took long before it looked for the next one */
	FINDING_HOT,       /* a thread spent its time in one function */
	FINDING_WAKER,     /* a thread woke others all the time */
	FINDING_KINDS,
};

static inline bool finding_is_for_cpu(enum finding_kind kind)
{
	return kind == FINDING_STOLEN || kind == FINDING_PINNED || kind == FINDING_CROWD;
}

/* What a thread may be, of these. */
enum finding_role { FINDING_VICTIM = 1, FINDING_GUILTY = 2 };

enum { FINDING_VICTIMS = 32 };

/* A thread's share of something, such as of the waiting time. */
struct finding_share {
	uint32_t thread;
	uint64_t ns;
};

enum { FINDING_STAGES = 8 };

/* FINDING_PIPE: processes of a pipeline, in the order of their pipes; and those that waited longest for the guilty one, with
 * how long they did: before it, until there was room in its pipe, and after it, for input. */
struct finding_pipe {
	uint32_t stages[FINDING_STAGES];
	size_t count;
	uint32_t before, after;
	uint64_t full_ns, empty_ns;
};

/* A stretch of time in which the guilty one was waited for. */
struct finding_stretch {
	uint64_t from_ns, to_ns; /* wall clock */
};

enum { FINDING_NAMES = 3 };

/* FINDING_FORKS: the names of processes that used most CPU time. */
struct finding_forks {
	struct finding_name {
		uint32_t name;  /* as in history_thread */
		uint64_t count; /* of the processes of this name; 0: no more names */
	} names[FINDING_NAMES];
	bool elapsed; /* total_ns is a part of the critical path, lived_ns; or else of the CPU time of the guilty one and all
		       * that it started */
};

struct finding {
	enum finding_kind kind;
	enum wait_kind wait; /* for what the victims waited */
	enum block_wish wish;
	enum wait_kind meanwhile; /* FINDING_TREE: for what the guilty one waited, instead of computing */
	uint32_t guilty;          /* number of the thread; the worst one of ... */
	size_t guilty_count;      /* ... all threads that did the same, in turns */
	size_t thieves;           /* FINDING_STOLEN: how many other processes had the CPU, including the guilty one's */
	uint64_t had_ns;          /* ... and for how long, of total_ns, those of the guilty one's name had it */
	bool several; /* ... and several threads of the guilty one's process had it, none of them most of that */
	uint32_t
		parent; /* the process that started nearly all processes of that name; HISTORY_NONE: none did, or it is not
			  * known; ... */
	struct frames_function parent_function; /* ... and what it did meanwhile */
	struct frames_function function;        /* of the guilty one */
	uint64_t ready_ns, ran_ns;              /* for how long the guilty one waited for a CPU during the wait, and
						 * ran, ... */
	uint64_t throttled_ns;                  /* ... and was throttled */
	uint32_t by; /* the thread that had the CPU for which the guilty one waited most; HISTORY_NONE: several */
	struct frames_function by_function;
	struct frames_function site;                         /* where the victims waited */
	uint64_t count, total_ns, longest_ns, longest_at_ns; /* of the waits; wall clock */
	size_t first_stretch, stretch_count;                 /* in struct findings, in order of time */
	uint64_t
		whole_ns; /* for waits for a CPU: also those that are not in count, because they were summed up, or had a
			    * culprit that is not told; 0: the same as total_ns */
	size_t episodes;  /* times at which somebody waited: several threads may have waited at the same time; ... */
	uint64_t period_ns; /* ... the constant distance from one to the next; 0: not constant */
	struct finding_share victims[FINDING_VICTIMS]; /* the longest first */
	size_t victim_count;                           /* all of them, named or not */
	bool others;                                   /* victims of several processes */
	uint64_t lived_ns;                             /* all time of the victims */
	uint32_t cpu;            /* for a wait for a CPU: the only CPU on which the victims ran; HISTORY_NONE: several,
				  * or they may use others, too */
	uint64_t cpus_allowed;   /* the number of CPUs that the victims may use, the largest; 0: not known */
	struct cause longest;    /* of the longest wait: its path, ... */
	uint32_t longest_victim; /* ... and whose it was */
	double weight;           /* 1: waits of this kind always matter */
	double score;            /* seconds lost, by their weight */
	struct finding_pipe pipe;
	struct finding_forks forks;
	bool leads; /* uncertain, but it ranks with certain findings */
};

/* Is the thread one of the victims that f names? */
static inline bool finding_has_victim(const struct finding *f, uint32_t thread)
{
	for (size_t i = 0; i < f->victim_count && i < FINDING_VICTIMS; i++) {
		if (f->victims[i].thread == thread)
			return true;
	}
	return false;
}

/* Did the guilty one lack a CPU for so much of the waits that it is worth telling? */
static inline bool finding_lacked_cpu(const struct finding *f)
{
	enum { LACK_PART = 5 };

	return (f->ready_ns + f->throttled_ns) * LACK_PART >= f->total_ns;
}

/* Are there so many more waits than those in count that it matters? */
static inline bool finding_has_others(const struct finding *f)
{
	enum { MATTERS = 50 };

	return f->whole_ns > f->total_ns + f->total_ns / MATTERS;
}

/* {0} is valid and empty. */
struct findings {
	struct finding *items; /* [count], the worst first */
	size_t count, cap;
	struct finding_stretch *stretches; /* of all of them, in any order */
	size_t stretch_count, stretch_cap;
};

#endif
