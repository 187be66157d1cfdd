#include <string.h>

#include "collapse/cause/explanation.h"
#include "core/amount.h"
#include "core/wallclock.h"

static double cpus_of(const struct explanation *e, uint64_t ns)
{
	uint64_t all_ns = e->history->last_ns - e->history->first_ns;

	return all_ns ? (double)ns / (double)all_ns : 0;
}

static void add_summary(const struct explanation *e, struct str *out)
{
	uint32_t busiest = explanation_busiest(e);

	if (explanation_cpus(e))
		str_addf(out, "%zu CPUs, ", explanation_cpus(e));
	duration_add(out, e->history->last_ns - e->history->first_ns);
	str_puts(out, " from ");
	wallclock_add(out, e->history->first_ns);
	str_addf(out, " on: %.2f CPUs were busy", cpus_of(e, explanation_ran(e, HISTORY_NONE)));
	if (busiest != HISTORY_NONE) {
		str_addf(out, ", %.2f of them with ", cpus_of(e, explanation_ran(e, busiest)));
		explanation_process(e, busiest, out);
	}
	str_addc(out, '\n');
}

static void add_longest(const struct explanation *e, const struct finding *f, struct str *out)
{
	str_puts(out, "; the longest: ");
	explanation_thread(e, f->longest_victim, out);
	str_puts(out, ", ");
	duration_add(out, f->longest_ns);
	str_puts(out, ", at ");
	wallclock_add(out, f->longest_at_ns);
	for (uint32_t i = 0; i < f->longest.path_count; i++) {
		str_puts(out, i ? ", " : ", via ");
		explanation_thread(e, f->longest.path[i], out);
	}
}

static void add_amounts(const struct explanation *e, const struct finding *f, struct str *out)
{
	str_puts(out, "   ");
	if (f->kind == FINDING_HOT || f->kind == FINDING_WAKER) {
		duration_add(out, f->total_ns);
		str_puts(out, " of CPU time of ");
		explanation_process(e, f->guilty, out);
	} else {
		number_add(out, f->count);
		str_addf(out, " wait%s of ", f->count == 1 ? "" : "s");
		explanation_process(e, f->victims[0].thread, out);
		str_puts(out, f->others ? " and others, " : ", ");
		duration_add(out, f->total_ns);
		str_puts(out, " in all");
		add_longest(e, f, out);
	}
	str_addc(out, '\n');
}

static void add_advice(const struct explanation *e, const struct finding *f, struct str *out)
{
	static const char *const advice[FINDING_KINDS] = {
		[FINDING_RAN] = "what %s does while it holds what others need",
		[FINDING_SLEPT] = "why %s sleeps while it holds what others need",
		[FINDING_IO] = "what %s waits for, and whether it must",
		[FINDING_NO_CPU] = "priorities and CPUs, for %s",
		[FINDING_STOLEN] = "whether %s may run on these CPUs at this time",
		[FINDING_PINNED] = "the CPU affinity of these threads: %s",
		[FINDING_CROWD] = "%s: there is more work than CPUs",
		[FINDING_HOT] = "%s",
		[FINDING_WAKER] = "whether %s could wake less often",
	};
	struct str function = { 0 };
	const char *split = strstr(advice[f->kind], "%s");

	if (f->kind == FINDING_NO_CPU && f->by == HISTORY_NONE)
		explanation_thread(e, f->guilty, &function);
	else
		explanation_function(e, f->function, &function);
	str_puts(out, "   Look at: ");
	str_add(out, advice[f->kind], (size_t)(split - advice[f->kind]));
	str_puts(out, str_text(&function));
	str_puts(out, split + 2);
	str_addc(out, '\n');
	str_free(&function);
}

void explanation_text_write(FILE *out, const struct explanation *e)
{
	size_t count = explanation_count(e);
	struct str text = { 0 };

	add_summary(e, &text);
	for (size_t i = 0; i < count; i++) {
		const struct finding *f = &e->findings->items[i];

		str_addf(&text, "\n%zu. ", i + 1);
		explanation_headline(e, f, &text);
		str_addc(&text, '\n');
		add_amounts(e, f, &text);
		add_advice(e, f, &text);
	}
	if (!count)
		str_puts(&text, "\nNothing stands out: no thread waited long for another one, or for a CPU.\n");
	fputs(str_text(&text), out);
	str_free(&text);
}
