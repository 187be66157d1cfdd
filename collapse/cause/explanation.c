#include "collapse/cause/explanation.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* What is said of the victims. */
static const char *const waits[] = {
	[WAIT_UNKNOWN] = "waited",         [WAIT_ANOTHER_THREAD] = "waited for another thread",
	[WAIT_IO] = "waited for a device", [WAIT_SLEEP] = "slept",
	[WAIT_LOCK] = "waited for a lock", [WAIT_CHILD] = "waited for another process",
	[WAIT_WORK] = "waited for work",
};

/* ... and of the guilty one. */
static const char *const reasons[FINDING_KINDS] = {
	[FINDING_RAN] = "which ran meanwhile",
	[FINDING_SLEPT] = "which slept meanwhile",
	[FINDING_IO] = "which waited for a device meanwhile",
	[FINDING_NO_CPU] = "which got no CPU meanwhile",
	[FINDING_STOLEN] = "of another process, which had it",
	[FINDING_PINNED] = "which had it, while another CPU was idle",
	[FINDING_CROWD] = "which had it",
};

size_t explanation_count(const struct explanation *e)
{
	double least = (double)(e->history->last_ns - e->history->first_ns) / 1e9 / 100;
	size_t count = 0;

	while (count < e->shown && count < e->findings->count && e->findings->items[count].score >= least)
		count++;
	return count;
}

void explanation_thread(const struct explanation *e, uint32_t thread, struct str *out)
{
	const struct history_thread *t = &e->history->threads[thread];
	struct sideband *s = e->sideband;

	str_puts(out, intern_text(&s->comms.names,
				  thread_name_last(&s->thread_names, &s->comms, t->pid, t->tid, UINT64_MAX)));
}

void explanation_process(const struct explanation *e, uint32_t thread, struct str *out)
{
	const struct history_thread *t = &e->history->threads[thread];
	struct comms *comms = &e->sideband->comms;

	str_addf(out, "%s-%d", intern_text(&comms->names, comms_last(comms, t->pid, UINT64_MAX)), t->pid);
}

/* Without what it is annotated with: "_[i]". */
static void add_name(const struct explanation *e, uint32_t text, struct str *out)
{
	const char *name = intern_text(&e->names->texts, text);
	size_t len = intern_len(&e->names->texts, text);

	str_add(out, name, len > 4 && name[len - 1] == ']' && !memcmp(name + len - 4, "_[", 2) ? len - 4 : len);
}

void explanation_function(const struct explanation *e, struct frames_function f, struct str *out)
{
	if (f.text == UINT32_MAX) {
		str_puts(out, "[unknown function]");
		return;
	}
	if (f.caller != UINT32_MAX) {
		add_name(e, f.caller, out);
		str_puts(out, " > ");
	}
	add_name(e, f.text, out);
}

static void add_victims(const struct explanation *e, const struct finding *f, struct str *out)
{
	explanation_thread(e, f->victims[0].thread, out);
	if (f->victim_count == 2) {
		str_puts(out, " and ");
		explanation_thread(e, f->victims[1].thread, out);
	} else if (f->victim_count > 2) {
		str_addf(out, " and %zu others", f->victim_count - 1);
	}
}

/* "ticker: ring_bells > ring_bell" */
static void add_guilty(const struct explanation *e, uint32_t thread, struct frames_function function, struct str *out)
{
	explanation_thread(e, thread, out);
	str_puts(out, ": ");
	explanation_function(e, function, out);
}

static void add_cause(const struct explanation *e, const struct finding *f, struct str *out)
{
	add_victims(e, f, out);
	str_addf(out, " %s, caused by ", f->kind > FINDING_NO_CPU ? "waited for a CPU" : waits[f->wait]);
	if (f->kind == FINDING_NO_CPU)
		explanation_thread(e, f->guilty, out);
	else
		add_guilty(e, f->guilty, f->function, out);
	str_addf(out, ", %s", reasons[f->kind]);
	if (f->kind != FINDING_NO_CPU)
		return;
	if (f->by == HISTORY_NONE) {
		str_puts(out, ": several others had it");
		return;
	}
	str_puts(out, ": ");
	add_guilty(e, f->by, f->function, out);
	str_puts(out, " had it");
}

void explanation_headline(const struct explanation *e, const struct finding *f, struct str *out)
{
	switch (f->kind) {
	case FINDING_HOT:
		explanation_thread(e, f->guilty, out);
		str_puts(out, " spent most of its time in ");
		explanation_function(e, f->function, out);
		break;
	case FINDING_WAKER:
		explanation_thread(e, f->guilty, out);
		str_addf(out, " woke others %llu times, in ", (unsigned long long)f->count);
		explanation_function(e, f->function, out);
		break;
	case FINDING_IO:
		if (f->victim_count == 1 && f->victims[0].thread == f->guilty) {
			explanation_thread(e, f->guilty, out);
			str_puts(out, " waited for a device, in ");
			explanation_function(e, f->function, out);
			break;
		} /* fall through */
	default: add_cause(e, f, out);
	}
}

size_t explanation_cpus(const struct explanation *e)
{
	return e->history->cpu_count;
}

uint64_t explanation_ran(const struct explanation *e, uint32_t thread)
{
	const struct history *h = e->history;
	uint64_t ns = 0;

	for (size_t i = 0; i < h->count; i++) {
		if (h->threads[i].tid && (thread == HISTORY_NONE || h->threads[i].pid == h->threads[thread].pid))
			ns += h->threads[i].ran_ns;
	}
	return ns;
}

uint32_t explanation_busiest(const struct explanation *e)
{
	const struct history *h = e->history;
	uint32_t busiest = HISTORY_NONE;
	struct map by_pid = { 0 };
	uint64_t *ran = xcalloc(h->count + 1, sizeof(*ran)), most = 0;

	for (uint32_t i = 0; i < h->count; i++) {
		uint32_t *number = map_at(&by_pid, (uint64_t)(uint32_t)h->threads[i].pid, 0);

		if (!*number)
			*number = i + 1;
		ran[*number - 1] += h->threads[i].tid ? h->threads[i].ran_ns : 0;
		if (ran[*number - 1] > most) {
			most = ran[*number - 1];
			busiest = *number - 1;
		}
	}
	map_free(&by_pid);
	free(ran);
	return busiest;
}
