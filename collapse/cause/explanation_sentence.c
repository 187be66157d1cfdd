#include "collapse/cause/explanation.h"
#include "core/amount.h"

/* What is said of the victims. */
static const char *const waits[WAIT_KINDS] = {
	[WAIT_UNKNOWN] = "waited",
	[WAIT_ANOTHER_THREAD] = "waited for another thread",
	[WAIT_IO] = "waited for a device",
	[WAIT_FAULT] = "waited for pages of memory",
	[WAIT_SLEEP] = "slept",
	[WAIT_LOCK] = "waited for a lock",
	[WAIT_PROCESS] = "waited for another process",
	[WAIT_NETWORK] = "waited for the network",
	[WAIT_PAUSE] = "had to stop for their JVM",
	[WAIT_WORK] = "waited for work",
};

/* ... and of the guilty one; NULL: that it caused it says all. */
static const char *const reasons[FINDING_KINDS] = {
	[FINDING_SLEPT] = "which slept meanwhile", [FINDING_IO] = "which waited for a device meanwhile",
	[FINDING_STOLEN] = "which had it",         [FINDING_PINNED] = "which had it, while another CPU was idle",
	[FINDING_CROWD] = "which had it",
};

static void explanation_sentence_add_victims(const struct explanation *e, const struct finding *f, struct str *out)
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

