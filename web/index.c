#include "web/index.h"

#include "core/amount.h"
#include "web/html.h"
#include "web/list.h"

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
