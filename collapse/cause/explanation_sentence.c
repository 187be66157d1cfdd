#include "collapse/cause/explanation.h"
#include "collapse/cause/leaders.h"
#include "core/amount.h"

/* What is said of the victims. */
static const char *const waits[WAIT_KINDS] = {
	[WAIT_UNKNOWN] = "waited",
	[WAIT_ANOTHER_THREAD] = "waited for another thread",
	[WAIT_IO] = "waited for a device",
	[WAIT_FAULT] = "waited for pages of memory",
	[WAIT_SLEEP] = "slept",
	[WAIT_LOCK] = "waited for a lock",
	[WAIT_GIL] = "waited for the interpreter's lock (GIL)",
	[WAIT_PROCESS] = "waited for another process",
	[WAIT_NETWORK] = "waited for the network",
	[WAIT_WORK] = "waited for work",
};

/* ... for kinds of wait where what the victims wanted is known more precisely */
static const char *const wishes[] = {
	[BLOCK_WISH_MAP] = "waited for the lock of the process's memory map (mmap_lock)",
	[BLOCK_WISH_ROOM] = "waited to write to a pipe or a socket",
	[BLOCK_WISH_TURN] = "waited in a queue",
	[BLOCK_WISH_GIL] = "waited for the interpreter's lock (GIL)",
	[BLOCK_WISH_ANSWER] = "waited for an answer",
};

/* ... and what the guilty thread did; NULL: "caused by" says it all */
static const char *const reasons[FINDING_KINDS] = {
	[FINDING_SLEPT] = "which slept meanwhile", [FINDING_IO] = "which waited for a device meanwhile",
	[FINDING_STOLEN] = "which had it",         [FINDING_PINNED] = "which had it, while another CPU was idle",
	[FINDING_CROWD] = "which had it",
};

static void explanation_sentence_add_priority(const struct history_thread *t, struct str *out)
{
	static const char *const policies[HISTORY_POLICIES] = {
		[HISTORY_POLICY_BATCH] = "SCHED_BATCH",       [HISTORY_POLICY_IDLE] = "SCHED_IDLE",
		[HISTORY_POLICY_FIFO] = "SCHED_FIFO",         [HISTORY_POLICY_RR] = "SCHED_RR",
		[HISTORY_POLICY_DEADLINE] = "SCHED_DEADLINE",
	};

	if (t->policy != HISTORY_POLICY_USUAL)
		str_addf(out, " (%s)", policies[t->policy]);
	else if (t->niceness)
		str_addf(out, " (nice %d)", t->niceness);
}

/* Append " (nice 19)" or " (SCHED_BATCH)" if the thread has asked for a lower priority; or nothing. */
static void explanation_sentence_add_niceness(const struct explanation *e, uint32_t thread, struct str *out)
{
	const struct history_thread *t = &e->history->threads[thread];

	if (t->niceness > 0 || history_gives_way(t))
		explanation_sentence_add_priority(t, out);
}

/* Append " (SCHED_FIFO)" or " (nice -10)" if the guilty thread runs before its victims; or nothing. */
static void explanation_sentence_add_precedence(const struct explanation *e, const struct finding *f, struct str *out)
{
	const struct history_thread *t = &e->history->threads[f->guilty];
	const struct history_thread *victim = &e->history->threads[f->victims[0].thread];

	if (t->policy >= HISTORY_POLICY_FIFO ? victim->policy < HISTORY_POLICY_FIFO
					     : t->niceness < 0 && t->niceness < victim->niceness)
		explanation_sentence_add_priority(t, out);
}

static void explanation_sentence_add_threads(const struct explanation *e, const struct finding *f, struct str *out)
{
	if (f->victim_count > 2 && !f->others) {
		str_addf(out, "%zu threads of ", f->victim_count);
		explanation_process(e, f->victims[0].thread, out);
		return;
	}
	explanation_thread(e, f->victims[0].thread, out);
	if (f->victim_count == 2) {
		str_puts(out, " and ");
		explanation_thread(e, f->victims[1].thread, out);
	} else if (f->victim_count > 2) {
		str_addf(out, " and %zu others", f->victim_count - 1);
	}
}

