#include "collapse/views/window_lengths.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/output/output.h"
#include "collapse/perfdata/recorded.h"
#include "collapse/roots/thread_root.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/utf8.h"
#include "core/wallclock.h"

enum { SLOWEST = 10, BAR = 40, WORD = 10, STEPS = 64 };

struct length_report {
	struct reading *reading;
	const struct window **list; /* [count], the longest first */
	size_t count, cut, open;
	uint64_t *lengths; /* [ended], ascending */
	size_t ended;
	uint64_t total_ns;
};

static uint64_t window_lengths_length(const struct window *w)
{
	return w->end_ns - w->begin_ns;
}

static bool is_selected(const struct reading *r, const struct window *w)
{
	struct sideband *s = (struct sideband *)&r->sideband;

	return w->wanted && w->end_ns >= r->gather.from_ns && w->begin_ns < r->gather.to_ns &&
	       (w->whole_process || sideband_wants(s, w->pid, w->tid, w->time_ns));
}

static int longest_first(const void *a, const void *b)
{
	const struct window *x = *(const struct window *const *)a, *y = *(const struct window *const *)b;

	return ORDER(window_lengths_length(y), window_lengths_length(x)) ?:
	       ORDER(x->begin_ns, y->begin_ns) ?: ORDER(x->tid, y->tid);
}

static void select_windows(struct length_report *r)
{
	const struct windows *w = &r->reading->windows;

	r->list = xcalloc(w->count + 1, sizeof(*r->list));
	r->lengths = xcalloc(w->count + 1, sizeof(*r->lengths));
	for (size_t i = 0; i < w->count; i++) {
		const struct window *window = &w->list[i];

		if (!is_selected(r->reading, window))
			continue;
		r->list[r->count++] = window;
		r->cut += window->cut;
		r->open += window->open;
		r->total_ns += window_lengths_length(window);
		if (!window->cut && !window->open)
			r->lengths[r->ended++] = window_lengths_length(window);
	}
	qsort(r->list, r->count, sizeof(*r->list), longest_first);
	qsort(r->lengths, r->ended, sizeof(*r->lengths), by_u64);
}

/* ---- words ---- */

/* Append a length, right-aligned in as many columns as WORD has. */
static void window_lengths_add_length(struct str *out, uint64_t ns)
{
	struct str text = { 0 };
	size_t columns = 0;

	duration_add(&text, ns);
	for (size_t i = 0; i < text.len; i++)
		columns += (text.buf[i] & 0xc0) != 0x80; /* the letter of microseconds has two bytes */
	str_addf(out, "%*s%s", columns < WORD ? (int)(WORD - columns) : 0, "", text.buf);
	str_free(&text);
}

static void window_lengths_add_fact(const struct length_report *r, const char *key, const char *what, struct str *out)
{
	size_t len;
	const char *text = recorded_window_fact(&r->reading->data, key, &len);

	if (text && (len != 1 || *text != '0'))
		str_addf(out, "  %.*s %s\n", (int)len, text, what);
}

static void window_lengths_add_heading(const struct length_report *r, struct str *out)
{
	size_t len;
	const char *between = recorded_window_fact(&r->reading->data, "between", &len);

	str_addf(out, "windows of a %s", r->reading->windows.list[0].whole_process ? "process" : "thread");
	if (between) {
		str_puts(out, ", ");
		printable_add(out, between, len);
	}
	str_addf(out, ": %zu, total ", r->count);
	duration_add(out, r->total_ns);
	str_addc(out, '\n');
	if (r->cut)
		str_addf(out, "  %zu cut by the end of the thread or process, not in the percentiles\n", r->cut);
	if (r->open)
		str_addf(out, "  %zu open when the recording ended, not in the percentiles\n", r->open);
#define ADD_FACT(key, what) window_lengths_add_fact(r, #key, what, out);
	RECORDING_WINDOW_TABLE(ADD_FACT)
#undef ADD_FACT
}

