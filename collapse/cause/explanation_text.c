#include <string.h>

#include "collapse/cause/explanation.h"
#include "core/amount.h"
#include "core/wallclock.h"

static void add_amounts(const struct explanation *e, const struct finding *f, struct str *out)
{
	str_puts(out, "   ");
	if (f->kind >= FINDING_HOT) {
		duration_add(out, f->total_ns);
		str_puts(out, " of CPU time of ");
		explanation_process(e, f->guilty, out);
	} else {
		number_add(out, f->count);
		str_addf(out, " wait%s of ", f->count == 1 ? "" : "s");
		explanation_process(e, f->victims[0].thread, out);
		str_puts(out, f->others ? " and others, " : ", ");
		duration_add(out, f->total_ns);
		str_puts(out, " in all; the longest: ");
		explanation_thread(e, f->longest_victim, out);
		str_puts(out, ", ");
		duration_add(out, f->longest_ns);
		str_puts(out, ", at ");
		wallclock_add(out, f->longest_at_ns);
	}
	str_addc(out, '\n');
}

/* "; pyrograph itself: 3 % of the samples" */
static void add_recorder(const struct explanation *e, struct str *out)
{
	uint64_t share = explanation_recorder(e);

	if (share)
		str_addf(out, "; pyrograph itself: %llu %% of the samples", (unsigned long long)share);
}

void explanation_text_write(FILE *out, const struct explanation *e)
{
	size_t count = explanation_count(e);
	struct str text = { 0 };

	headline_summary(e, &text);
	str_puts(&text, "\nFrom ");
	wallclock_add(&text, e->history->first_ns);
	str_puts(&text, " on");
	add_recorder(e, &text);
	str_addc(&text, '\n');
	if (*e->doubts)
		str_addf(&text, "%s\n", e->doubts);
	for (size_t i = 0; i < count; i++) {
		const struct finding *f = &e->findings->items[i];

		str_addf(&text, "\n%zu. ", i + 1);
		explanation_sentence(e, f, &text);
		str_addc(&text, '\n');
		add_amounts(e, f, &text);
		str_puts(&text, "   Look at: ");
		explanation_advice(e, f, &text);
		str_addc(&text, '\n');
	}
	if (!count) {
		str_addc(&text, '\n');
		headline_fact(e, &text);
		str_puts(&text, ".\n");
	}
	fputs(str_text(&text), out);
	str_free(&text);
}
