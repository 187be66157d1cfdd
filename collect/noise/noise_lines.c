#include "collect/noise/noise_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/noise/spinner.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/outfile.h"
#include "core/wallclock.h"

void noise_time_add(struct str *out, uint64_t ns)
{
	wallclock_add(out, ns + (clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC)));
}

static bool noise_lines_is_noise(const struct noise_total *t)
{
	return t->state >= RECORDING_NOISE_THREAD;
}

static const char *noise_lines_name_of(const struct noise_summary *s, const struct noise_total *t)
{
	return noise_total_name(s->sources, t);
}

/* ---- lines --------------------------------------------------------------------------- */

static void noise_lines_add_line(const struct noise_summary *s, const struct noise_total *t, struct str *out)
{
	size_t from;

	str_addf(out, "cpu%" PRIu32 ";%s;", t->cpu, noise_state_word(t->state));
	from = out->len;
	str_puts(out, noise_lines_name_of(s, t));
	for (; from < out->len; from++)
		out->buf[from] = out->buf[from] == ' ' ? '_' : out->buf[from];
	str_addf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", t->ns, t->count, t->longest_ns);
}

int noise_lines_write(const struct noise_summary *s)
{
	struct str out = { 0 };
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	str_addf(&out, FOLDED_HEADER FOLDED_HOST "=%s " FOLDED_EVENT "=" RECORDING_NOISE " " FOLDED_START "=", host);
	noise_time_add(&out, s->start_ns);
	str_puts(&out, " " FOLDED_END "=");
	noise_time_add(&out, s->end_ns);
	str_puts(&out, " " FOLDED_ROOT "=cpu,state,source " FOLDED_COLUMNS "=time,count,longest " FOLDED_UNIT "=ns\n");
	for (size_t i = 0; i < s->sources->count; i++)
		noise_lines_add_line(s, &s->sources->items[i], &out);
	fwrite(out.buf, 1, out.len, stdout);
	str_free(&out);
	return flush_stdout() < 0 ? -1 : 0;
}

/* ---- summary ------------------------------------------------------------------------- */

static void tell_cpu(const struct noise_summary *s, size_t i)
{
	const struct noise_total *longest = NULL;
	uint64_t noise_ns = 0;
	struct str text = { 0 };

	for (size_t k = 0; k < s->sources->count; k++) {
		const struct noise_total *t = &s->sources->items[k];

		if (t->cpu != (uint32_t)s->cpus->list[i] || !noise_lines_is_noise(t))
			continue;
		noise_ns += t->ns;
		if (!longest || t->longest_ns > longest->longest_ns)
			longest = t;
	}
	str_addf(&text, "cpu%d: %s, with %s of noise (%s)", s->cpus->list[i], duration_text(s->end_ns - s->start_ns).text,
		 duration_text(noise_ns).text, percentage_text(noise_ns, s->end_ns - s->start_ns).text);
	if (longest) {
		str_addf(&text, "; the longest: %s %s, %s at ", noise_state_word(longest->state),
			 noise_lines_name_of(s, longest), duration_text(longest->longest_ns).text);
		noise_time_add(&text, longest->longest_at_ns);
	}
	if (s->steal_ns[i])
		str_addf(&text, "; the hypervisor took %s (steal in /proc/stat)", duration_text(s->steal_ns[i]).text);
	inform("%s", text.buf);
	str_free(&text);
}

/* How often noise of this state occurred on a CPU. */
static uint64_t times_of(const struct noise_summary *s, uint32_t cpu, enum recording_state state)
{
	uint64_t times = 0;

	for (size_t i = 0; i < s->sources->count; i++) {
		const struct noise_total *t = &s->sources->items[i];

		times += t->cpu == cpu && t->state == state ? t->count : 0;
	}
	return times;
}

/* What rtla osnoise shows. */
static void noise_lines_tell_gaps(const struct noise_summary *s, const struct spinner_seen *seen)
{
	uint64_t whole = s->end_ns - s->start_ns;
	struct str text = { 0 };

	str_addf(&text,
		 "cpu%d: --spin was kept from the clock %" PRIu64 " times for %s or more, %s in all: %s of the CPU were left",
		 seen->cpu, seen->gaps, duration_text(s->min_ns).text, duration_text(seen->gaps_ns).text,
		 percentage_text(whole > seen->gaps_ns ? whole - seen->gaps_ns : 0, whole).text);
	if (seen->gaps) {
		str_addf(&text, "; the longest %s at ", duration_text(seen->longest_ns).text);
		noise_time_add(&text, seen->longest_at_ns);
	}
	str_addf(&text, "; %" PRIu64 " times, %s, without a cause in software", seen->bare,
		 duration_text(seen->bare_ns).text);
	for (int state = RECORDING_NOISE_THREAD; state < RECORDING_HARDWARE; state++)
		str_addf(&text, "%s %s %" PRIu64, state == RECORDING_NOISE_THREAD ? "; it saw:" : ",",
			 noise_state_word((enum recording_state)state),
			 times_of(s, (uint32_t)seen->cpu, (enum recording_state)state));
	inform("%s", text.buf);
	if (seen->untold)
		warn("cpu%d: %" PRIu64 " of these gaps are missing: too many at once", seen->cpu, seen->untold);
	str_free(&text);
}

void noise_lines_tell(const struct noise_summary *s)
{
	for (size_t i = 0; i < s->cpus->count; i++) {
		tell_cpu(s, i);
		if (s->spins)
			noise_lines_tell_gaps(s, spinner_seen(i));
	}
	if (s->lost.missed)
		warn("%" PRIu64
		     " events came while another was noted: their time counts as that of what they interrupted",
		     s->lost.missed);
	if (s->lost.unplaced_ns)
		warn("more than %d sources: %s of others are missing", NOISE_SOURCES,
		     duration_text(s->lost.unplaced_ns).text);
}

bool noise_lines_over(const struct noise_summary *s)
{
	struct str at = { 0 };
	bool any = false;

	for (size_t i = 0; i < s->sources->count; i++) {
		const struct noise_total *t = &s->sources->items[i];

		if (!t->over)
			continue;
		any = true;
		str_clear(&at);
		noise_time_add(&at, t->longest_at_ns);
		error("cpu%" PRIu32 ": over the budget of %s: %s %s, %" PRIu64 " times, the longest %s at %s",
		      t->cpu, duration_text(s->sources->budget_ns).text, noise_state_word(t->state),
		      noise_lines_name_of(s, t), t->over, duration_text(t->longest_ns).text, at.buf);
	}
	str_free(&at);
	return any;
}
