#include "web/run_page.h"

#include <string.h>

#include "core/amount.h"
#include "core/markup.h"
#include "core/wallclock.h"
#include "web/amounts.h"
#include "web/html.h"
#include "web/look.h"

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
	str_puts(page, "\">All runs</a></nav>\n");
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

/* The heading is the line that says who did it (capture_fact()); the others tell of the run, and where to look. */
static void run_page_add_headline(struct str *page, const struct web_run *run)
{
	const char *fact = capture_fact(run->capture), *line;
	const struct figures *f = &run->figures;
	struct str service = { 0 };

	if (fact)
		run_page_add_line(page, "<h1>", fact, "</h1>\n");
	for (size_t i = 0; fact && (line = capture_headline_line(run->capture, i)); i++) {
		if (line == fact)
			continue;
		str_puts(page, "<p class=\"finding\">");
		look_add(page, run->capture, "../", line, strcspn(line, "\n"));
		str_puts(page, "</p>\n");
	}
	if (!fact) {
		str_add(&service, f->service, f->service_len);
		run_page_add_line(page, "<h1>", service.len ? service.buf : run->capture->members->key, "</h1>\n");
		str_free(&service);
	}
}

/* A figure after a separator; the text is ours. */
static void add_figure(struct str *page, const char *what, const struct str *figure, const char *after)
{
	str_addf(page, " \xc2\xb7 %s%s%s", what, str_text(figure), after);
}

static void run_page_add_figures(struct str *page, const struct web_run *run)
{
	const struct figures *f = &run->figures;
	struct str text = { 0 };

	str_puts(page, "<p class=\"summary\">");
	run_page_add_name(page, run->capture);
	if (f->length_ns) {
		add_duration(&text, f->length_ns);
		add_figure(page, "", &text, "");
		str_clear(&text);
	}
	if (f->has_cpus) {
		add_cpus(&text, f->cpus_milli);
		add_figure(page, "", &text, " CPUs");
		str_clear(&text);
	}
	if (f->has_samples) {
		number_add(&text, f->samples);
		add_figure(page, "", &text, f->samples == 1 ? " sample" : " samples");
		str_clear(&text);
	}
	if (f->has_longest) {
		add_duration(&text, f->longest_ns);
		add_figure(page, "longest wait ", &text, "");
		str_clear(&text);
	}
	if (f->lost.part) {
		add_ratio(&text, &f->lost);
		add_figure(page, "lost ", &text, "");
	}
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

/* ---- the charts -------------------------------------------------------------------- */

static void run_page_add_link(struct str *page, const struct web_picture *p)
{
	str_puts(page, "<a href=\"");
	run_page_add_address(page, p->path);
	str_puts(page, "\">");
	html_add_text(page, capture_title(p));
	str_puts(page, "</a>");
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

/* A chart as a picture that leads to the live one.  The flames of a flame graph begin at its foot. */
static void run_page_add_chart(struct str *page, const struct web_picture *p)
{
	const char *kind = p->about.facts[FACT_KIND];

	str_puts(page, "<section class=\"chart\">\n<h2>");
	run_page_add_link(page, p);
	str_puts(page, "</h2>\n");
	if (is_shown(p)) {
		str_addf(page, "<a class=\"view%s\" tabindex=\"-1\" href=\"",
			 kind && !strcmp(kind, "flame") ? " foot" : "");
		run_page_add_address(page, p->path);
		str_puts(page, "\"><img loading=\"lazy\" alt=\"");
		html_add_text(page, capture_title(p));
		str_puts(page, "\" src=\"");
		run_page_add_address(page, p->path);
		str_puts(page, "\" /></a>\n");
	}
	str_puts(page, "</section>\n");
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
		run_page_add_link(page, p);
		if (role == MEMBER_THREAD)
			add_total(&size, p->about.facts[FACT_TOTAL], p->about.facts[FACT_UNIT]);
		else
			add_bytes(&size, p->size_bytes);
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
	if (c->about) {
		run_page_add_fact(page, "losses", c->about->facts[FACT_LOSSES]);
		run_page_add_fact(page, "command", c->about->facts[FACT_COMMAND]);
	}
	for (size_t i = 0; i < c->count; i++) {
		if (c->members[i].role == MEMBER_PICTURE)
			run_page_add_chart(page, c->members[i].picture);
	}
	run_page_add_files(page, c, MEMBER_THREAD, "Threads");
	run_page_add_files(page, c, MEMBER_SOURCE, "Text to grep, and the recording");
	str_puts(page, "</main>\n</body>\n</html>\n");
}
