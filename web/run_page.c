#include "web/run_page.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/amount.h"
#include "core/markup.h"
#include "core/opts.h"
#include "core/str.h"
#include "core/wallclock.h"
#include "web/amounts.h"
#include "web/captures.h"
#include "web/html.h"
#include "web/look.h"

/* ---- the page ---- */

static void run_page_add_address(struct str *page, const char *path)
{
	str_puts(page, "../");
	html_add_url(page, path);
}

/* ---- what was found ---------------------------------------------------------------- */

/* "vm 2026-11-21 10:15:02" */
static void run_page_add_name(struct str *page, const struct web_capture *c)
{
	struct str iso = { 0 };

	wallclock_add(&iso, c->start_ns);
	html_add_text(page, capture_host(c));
	str_addf(page, "%s%s %.8s UTC", *capture_host(c) ? " " : "", c->day, iso.buf + 11);
	str_free(&iso);
}

static void run_page_add_head(struct str *page, const struct web_capture *c, const char *list)
{
	str_puts(page, PAGE_START);
	str_puts(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; "
		       "img-src 'self' data:; base-uri 'none'; form-action 'none'\" />\n<title>");
	run_page_add_name(page, c);
	str_puts(page, "</title>\n<link rel=\"stylesheet\" href=\"index.css\" />\n</head>\n<body class=\"run\">\n"
		       "<header class=\"top\">\n<nav><a href=\"");
	run_page_add_address(page, list);
	str_puts(page, "#\">All runs</a></nav>\n"); /* without "#" the list opens its only run */
}

static void run_page_add_line(struct str *page, const char *before, const char *line, const char *after)
{
	struct str text = { 0 };

	str_add(&text, line, strcspn(line, "\n"));
	str_puts(page, before);
	html_add_text(page, str_text(&text));
	str_puts(page, after);
	str_free(&text);
}

static bool is_look(const char *line)
{
	return !strncmp(line, "Look at ", strlen("Look at "));
}

/* The line of a headline that says where to look, or NULL. */
static const char *look_line(const struct web_capture *c)
{
	const char *line;

	for (size_t i = 0; (line = capture_headline_line(c, i)); i++) {
		if (is_look(line))
			return line;
	}
	return NULL;
}

/* The heading is the line that names the culprit (capture_fact()); below it, where to look. */
static void run_page_add_headline(struct str *page, const struct web_run *run)
{
	const char *fact = capture_fact(run->capture), *look = look_line(run->capture);
	const struct figures *f = &run->figures;
	struct str service = { 0 };

	if (fact) {
		run_page_add_line(page, "<h1>", fact, "</h1>\n");
	} else {
		str_add(&service, f->service, f->service_len);
		run_page_add_line(page, "<h1>", service.len ? service.buf : run->capture->members->key, "</h1>\n");
		str_free(&service);
	}
	if (!look)
		return;
	str_puts(page, "<p class=\"finding\">");
	look_add(page, run->capture, "../", look, strcspn(look, "\n"));
	str_puts(page, "</p>\n");
}

/* Append a figure after a separator; the text is our own. */
static void add_figure(struct str *page, const char *what, struct str *figure, const char *after)
{
	str_addf(page, " \xc2\xb7 %s%s%s", what, str_text(figure), after);
	str_clear(figure);
}

enum { SERIOUS = 10000 }; /* lost samples per million: enough to change what a chart shows */

static bool loses_much(const struct web_run *run)
{
	return ratio_millionths(&run->figures.lost) >= SERIOUS;
}

static void run_page_add_losses(struct str *page, const struct web_run *run, struct str *text)
{
	if (!run->figures.lost.part)
		return;
	add_ratio(text, &run->figures.lost);
	add_figure(page, "lost ", text, "");
}

/* The headline has two findings at most. */
static void run_page_add_explanation(struct str *page, const struct web_capture *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct web_picture *p = c->members[i].picture;

		if (p->type != PICTURE_TEXT || p->problem)
			continue;
		str_puts(page, " \xc2\xb7 <a href=\"");
		run_page_add_address(page, p->path);
		str_puts(page, "\">all findings</a>");
		return;
	}
}

