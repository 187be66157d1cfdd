#include "render/bars/steps.h"

#include "render/bars/bars_text.h"
#include "render/profile/sample.h"

/* From cold to hot; those that are safe from blue to brown.  All are light enough for black labels. */
static const struct {
	uint32_t rgb, safe;
} colours[BARS_STEPS] = {
	{ 0xa9c9ee, 0x6fa3dc }, { 0x93d3d3, 0x97bae2 }, { 0xa6dba0, 0xbdcfe0 }, { 0xe3e47f, 0xdddbc8 },
	{ 0xfbcb5c, 0xefdf98 }, { 0xf89f4c, 0xf0ce58 }, { 0xf0705a, 0xe0ae2a }, { 0xdd6bb0, 0xc98b1c },
};

uint64_t bars_step_from(const struct bars *b, size_t step)
{
	uint64_t from = bars_in_ns(b) ? 100 : 1;

	if (!step)
		return 0;
	while (step--)
		from *= 10;
	return decimal_shift(from, b->decimals);
}

size_t bars_step(const struct bars *b, uint64_t longest)
{
	size_t step = BARS_STEPS - 1;

	while (step && longest < bars_step_from(b, step))
		step--;
	return step;
}

uint32_t bars_step_rgb(size_t step, bool safe)
{
	return safe ? colours[step].safe : colours[step].rgb;
}

void bars_step_add(struct str *out, const struct bars *b, size_t step)
{
	if (!step) {
		str_puts(out, "under ");
		bars_value_add(out, b, bars_step_from(b, 1));
		return;
	}
	bars_value_add(out, b, bars_step_from(b, step));
	if (step == BARS_STEPS - 1) {
		str_puts(out, " or more");
		return;
	}
	str_puts(out, " to ");
	bars_value_add(out, b, bars_step_from(b, step + 1));
}

bool bars_have_steps(const struct bars *b)
{
	bool graded = false;

	for (size_t i = 0; i < b->kind_count; i++)
		graded |= b->kinds[i].graded;
	return b->has_longest && graded;
}
