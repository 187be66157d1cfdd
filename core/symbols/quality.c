#include "core/symbols/quality.h"

enum { FEW_STACKS = 20 };

bool quality_is_flawed(const struct quality *q)
{
	return q->stacks >= FEW_STACKS && (q->cut || q->broken || q->nameless || q->stripped);
}

bool quality_is_poor(const struct quality *q)
{
	return q->stacks >= FEW_STACKS && q->broken * 5 > q->stacks;
}

static void add_thousandths(struct str *out, uint64_t n)
{
	str_addf(out, "%llu", (unsigned long long)n / 10);
	if (n && n < 1000)
		str_addf(out, ".%llu", (unsigned long long)n % 10);
}

static uint64_t symbols_quality_thousandths(uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)part * 1000 / whole) : 1000;
}

/* A percentage, rounded to the nearest; only zero becomes 0. */
static uint64_t symbols_quality_rounded(uint64_t part, uint64_t whole)
{
	uint64_t n = (uint64_t)(((unsigned __int128)part * 2000 + whole) / ((unsigned __int128)whole * 2));

	return n ? n : 1;
}

void quality_percent(struct str *out, uint64_t part, uint64_t whole)
{
	add_thousandths(out, symbols_quality_thousandths(part, whole));
}

struct quality quality_of_samples(const struct quality *q)
{
	return (struct quality){ .stacks = q->stacks - q->span_stacks,
				 .cut = q->cut - q->span_cut,
				 .broken = q->broken - q->span_broken };
}

struct quality quality_of_spans(const struct quality *q)
{
	return (struct quality){ .stacks = q->span_stacks, .cut = q->span_cut, .broken = q->span_broken };
}

static void symbols_quality_add_whole(struct str *out, const struct quality *q)
{
	quality_percent(out, q->stacks - q->cut - q->broken, q->stacks);
}

static void symbols_quality_add_stacks(struct str *out, const struct quality *q)
{
	struct quality samples = quality_of_samples(q), spans = quality_of_spans(q);

	if (samples.stacks && spans.stacks) {
		symbols_quality_add_whole(out, &samples);
		str_puts(out, " % of user stacks of samples are whole, ");
		symbols_quality_add_whole(out, &spans);
		str_puts(out, " % of those of spans of time, ");
	} else if (q->stacks) {
		symbols_quality_add_whole(out, q);
		str_puts(out, " % of user stacks are whole, ");
	}
}

void quality_line(const struct quality *q, struct str *out)
{
	symbols_quality_add_stacks(out, q);
	if (q->nameless) {
		add_thousandths(out, symbols_quality_rounded(q->nameless, q->frames));
		str_puts(out, " % of frames have no name");
	}
	if (q->stripped) {
		str_puts(out, q->nameless ? ", " : "");
		add_thousandths(out, symbols_quality_rounded(q->stripped, q->frames));
		str_puts(out, q->nameless ? " % are of stripped code" : " % of frames are of stripped code");
	}
	if (!q->nameless && !q->stripped)
		str_puts(out, "all frames have a name");
}