/* Of one program that was recorded, the headline says whose it is. */
static void explanation_sentence_add_owner(const struct explanation *e, uint32_t thread, uint32_t beside,
					   struct str *out)
{
	if (e->machine)
		explanation_owner(e, thread, beside, out);
}

static void explanation_sentence_add_victims(const struct explanation *e, const struct finding *f, struct str *out)
{
	explanation_sentence_add_threads(e, f, out);
	explanation_sentence_add_owner(e, f->victims[0].thread, HISTORY_NONE, out);
}

/* ", up to 150 ms, 3 times, every 5 s", ", up to 290 ms, 18 times, in bursts every 510 ms" */
static void explanation_sentence_add_amounts(const struct finding *f, struct str *out)
{
	str_puts(out, f->count > 1 ? ", up to " : ", ");
	duration_add(out, f->longest_ns);
	if (f->count < 2)
		return;
	str_puts(out, ", ");
	number_add(out, f->count);
	str_puts(out, !f->period_ns            ? " times, "
		      : f->episodes < f->count ? " times, in bursts every "
					       : " times, every ");
	if (!f->period_ns && finding_has_others(f))
		str_puts(out, "with shorter ones ");
	duration_add(out, f->period_ns ? f->period_ns : finding_has_others(f) ? f->whole_ns : f->total_ns);
	if (!f->period_ns)
		str_puts(out, " in all");
}

static void explanation_sentence_add_function(const struct explanation *e, struct frames_function f, struct str *out)
{
	if (f.text == UINT32_MAX)
		return;
	str_puts(out, ": ");
	explanation_function(e, f, out);
}

/* "VM_GenCollectForAllocation::doit", "VM_ParallelGCFailedAllocation::doit" */
static bool is_collection(const struct explanation *e, const struct finding *f)
{
	static const char *const words[] = { "Collect", "GC", "VM_Z", "VM_X", "VM_Shenandoah" };
	const char *operation;

	if (f->function.text == UINT32_MAX)
		return false;
	operation =
		intern_text(&e->names->texts, f->function.caller != UINT32_MAX ? f->function.caller : f->function.text);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strstr(operation, words[i]))
			return true;
	}
	return false;
}

/* Did processes of many names have the CPU, and those of no name for half of the time? */
static bool is_of_many(const struct finding *f)
{
	return f->thieves > f->guilty_count && f->had_ns * 2 < f->total_ns;
}

/* Did others than the guilty ones have the CPU for more than a hundredth of the time? */
static bool explanation_sentence_has_others(const struct finding *f)
{
	return f->thieves > f->guilty_count && (double)f->had_ns * 100 < (double)f->total_ns * 99;
}

/* " (62 % of that time)", if others had the CPU, too */
static void explanation_sentence_add_part(const struct finding *f, struct str *out)
{
	if (!explanation_sentence_has_others(f))
		return;
	str_puts(out, " (");
	percentage_add(out, f->had_ns, f->total_ns);
	str_puts(out, " of that time)");
}

/* "batch-job of batch-job-5413", "9 processes named cc1" */
static void add_thief(const struct explanation *e, const struct finding *f, struct str *out)
{
	struct comms *comms = &e->sideband->comms;

	if (f->guilty_count > 1) {
		str_addf(out, "%zu processes named %s", f->guilty_count,
			 intern_text(&comms->names, e->history->threads[f->guilty].name));
		return;
	}
	if (f->several) {
		explanation_process(e, f->guilty, out);
		return;
	}
	explanation_thread_of(e, f->guilty, out);
	explanation_sentence_add_precedence(e, f, out);
}

