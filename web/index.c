#include "web/index.h"

#include <string.h>

#include "core/amount.h"
#include "core/markup.h"
#include "core/wallclock.h"
#include "web/amounts.h"
#include "web/data.h"
#include "web/html.h"

/* --- the runs as a table of HTML, for browsers without scripts --- */

static void list_add_cell(struct str *page, const char *class, const struct str *text)
{
	str_addf(page, "<td class=\"%s\">", class);
	html_add_text(page, str_text(text));
	str_puts(page, "</td>");
}

static void list_add_when(struct str *page, const struct web_capture *c)
{
	struct str iso = { 0 };
	char name[RUN_FILE_NAME];

	wallclock_add(&iso, c->start_ns);
	capture_page(name, c);
	str_addf(page,
		 "<th scope=\"row\" class=\"when\"><a href=\"" PICTURES_OWN
		 "/%s\"><time datetime=\"%.19sZ\">%s %.8s</time></a></th>",
		 name, iso.buf, c->day, iso.buf + 11);
	str_free(&iso);
}

/* What ran, and the line that names the culprit. */
static void add_service(struct str *page, const struct web_run *run)
{
	const char *fact = capture_fact(run->capture);
	struct str text = { 0 };

	str_puts(page, "<td class=\"service\">");
	str_add(&text, run->figures.service, run->figures.service_len);
	html_add_text(page, str_text(&text));
	if (fact) {
		str_clear(&text);
		str_add(&text, fact, strcspn(fact, "\n"));
		str_puts(page, "<p class=\"headline\">");
		html_add_text(page, str_text(&text));
		str_puts(page, "</p>");
	}
	str_puts(page, "</td>");
	str_free(&text);
}

/* Numbers; empty where they are unknown. */
static void list_add_figures(struct str *page, const struct figures *f)
{
	struct str text = { 0 };

	if (f->has_cpus)
		add_cpus(&text, f->cpus_milli);
	list_add_cell(page, "number", &text);
	str_clear(&text);
	if (f->has_samples)
		number_add(&text, f->samples);
	list_add_cell(page, "number", &text);
	str_clear(&text);
	if (f->lost.part)
		add_ratio(&text, &f->lost);
	list_add_cell(page, "number", &text);
	str_clear(&text);
	if (f->longest)
		add_duration(&text, f->longest_ns);
	list_add_cell(page, "number", &text);
	str_free(&text);
}

static void list_add_verdict(struct str *page, const struct verdicts *rules, unsigned verdict)
{
	str_puts(page, "<td>");
	for (size_t i = 0; i < rules->count; i++) {
		if (!(verdict >> i & 1))
			continue;
		str_addf(page, "<span class=\"mark %s\">%s ", rules->rules[i].colour, verdict_mark(i));
		xml_add(page, rules->rules[i].text, rules->rules[i].text_len);
		str_puts(page, "</span> ");
	}
	str_puts(page, "</td>");
}

static void list_add_link(struct str *page, const struct member *m)
{
	const struct web_picture *p = m->picture;
	const char *kind = p->about.facts[FACT_KIND];

	str_puts(page, "<li><a href=\"");
	html_add_url(page, p->path);
	str_puts(page, "\">");
	html_add_text(page, capture_title(p));
	str_puts(page, "</a>");
	if (kind && m->role == MEMBER_PICTURE) {
		str_puts(page, " ");
		html_add_text(page, kind);
	}
	if (p->problem) {
		str_puts(page, " <span class=\"bad\">");
		html_add_text(page, p->problem);
		str_puts(page, "</span>");
	}
	str_puts(page, "</li>");
}

static void list_add_charts(struct str *page, const struct web_capture *c)
{
	size_t threads = 0;

	str_puts(page, "<td><ul>");
	for (size_t i = 0; i < c->count; i++) {
		if (c->members[i].role == MEMBER_THREAD)
			threads++;
		else
			list_add_link(page, &c->members[i]);
	}
	if (threads)
		str_addf(page, "<li><details><summary>%zu thread%s</summary><ul>", threads, threads == 1 ? "" : "s");
	for (size_t i = 0; i < c->count; i++) {
		if (c->members[i].role == MEMBER_THREAD)
			list_add_link(page, &c->members[i]);
	}
	str_puts(page, threads ? "</ul></details></li></ul></td>" : "</ul></td>");
}

