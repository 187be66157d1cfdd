#include "core/symbols/quality.h"

enum { FEW_STACKS = 20 };

bool quality_is_flawed(const struct quality *q)
{
	return q->stacks >= FEW_STACKS && (q->cut || q->broken || q->nameless);
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

static uint64_t thousandths(uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)part * 1000 / whole) : 1000;
}

void quality_percent(struct str *out, uint64_t part, uint64_t whole)
{
	add_thousandths(out, thousandths(part, whole));
}

void quality_line(const struct quality *q, struct str *out)
{
	if (q->stacks) {
		quality_percent(out, q->stacks - q->cut - q->broken, q->stacks);
		str_puts(out, " % of user stacks are whole, ");
	}
	if (q->nameless) { /* rounded up, so that 0 is none */
		add_thousandths(out, 1000 - thousandths(q->frames - q->nameless, q->frames));
		str_puts(out, " % of frames have no name");
	} else {
		str_puts(out, "all frames have a name");
	}
}