/* "4 threads waited for a lock, up to 326 ms": the heading has the longest wait. */
static bool fact_has_longest(const struct web_capture *c)
{
	static const char longest[] = ", up to ";
	const char *fact = capture_fact(c);

	return fact && memmem(fact, strcspn(fact, "\n"), longest, sizeof(longest) - 1);
}

/* When and where, and the figures that tell runs apart. */
static void run_page_add_figures(struct str *page, const struct web_run *run)
{
	const struct figures *f = &run->figures;
	struct str text = { 0 };

	str_puts(page, "<p class=\"summary\">");
	run_page_add_name(page, run->capture);
	if (f->length_ns) {
		add_duration(&text, f->length_ns);
		add_figure(page, "", &text, "");
	}
	if (f->has_cpus) {
		add_cpus(&text, f->cpus_milli);
		add_figure(page, "", &text, " CPUs");
	}
	if (f->longest && !fact_has_longest(run->capture)) {
		add_duration(&text, f->longest_ns);
		add_figure(page, f->longest == FIGURES_OF_STATES ? "longest wait for a CPU " : "longest wait ", &text,
			   "");
	}
	if (loses_much(run))
		run_page_add_losses(page, run, &text);
	run_page_add_explanation(page, run->capture);
	str_puts(page, "</p>\n");
	str_free(&text);
}

static void run_page_add_fact(struct str *page, const char *class, const char *text)
{
	if (!text)
		return;
	str_addf(page, "<p class=\"%s\">", class);
	html_add_text(page, text);
	str_puts(page, "</p>\n");
}

static void run_page_add_verdict(struct str *page, const struct verdicts *rules, unsigned verdict)
{
	str_puts(page, verdict ? "<p>" : "");
	for (size_t i = 0; i < rules->count; i++) {
		if (!(verdict >> i & 1))
			continue;
		str_addf(page, "<span class=\"mark %s\">%s</span> ", rules->rules[i].colour, verdict_mark(i));
		xml_add(page, rules->rules[i].text, rules->rules[i].text_len);
		str_addc(page, ' ');
	}
	str_puts(page, verdict ? "</p>\n" : "");
}

/* ---- what few want to know --------------------------------------------------------- */

static void run_page_add_samples(struct str *page, const struct web_run *run)
{
	const struct figures *f = &run->figures;
	struct str text = { 0 };

	if (!f->has_samples)
		return;
	number_add(&text, f->samples);
	str_addf(page, "<p>%s sample%s", text.buf, f->samples == 1 ? "" : "s");
	str_clear(&text);
	run_page_add_losses(page, run, &text);
	str_puts(page, "</p>\n");
	str_free(&text);
}

/* The lines of the headline that are not at the top, losses, the command. */
static void run_page_add_details(struct str *page, const struct web_run *run)
{
	const struct web_capture *c = run->capture;
	const char *fact = capture_fact(c), *line;

	str_puts(page, "<details>\n<summary>Details</summary>\n");
	for (size_t i = 0; fact && (line = capture_headline_line(c, i)); i++) {
		size_t len = strcspn(line, "\n");

		if (line != fact && (!is_look(line) || look_places_len(line, len) < len))
			run_page_add_line(page, "<p>", line, "</p>\n");
	}
	run_page_add_samples(page, run);
	if (c->about) {
		run_page_add_fact(page, "losses", c->about->facts[FACT_LOSSES]);
		run_page_add_fact(page, "command", c->about->facts[FACT_COMMAND]);
	}
	str_puts(page, "</details>\n");
}

/* ---- the charts -------------------------------------------------------------------- */

static void run_page_add_link(struct str *page, const struct web_picture *p, size_t len)
{
	struct str title = { 0 };

	str_add(&title, capture_title(p), len);
	str_puts(page, "<a href=\"");
	run_page_add_address(page, p->path);
	str_puts(page, "\">");
	html_add_text(page, str_text(&title));
	str_puts(page, "</a>");
	str_free(&title);
	if (p->problem) {
		str_puts(page, " <span class=\"bad\">");
		html_add_text(page, p->problem);
		str_puts(page, "</span>");
	}
}

static bool is_shown(const struct web_picture *p)
{
	return !p->problem && (p->type == PICTURE_SVG || p->type == PICTURE_PNG);
}