static void list_add_run(struct str *page, const struct web_run *run, const struct verdicts *rules)
{
	struct str text = { 0 };

	str_puts(page, "<tr>");
	list_add_when(page, run->capture);
	str_puts(&text, capture_host(run->capture));
	list_add_cell(page, "host", &text);
	str_free(&text);
	add_service(page, run);
	list_add_figures(page, &run->figures);
	list_add_verdict(page, rules, run->verdict);
	list_add_charts(page, run->capture);
	str_puts(page, "</tr>\n");
}

static void list_write(struct str *page, const struct runs *runs)
{
	static const char *const heads[] = { "Time (UTC)", "Host",         "Service", "CPUs",  "Samples",
					     "Lost",       "Longest wait", "Verdict", "Charts" };

	str_puts(page, "<table class=\"plain\"><thead><tr>");
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		str_addf(page, "<th scope=\"col\">%s</th>", heads[i]);
	str_puts(page, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < runs->count; i++)
		list_add_run(page, &runs->items[i], runs->rules);
	str_puts(page, "</tbody></table>\n");
}

/* --- the page --- */

static void add_plural(struct str *page, size_t n, const char *noun)
{
	number_add(page, n);
	str_addf(page, " %s%s", noun, n == 1 ? "" : "s");
}

static void index_add_summary(struct str *page, const struct runs *runs)
{
	size_t charts = 0, problems = 0;

	for (size_t i = 0; i < runs->count; i++) {
		const struct web_capture *c = runs->items[i].capture;

		for (size_t m = 0; m < c->count; m++) {
			problems += c->members[m].picture->problem != NULL;
			charts += c->members[m].role != MEMBER_SOURCE && !c->members[m].picture->problem;
		}
	}
	str_puts(page, "<p class=\"summary\">");
	add_plural(page, charts, "chart");
	str_puts(page, " of ");
	add_plural(page, runs->count, "run");
	if (problems) {
		str_puts(page, ", <span class=\"bad\">");
		add_plural(page, problems, "file");
		str_puts(page, " could not be shown</span>");
	}
	str_puts(page, "</p>\n");
}

static const char head[] = PAGE_START
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; style-src "
	"'self'; "
	"img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'\" />\n"
	"<title>Charts</title>\n<link rel=\"stylesheet\" href=\"" PICTURES_OWN "/index.css\" />\n</head>\n<body>\n"
	"<header class=\"top\">\n<h1>Charts</h1>\n";

static const char nothing[] = "<div class=\"nothing\">\n"
			      "<p>No pictures yet. To record this machine and update this page:</p>\n"
			      "<pre>pyrograph report -a -d 5 -o .</pre>\n"
			      "<p>Or step by step:</p>\n"
			      "<pre>pyrograph collect cpu -a -d 5 -o cpu.data\n"
			      "pyrograph collapse cpu.data | pyrograph render flame &gt;cpu.svg\n"
			      "pyrograph web .</pre>\n"
			      "</div>\n";

static void index_add_runs(struct str *page, const struct runs *runs)
{
	str_puts(page, "<noscript>\n");
	list_write(page, runs);
	str_puts(page, "</noscript>\n<script type=\"application/json\" id=\"data\">\n");
	data_write(page, runs, 0, runs->count);
	str_puts(page, "</script>\n");
}

void index_write(struct str *page, const struct runs *runs)
{
	str_puts(page, head);
	index_add_summary(page, runs);
	str_puts(page, "</header>\n<main>\n");
	if (runs->count)
		index_add_runs(page, runs);
	str_puts(page, runs->count ? "" : nothing);
	str_puts(page, "</main>\n<script src=\"" PICTURES_OWN "/index.js\"></script>\n</body>\n</html>\n");
}
