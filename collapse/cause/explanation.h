/* explanation: what is written about the findings in a recording, as text for people or as JSON for programs.
 *
 *     faults-5408 used 0.53 of 2 CPUs for 4.013 s and mostly slept; the longest time that a thread was held up: 290 ms
 *     (request-1)
 *
 *     The longest, one by one:
 *     - 147 ms at 2026-11-22T22:40:11.433636831Z: receiver of lbm-8513 was in a page fault (major-read-file)
 *       of /opt/liblbm.so at 0x3000
 *       in receive (called by main) > [binds sched_yield of liblbm.so]
 *       < it waited 146 ms for a device
 *       < for 140 ms of it, journaller of java-8513 waited for a device, too: write_journal (called by commit)
 *
 *     Who made whom wait:
 *     1. 3 threads of faults-5408 waited for a lock, up to 290 ms, 18 times, in bursts every 510 ms: caused by
 *        cache-refresher: rebuild_index (called by with_the_book)
 *        18 waits, 3.492 s in all; the longest: request-1, 290 ms, at 2026-11-22T22:40:11.433636831Z
 *        Look at: what rebuild_index (called by with_the_book) does while it holds the lock */
#ifndef COLLAPSE_CAUSE_EXPLANATION_H
#define COLLAPSE_CAUSE_EXPLANATION_H

#include <stdio.h>

#include "collapse/cause/findings.h"
#include "collapse/cause/outliers.h"
#include "collapse/cause/peaks.h"
#include "collapse/frames/names.h"
#include "collapse/perfdata/recorded_names.h"
#include "collapse/perfdata/sideband.h"
#include "core/str.h"

struct leaders;
struct programs;
struct command_words;

struct explanation {
	struct sideband *sideband;   /* names of threads */
	const struct names *names;   /* ... and of functions */
	struct cause_frames *frames; /* of the stacks in history */
	const struct history *history;
	const struct findings *findings;
	const struct outliers *outliers;
	const struct file_names *files, *devices; /* of outliers, as are ... */
	const struct syscall_names *calls;
	const struct lane_samples *lanes;
	const struct lane_names *lane_names;
	const struct programs *programs;
	const struct leaders *leaders;
	const struct command_words *words;
	const char *unknown; /* lines that say what the recording cannot show; or "" */
	bool correlates;     /* say what others did during each outlier */
	bool machine;        /* the whole machine was recorded, not only some processes */
	size_t cpus;         /* of the machine; 0: not known */
	size_t shown;        /* at most so many findings */
	const char *trigger; /* one line that says why the flight recorder wrote this recording; or "" */
	const char *asked;   /* one line that says which part of the recording this covers, if not all of it; or "" */
	const char *doubts;  /* doubts_of_recording(), or "" */
};

/* How many findings are told. */
size_t explanation_count(const struct explanation *e);

/* Append the name of a thread, "cache-refresher" (with its number, if several are called so), and of its process,
 * "faults-5408". */
void explanation_thread(const struct explanation *e, uint32_t thread, struct str *out);
void explanation_process(const struct explanation *e, uint32_t thread, struct str *out);

/* Append both, "cache-refresher of faults-5408". */
void explanation_thread_of(const struct explanation *e, uint32_t thread, struct str *out);

/* Append whose it is, " (pod shop-7f9c of namespace prod)"; nothing if that is not known, or if it is whose `beside` is, a
 * thread of the same sentence, or HISTORY_NONE. */
void explanation_owner(const struct explanation *e, uint32_t thread, uint32_t beside, struct str *out);

/* Append "rebuild_index (called by with_the_book)". */
void explanation_function(const struct explanation *e, struct frames_function f, struct str *out);

/* Append what the victims of a finding did: "waited for a lock". */
void explanation_wait(const struct explanation *e, const struct finding *f, struct str *out);

/* Append what a process was started for: "cc1 m3.c"; or else its name. */
void explanation_command(const struct explanation *e, uint32_t thread, struct str *out);

/* Append the thread that started others: "bash-10 (build.sh)", "spawner of shop-10". */
void explanation_starter(const struct explanation *e, uint32_t thread, struct str *out);

/* Append words and a function of the thread's program, ": run_all"; nothing if that is a shell or the like, whose functions tell
 * nothing, or if the function has no name. */
void explanation_named(const struct explanation *e, uint32_t thread, struct frames_function function, const char *words,
		       struct str *out);

/* Append a finding about a command: FINDING_TREE, _CHILD, _PIPE, _FORKS. */
void explanation_of_command(const struct explanation *e, const struct finding *f, struct str *out);

/* Append a finding in one sentence, without a full stop. */
void explanation_sentence(const struct explanation *e, const struct finding *f, struct str *out);

