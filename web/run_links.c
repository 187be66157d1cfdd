#include "web/run_links.h"

#include "core/markup.h"
#include "web/html.h"

static void run_links_add_member(struct str *out, const char *key, const char *value)
{
	json_puts(out, key);
	str_addc(out, ':');
	json_puts(out, value);
}

static void run_links_add_chart(struct str *out, const struct web_picture *p)
{
	struct str url = { 0 };

	html_add_url(&url, p->path);
	str_addc(out, '{');
	run_links_add_member(out, "title", capture_title(p));
	str_addc(out, ',');
	run_links_add_member(out, "url", str_text(&url));
	str_addc(out, '}');
	str_free(&url);
}

bool run_links_wanted(const struct web_capture *c)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->members[i].picture->asks)
			return true;
	}
	return false;
}

void run_links_write(struct str *out, const struct web_capture *c)
{
	const char *before = "";
	char page[RUN_FILE_NAME];
	struct str path = { 0 };

	capture_page(page, c);
	str_addf(&path, PICTURES_OWN "/%s", page);
	str_puts(out, "/* pyrograph web: the charts of a run, for each of them */\npyrograph.siblings = {");
	run_links_add_member(out, "page", path.buf);
	str_puts(out, ",\"charts\":[");
	for (size_t i = 0; i < c->count; i++) {
		const struct member *m = &c->members[i];

		if (m->role != MEMBER_PICTURE || m->picture->type != PICTURE_SVG || m->picture->problem)
			continue;
		str_puts(out, before);
		run_links_add_chart(out, m->picture);
		before = ",";
	}
	str_puts(out, "]};\n");
	str_free(&path);
}