/* "refresher"; in another process than the victim, "refresher of shop-10", unless that says no more */
static void explanation_sentence_add_doer(const struct explanation *e, const struct finding *f, struct str *out)
{
	const struct history_thread *t = &e->history->threads[f->guilty];

	if (t->tid != t->pid && t->process != e->history->threads[f->victims[0].thread].process)
		explanation_thread_of(e, f->guilty, out);
	else
		explanation_thread(e, f->guilty, out);
}

/* "ticker: ring_bells > ring_bell" */
static void add_guilty(const struct explanation *e, const struct finding *f, struct str *out)
{
	bool is_thief = f->kind == FINDING_STOLEN || f->kind == FINDING_GAVE_WAY;

	if (f->kind == FINDING_PAUSE && is_collection(e, f))
		str_puts(out, "garbage collection, in ");
	if (is_thief) {
		str_puts(out, is_of_many(f) ? "several programs, above all " : "");
		add_thief(e, f, out);
	} else {
		explanation_sentence_add_doer(e, f, out);
		if (f->kind == FINDING_CROWD || f->kind == FINDING_PINNED)
			explanation_sentence_add_precedence(e, f, out);
		if (f->guilty_count > 1)
			str_addf(out, " and %zu other%s, in turns", f->guilty_count - 1,
				 f->guilty_count == 2 ? "" : "s");
	}
	explanation_sentence_add_owner(e, f->guilty, f->victims[0].thread, out);
	if (is_thief)
		explanation_sentence_add_part(f, out);
	explanation_sentence_add_function(e, f->function, out);
	if (f->parent != HISTORY_NONE) {
		str_puts(out, ", started by ");
		explanation_starter(e, f->parent, out);
		explanation_named(e, f->parent, f->parent_function, ": ", out);
	}
	if (is_thief && explanation_sentence_has_others(f) && !is_of_many(f))
		str_puts(out, ", and others");
}

/* The threads on the path that are not told as victims already. */
static size_t explanation_sentence_path(const struct finding *f, uint32_t path[CAUSE_PATH_MAX])
{
	size_t count = 0;

	for (uint32_t i = 0; i < f->longest.path_count; i++) {
		if (!finding_has_victim(f, f->longest.path[i]))
			path[count++] = f->longest.path[i];
	}
	return count;
}

enum { PATH_NAMED = 2 }; /* more threads on the way are counted */

static void explanation_sentence_add_path(const struct explanation *e, const struct finding *f, struct str *out)
{
	uint32_t path[CAUSE_PATH_MAX];
	size_t count = explanation_sentence_path(f, path), named = count > PATH_NAMED ? 1 : count;
	bool last = f->kind == FINDING_RAN;

	if (f->guilty_count > 1)
		return; /* each of them has another one */
	for (size_t i = 0; i < named; i++) {
		str_puts(out, i ? ", " : last ? ", via " : " (via ");
		explanation_thread(e, path[i], out);
	}
	if (named < count)
		str_addf(out, " and %zu others", count - named);
	if (count && !last)
		str_addc(out, ')');
}

/* "; it waited for a CPU itself (nice 19), 67 % of that time, which batch had: run_batch" */
static void add_lack(const struct explanation *e, const struct finding *f, struct str *out)
{
	if (f->throttled_ns > f->ready_ns) {
		str_addf(out, "; the CPU limit of its control group stopped it, %.0f %% of that time",
			 (double)f->throttled_ns * 100 / (double)f->total_ns);
		return;
	}
	str_puts(out, "; it waited for a CPU itself");
	explanation_sentence_add_niceness(e, f->guilty, out);
	str_addf(out, ", %.0f %% of that time", (double)f->ready_ns * 100 / (double)f->total_ns);
	if (f->by == HISTORY_NONE)
		return;
	str_puts(out, ", which ");
	explanation_thread(e, f->by, out);
	str_puts(out, " had");
	explanation_sentence_add_function(e, f->by_function, out);
}

static bool is_on_one_cpu(const struct explanation *e, const struct finding *f)
{
	return f->cpu != HISTORY_NONE && e->cpus > 1;
}

