/* The folded header, alone and joined. */
#include "render/profile/source.h"
#include "tests/unit/check.h"

static void read_header(struct folded_source *s, const char *line)
{
	CHECK(source_read(s, line, strlen(line)));
}

/* A statement of one source about its stacks is not made about all, in whatever order they come. */
static void test_quality(void)
{
	static const char whole[] = "# pyrograph: event=cycles unresolved=0/80",
			  poor[] = "# pyrograph: event=cycles unresolved=8/20 quality=\"0 % are whole, x\"",
			  other[] = "# pyrograph: event=cycles unresolved=1/10 quality=\"5 % are whole, x\"";
	static const char *const order[][3] = {
		{ whole, poor, poor },
		{ poor, whole, poor },
		{ poor, poor, whole },
		{ poor, other, poor },
	};

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		struct folded_source s = { 0 }, all = { 0 };

		for (size_t k = 0; k < 3; k++)
			read_header(&s, order[i][k]);
		CHECK(!source_get(&s, "quality"));
		CHECK_TEXT(source_get(&s, "event"), "cycles");
		source_add(&all, &s);
		CHECK_TEXT(source_get(&all, "unresolved"), source_get(&s, "unresolved"));
		source_free(&s);
		read_header(&s, poor);
		read_header(&s, poor);
		CHECK_TEXT(source_get(&s, "quality"), "0 % are whole, x");
		CHECK_TEXT(source_get(&s, "unresolved"), "16/40");
		source_free(&s);
		source_free(&all);
	}
}

/* Of several sources, the highest cost; text that is not a number may be worse. */
static void test_recording_cost(void)
{
	static const char *const costs[] = { "0.5 % of the machine", "12 % of the machine; x", "3 % of the machine" };
	struct folded_source s = { 0 };
	char line[100];

	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
		snprintf(line, sizeof(line), "# pyrograph: recording-cost=\"%s\"", costs[i]);
		read_header(&s, line);
	}
	CHECK_TEXT(source_get(&s, "recording-cost"), costs[1]);
	source_free(&s);
}

/* Every header of a long list would search the whole list, so the list is limited. */
static void test_many_hosts(void)
{
	struct folded_source s = { 0 };
	char line[64];

	for (int i = 0; i < 20000; i++) {
		snprintf(line, sizeof(line), "# pyrograph: host=h%d lost=1/2", i);
		read_header(&s, line);
	}
	CHECK(strlen(source_get(&s, "host")) < 17000 && strstr(source_get(&s, "host"), "h0, h1, "));
	CHECK_TEXT(strrchr(source_get(&s, "host"), ','), ", ...");
	CHECK_TEXT(source_get(&s, "lost"), "20000/40000");
	source_free(&s);
}

int main(void)
{
	struct folded_source s = { 0 };
	uint64_t part, whole;

	test_quality();
	test_many_hosts();
	test_recording_cost();
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
