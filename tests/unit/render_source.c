/* The folded header, alone and joined. */
#include "render/profile/source.h"
#include "tests/unit/check.h"

static void read_header(struct source *s, const char *line)
{
	CHECK(source_read(s, line, strlen(line)));
}

int main(void)
{
	struct source s = {0};
	uint64_t part, whole;

	read_header(&s, "# pyrograph: host=db1 event=cpu-clock command=\"sleep 5 \\\"x\\\" "
			"\\u00e9\\n\" lost=3/100 start=2026-11-21T10:00:00Z unit=ns");
	CHECK_TEXT(source_get(&s, "host"), "db1");
	CHECK_TEXT(source_get(&s, "command"), "sleep 5 \"x\" \xc3\xa9\n");
	CHECK_TEXT(source_get(&s, "unit"), "ns");
	CHECK(!source_get(&s, "end"));
	CHECK(source_ratio(&s, "lost", &part, &whole) && part == 3 && whole == 100);
	CHECK(!source_ratio(&s, "host", &part, &whole));

	read_header(&s, "# pyrograph: host=db10 lost=4/50 start=2026-11-20T10:00:00Z unit=ns");
	read_header(&s, "# pyrograph: host=db1 start=2026-11-22T10:00:00Z");
	CHECK_TEXT(source_get(&s, "host"), "db1, db10");
	CHECK_TEXT(source_get(&s, "lost"), "7/150");
	CHECK_TEXT(source_get(&s, "start"), "2026-11-20T10:00:00Z");
	CHECK_TEXT(source_get(&s, "unit"), "ns");

	read_header(&s, "# pyrograph: junk =x Bad=1 <k>=2 open=\"no end \\");
	CHECK(!source_get(&s, "Bad") && !source_get(&s, "<k>") && !source_get(&s, ""));
	CHECK_TEXT(source_get(&s, "open"), "no end \\");
	CHECK(!source_read(&s, "# other", 7));
	source_free(&s);
	return check_done();
}
