#include "web/index.h"

#include <stdbool.h>
#include <string.h>

#include "core/amount.h"
#include "web/assets.h"
#include "web/card.h"
#include "web/html.h"

static void add_asset(struct str *page, struct asset asset)
{
	str_add(page, asset.bytes, asset.len);
}

static void add_captures(struct str *page, const struct captures *all)
{
	const char *day = NULL, *host = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct web_capture *c = &all->items[i];
		bool new_day = !day || strcmp(day, c->day);
		bool new_host = new_day || strcmp(host, capture_host(c));

		if (new_host && host)
			str_puts(page, "</section>\n");
		if (new_day && day)
			str_puts(page, "</section>\n");
		if (new_day)
			str_addf(page, "<section class=\"day\"><h2>%s</h2>\n", c->day);
		day = c->day;
		host = capture_host(c);
		if (new_host) {
			str_puts(page, "<section class=\"host\"><h3>");
			html_add_text(page, *host ? host : "unknown host");
			str_puts(page, "</h3>\n");
		}
		card_write(page, c);
	}
	str_puts(page, all->count ? "</section></section>\n" : "");
}

static void add_plural(struct str *page, size_t n, const char *noun)
{
	number_add(page, n);
	str_addf(page, " %s%s", noun, n == 1 ? "" : "s");
}

static void add_summary(struct str *page, const struct captures *all)
{
	size_t pictures = 0, problems = 0;

	for (size_t i = 0; i < all->count; i++) {
		for (size_t m = 0; m < all->items[i].count; m++) {
			const struct member *member = &all->items[i].members[m];

			problems += member->picture->problem != NULL;
			pictures += member->role != MEMBER_SOURCE && !member->picture->problem;
		}
	}
	str_puts(page, "<p class=\"summary\">");
	add_plural(page, pictures, "picture");
	str_puts(page, " of ");
	add_plural(page, all->count, "recording");
	if (problems) {
		str_puts(page, ", <span class=\"bad\">");
		add_plural(page, problems, "file");
		str_puts(page, " could not be shown</span>");
	}
	str_puts(page, "</p>\n");
}

/* The script shows them; they do not work without it. */
static const char controls[] =
	"<form class=\"controls\" hidden=\"\">\n"
	"<input type=\"search\" id=\"filter\" placeholder=\"filter: words, all must match  ( / )\" "
	"aria-label=\"filter\" autocomplete=\"off\" spellcheck=\"false\" />\n"
	"<select id=\"sort\" aria-label=\"order\">\n"
	"<option value=\"\">by day and host</option>\n"
	"<option value=\"newest\">newest first</option>\n"
	"<option value=\"oldest\">oldest first</option>\n"
	"<option value=\"title\">by title</option>\n"
	"<option value=\"size\">largest first</option>\n"
	"<option value=\"lost\">most lost first</option>\n"
	"</select>\n"
	"<output id=\"shown\" for=\"filter\"></output>\n"
	"</form>\n";

static const char nothing[] = "<div class=\"nothing\">\n"
			      "<p>No pictures yet. To record this machine and update this page:</p>\n"
			      "<pre>pyrograph report -a -d 5 -o .</pre>\n"
			      "<p>Or step by step:</p>\n"
			      "<pre>pyrograph collect cpu -a -d 5 -o cpu.data\n"
			      "pyrograph collapse cpu.data | pyrograph render flame &gt;cpu.svg\n"
			      "pyrograph web .</pre>\n"
			      "</div>\n";

void index_write(struct str *page, const struct captures *captures)
{
	str_puts(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
		       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n" INDEX_GENERATOR
		       " />\n<link rel=\"icon\" href=\"data:,\" />\n"
		       "<title>Charts</title>\n<style>\n");
	add_asset(page, style_css_asset());
	str_puts(page, "</style>\n</head>\n<body>\n<header class=\"top\">\n<h1>Charts</h1>\n");
	add_summary(page, captures);
	str_puts(page, captures->count ? controls : "");
	str_puts(page, "</header>\n<main>\n");
	add_captures(page, captures);
	str_puts(page, captures->count ? "" : nothing);
	str_puts(page, "</main>\n<script>\n");
	add_asset(page, index_js_asset());
	str_puts(page, "</script>\n</body>\n</html>\n");
}
