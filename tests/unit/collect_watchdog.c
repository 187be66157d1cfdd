/* When a recording is ended, by readings made here, and by files in the kernel's form. */
#include "collect/run/watchdog.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/wallclock.h"
#include "tests/unit/check.h"

/* Each second, so much more. */
struct pace {
	uint64_t late_ms, samples, lost_samples, spans, lost_spans, pages_in, pages_out, stalled_ms;
	bool stalls_known;
};

static void go_on(struct watchdog_reading *r, const struct pace *p)
{
	r->now_ns += NS_PER_SEC;
	r->late_ns += p->late_ms * 1000000;
	r->samples += p->samples;
	r->lost_samples += p->lost_samples;
	r->spans += p->spans;
	r->lost_spans += p->lost_spans;
	r->pages_in += p->pages_in;
	r->pages_out += p->pages_out;
	r->stalled_ns += p->stalled_ms * 1000000;
	r->stalls_known = p->stalls_known;
}

/* After how many of 30 seconds the recording is ended; 0: never.  The caller frees why. */
static unsigned ends_after(const struct pace *p, char **why)
{
	struct watchdog w = { 0 };
	struct watchdog_reading r = { .now_ns = NS_PER_SEC };
	unsigned ended = 0;

	watchdog_judge(&w, &r);
	for (unsigned i = 1; i <= 30 && !ended; i++) {
		go_on(&r, p);
		ended = watchdog_judge(&w, &r) ? i : 0;
	}
	*why = strdup(w.why.len ? w.why.buf : "");
	watchdog_free(&w);
	return ended;
}

static const struct {
	struct pace pace;
	unsigned after;
	const char *why;
} rows[] = {
	{ { .samples = 100 }, 0, "" },
	{ { .late_ms = 400 }, 0, "" },
	{ { .late_ms = 1000 },
	  5,
	  "the collector got no CPU for 5 s of the last 5 s: record fewer threads, or with fewer collectors" },
	{ { .samples = 1000, .lost_samples = 900 }, 0, "" },
	{ { .samples = 10, .lost_samples = 900 }, 0, "" }, /* few */
	{ { .samples = 1000, .lost_samples = 1001 },
	  5,
	  "for 5 s, more samples were lost than kept, 1001 in the last one: a lower -F or a higher -c takes fewer, "
	  "a larger --ring holds more" },
	{ { .samples = 1000000, .spans = 5000, .lost_spans = 5000 }, 0, "" },
	{ { .samples = 1000000, .spans = 5000, .lost_spans = 6000 },
	  5,
	  "for 5 s, more spans of time were lost than kept, 6000 in the last one: record fewer threads, or a longer "
	  "--min" },
	{ { .pages_in = 100, .pages_out = 100, .stalled_ms = 200, .stalls_known = true },
	  10,
	  "this machine swaps, all programs waited for memory for 2 s of the last 10 s: free some memory first" },
	{ { .pages_in = 90000, .pages_out = 90000, .stalled_ms = 100, .stalls_known = true }, 0, "" },
	{ { .pages_in = 0, .pages_out = 90000, .stalled_ms = 300, .stalls_known = true },
	  0,
	  "" }, /* what nobody needs */
	{ { .pages_in = 900, .pages_out = 900 }, 0, "" },
	{ { .pages_in = 1000, .pages_out = 1000 }, 10, "this machine swaps: free some memory first" },
};

/* A short trouble is forgiven. */
static void forgives(void)
{
	static const struct pace calm = { .samples = 2000 }, losing = { .lost_samples = 2000 },
				 late = { .late_ms = 1000 };
	struct watchdog w = { 0 };
	struct watchdog_reading r = { .now_ns = NS_PER_SEC };
	bool ended = false;

	for (unsigned i = 0; i < 60; i++) {
		go_on(&r, i % 6 < 4 ? &losing : &calm);
		ended |= watchdog_judge(&w, &r);
	}
	for (unsigned i = 0; i < 60; i++) {
		go_on(&r, i % 12 < 4 ? &late : &calm);
		ended |= watchdog_judge(&w, &r);
	}
	CHECK(!ended);
	r.samples = r.lost_samples = 0; /* of the next window */
	for (unsigned i = 0; i < 20; i++) {
		go_on(&r, &calm);
		ended |= watchdog_judge(&w, &r);
	}
	CHECK(!ended);
	watchdog_free(&w);
}

/* The process was stopped for a while: one wait that ends much too late. */
static void stopped(void)
{
	struct watchdog w = { 0 };
	struct watchdog_reading r = { .now_ns = NS_PER_SEC };

	watchdog_judge(&w, &r);
	for (unsigned i = 0; i < 100; i++)
		watchdog_wake(&w, 400000000); /* that happens */
	CHECK(w.late_ns == 0);
	watchdog_wake(&w, 6 * NS_PER_SEC);
	r.now_ns += 7 * NS_PER_SEC;
	r.late_ns = w.late_ns;
	CHECK(watchdog_judge(&w, &r));
	CHECK(w.why.len && strstr(w.why.buf, "no CPU for 6 s of the last 7 s"));
	watchdog_free(&w);
}

static void made_file(char *path, const char *content)
{
	int fd = mkstemp(path);

	CHECK(fd >= 0 && write(fd, content, strlen(content)) == (ssize_t)strlen(content));
	close(fd);
}

static void machine(void)
{
	char vmstat[] = "/tmp/vmstat.XXXXXX", pressure[] = "/tmp/pressure.XXXXXX";
	struct watchdog_reading r = { 0 };

	made_file(vmstat, "pgpgin 11\nnr_pswpin 5\npswpin 123\npswpout 456\n");
	made_file(pressure, "some avg10=0.00 avg60=0.00 avg300=0.00 total=77\n"
			    "full avg10=0.00 avg60=0.00 avg300=0.00 total=93\n");
	watchdog_read_machine(&r, vmstat, pressure);
	CHECK(r.pages_in == 123 && r.pages_out == 456);
	CHECK(r.stalls_known && r.stalled_ns == 93000);
	watchdog_read_machine(&r, "/nowhere", "/nowhere");
	CHECK(!r.pages_in && !r.pages_out && !r.stalls_known && !r.stalled_ns);
	unlink(vmstat);
	unlink(pressure);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *why;

		CHECK(ends_after(&rows[i].pace, &why) == rows[i].after);
		CHECK_TEXT(why, rows[i].why);
		free(why);
	}
	forgives();
	stopped();
	machine();
	return check_done();
}