static void add_percentiles(const struct length_report *r, struct str *out)
{
	static const double percents[] = { 10, 50, 75, 90, 95, 99, 99.9 };

	str_addc(out, '\n');
	for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++) {
		char name[16];

		snprintf(name, sizeof(name), "p%g", percents[i]);
		str_addf(out, "%-8s", name);
		window_lengths_add_length(out, lengths_percentile(r->lengths, r->ended, percents[i]));
		str_addc(out, '\n');
	}
	str_addf(out, "%-8s", "longest");
	window_lengths_add_length(out, r->lengths[r->ended - 1]);
	str_addc(out, '\n');
}

/* ---- the distribution ---- */

/* The bounds 0, 1, 2, 5, 10, 20, 50, ... ns. */
static uint64_t step_ns(unsigned step)
{
	static const uint64_t digits[] = { 1, 2, 5 };
	uint64_t ns = 1;

	if (!step)
		return 0;
	for (unsigned i = (step - 1) / 3; i; i--)
		ns *= 10;
	return ns * digits[(step - 1) % 3];
}

static unsigned step_of(uint64_t ns)
{
	unsigned step = 0;

	while (step + 1 < STEPS - 7 && step_ns(step + 1) <= ns)
		step++;
	return step;
}

static void add_distribution(const struct length_report *r, struct str *out)
{
	size_t counts[STEPS] = { 0 }, most = 0;
	unsigned first = step_of(r->lengths[0]), last = step_of(r->lengths[r->ended - 1]);

	for (size_t i = 0; i < r->ended; i++)
		counts[step_of(r->lengths[i])]++;
	for (unsigned i = first; i <= last; i++)
		most = counts[i] > most ? counts[i] : most;
	str_addf(out, "\n%*s%*s    windows\n", WORD, "from", WORD, "below");
	for (unsigned i = first; i <= last; i++) {
		window_lengths_add_length(out, step_ns(i));
		window_lengths_add_length(out, step_ns(i + 1));
		str_addf(out, " %10zu  ", counts[i]);
		for (size_t bar = (counts[i] * BAR + most - 1) / most; bar; bar--)
			str_addc(out, '#');
		while (out->buf[out->len - 1] == ' ')
			out->len--;
		str_addc(out, '\n');
	}
}

/* ---- the slowest ---- */

static void add_who(const struct length_report *r, const struct window *w, struct str *out)
{
	struct recorded_sample s = { .pid = w->pid, .tid = w->tid, .time_ns = w->time_ns };
	struct roots *roots = &r->reading->gather.roots;
	uint32_t words[THREAD_WORDS];

	if (w->whole_process) {
		thread_root_add_name(roots, thread_root_process_name(roots, w->pid, &s), out);
		thread_root_add_pid(roots, w->pid, out);
		return;
	}
	thread_root_key(roots, w->pid, w->tid, &s, words);
	thread_root_write(roots, words, out);
}

static void add_slowest(const struct length_report *r, struct str *out)
{
	str_addf(out, "\n%-30s%*s  %s\n", "begin", WORD, "length",
		 r->reading->windows.list[0].whole_process ? "process" : "thread");
	for (size_t i = 0; i < r->count && i < SLOWEST; i++) {
		const struct window *w = r->list[i];

		wallclock_add(out, w->begin_ns);
		window_lengths_add_length(out, window_lengths_length(w));
		str_puts(out, "  ");
		add_who(r, w, out);
		if (w->open)
			str_puts(out, "  (open)");
		else if (w->cut)
			str_puts(out, "  (cut)");
		str_addc(out, '\n');
	}
}

static void write_report(FILE *out, const void *report)
{
	const struct length_report *r = report;
	struct str text = { 0 };

	window_lengths_add_heading(r, &text);
	if (r->ended) {
		add_percentiles(r, &text);
		add_distribution(r, &text);
	}
	add_slowest(r, &text);
	fwrite(text.buf, 1, text.len, out);
	str_free(&text);
}

int window_lengths_write(struct reading *r, const char *output)
{
	struct length_report report = { .reading = r };
	int status;

	select_windows(&report);
	if (report.count)
		status = output_write(output, write_report, &report);
	else
		status = error("%s: no window of %zu is left", r->data.path, r->windows.count);
	free(report.list);
	free(report.lengths);
	return status;
}
