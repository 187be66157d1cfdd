/* gaps: open gaps belong to the recording that ends, and to no other. */
#include "collect/run/gaps.h"

#include <string.h>

#include "tests/unit/check.h"

static uint64_t losses;

static uint64_t lost(void)
{
	return losses;
}

int main(void)
{
	const struct source source = { .name = "offcpu", .lost = lost }, *sources[] = { &source };
	struct gaps g = { 0 };

	gaps_look(&g, sources, 1, 100);
	losses = 5;
	gaps_look(&g, sources, 1, 200);
	CHECK(!g.text.len);
	gaps_finish(&g, sources, 1);
	CHECK(!strcmp(str_text(&g.text), "100 200 5 offcpu\n"));

	gaps_clear(&g);
	gaps_look(&g, sources, 1, 300);
	losses = 6;
	gaps_look(&g, sources, 1, 400);
	gaps_clear(&g); /* also of one that is open */
	gaps_finish(&g, sources, 1);
	CHECK(!g.text.len);

	for (uint64_t at = 500; at < 1000; at += 200) {
		gaps_look(&g, sources, 1, at);
		losses++;
		gaps_look(&g, sources, 1, at + 100);
	}
	gaps_finish(&g, sources, 1);
	gaps_cut(&g, 800);
	CHECK(!strcmp(str_text(&g.text), "700 800 1 offcpu\n900 1000 1 offcpu\n"));
	gaps_cut(&g, 2000);
	CHECK(!g.text.len);
	gaps_cut(&g, 2000);
	gaps_free(&g);
	return check_done();
}