void explanation_wait(const struct explanation *e, const struct finding *f, struct str *out)
{
	if (f->kind > FINDING_MAYBE && f->kind != FINDING_TURN) {
		str_puts(out, "waited for a CPU");
		explanation_sentence_add_niceness(e, f->victims[0].thread, out);
	} else if (f->wait == WAIT_PAUSE) {
		str_addf(out, "%s stopped by %s", f->victim_count > 1 ? "were" : "was",
			 is_collection(e, f) ? "a GC pause" : "the JVM");
	} else if (f->wish == BLOCK_WISH_GO_ON) {
		str_addf(out, "%s stopped from outside (by a signal, a debugger or a freezer)",
			 f->victim_count > 1 ? "were" : "was");
	} else if (f->wish < sizeof(wishes) / sizeof(*wishes) && wishes[f->wish]) {
		str_puts(out, wishes[f->wish]);
	} else {
		str_puts(out, waits[f->wait]);
	}
}

/* Who kept the guilty thread waiting for an answer, by another finding; NULL: that is not known. */
static const struct finding *explanation_sentence_answerer(const struct explanation *e, const struct finding *f)
{
	for (size_t i = 0; i < e->findings->count; i++) {
		const struct finding *n = &e->findings->items[i];

		if (n->wish == BLOCK_WISH_ANSWER && n->kind < FINDING_MAYBE && finding_has_victim(n, f->guilty))
			return n;
	}
	return NULL;
}

/* ", which waited for the network meanwhile, for handler-7 of eventd-20: answer_cart" */
static void explanation_sentence_add_guilty_wait(const struct explanation *e, const struct finding *f, struct str *out)
{
	const struct finding *answerer = explanation_sentence_answerer(e, f);

	str_addf(out, ", which %s meanwhile", waits[frames_wait_named(e->frames, f->longest.stack)]);
	if (!answerer)
		return;
	str_puts(out, ", for ");
	add_guilty(e, answerer, out);
}

static void explanation_sentence_add_cause(const struct explanation *e, const struct finding *f, struct str *out)
{
	explanation_sentence_add_victims(e, f, out);
	if (is_on_one_cpu(e, f))
		str_addf(out, ", which %s on CPU %u only,", f->cpus_allowed ? "may run" : "ran", f->cpu);
	str_addc(out, ' ');
	explanation_wait(e, f, out);
	explanation_sentence_add_amounts(f, out);
	if ((f->wish == BLOCK_WISH_ANSWER || f->wish == BLOCK_WISH_TURN) && f->site.text != UINT32_MAX) {
		str_puts(out, ", in ");
		explanation_function(e, f->site, out);
	}
	str_puts(out, ": caused by ");
	add_guilty(e, f, out);
	explanation_sentence_add_path(e, f, out);
	if (f->kind == FINDING_NO_CPU)
		add_lack(e, f, out);
	else if (f->kind == FINDING_WAITED)
		explanation_sentence_add_guilty_wait(e, f, out);
	else if (reasons[f->kind])
		str_addf(out, ", %s", reasons[f->kind]);
	if (f->kind == FINDING_WAITED && block_timed_out(e->frames, f->longest.stack))
		str_puts(out, ", until a timeout");
}

static void explanation_sentence_add_hot(const struct explanation *e, const struct finding *f, struct str *out)
{
	const struct history *h = e->history;
	const struct history_thread *t = &h->threads[f->guilty];

	explanation_thread(e, f->guilty, out);
	explanation_sentence_add_owner(e, f->guilty, HISTORY_NONE, out);
	str_addf(out, " used %.2f of a CPU, mostly in ", (double)t->ran_ns / (double)(h->last_ns - h->first_ns));
	explanation_function(e, f->function, out);
	if (!explanation_is_starved(t))
		return;
	str_puts(out, ", and waited for a CPU for ");
	duration_add(out, t->ready_ns);
	explanation_sentence_add_niceness(e, f->guilty, out);
}

