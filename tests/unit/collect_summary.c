/* The summary: singular and plural, samples and spans of time; and hints, which are given only where they help. */
#include "collect/run/summary.h"

#include <unistd.h>

#include "core/error.h"
#include "tests/unit/check.h"

static char said[8192];

/* The summary, as said[]. */
static void summary_by(struct recording *r, const struct losses_by_source *by)
{
	int terminal = dup(STDERR_FILENO);
	FILE *file = tmpfile();
	size_t n;

	r->path = "x.data";
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	summarize(r, 1000000000, NULL, by);
	fflush(stderr);
	dup2(terminal, STDERR_FILENO);
	close(terminal);
	rewind(file);
	n = fread(said, 1, sizeof(said) - 1, file);
	said[n] = '\0';
	fclose(file);
}

static void summary_of(struct recording *r)
{
	summary_by(r, NULL);
}

static bool says(const char *text)
{
	return strstr(said, text) != NULL;
}

/* Does a line that counts one thing use the plural? */
static bool has_plural(void)
{
	static const char *const plural[] = { " are ", " were ", " make ", " do ", " use " };
	bool has = false;

	for (const char *at = said; (at = strstr(at, ": 1 ")); at++) {
		size_t word = strcspn(at + 4, " \n");

		has |= at[4 + word - 1] == 's';
		for (size_t i = 0; i < sizeof(plural) / sizeof(*plural); i++) {
			const char *end = strchr(at, '\n'), *found = strstr(at, plural[i]);

			has |= found && (!end || found < end);
		}
	}
	return has;
}

static void test_losses(void)
{
	static struct events none;
	struct recording r = { .events = &none };

	for (int i = 0; i < LOSS_COUNT; i++)
		r.tally.losses[i] = 1;
	summary_of(&r);
	CHECK(says("noticed: 1 stack larger than the piece that was copied\n"));
	CHECK(says("noticed: 1 stack that could not be followed to the end\n"));
	CHECK(says("noticed: 1 fault in maps and dumps of JIT-compiled code\n"));
	CHECK(says("lost: 1 sample dropped because unwinding did not keep up\n"));
	CHECK(says("noticed: 1 Java frame that could not be read, because the JVM kept running\n"));
	CHECK(says("noticed: 1 name of Java threads that could not be read\n"));
	CHECK(!has_plural());
}

static void test_sources(void)
{
	static struct events none;
	struct recording r = { .events = &none };
	struct losses_by_source by = { 0 };

	str_puts(&by.spans, "io 2");
	str_puts(&by.events, "locks 3, io 2");
	r.tally.losses[LOSS_missed_events] = 5;
	summary_by(&r, &by);
	CHECK(says("lost: 5 events that came while the BPF program for them was at work on that CPU: locks 3, io 2\n"));
	CHECK(!says("spans") && !says("nothing lost"));
	r.tally.losses[LOSS_lost_spans] = 1;
	r.tally.losses[LOSS_missed_events] = 1;
	summary_of(&r);
	CHECK(says("lost: 1 event that came while the BPF program for them was at work on that CPU\n"));
	CHECK(says("lost: 1 span of time that found the BPF program's ring full\n"));
	losses_by_source_free(&by);
}

static void test_copies(uint64_t cut, uint64_t of_spans, bool hint)
{
	struct event list[] = { { .name = (char *)"cpu-clock", .attr.sample_stack_user = 16384 } };
	struct events events = { .list = list, .count = 1 };
	struct recording r = { .events = &events };

	r.tally.losses[LOSS_truncated_copies] = cut;
	r.tally.losses[LOSS_total_samples] = 200;
	r.tally.capture.quality = (struct quality){ .stacks = 1000, .cut = cut, .span_stacks = of_spans, .frames = 1 };
	summary_of(&r);
	CHECK(says("--call-graph dwarf,65528 copies as much as possible") == hint);
}

static void test_kinds(void)
{
	struct event list[] = { { .name = (char *)"cpu-clock", .attr.sample_stack_user = 16384 } };
	struct events events = { .list = list, .count = 1 };
	struct recording r = { .events = &events };
	struct capture *c = &r.tally.capture;

	r.tally.losses[LOSS_total_samples] = 200;
	c->quality =
		(struct quality){ .stacks = 200, .broken = 60, .span_stacks = 100, .span_broken = 60, .frames = 1 };
	strcpy(c->of_spans.module, "libc.so.6");
	summary_of(&r);
	CHECK(says("100 % of user stacks of samples are whole, 40.0 % of those of spans of time, "));
	CHECK(says("hint: 60 % of the user stacks of spans of time do not reach back to the start of their thread, "
		   "most of them in libc.so.6: "));
	CHECK(!says("does not need them") && !says("--quality says why"));

	c->quality = (struct quality){ .stacks = 200, .broken = 60, .span_stacks = 100, .frames = 1 };
	summary_of(&r);
	CHECK(says("hint: 60 % of the user stacks of samples do not reach back to the start of their thread: "
		   "pyrograph collapse --quality says why"));
	list[0].attr.sample_stack_user = 0;
	summary_of(&r);
	CHECK(says("--call-graph dwarf does not need them"));
}

int main(void)
{
	program_begin("summary");
	test_losses();
	test_sources();
	test_copies(50, 800, false);
	test_copies(51, 800, true);
	test_copies(1, 1000, false); /* there are no samples with stacks */
	test_kinds();
	return check_done();
}
