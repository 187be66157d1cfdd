#include <stdlib.h>
#include <string.h>

#include "collapse/cause/explanation.h"
#include "collapse/cause/function_text.h"
#include "core/amount.h"
#include "core/format/picture.h"
#include "core/memory.h"

/* ---- who used the CPUs most ------------------------------------------------------------- */

/* The processes of one name, added up, since those of a build do the same work. */
struct cpu_user {
	uint32_t name;        /* as in history_thread, or HISTORY_NONE: nobody ran */
	uint32_t process;     /* the process that ran most, by its first thread */
	size_t count;         /* of processes */
	uint64_t samples, ns; /* in ns, by the scheduler, else by samples of a clock; 0: the event is not a clock */
	uint32_t thread;      /* the thread that has more than half of the process's time; HISTORY_NONE: none has, or it
			       * is the only thread */
};

static bool headline_cpu_counts(const struct history_thread *t)
{
	return t->tid && !t->recorder && t->samples.count;
}

/* How long the process had a CPU.  All sentences use this number, since one from samples would differ. */
static uint64_t headline_cpu_ran(const struct explanation *e, const struct history_thread *t)
{
	return headline_is_of_cpu(e) ? t->sampled_ns : t->ran_ns;
}

/* Samples by process, by its first thread. */
static uint64_t *headline_cpu_by_process(const struct history *h)
{
	uint64_t *samples = xcalloc(h->count + 1, sizeof(*samples));

	for (size_t i = 0; i < h->count; i++)
		samples[h->threads[i].process] += headline_cpu_counts(&h->threads[i]) ? h->threads[i].samples.count : 0;
	return samples;
}

/* The name whose processes have most samples. */
static uint32_t headline_cpu_name(const struct history *h, const uint64_t *samples)
{
	uint64_t most = 0;
	uint32_t name = HISTORY_NONE;

	for (size_t i = 0; i < h->count; i++) {
		uint64_t sum = 0;

		for (size_t k = i; samples[i] && k < h->count; k++)
			sum += h->threads[k].name == h->threads[i].name ? samples[k] : 0;
		if (sum > most) {
			most = sum;
			name = h->threads[i].name;
		}
	}
	return name;
}

static struct cpu_user headline_cpu_user(const struct explanation *e)
{
	const struct history *h = e->history;
	uint64_t *samples = headline_cpu_by_process(h);
	struct cpu_user u = { .name = headline_cpu_name(h, samples), .thread = HISTORY_NONE };
	size_t threads = 0;

	for (uint32_t i = 0; i < h->count; i++) {
		const struct history_thread *t = &h->threads[i];

		if (t->name != u.name)
			continue;
		if (samples[i] && (!u.count++ || samples[i] > samples[u.process]))
			u.process = i;
		u.ns += t->tid && !t->recorder ? headline_cpu_ran(e, t) : 0;
		if (!headline_cpu_counts(t))
			continue;
		threads++;
		u.samples += t->samples.count;
	}
	for (uint32_t i = 0; threads > 1 && i < h->count; i++) {
		if (h->threads[i].name == u.name && headline_cpu_counts(&h->threads[i]) &&
		    h->threads[i].samples.count * 2 > u.samples)
			u.thread = i;
	}
	free(samples);
	return u;
}

static uint64_t headline_cpu_all(const struct history *h, bool ns)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->count; i++) {
		if (headline_cpu_counts(&h->threads[i]))
			sum += ns ? h->threads[i].sampled_ns : h->threads[i].samples.count;
	}
	return sum;
}

/* ---- in which function ------------------------------------------------------------------ */

struct cpu_function {
	struct frames_function function;
	uint64_t samples, with_callees;
};

/* Count how many samples of these processes each stack has. */
static uint64_t *headline_cpu_stacks(const struct explanation *e, const struct cpu_user *u)
{
	const struct history *h = e->history;
	uint64_t *counts = xcalloc(e->frames->stacks->count + 1, sizeof(*counts));

	for (size_t i = 0; i < h->samples.count; i++) {
		const struct history_span *s = &h->samples.items[i];

		if (h->threads[s->thread].name == u->name && headline_cpu_counts(&h->threads[s->thread]))
			counts[s->stack]++;
	}
	return counts;
}

/* In how many samples does the function call others, or run itself?  counts: of the samples, by stack. */
static uint64_t headline_cpu_with_callees(const struct explanation *e, const uint64_t *counts,
					  struct frames_function function)
{
	struct str name = { 0 }, other = { 0 };
	uint64_t sum = 0;