/* "3 threads of make-10 gave way (nice 19), up to 90 ms, 58 times, 5.2 s in all, to gzip of gzip-4: deflate" */
static void explanation_sentence_add_gave_way(const struct explanation *e, const struct finding *f, struct str *out)
{
	explanation_sentence_add_victims(e, f, out);
	str_puts(out, " gave way");
	explanation_sentence_add_niceness(e, f->victims[0].thread, out);
	explanation_sentence_add_amounts(f, out);
	str_puts(out, ", to ");
	add_guilty(e, f, out);
}

/* The control group of the thread's process; NULL: not known. */
static const struct owner_group *explanation_sentence_group(const struct explanation *e, uint32_t thread)
{
	return e->sideband ? owned_find(&e->sideband->owned, e->history->threads[thread].pid, UINT64_MAX) : NULL;
}

/* " (0.5 CPUs, pod prod/shop-7f9c)" */
static void explanation_sentence_add_limit(const struct explanation *e, uint32_t thread, struct str *out)
{
	const struct owner_group *group = explanation_sentence_group(e, thread);

	if (!group)
		return;
	str_puts(out, " (");
	owner_add_limit(group, out);
	str_addc(out, ')');
}

/* "3 threads of shop-10 were stopped by the CPU limit of their control group (0.5 CPUs, shop.service), up to 90 ms, 58 times, 5.2 s in all; of
 * shop-10, request-1 ran most: price" */
static void explanation_sentence_add_throttled(const struct explanation *e, const struct finding *f, struct str *out)
{
	explanation_sentence_add_threads(e, f, out);
	str_puts(out, f->victim_count > 1 ? " were stopped by the CPU limit of their control group"
					  : " was stopped by the CPU limit of its control group");
	explanation_sentence_add_limit(e, f->guilty, out);
	explanation_sentence_add_amounts(f, out);
	str_puts(out, "; of ");
	explanation_process(e, f->guilty, out);
	str_puts(out, ", ");
	explanation_thread(e, f->guilty, out);
	str_puts(out, " ran most");
	explanation_sentence_add_function(e, f->function, out);
}

/* What threads may wait for that wait for no known thread. */
static const char *explanation_sentence_elsewhere(const struct finding *f)
{
	return f->wait == WAIT_NETWORK ? "for the network" : "for another process";
}

/* "4 threads of shop-10 may be waiting for work: 75 % of their time, up to 380 ms, 64 times, 18 s in all, in take_order;
 * if not, for worker-1: fetch, which slept meanwhile" */
static void explanation_sentence_add_maybe(const struct explanation *e, const struct finding *f, struct str *out)
{
	static const char *const did[] = {
		[CAUSE_SLEPT] = ", which slept meanwhile",
		[CAUSE_IO] = ", which waited for a device meanwhile",
		[CAUSE_NO_CPU] = ", which waited for a CPU meanwhile",
		[CAUSE_PROCESS] = ", which waited for another process meanwhile",
	};
	bool asked = f->wish == BLOCK_WISH_ANSWER;

	explanation_sentence_add_victims(e, f, out);
	str_addf(out, " %s %.0f %% of %s time", asked ? "waited for an answer," : "may be waiting for work:",
		 (double)f->total_ns * 100 / (double)f->lived_ns, f->victim_count > 1 ? "their" : "its");
	explanation_sentence_add_amounts(f, out);
	if (f->site.text != UINT32_MAX) {
		str_puts(out, ", in ");
		explanation_function(e, f->site, out);
	}
	if (asked)
		return;
	str_puts(out, "; if not, ");
	if (f->longest.guilty == f->longest_victim) {
		str_puts(out, explanation_sentence_elsewhere(f));
		return;
	}
	str_puts(out, f->wish == BLOCK_WISH_PYTHON ? "for a lock of " : "for ");
	add_guilty(e, f, out);
	explanation_sentence_add_path(e, f, out);
	if (f->longest.kind < sizeof(did) / sizeof(*did) && did[f->longest.kind])
		str_puts(out, did[f->longest.kind]);
}

