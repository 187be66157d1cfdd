#include "collapse/cause/explanation.h"

#include <string.h>

#include "collapse/cause/function_text.h"

size_t explanation_count(const struct explanation *e)
{
	return e->findings->count < e->shown ? e->findings->count : e->shown;
}

static uint32_t explanation_name(const struct explanation *e, const struct history_thread *t)
{
	struct sideband *s = e->sideband;

	return thread_name_last(&s->thread_names, &s->comms, t->pid, t->tid, UINT64_MAX);
}

/* All threads of a Python process, for example, have its name; and many processes are called bash. */
static bool explanation_shares_name(const struct explanation *e, const struct history_thread *t, uint32_t name)
{
	for (size_t i = 0; i < e->history->count; i++) {
		const struct history_thread *other = &e->history->threads[i];
		bool alike = other->pid == t->pid || (t->tid == t->pid && other->tid == other->pid);

		if (alike && other->tid != t->tid && explanation_name(e, other) == name)
			return true;
	}
	return false;
}

static void explanation_add_name(const struct explanation *e, uint32_t thread, struct str *out)
{
	str_puts(out, intern_text(&e->sideband->comms.names, explanation_name(e, &e->history->threads[thread])));
}

void explanation_thread(const struct explanation *e, uint32_t thread, struct str *out)
{
	const struct history_thread *t = &e->history->threads[thread];

	explanation_add_name(e, thread, out);
	if (explanation_shares_name(e, t, explanation_name(e, t)))
		str_addf(out, "-%d", t->tid);
}

void explanation_thread_of(const struct explanation *e, uint32_t thread, struct str *out)
{
	struct str name = { 0 }, process = { 0 };

	explanation_thread(e, thread, &name);
	explanation_process(e, thread, &process);
	if (strcmp(str_text(&name), str_text(&process)) == 0) { /* "gzip-4 of gzip-4" */
		str_clear(&name);
		explanation_add_name(e, thread, &name);
	}
	str_addf(out, "%s of %s", str_text(&name), str_text(&process));
	str_free(&name);
	str_free(&process);
}

void explanation_process(const struct explanation *e, uint32_t thread, struct str *out)
{
	const struct history_thread *t = &e->history->threads[thread];
	struct comms *comms = &e->sideband->comms;

	str_addf(out, "%s-%d", intern_text(&comms->names, comms_last(comms, t->pid, UINT64_MAX)), t->pid);
}

static void explanation_add_owner(const struct explanation *e, uint32_t thread, struct str *out)
{
	const struct history_thread *t = &e->history->threads[thread];
	struct comms *comms = &e->sideband->comms;
	const struct owner_group *group = owned_find(&e->sideband->owned, t->pid, UINT64_MAX);

	if (group)
		owner_add_words(group, intern_text(&comms->names, comms_last(comms, t->pid, UINT64_MAX)), out);
}

void explanation_owner(const struct explanation *e, uint32_t thread, uint32_t beside, struct str *out)
{
	struct str owner = { 0 }, other = { 0 };

	explanation_add_owner(e, thread, &owner);
	if (beside != HISTORY_NONE)
		explanation_add_owner(e, beside, &other);
	if (owner.len && strcmp(owner.buf, str_text(&other)) != 0)
		str_addf(out, " (%s)", owner.buf);
	str_free(&owner);
	str_free(&other);
}

void explanation_function(const struct explanation *e, struct frames_function f, struct str *out)
{
	struct str caller = { 0 }, name = { 0 };

	if (f.text == UINT32_MAX) {
		str_puts(out, "[unknown function]");
		return;
	}
	function_text_add(e->names, f.text, &name);
	if (f.caller != UINT32_MAX)
		function_text_add(e->names, f.caller, &caller);
	str_puts(out, str_text(&name));
	stripped_tell(&e->frames->stripped, e->names, f.text, out);
	if (caller.len && strcmp(str_text(&caller), str_text(&name)) != 0)
		str_addf(out, " (called by %s)", str_text(&caller));
	str_free(&caller);
	str_free(&name);
}

uint64_t explanation_ran(const struct explanation *e, uint32_t thread)
{
	const struct history *h = e->history;
	bool sampled = headline_is_of_cpu(e);
	uint64_t ns = 0;

	for (size_t i = 0; i < h->count; i++) {
		if (h->threads[i].tid && !h->threads[i].recorder &&
		    (thread == HISTORY_NONE || h->threads[i].pid == h->threads[thread].pid))
			ns += sampled ? h->threads[i].sampled_ns : h->threads[i].ran_ns;
	}
	return ns;
}

uint64_t explanation_recorder(const struct explanation *e)
{
	const struct history *h = e->history;
	uint64_t own = 0;

	for (size_t i = 0; i < h->count; i++)
		own += h->threads[i].recorder ? h->threads[i].samples.count : 0;
	return h->samples.count ? (own * 100 + h->samples.count / 2) / h->samples.count : 0;
}

double explanation_recorder_cpus(const struct explanation *e)
{
	static const double least = 0.05;
	const struct history *h = e->history;
	double cpus;
	uint64_t ns = 0;

	for (size_t i = 0; i < h->count; i++)
		ns += h->threads[i].recorder ? h->threads[i].ran_ns : 0;
	cpus = h->last_ns > h->first_ns ? (double)ns / (double)(h->last_ns - h->first_ns) : 0;
	return e->machine && cpus >= least ? cpus : 0;
}