	function_text_add(e->names, function.text, &name);
	for (uint32_t i = 0; i < e->frames->stacks->count; i++) {
		bool found = counts[i] && frames_contain(e->frames, i, function.text);

		for (size_t k = 0; counts[i] && !found && k < frames_count(e->frames, i); k++) {
			str_clear(&other);
			function_text_add(e->names, frames_text(e->frames, i, k), &other);
			found = other.len == name.len && !memcmp(other.buf, name.buf, name.len);
		}
		sum += found ? counts[i] : 0;
	}
	str_free(&name);
	str_free(&other);
	return sum;
}

/* The function of the program that is innermost in most samples; functions of the same name count together. */
static struct cpu_function headline_cpu_function(const struct explanation *e, const struct cpu_user *u)
{
	struct cpu_function best = { { UINT32_MAX, UINT32_MAX }, 0, 0 };
	uint64_t *counts = headline_cpu_stacks(e, u), *sums = NULL;
	struct intern texts = { 0 };
	struct str text = { 0 };
	size_t cap = 0, before = 0;

	for (uint32_t i = 0; i < e->frames->stacks->count; i++) {
		struct frames_function f = { UINT32_MAX, UINT32_MAX };
		uint32_t id;

		if (counts[i])
			f = frames_function(e->frames, i);
		if (f.text == UINT32_MAX)
			continue;
		str_clear(&text);
		function_text_add(e->names, f.text, &text);
		id = intern_add(&texts, str_text(&text), text.len);
		sums = xgrow(sums, &cap, texts.count, sizeof(*sums));
		for (; before < texts.count; before++)
			sums[before] = 0;
		sums[id] += counts[i];
		if (sums[id] > best.samples)
			best = (struct cpu_function){ { f.text, UINT32_MAX }, sums[id], 0 };
	}
	if (best.samples)
		best.with_callees = headline_cpu_with_callees(e, counts, best.function);
	free(counts);
	free(sums);
	str_free(&text);
	intern_free(&texts);
	return best;
}

/* ---- in words --------------------------------------------------------------------------- */

bool headline_is_of_cpu(const struct explanation *e)
{
	const struct history *h = e->history;

	return h->samples.count && !h->states.count && !h->blocks.count && !e->outliers->count;
}

static double headline_cpu_part(const struct explanation *e, uint64_t ns)
{
	uint64_t all_ns = e->history->last_ns - e->history->first_ns;

	return all_ns ? (double)ns / (double)all_ns : 0;
}

/* "12 processes named cc1"; "gzip", or "gzip-4711" */
static void headline_cpu_add_user(const struct explanation *e, const struct cpu_user *u, bool pid, struct str *out)
{
	if (u->count > 1)
		str_addf(out, "%zu processes named %s", u->count, intern_text(&e->sideband->comms.names, u->name));
	else if (pid)
		explanation_process(e, u->process, out);
	else
		str_puts(out, intern_text(&e->sideband->comms.names, u->name));
	if (pid || e->machine)
		explanation_owner(e, u->process, HISTORY_NONE, out);
}

/* " used 1.25 of 2 CPUs for 15 s"; without a clock, " ran: 4,012 samples in 15 s" */
static void headline_cpu_add_use(const struct explanation *e, bool clock, struct str *out)
{
	if (clock) {
		str_addf(out, HEADLINE_USED "%.2f ", headline_cpu_part(e, headline_cpu_all(e->history, true)));
		if (e->cpus)
			str_addf(out, "of %zu ", e->cpus);
		str_puts(out, e->cpus == 1 ? HEADLINE_USED_CPU : HEADLINE_USED_CPUS);
	} else {
		str_puts(out, " ran: ");
		number_add(out, headline_cpu_all(e->history, false));
		str_puts(out, " samples in ");
	}
	duration_add(out, e->history->last_ns - e->history->first_ns);
}

/* "bash-10 and 14 processes that it started", "14 processes named gzip and 1 other process" */
static void headline_cpu_add_target(const struct explanation *e, const struct cpu_user *u, struct str *out)
{
	uint64_t *samples = headline_cpu_by_process(e->history);
	struct cpu_user root = { .process = HISTORY_NONE, .count = 1 };
	size_t others = 0;
	bool started;

	for (size_t i = 0; i < e->history->count; i++)
		others += samples[i] != 0;
	root.process = headline_root(e->history, samples, u->process, &started);
	started &= others > 1;
	others -= started ? 1 : u->count;
	headline_cpu_add_user(e, started ? &root : u, true, out);
	if (others)
		str_addf(out, started ? " and %zu process%s that it started" : " and %zu other process%s", others,
			 others == 1 ? "" : "es");
	free(samples);
}