/* ", up to 150 ms, 3 times, every 5 s" */
static void explanation_sentence_add_amounts(const struct finding *f, struct str *out)
{
	str_puts(out, f->count > 1 ? ", up to " : ", ");
	duration_add(out, f->longest_ns);
	if (f->count < 2)
		return;
	str_puts(out, ", ");
	number_add(out, f->period_ns ? f->episodes : f->count);
	str_puts(out, f->period_ns ? " times, every " : " times, ");
	duration_add(out, f->period_ns ? f->period_ns : f->total_ns);
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

/* "batch-job of batch-job-5413", "9 processes named cc1" */
static void add_thief(const struct explanation *e, const struct finding *f, struct str *out)
{
	struct comms *comms = &e->sideband->comms;

	if (f->guilty_count > 1) {
		str_addf(out, "%zu processes named %s", f->guilty_count,
			 intern_text(&comms->names, e->history->threads[f->guilty].name));
		return;
	}
	explanation_thread(e, f->guilty, out);
	str_puts(out, " of ");
	explanation_process(e, f->guilty, out);
}

/* "ticker: ring_bells > ring_bell" */
static void add_guilty(const struct explanation *e, const struct finding *f, struct str *out)
{
	if (f->kind == FINDING_PAUSE && is_collection(e, f))
		str_puts(out, "garbage collection, in ");
	if (f->kind == FINDING_STOLEN) {
		add_thief(e, f, out);
	} else {
		explanation_thread(e, f->guilty, out);
		if (f->guilty_count > 1)
			str_addf(out, " and %zu other%s, in turns", f->guilty_count - 1,
				 f->guilty_count == 2 ? "" : "s");
	}
	explanation_sentence_add_function(e, f->function, out);
	if (f->kind == FINDING_STOLEN && f->thieves > f->guilty_count)
		str_puts(out, ", and others");
}

static void explanation_sentence_add_path(const struct explanation *e, const struct finding *f, struct str *out)
{
	bool last = f->kind == FINDING_RAN;

	for (uint32_t i = 0; i < f->longest.path_count; i++) {
		str_puts(out, i ? ", " : last ? ", via " : " (via ");
		explanation_thread(e, f->longest.path[i], out);
	}
	if (f->longest.path_count && !last)
		str_addc(out, ')');
}

/* ", which got a CPU for 33 % of the time: batch: run_batch had it" */
static void add_lack(const struct explanation *e, const struct finding *f, struct str *out)
{
	double percent = (double)f->ran_ns * 100 / (double)(f->ran_ns + f->ready_ns);

	if (percent < 1)
		str_puts(out, ", which got hardly any CPU: ");
	else
		str_addf(out, ", which got a CPU for only %.0f%% of the time: ", percent);
	if (f->by == HISTORY_NONE) {
		str_puts(out, "others had it");
		return;
	}
	explanation_thread(e, f->by, out);
	explanation_sentence_add_function(e, f->by_function, out);
	str_puts(out, " had it");
}

static bool is_on_one_cpu(const struct explanation *e, const struct finding *f)
{
	return f->cpu != HISTORY_NONE && e->cpus > 1;
}

static void explanation_sentence_add_cause(const struct explanation *e, const struct finding *f, struct str *out)
{
	explanation_sentence_add_victims(e, f, out);
	if (is_on_one_cpu(e, f))
		str_addf(out, ", which ran on CPU %u only,", f->cpu);
	str_addf(out, " %s", f->kind > FINDING_IO ? "waited for a CPU" : waits[f->wait]);
	explanation_sentence_add_amounts(f, out);
	str_puts(out, ": caused by ");
	add_guilty(e, f, out);
	explanation_sentence_add_path(e, f, out);
	if (f->kind == FINDING_NO_CPU)
		add_lack(e, f, out);
	else if (reasons[f->kind])
		str_addf(out, ", %s", reasons[f->kind]);
}

static void explanation_sentence_add_hot(const struct explanation *e, const struct finding *f, struct str *out)
{
	const struct history *h = e->history;
	const struct history_thread *t = &h->threads[f->guilty];

	explanation_thread(e, f->guilty, out);
	str_addf(out, " used %.2f of a CPU, mostly in ", (double)t->ran_ns / (double)(h->last_ns - h->first_ns));
	explanation_function(e, f->function, out);
	if (!explanation_is_starved(t))
		return;
	str_puts(out, ", and waited for a CPU for ");
	duration_add(out, t->ready_ns);
}

void explanation_sentence(const struct explanation *e, const struct finding *f, struct str *out)
{
	switch (f->kind) {
	case FINDING_HOT: explanation_sentence_add_hot(e, f, out); break;
	case FINDING_WAKER:
		explanation_thread(e, f->guilty, out);
		str_puts(out, " woke others ");
		number_add(out, f->count);
		str_puts(out, " times, in ");
		explanation_function(e, f->function, out);
		break;
	case FINDING_IO:
		if (f->victim_count == 1 && f->victims[0].thread == f->guilty) {
			explanation_thread(e, f->guilty, out);
			str_puts(out, " waited for a device");
			explanation_sentence_add_amounts(f, out);
			str_puts(out, ", in ");
			explanation_function(e, f->function, out);
			break;
		} /* fall through */
	default: explanation_sentence_add_cause(e, f, out);
	}
}

void explanation_advice(const struct explanation *e, const struct finding *f, struct str *out)
{
	static const char *const advice[FINDING_KINDS] = {
		[FINDING_RAN] = "what %s does while it holds what others need",
		[FINDING_NO_CPU] = "whether %s can get a CPU sooner: priorities, CPU affinity",
		[FINDING_PAUSE] =
			"why the JVM needs %s; for garbage collection, who allocates (pyrograph collect alloc)",
		[FINDING_SLEPT] = "why %s sleeps while it holds what others need",
		[FINDING_IO] = "what %s waits for, and whether it must",
		[FINDING_STOLEN] = "whether %s may run on these CPUs at this time",
		[FINDING_PINNED] = "the CPU affinity of these threads: %s",
		[FINDING_CROWD] = "%s: there is more work than CPUs",
		[FINDING_HOT] = "%s",
		[FINDING_WAKER] = "whether %s could wake less often",
	};
	bool pinned = is_on_one_cpu(e, f);
	const char *text = advice[pinned && f->kind == FINDING_CROWD ? FINDING_PINNED : f->kind];
	const char *split = strstr(text, "%s");

	if (pinned && f->kind == FINDING_STOLEN)
		str_addf(out, "why the threads that waited stay on CPU %u; ", f->cpu);
	str_add(out, text, (size_t)(split - text));
	if (f->kind == FINDING_STOLEN)
		str_puts(out, intern_text(&e->sideband->comms.names, e->history->threads[f->guilty].name));
	else if (f->kind == FINDING_NO_CPU || f->function.text == UINT32_MAX)
		explanation_thread(e, f->guilty, out);
	else
		explanation_function(e, f->function, out);
	str_puts(out, split + 2);
}
