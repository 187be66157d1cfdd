#include <string.h>

#include "collapse/cause/explanation.h"
#include "core/amount.h"
#include "core/utf8.h"
#include "core/wallclock.h"

static void explanation_text_add_amounts(const struct explanation *e, const struct finding *f, struct str *out)
{
	str_puts(out, "   ");
	if (f->kind == FINDING_FORKS) {
		number_add(out, f->count);
		str_puts(out, " processes, ");
		duration_add(out, f->ran_ns);
		str_puts(out, " of CPU time in all");
	} else if (f->kind >= FINDING_HOT || f->kind == FINDING_PIPE) {
		duration_add(out, f->kind == FINDING_PIPE ? f->ran_ns : f->total_ns);
		str_puts(out, " of CPU time of ");
		explanation_process(e, f->guilty, out);
	} else {
		number_add(out, f->count);
		if (f->kind == FINDING_TURN)
			str_puts(out, f->count == 1 ? " stretch of " : " stretches of ");
		else
			str_puts(out, f->count == 1 ? " wait of " : " waits of ");
		explanation_process(e, f->victims[0].thread, out);
		str_puts(out, f->others ? " and others, " : ", ");
		duration_add(out, f->total_ns);
		if (finding_has_others(f)) {
			str_puts(out, " of the ");
			duration_add(out, f->whole_ns);
			str_addf(out, " in which %s waited for a CPU", f->victim_count > 1 ? "they" : "it");
		} else {
			str_puts(out, " in all");
		}
		str_puts(out, "; the longest: ");
		explanation_thread(e, f->longest_victim, out);
		str_puts(out, ", ");
		duration_add(out, f->longest_ns);
		str_puts(out, ", at ");
		wallclock_add(out, f->longest_at_ns);
	}
	str_addc(out, '\n');
}

/* "; pyrograph itself: 3 % of the samples" */
static void add_recorder(const struct explanation *e, struct str *out)
{
	uint64_t share = explanation_recorder(e);

	if (share && !(explanation_recorder_cpus(e) > 0)) /* or else the headline says so */
		str_addf(out, "; pyrograph itself: %llu %% of the samples", (unsigned long long)share);
}

/* Marks the beginning of a heading line; text from outside cannot contain this character (core/utf8.h). */
#define HEADING '\1'

static void explanation_text_add_heading(struct str *out, const char *text)
{
	str_addf(out, "\n%c%s\n", HEADING, text);
}

static void explanation_text_add_summary(const struct explanation *e, struct str *out)
{
	headline_summary(e, out);
	str_puts(out, "\nFrom ");
	wallclock_add(out, e->history->first_ns);
	str_puts(out, " on");
	add_recorder(e, out);
	str_addc(out, '\n');
	if (*e->trigger)
		str_addf(out, "%s\n", e->trigger);
	if (*e->asked)
		str_addf(out, "%s\n", e->asked);
	if (*e->doubts)
		str_addf(out, "%s\n", e->doubts);
}

/* Write a line with what add() appends; nothing if it appends nothing. */
static void explanation_text_add_line(const struct explanation *e, const char *begin,
				      void (*add)(const struct explanation *e, struct str *out), struct str *out)
{
	size_t before = out->len, start;

	str_puts(out, begin);
	start = out->len;
	add(e, out);
	if (out->len == start)
		out->len = before;
	else
		str_addc(out, '\n');
}

static void explanation_text_add_outliers(const struct explanation *e, struct str *out)
{
	size_t count = explanation_outliers(e);

	if (!count)
		return;
	explanation_text_add_heading(out, "The longest, one by one");
	for (size_t i = 0; i < count; i++) {
		str_puts(out, "- ");
		explanation_outlier(e, &e->outliers->items[i], "  ", out);
		if (e->correlates) {
			str_puts(out, "\n  Meanwhile:");
			explanation_correlate(e, &e->outliers->items[i].longest, "  - ", out);
		}
		str_addc(out, '\n');
	}
	explanation_text_add_line(e, "In common: ", explanation_common, out);
	explanation_text_add_line(e, "Left out: ", explanation_left_out, out);
}