void headline_cpu_summary(const struct explanation *e, struct str *out)
{
	struct cpu_user u = headline_cpu_user(e);

	if (e->machine || u.name == HISTORY_NONE)
		str_puts(out, e->machine ? "The machine" : "What was recorded");
	else
		headline_cpu_add_target(e, &u, out);
	headline_cpu_add_use(e, u.ns, out);
}

/* " used 97 % of a CPU", " used 1.80 CPUs", " has 97 % of the samples" */
static void headline_cpu_add_amount(const struct explanation *e, const struct cpu_user *u, struct str *out)
{
	double cpus = headline_cpu_part(e, u->ns);
	uint64_t all = headline_cpu_all(e->history, false);

	if (u->ns && cpus < 0.001)
		str_puts(out, " used hardly any CPU");
	else if (u->ns && cpus <= 1.005)
		str_addf(out, cpus < 0.1 ? " used %.1f %% of a CPU" : " used %.0f %% of a CPU", cpus * 100);
	else if (u->ns)
		str_addf(out, " used %.2f CPUs", cpus);
	else
		str_addf(out, " %s %.0f %% of the samples", u->count > 1 ? "have" : "has",
			 (double)u->samples * 100 / (double)(all + !all));
}

/* ", most of it in thread cache-refresh", if the thread's name differs from that of the process */
static void headline_cpu_add_thread(const struct explanation *e, const struct cpu_user *u, struct str *out)
{
	struct str name = { 0 };

	if (u->thread != HISTORY_NONE)
		explanation_thread(e, u->thread, &name);
	if (name.len && strcmp(str_text(&name), intern_text(&e->sideband->comms.names, u->name)) != 0)
		str_addf(out, ", most of it in thread %s", str_text(&name));
	str_free(&name);
}

/* ", 56 % with what that calls", if that is much more, but not nearly everything; "[jit]" calls nothing. */
static void headline_cpu_add_callees(const struct explanation *e, const struct cpu_function *f, double percent,
				     double own_percent, struct str *out)
{
	enum { LEAST = 10, NEARLY_ALL = 95 };

	if (percent - own_percent >= LEAST && percent < NEARLY_ALL && !stripped_is(e->names, f->function.text) &&
	    *intern_text(&e->names->texts, f->function.text) != '[')
		str_addf(out, ", %.0f %% with what that calls", percent);
}

enum { FLAT_PERCENT = 10 };

void headline_cpu_fact(const struct explanation *e, struct str *out)
{
	struct cpu_user u = headline_cpu_user(e);
	struct cpu_function f;
	double percent;

	if (u.name == HISTORY_NONE) {
		str_puts(out, "Nothing ran");
		return;
	}
	f = headline_cpu_function(e, &u);
	percent = (double)f.samples * 100 / (double)(u.samples + !u.samples);
	headline_cpu_add_user(e, &u, false, out);
	headline_cpu_add_amount(e, &u, out);
	headline_cpu_add_thread(e, &u, out);
	if (f.function.text == UINT32_MAX)
		return;
	if (percent < FLAT_PERCENT)
		str_addf(out, ": no more than %.1f %% in one function, ", percent);
	else
		str_addf(out, ": %.0f %% in ", percent);
	explanation_function(e, f.function, out);
	headline_cpu_add_callees(e, &f, (double)f.with_callees * 100 / (double)(u.samples + !u.samples), percent, out);
}

bool headline_cpu_is_busy(const struct explanation *e)
{
	return headline_cpu_part(e, headline_cpu_user(e).ns) >= 0.05;
}

void headline_cpu_look(const struct explanation *e, struct str *out)
{
	struct cpu_user u = headline_cpu_user(e);

	if (u.name == HISTORY_NONE)
		return;
	str_puts(out, "Look at the CPU flame graph of ");
	explanation_thread(e, u.thread != HISTORY_NONE ? u.thread : u.process, out);
}

uint32_t headline_cpu_thread(const struct explanation *e)
{
	struct cpu_user u = headline_cpu_user(e);

	return u.name == HISTORY_NONE ? HISTORY_NONE : u.process;
}