/* Of a picture, in px. */
struct plot {
	uint64_t width, height, top, end;
	bool whole; /* its axis is at its foot */
};

enum { PLOT_NUMBERS = 4, PLOT_MAX = 1000000 };

/* Which part of the picture is the chart (PICTURE_PLOT)?  Returns false if it does not say so, or says nonsense. */
static bool run_page_read_plot(struct plot *plot, const char *text)
{
	uint64_t numbers[PLOT_NUMBERS];

	for (size_t i = 0; i < PLOT_NUMBERS; i++) {
		size_t len = text ? strcspn(text, " ") : 0;
		char number[8];

		if (!len || len >= sizeof(number))
			return false;
		memcpy(number, text, len);
		number[len] = '\0';
		if (!parse_u64(number, &numbers[i]) || numbers[i] > PLOT_MAX)
			return false;
		text = text[len] ? text + len + 1 : NULL;
	}
	*plot = (struct plot){ numbers[0], numbers[1], numbers[2], numbers[3], text != NULL };
	return (!text || !strcmp(text, "whole")) && plot->width && plot->top < plot->end && plot->end <= plot->height;
}

/* size: its attributes, or "" */
static void run_page_add_image(struct str *page, const struct web_picture *p, const char *size)
{
	str_addf(page, "<img loading=\"lazy\"%s alt=\"", size);
	html_add_text(page, capture_title(p));
	str_puts(page, "\" src=\"");
	run_page_add_address(page, p->path);
	str_puts(page, "\" />");
}

/* Show only the part of the picture that is the chart, because the page already has the title and the findings.  An
 * HTML image is loaded when it comes into sight, which it cannot do without a height.  The browser would load an SVG
 * image at once. */
static void run_page_add_plot(struct str *page, const struct web_picture *p, const struct plot *plot)
{
	char size[64];

	snprintf(size, sizeof(size), " width=\"%" PRIu64 "\" height=\"%" PRIu64 "\"", plot->width, plot->height);
	str_addf(page, "<svg viewBox=\"0 %" PRIu64 " %" PRIu64 " %" PRIu64 "\"><foreignObject%s>", plot->top,
		 plot->width, plot->end - plot->top, size);
	run_page_add_image(page, p, size);
	str_puts(page, "</foreignObject></svg>");
}

/* A picture that links to the live chart; for people who cannot see, the heading has the same link.  The flames of a
 * flame graph begin at its foot. */
static void run_page_add_view(struct str *page, const struct web_picture *p)
{
	const char *kind = p->about.facts[FACT_KIND];
	struct plot plot;
	bool known = run_page_read_plot(&plot, p->about.facts[FACT_PLOT]);

	str_addf(page, "<a class=\"view%s%s\" tabindex=\"-1\" aria-hidden=\"true\" href=\"",
		 kind && !strcmp(kind, "flame") ? " foot" : "", known && plot.whole ? " whole" : "");
	run_page_add_address(page, p->path);
	str_puts(page, "\">");
	if (known)
		run_page_add_plot(page, p, &plot);
	else
		run_page_add_image(page, p, "");
	str_puts(page, "</a>\n");
}

/* "Timeline: process 8513": what the page is about need not be said of each chart, unless that tells two apart. */
static size_t run_page_heading_len(const struct web_capture *c, const struct web_picture *p)
{
	const char *title = capture_title(p), *colon = strstr(title, ": ");
	size_t len = colon && colon != title ? (size_t)(colon - title) : strlen(title);

	for (size_t i = 0; i < c->count; i++) {
		const struct member *m = &c->members[i];
		const char *other = capture_title(m->picture);

		if (m->role == MEMBER_PICTURE && m->picture != p && !strncmp(other, title, len) &&
		    (!other[len] || other[len] == ':'))
			return strlen(title);
	}
	return len;
}

static void run_page_add_chart(struct str *page, const struct web_capture *c, const struct web_picture *p)
{
	str_puts(page, "<section class=\"chart\">\n<h2>");
	run_page_add_link(page, p, run_page_heading_len(c, p));
	str_puts(page, "</h2>\n");
	if (is_shown(p))
		run_page_add_view(page, p);
	str_puts(page, "</section>\n");
}