/* Is this the beginning of a line, or of an item of a list, "1. "? */
static bool explanation_sentence_begins(const struct str *out)
{
	return !out->len || out->buf[out->len - 1] == '\n' ||
	       (out->len > 1 && !memcmp(out->buf + out->len - 2, ". ", 2));
}

/* "The event loop of node-10 was blocked, up to 119 ms, 2 times, 220 ms in all, by buildReport (app.js:18)"; or, if it always had
 * events, so that the ends of its turns do not show: "The event loop of node-10 ran without a pause for 9.98 s, mostly in
 * handle (app.js:7)" */
static void explanation_sentence_add_turn(const struct explanation *e, const struct finding *f, struct str *out)
{
	str_puts(out, explanation_sentence_begins(out) ? "The" : "the");
	str_puts(out, " event loop of ");
	explanation_thread(e, f->guilty, out);
	explanation_sentence_add_owner(e, f->guilty, HISTORY_NONE, out);
	if (f->longest_ns * 2 < e->history->last_ns - e->history->first_ns) {
		str_puts(out, " was blocked");
		explanation_sentence_add_amounts(f, out);
		str_puts(out, ", by ");
	} else {
		str_puts(out, " ran without a pause for ");
		duration_add(out, f->longest_ns);
		str_puts(out, ", mostly in ");
	}
	explanation_function(e, f->function, out);
	if (f->wait != WAIT_UNKNOWN)
		str_addf(out, ", which %s meanwhile", waits[f->wait]);
	else if (finding_lacked_cpu(f))
		add_lack(e, f, out);
}

/* Did the victims wait for devices themselves, rather than for a thread that did? */
static bool explanation_sentence_is_own(const struct finding *f)
{
	return !f->longest.path_count && f->guilty_count == f->victim_count && finding_has_victim(f, f->guilty);
}

/* "3 threads of db-10 waited for a device, up to 12.9 ms, 133 times, 727 ms in all, in append; meanwhile checkpoint waited
 * for one, too: save_checkpoint" */
static void explanation_sentence_add_device(const struct explanation *e, const struct finding *f, struct str *out)
{
	const struct cause *c = &f->longest;
	struct device_rival rival =
		device_rival_find(e->history, e->frames, f->longest_victim, f, c->from_ns, c->to_ns);

	explanation_sentence_add_victims(e, f, out);
	str_puts(out, f->wait == WAIT_FAULT ? " waited for pages of memory" : " waited for a device");
	explanation_sentence_add_amounts(f, out);
	str_puts(out, ", in ");
	explanation_function(e, f->function, out);
	if (rival.thread == HISTORY_NONE || rival.ns * 2 < c->to_ns - c->from_ns)
		return;
	str_puts(out, "; meanwhile ");
	explanation_thread(e, rival.thread, out);
	explanation_sentence_add_owner(e, rival.thread, f->guilty, out);
	str_puts(out, " waited for one, too");
	explanation_sentence_add_function(e, frames_function(e->frames, rival.stack), out);
}