/* Append what to look at because of a finding: "what rebuild_index does while it holds the lock". */
void explanation_advice(const struct explanation *e, const struct finding *f, struct str *out);

/* How many outliers are worth telling. */
size_t explanation_outliers(const struct explanation *e);

/* Append what a slow thing was: "a page fault (major-read-file) of /opt/liblbm.so at 0x3000". */
void explanation_thing(const struct explanation *e, const struct slow_thing *t, struct str *out);

/* The word for its kind in JSON. */
const char *explanation_kind(const struct slow_thing *t);

/* Append an outlier in two or more sentences, one a line: what was slow, and after " < " why.  Each line but the first
 * begins with indent. */
void explanation_outlier(const struct explanation *e, const struct outlier *o, const char *indent, struct str *out);

/* The same in one sentence, without a full stop. */
void explanation_outlier_sentence(const struct explanation *e, const struct outlier *o, struct str *out);

/* Append what the longest outliers have in common, then ", "; nothing if they have nothing in common, or are few. */
void explanation_common(const struct explanation *e, struct str *out);

/* Append which outliers are left out, "14 waits for work, the longest 2.88 s: loop of shop-10 in a call of poll"; or
 * nothing. */
void explanation_left_out(const struct explanation *e, struct str *out);

/* Append which quantities were at their extreme in this time, separated by ", "; nothing if none was. */
void explanation_peaks(const struct explanation *e, const struct slow_thing *t, struct str *out);

/* Append lines that say what other threads did in this time. */
void explanation_correlate(const struct explanation *e, const struct slow_thing *t, const char *indent,
			   struct str *out);

/* CPU time of all threads of this thread's process; for HISTORY_NONE, of all threads but the recorder's. */
uint64_t explanation_ran(const struct explanation *e, uint32_t thread);

/* Did the thread wait for a CPU for at least a fifth of the time in which it wanted one? */
static inline bool explanation_is_starved(const struct history_thread *t)
{
	return t->ready_ns * 4 > t->ran_ns;
}

/* The recorder's own part of all samples, in per cent. */
uint64_t explanation_recorder(const struct explanation *e);

/* How many CPUs the recorder used, beside what it recorded of a whole machine; 0: hardly any, or not known. */
double explanation_recorder_cpus(const struct explanation *e);

/* ---- the headline, in three lines without a newline or a full stop ---------------------------- */

/* What was recorded, and what it mostly did: "java-18345 used 0.16 of 2 CPUs for 15 s and mostly waited for work". */
void headline_summary(const struct explanation *e, struct str *out);

/* Append the worst finding, and a second one that it would otherwise hide; or a sentence that there is none. */
void headline_fact(const struct explanation *e, struct str *out);

/* Append which chart to look at, and at which time; nothing without a finding. */
void headline_look(const struct explanation *e, struct str *out);

/* Of the processes that ran, by their first threads: the one that started all others, itself or by others; or else
 * `process`, and *started is false. */
uint32_t headline_root(const struct history *h, const uint64_t *ran, uint32_t process, bool *started);

/* The headline of a recording that has only samples of running code. */
bool headline_is_of_cpu(const struct explanation *e);
void headline_cpu_summary(const struct explanation *e, struct str *out);

/* "gzip used 97 % of a CPU: 61 % in longest_match": the process (or all processes of one name) that ran most, and the
 * function of its program that spent most of that time itself. */
void headline_cpu_fact(const struct explanation *e, struct str *out);
/* Did one program use a twentieth of a CPU or more? */
bool headline_cpu_is_busy(const struct explanation *e);
void headline_cpu_look(const struct explanation *e, struct str *out);

/* The first thread of the process that the sentence names; HISTORY_NONE: nothing ran. */
uint32_t headline_cpu_thread(const struct explanation *e);

/* ---- files -------------------------------------------------------------------------------- */

enum { EXPLANATION_LINES = 40 };

/* At most EXPLANATION_LINES, unless e->correlates. */
void explanation_text_write(FILE *out, const struct explanation *e);
void explanation_markdown_write(FILE *out, const struct explanation *e);
void explanation_headline_write(FILE *out, const struct explanation *e);

/* One object: {"from":..., "to":..., "cpus":2, "ran_ns":..., "headline":{"summary":..., "fact":..., "look":...},
 * "findings":[{"kind":"ran", "wait":"lock", "sentence":..., "guilty":{...}, "function":..., ...}],
 * "outliers":[{"kind":"fault", "at":..., "ns":..., "victim":{...}, "file":..., "reason":..., ...}], "unknown":[...]}.
 * Points in time are wall-clock times, durations are in ns. */
void explanation_json_write(FILE *out, const struct explanation *e);

#endif
