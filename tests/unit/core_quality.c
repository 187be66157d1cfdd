/* The line that says how complete the stacks of a recording are. */
#include "core/symbols/quality.h"
#include "tests/unit/check.h"

static const struct {
	struct quality quality;
	const char *line;
	bool flawed, poor;
} rows[] = {
	{ { .stacks = 0 }, "all frames have a name", false, false },
	{ { .stacks = 1000, .frames = 5000 }, "100 % of user stacks are whole, all frames have a name", false, false },
	{ { .stacks = 1000, .unseen = 1000, .frames = 5000 },
	  "100 % of user stacks are whole, all frames have a name",
	  false,
	  false },
	{ { .stacks = 1000, .cut = 10, .broken = 8, .frames = 5000, .nameless = 20 },
	  "98.2 % of user stacks are whole, 0.4 % of frames have no name",
	  true,
	  false },
	/* a share just below 100 % is not rounded to 100 %, and a share just above 0 % is not rounded to 0 % */
	{ { .stacks = 1000000, .cut = 1, .frames = 5000000, .nameless = 1 },
	  "99.9 % of user stacks are whole, 0.1 % of frames have no name",
	  true,
	  false },
	{ { .stacks = 1000, .broken = 1000, .frames = 1000, .nameless = 1000 },
	  "0 % of user stacks are whole, 100 % of frames have no name",
	  true,
	  true },
	{ { .stacks = 100000, .broken = 99999, .frames = 100000, .nameless = 99999 },
	  "0 % of user stacks are whole, 100 % of frames have no name",
	  true,
	  true },
	{ { .frames = 10, .nameless = 5 }, "50.0 % of frames have no name", false, false },
	/* a fifth */
	{ { .stacks = 100, .broken = 20, .frames = 1 },
	  "80.0 % of user stacks are whole, all frames have a name",
	  true,
	  false },
	{ { .stacks = 100, .broken = 21, .frames = 1 },
	  "79.0 % of user stacks are whole, all frames have a name",
	  true,
	  true },
	{ { .stacks = 100, .cut = 90, .frames = 1 },
	  "10.0 % of user stacks are whole, all frames have a name",
	  true,
	  false },
	/* to the nearest */
	{ { .frames = 104, .nameless = 8 }, "7.7 % of frames have no name", false, false },
	{ { .frames = 10000, .nameless = 764 }, "7.6 % of frames have no name", false, false },
	/* of stripped code: nameless, but told apart */
	{ { .frames = 100, .stripped = 30 }, "30.0 % of frames are of stripped code", false, false },
	{ { .stacks = 20, .frames = 100, .nameless = 5, .stripped = 30 },
	  "100 % of user stacks are whole, 5.0 % of frames have no name, 30.0 % are of stripped code",
	  true,
	  false },
	/* of samples and of spans */
	{ { .stacks = 1000,
	    .cut = 30,
	    .broken = 70,
	    .span_stacks = 200,
	    .span_cut = 20,
	    .span_broken = 60,
	    .frames = 1 },
	  "97.5 % of user stacks of samples are whole, 60.0 % of those of spans of time, all frames have a name",
	  true,
	  false },
	{ { .stacks = 200, .broken = 60, .span_stacks = 200, .span_broken = 60, .frames = 1 },
	  "70.0 % of user stacks are whole, all frames have a name",
	  true,
	  true },
	/* few */
	{ { .stacks = 19, .broken = 19, .frames = 1 },
	  "0 % of user stacks are whole, all frames have a name",
	  false,
	  false },
	{ { .stacks = UINT64_MAX / 2, .cut = UINT64_MAX / 4, .frames = UINT64_MAX, .nameless = UINT64_MAX / 8 },
	  "50.0 % of user stacks are whole, 12.5 % of frames have no name",
	  true,
	  false },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str line = { 0 };

		quality_line(&rows[i].quality, &line);
		CHECK_TEXT(str_text(&line), rows[i].line);
		CHECK(quality_is_flawed(&rows[i].quality) == rows[i].flawed);
		CHECK(quality_is_poor(&rows[i].quality) == rows[i].poor);
		str_free(&line);
	}
	return check_done();
}