void explanation_sentence(const struct explanation *e, const struct finding *f, struct str *out)
{
	switch (f->kind) {
	case FINDING_HOT: explanation_sentence_add_hot(e, f, out); break;
	case FINDING_TREE:
	case FINDING_CHILD:
	case FINDING_PIPE:
	case FINDING_FORKS: explanation_of_command(e, f, out); break;
	case FINDING_GAVE_WAY: explanation_sentence_add_gave_way(e, f, out); break;
	case FINDING_THROTTLED: explanation_sentence_add_throttled(e, f, out); break;
	case FINDING_MAYBE: explanation_sentence_add_maybe(e, f, out); break;
	case FINDING_SHORT:
		explanation_sentence_add_victims(e, f, out);
		str_puts(out, " waited for a device");
		explanation_sentence_add_amounts(f, out);
		str_puts(out, ", while memory was short; ");
		explanation_thread(e, f->guilty, out);
		explanation_sentence_add_owner(e, f->guilty, f->victims[0].thread, out);
		str_puts(out, " took most new memory: ");
		explanation_function(e, f->function, out);
		break;
	case FINDING_STUCK:
		explanation_sentence_add_victims(e, f, out);
		str_puts(out, " waited for a lock until the end of the recording, ");
		duration_add(out, f->longest_ns);
		str_puts(out, ", and did not get it: ");
		explanation_function(e, f->site, out);
		break;
	case FINDING_TURN: explanation_sentence_add_turn(e, f, out); break;
	case FINDING_WAKER:
		explanation_thread(e, f->guilty, out);
		explanation_sentence_add_owner(e, f->guilty, HISTORY_NONE, out);
		str_puts(out, " woke others ");
		number_add(out, f->count);
		str_puts(out, " times");
		if (f->function.text != UINT32_MAX) {
			str_puts(out, ", in ");
			explanation_function(e, f->function, out);
		}
		break;
	case FINDING_IO:
		if (explanation_sentence_is_own(f)) {
			explanation_sentence_add_device(e, f, out);
			break;
		} /* fall through */
	default: explanation_sentence_add_cause(e, f, out);
	}
}

/* Append when the guilty thread caused the wait. */
static const char *explanation_sentence_meanwhile(const struct finding *f)
{
	if (f->wait == WAIT_GIL || f->wish == BLOCK_WISH_GIL)
		return "while it holds the GIL";
	return f->wait == WAIT_LOCK ? "while it holds the lock" : "while others wait for it";
}

/* Append the files of the control group that stopped the thread: "cpu.max and cpu.stat of the control group". */
static void explanation_sentence_add_files(const struct explanation *e, uint32_t thread, struct str *out)
{
	static const char *const files[] = { "the CPU limit", "cpu.cfs_quota_us", "cpu.max" };
	const struct owner_group *group = explanation_sentence_group(e, thread);
	unsigned version = group ? group->limit_version : 0;

	str_addf(out, "%s and cpu.stat of the control group",
		 files[version < sizeof(files) / sizeof(*files) ? version : 0]);
}

/* Append what to look at; before and after are the words around the function, or the thread. */
static void advice_of(const struct explanation *e, const struct finding *f, const char *parts[2])
{
	static const char *const advice[FINDING_KINDS][2] = {
		[FINDING_RAN] = { "what ", " does " },
		[FINDING_NO_CPU] = { "whether ", " can get a CPU sooner: its priority, the CPUs that it may use, "
						 "the threads that it shares them with" },
		[FINDING_PAUSE] = { "why the JVM needs ", "" },
		[FINDING_SLEPT] = { "why ", " sleeps " },
		[FINDING_IO] = { "what ", " waits for, and whether it must" },
		[FINDING_WAITED] = { "what ", " waits for " },
		[FINDING_MAYBE] = { "whether who waited had work meanwhile; what ", " does" },
		[FINDING_STOLEN] = { "whether ", " may run on these CPUs at this time" },
		[FINDING_PINNED] = { "whether these threads may use other CPUs, too: ", "" },
		[FINDING_CROWD] = { "", ": there is more work than CPUs" },
		[FINDING_TREE] = { "whether ", " can begin sooner, be divided, or be left out" },
		[FINDING_CHILD] = { "what ", " does" },
		[FINDING_FORKS] = { "whether ", " can do this itself, or start one process for many items" },
		[FINDING_PIPE] = { "whether ", " can do less, or be divided" },
		[FINDING_GAVE_WAY] = { "the niceness of ", ", if others need it sooner" },
		[FINDING_THROTTLED] = { ", and ", "" },
		[FINDING_SHORT] = { "the limit of memory, and how much ", " needs" },
		[FINDING_STUCK] = { "who has the lock, and whether it waits for these threads: ", "" },
		[FINDING_TURN] = { "whether ", " can be done in parts, or by another thread" },
		[FINDING_HOT] = { "", "" },
		[FINDING_WAKER] = { "whether ", " could wake less often" },
	};
	enum finding_kind kind = is_on_one_cpu(e, f) && f->kind == FINDING_CROWD ? FINDING_PINNED : f->kind;

	parts[0] = advice[kind][0];
	parts[1] = advice[kind][1];
	if (kind == FINDING_PINNED && is_on_one_cpu(e, f) && f->cpus_allowed)
		parts[0] = "why these threads may use one CPU only (taskset, cpuset): ";
	else if (kind == FINDING_PINNED && f->cpus_allowed)
		parts[0] = "why the kernel left these threads there, which may use other CPUs, too: ";
	if (kind == FINDING_NO_CPU && f->throttled_ns > f->ready_ns) {
		parts[0] = " of ";
		parts[1] = "";
	} else if (kind == FINDING_RAN && f->wish == BLOCK_WISH_MAP) {
		parts[0] = "how often ";
		parts[1] = " changes the memory map";
	} else if (kind == FINDING_MAYBE && f->wish == BLOCK_WISH_ANSWER) {
		parts[0] = "who answers ";
		parts[1] = ", and why this late";
	} else if (kind == FINDING_MAYBE && f->longest.guilty == f->longest_victim) {
		parts[1] = " waits for";
	} else if (kind == FINDING_STOLEN && is_of_many(f)) {
		parts[0] = "whether all of this must run on these CPUs at this time, above all ";
		parts[1] = "";
	}
}

