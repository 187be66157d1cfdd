/* What is told of a part of a bar when the pointer rests there. */
#include "render/bars/bars_text.h"
#include "render/bars/chart.h"
#include "render/profile/number.h"

enum { TIP_NAMES = 12 /* how many of the threads that share a part are named */ };

const char *bars_word(const struct bars *b, uint32_t kind)
{
	const struct bars_kind *k = &b->kinds[kind];

	return k->word ? k->word : intern_text(&b->names, k->name);
}

/* "37 more threads had the CPU: a-1 3 ms, b-2 2 ms, ..." */
static void chart_tips_add_more(struct str *tip, const struct bars_plan *plan, const struct bars_segment *const *parts,
				size_t count)
{
	const struct bars *b = plan->chart->bars;
	bool by_count = plan->chart->style->by_count;

	str_addc(tip, '\n');
	number_add(tip, count);
	str_puts(tip, " more threads had the CPU");
	for (size_t i = 0; i < count && i < TIP_NAMES; i++) {
		str_puts(tip, i ? ", " : ": ");
		bars_name_add(tip, b, parts[i]->by);
		str_addc(tip, ' ');
		bars_measure_add(tip, b, by_count, bars_measure(&parts[i]->amount, by_count));
	}
	if (count > TIP_NAMES)
		str_puts(tip, ", ...");
}

/* Append "1,203 times, longest 8 ms"; spans that began before the recording have no count. */
static void add_rest(struct str *tip, const struct bars *b, bool by_count, const struct bars_amount *a)
{
	bool counted = b->has_count && a->count;

	if (by_count || counted || a->longest)
		str_addc(tip, '\n');
	if (by_count)
		bars_value_add(tip, b, a->value);
	else if (counted)
		bars_measure_add(tip, b, true, a->count);
	if (a->longest) {
		str_addf(tip, "%slongest ", by_count || counted ? ", " : "");
		bars_value_add(tip, b, a->longest);
	}
}

/* "4.98 s, 49.8% of this row" */
static void chart_tips_add_amount(struct str *tip, const struct bars_plan *plan, const struct bars_piece *p,
				  uint64_t whole)
{
	bool by_count = plan->chart->style->by_count;
	uint64_t part = bars_measure(&p->amount, by_count);

	str_puts(tip, ": ");
	bars_measure_add(tip, plan->chart->bars, by_count, part);
	str_puts(tip, ", ");
	bars_share_add(tip, part, whole);
	str_puts(tip, " of this row");
}

void bars_tip_add(struct str *tip, const struct bars_plan *plan, const struct bars_piece *p,
		  const struct bars_segment *const *parts, uint64_t whole)
{
	const struct bars_chart *chart = plan->chart;
	const struct bars *b = chart->bars;
	const struct bars_segment *s = p->segment;
	bool narrow = p->count > 1 && !p->more;

	str_addc(tip, '\n');
	if (narrow)
		str_addf(tip, "%zu parts too narrow to be told apart", p->count);
	else
		str_puts(tip, bars_word(b, s->kind));
	chart_tips_add_amount(tip, plan, p, whole);
	if (narrow)
		str_addf(tip, "\nthe largest: %s", bars_word(b, s->kind));
	if (!p->more && s->by != BARS_NOBODY && chart->tell_by) {
		str_puts(tip, narrow ? ", " : "\n");
		chart->tell_by(tip, b, s->by);
	} else if (p->count > 1 && p->more) {
		chart_tips_add_more(tip, plan, parts, p->count);
	}
	if (!narrow)
		add_rest(tip, b, chart->style->by_count, &p->amount);
}
