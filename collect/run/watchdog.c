#include "collect/run/watchdog.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/anchors.h"
#include "collect/machine/procfs.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/wallclock.h"

enum {
	LATE_NS = 500000000,   /* a wait that ends this late counts, as rings hold a second */
	LATE_SECONDS = 5,      /* of the last ten */
	FEWEST_LOST = 1000,    /* minimum in a second; fewer losses do not matter */
	STALLED_PERCENT = 20,  /* how much of the last ten seconds all programs waited for memory ... */
	PAGES_A_SECOND = 100,  /* ... while this many pages came and went */
	PAGES_UNSTALLED = 1000 /* limit if the kernel does not count that time */
};

void watchdog_wake(struct watchdog *w, uint64_t late_ns)
{
	if (late_ns >= LATE_NS)
		w->late_ns += late_ns;
}

static bool watchdog_is_starved(struct watchdog *w, const struct watchdog_reading *since,
				const struct watchdog_reading *now)
{
	uint64_t late_ns = now->late_ns - since->late_ns, ns = now->now_ns - since->now_ns;

	if (late_ns < LATE_SECONDS * NS_PER_SEC || late_ns < ns / 2)
		return false;
	str_addf(&w->why,
		 "the collector got no CPU for %s of the last %s: record fewer threads, or with fewer collectors",
		 duration_text(late_ns).text, duration_text(ns).text);
	return true;
}

/* A window of a watch counts anew. */
static uint64_t watchdog_more(uint64_t now, uint64_t last)
{
	return now >= last ? now - last : now;
}

static bool watchdog_loses(uint64_t lost, uint64_t kept)
{
	return lost >= FEWEST_LOST && lost > kept;
}

static bool watchdog_is_losing(struct watchdog *w, const struct watchdog_reading *last,
			       const struct watchdog_reading *now)
{
	uint64_t samples = watchdog_more(now->lost_samples, last->lost_samples);
	uint64_t spans = watchdog_more(now->lost_spans, last->lost_spans);
	bool of_samples = watchdog_loses(samples, watchdog_more(now->samples, last->samples));

	if (!of_samples && !watchdog_loses(spans, watchdog_more(now->spans, last->spans))) {
		w->losing = 0;
		return false;
	}
	if (++w->losing < WATCHDOG_LOSING_SECONDS)
		return false;
	str_addf(&w->why, "for %d s, more %s were lost than kept, %" PRIu64 " in the last one: %s",
		 WATCHDOG_LOSING_SECONDS, of_samples ? "samples" : "spans of time", of_samples ? samples : spans,
		 of_samples ? "a lower -F or a higher -c takes fewer, a larger --ring holds more"
			    : "record fewer threads, or a longer --min");
	return true;
}

static bool watchdog_is_swapping(struct watchdog *w, const struct watchdog_reading *since,
				 const struct watchdog_reading *now)
{
	uint64_t ns = now->now_ns - since->now_ns, stalled_ns = now->stalled_ns - since->stalled_ns;
	uint64_t in = now->pages_in - since->pages_in, out = now->pages_out - since->pages_out;
	uint64_t fewest = (now->stalls_known ? PAGES_A_SECOND : PAGES_UNSTALLED) * (ns / NS_PER_SEC);

	if (ns < WATCHDOG_SECONDS * NS_PER_SEC || in < fewest || out < fewest ||
	    (now->stalls_known && stalled_ns < ns / 100 * STALLED_PERCENT))
		return false;
	str_puts(&w->why, "this machine swaps");
	if (now->stalls_known)
		str_addf(&w->why, ", all programs waited for memory for %s of the last %s",
			 duration_text(stalled_ns).text, duration_text(ns).text);
	str_puts(&w->why, ": free some memory first");
	return true;
}

static void watchdog_remember(struct watchdog *w, const struct watchdog_reading *now)
{
	if (w->count == WATCHDOG_SECONDS + 1)
		memmove(w->past, w->past + 1, --w->count * sizeof(*w->past));
	w->past[w->count++] = *now;
}

bool watchdog_judge(struct watchdog *w, const struct watchdog_reading *now)
{
	if (w->count && !w->why.len &&
	    (watchdog_is_starved(w, &w->past[0], now) || watchdog_is_losing(w, &w->past[w->count - 1], now) ||
	     watchdog_is_swapping(w, &w->past[0], now)))
		return true;
	watchdog_remember(w, now);
	return false;
}

/* The number after a word at the begin of a line; 0: there is none. */
static uint64_t watchdog_number(const struct str *text, const char *word)
{
	const char *at = text->len ? text->buf : "";
	size_t len = strlen(word);

	while (*at && strncmp(at, word, len) != 0) {
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	return *at ? strtoull(at + len, NULL, 10) : 0;
}

/* vmstat: "pswpin 12"; pressure: "full avg10=0.00 avg60=0.00 avg300=0.00 total=93", in us */
void watchdog_read_machine(struct watchdog_reading *r, const char *vmstat, const char *pressure)
{
	struct str text = { 0 };
	const char *full, *total;

	read_whole(vmstat, &text);
	r->pages_in = watchdog_number(&text, "pswpin ");
	r->pages_out = watchdog_number(&text, "pswpout ");
	str_clear(&text);
	full = read_whole(pressure, &text) ? NULL : strstr(str_text(&text), "full ");
	total = full ? strstr(full, "total=") : NULL;
	r->stalls_known = total;
	r->stalled_ns = total ? 1000 * strtoull(total + strlen("total="), NULL, 10) : 0;
	str_free(&text);
}

bool watchdog_is_due(const struct watchdog *w)
{
	return !w->count || monotonic_ns() - w->past[w->count - 1].now_ns >= NS_PER_SEC;
}

bool watchdog_look(struct watchdog *w, struct watchdog_reading *now, uint64_t begin_ns)
{
	now->now_ns = monotonic_ns();
	now->late_ns = w->late_ns;
	watchdog_read_machine(now, "/proc/vmstat", "/proc/pressure/memory");
	if (!watchdog_judge(w, now))
		return false;
	inform("ended after %s, to spare the machine: %s; --no-watchdog goes on",
	       duration_text(now->now_ns - begin_ns).text, w->why.buf);
	return true;
}

void watchdog_free(struct watchdog *w)
{
	str_free(&w->why);
	*w = (struct watchdog){ 0 };
}