void explanation_advice(const struct explanation *e, const struct finding *f, struct str *out)
{
	const char *parts[2];

	advice_of(e, f, parts);
	if (is_on_one_cpu(e, f) && f->kind == FINDING_STOLEN)
		str_addf(out,
			 f->cpus_allowed ? "why who waited may use CPU %u only (taskset, cpuset); "
					 : "whether who waited may use other CPUs than CPU %u; ",
			 f->cpu);
	if (f->kind == FINDING_THROTTLED || (f->kind == FINDING_NO_CPU && f->throttled_ns > f->ready_ns)) {
		explanation_sentence_add_files(e, f->guilty, out);
	} else if (f->kind == FINDING_NO_CPU && f->function.text != UINT32_MAX) {
		str_puts(out, "what ");
		explanation_function(e, f->function, out);
		str_addf(out, " does %s, and ", explanation_sentence_meanwhile(f));
	}
	str_puts(out, parts[0]);
	if (f->kind == FINDING_STOLEN)
		str_puts(out, intern_text(&e->sideband->comms.names, e->history->threads[f->guilty].name));
	else if (f->kind == FINDING_GAVE_WAY)
		explanation_thread(e, f->longest_victim, out);
	else if (f->kind == FINDING_TREE && f->guilty_count > 1)
		str_puts(out, intern_text(&e->sideband->comms.names, e->history->threads[f->guilty].name));
	else if (f->kind == FINDING_TREE)
		explanation_command(e, f->guilty, out);
	else if (f->kind == FINDING_NO_CPU || f->kind == FINDING_PIPE || f->kind == FINDING_FORKS ||
		 f->function.text == UINT32_MAX)
		explanation_thread(e, f->guilty, out);
	else
		explanation_function(e, f->function, out);
	str_puts(out, parts[1]);
	if (f->kind == FINDING_PAUSE)
		leaders_add_allocator(e->leaders, e, e->history->threads[f->guilty].process, out);
	if (f->wish != BLOCK_WISH_MAP &&
	    (f->kind == FINDING_RAN || f->kind == FINDING_SLEPT || f->kind == FINDING_WAITED))
		str_puts(out, explanation_sentence_meanwhile(f));
	if (f->kind == FINDING_WAITED && f->longest.kind == CAUSE_OUTSIDE && !e->machine &&
	    !explanation_sentence_answerer(e, f))
		str_puts(out, "; a recording of the machine (-a) tells who answers late, if it is there");
}