/* The charts that come first, because the headline speaks of them. */
struct first_charts {
	const struct web_picture *items[16];
	size_t count;
};

static bool run_page_is_first(const struct first_charts *first, const struct web_picture *p)
{
	for (size_t i = 0; i < first->count; i++) {
		if (first->items[i] == p)
			return true;
	}
	return false;
}

static void run_page_add_first(struct first_charts *first, const struct web_capture *c, const char *suffix)
{
	const struct web_picture *p = capture_chart(c, suffix);

	if (p && !run_page_is_first(first, p) && first->count < sizeof(first->items) / sizeof(*first->items))
		first->items[first->count++] = p;
}

/* The chart of what threads wait for, if that is what was found. */
static void add_first_wait(struct first_charts *first, const struct web_capture *c, const char *fact)
{
	static const char waited[] = " waited for ", cpu[] = "a CPU";
	const char *wait = memmem(fact, strcspn(fact, "\n"), waited, sizeof(waited) - 1);

	if (wait)
		run_page_add_first(first, c, strncmp(wait + strlen(waited), cpu, strlen(cpu)) ? "-offcpu" : "-states");
}

/* The timeline, if it shows the moment; what threads waited for; where else to look. */
static struct first_charts choose_first(const struct web_capture *c)
{
	const char *look = look_line(c), *fact = capture_fact(c);
	size_t len = look ? strcspn(look, "\n") : 0, at = 0;
	struct first_charts first = { 0 };
	const char *suffix;

	if (look && memmem(look, len, "the timeline", strlen("the timeline")))
		run_page_add_first(&first, c, "-timeline");
	if (fact)
		add_first_wait(&first, c, fact);
	while ((suffix = look_next(look, len, &at)))
		run_page_add_first(&first, c, suffix);
	return first;
}

static void run_page_add_charts(struct str *page, const struct web_capture *c)
{
	struct first_charts first = choose_first(c);

	for (size_t i = 0; i < first.count; i++)
		run_page_add_chart(page, c, first.items[i]);
	for (size_t i = 0; i < c->count; i++) {
		if (c->members[i].role == MEMBER_PICTURE && !run_page_is_first(&first, c->members[i].picture))
			run_page_add_chart(page, c, c->members[i].picture);
	}
}

static size_t count_role(const struct web_capture *c, enum member_role role)
{
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		n += c->members[i].role == role;
	return n;
}

/* The files of a role, as a list of links. */
static void run_page_add_files(struct str *page, const struct web_capture *c, enum member_role role,
			       const char *heading)
{
	if (!count_role(c, role))
		return;
	str_addf(page, "<section>\n<h2>%s</h2>\n<ul class=\"files\">\n", heading);
	for (size_t i = 0; i < c->count; i++) {
		const struct web_picture *p = c->members[i].picture;
		struct str size = { 0 };

		if (c->members[i].role != role)
			continue;
		str_puts(page, "<li>");
		run_page_add_link(page, p, strlen(capture_title(p)));
		if (role == MEMBER_THREAD)
			add_total(&size, p->about.facts[FACT_TOTAL], p->about.facts[FACT_UNIT]);
		else
			size_add(&size, p->size_bytes);
		str_puts(page, size.len ? " <small>" : "");
		html_add_text(page, str_text(&size));
		str_puts(page, size.len ? "</small></li>\n" : "</li>\n");
		str_free(&size);
	}
	str_puts(page, "</ul>\n</section>\n");
}

void run_page_write(struct str *page, const struct web_run *run, const struct verdicts *rules, const char *list)
{
	const struct web_capture *c = run->capture;

	run_page_add_head(page, c, list);
	run_page_add_headline(page, run);
	str_puts(page, "</header>\n<main>\n");
	run_page_add_figures(page, run);
	run_page_add_verdict(page, rules, run->verdict);
	run_page_add_details(page, run);
	run_page_add_charts(page, c);
	run_page_add_files(page, c, MEMBER_THREAD, "Threads");
	run_page_add_files(page, c, MEMBER_SOURCE, "Text to grep, and the recording");
	str_puts(page, "</main>\n</body>\n</html>\n");
}