static void add_findings(const struct explanation *e, size_t shown, struct str *out)
{
	size_t count = explanation_count(e);

	if (explanation_outliers(e))
		explanation_text_add_heading(out, "Who made whom wait");
	for (size_t i = 0; i < count && i < shown; i++) {
		const struct finding *f = &e->findings->items[i];

		str_addf(out, "%s%zu. ", i || !explanation_outliers(e) ? "\n" : "", i + 1);
		explanation_sentence(e, f, out);
		str_addc(out, '\n');
		explanation_text_add_amounts(e, f, out);
		str_puts(out, "   Look at: ");
		explanation_advice(e, f, out);
		str_addc(out, '\n');
	}
	if (count)
		return;
	if (explanation_outliers(e)) {
		str_puts(out, "Nothing else stands out: no thread waited long for another one, or for a CPU.\n");
		return;
	}
	str_addc(out, '\n');
	headline_fact(e, out);
	str_puts(out, ".\n");
}

static void explanation_text_add_unknown(const struct explanation *e, struct str *out)
{
	if (!*e->unknown)
		return;
	explanation_text_add_heading(out, "What this recording cannot tell");
	for (const char *at = e->unknown; *at;) {
		size_t len = strcspn(at, "\n");

		str_puts(out, "- ");
		str_add(out, at, len);
		str_addc(out, '\n');
		at += len + (at[len] == '\n');
	}
}

static size_t explanation_text_count_lines(const struct str *text)
{
	size_t count = 0;

	for (size_t i = 0; i < text->len; i++)
		count += text->buf[i] == '\n';
	return count;
}

/* Write as many findings as there is room for. */
static void explanation_text_add_all(const struct explanation *e, struct str *out)
{
	for (size_t shown = e->shown; shown; shown--) {
		str_clear(out);
		explanation_text_add_summary(e, out);
		explanation_text_add_outliers(e, out);
		add_findings(e, shown, out);
		explanation_text_add_unknown(e, out);
		if (e->correlates || explanation_text_count_lines(out) <= EXPLANATION_LINES)
			break;
	}
	out->len = printable_clean(out->buf, out->len, "\n\1");
}

void explanation_text_write(FILE *out, const struct explanation *e)
{
	struct str text = { 0 };
	bool heading = false;

	explanation_text_add_all(e, &text);
	for (size_t i = 0; i < text.len; i++) {
		char c = text.buf[i];

		if (c == '\n' && heading)
			putc(':', out);
		heading = c == HEADING || (heading && c != '\n');
		if (c != HEADING)
			putc(c, out);
	}
	str_free(&text);
}

/* Write one paragraph: text too long for a line continues in the next line. */
static void write_markdown_line(FILE *out, const char *line, size_t len, bool more)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("\\`*_{}[]<>#|&~!", line[i]) || (!i && line[i] == '+'))
			putc('\\', out); /* nothing in a name is markup */
		putc(line[i], out);
	}
	fputs(more ? "\\\n" : "\n", out);
}

static bool explanation_text_is_heading(const struct str *text, size_t at)
{
	return !at || text->buf[at] == HEADING;
}

void explanation_markdown_write(FILE *out, const struct explanation *e)
{
	struct str text = { 0 };

	explanation_text_add_all(e, &text);
	for (size_t at = 0, next; at < text.len; at = next) {
		size_t len = strcspn(text.buf + at, "\n");
		bool heading = explanation_text_is_heading(&text, at);

		next = at + len + 1;
		if (heading)
			fputs(at ? "## " : "# ", out);
		write_markdown_line(out, text.buf + at + (at && heading), len - (at && heading),
				    !heading && next < text.len && text.buf[next] == ' ');
		if (!at)
			putc('\n', out);
	}
	str_free(&text);
}
