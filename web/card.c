#include "web/card.h"

#include <stdbool.h>
#include <string.h>

#include "core/wallclock.h"
#include "web/amounts.h"
#include "web/html.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static const char *title_of(const struct web_picture *p)
{
	const char *thread = p->about.facts[FACT_THREAD], *title = p->about.facts[FACT_TITLE];

	return thread ? thread : title ? title : base_name(p->path);
}

static void add_item(struct str *page, const char *class, const char *text)
{
	if (!text)
		return;
	str_addf(page, "<li class=\"%s\">", class);
	html_add_text(page, text);
	str_puts(page, "</li>");
}

/* "10:15:02", with the full time for machines. */
static void add_time(struct str *page, uint64_t ns)
{
	struct str iso = { 0 };

	wallclock_add(&iso, ns);
	str_addf(page, "<time datetime=\"%.19sZ\">%.8s</time>", iso.buf, iso.buf + 11);
	str_free(&iso);
}

/* ---- one picture -------------------------------------------------------------- */

/* The preview of a flame graph shows the bottom, where the flames begin; that of a chart
 * with rows shows the top. */
static bool has_foot(const struct web_picture *p)
{
	const char *kind = p->about.facts[FACT_KIND];

	return !kind || !strcmp(kind, "flame");
}

static void add_thumbnail(struct str *page, const struct web_picture *p)
{
	str_addf(page, "<span class=\"thumb%s\">", has_foot(p) ? "" : " head");
	if (!p->problem) {
		str_puts(page, "<img src=\"");
		html_add_url(page, p->path);
		str_puts(page, "\" alt=\"\" loading=\"lazy\" decoding=\"async\" />");
	}
	str_puts(page, "</span>");
}

static bool same_fact(const struct picture_metadata *a, const struct picture_metadata *b, enum fact fact)
{
	const char *x = a->facts[fact], *y = b->facts[fact];

	return x && y ? !strcmp(x, y) : x == y;
}

static bool same_losses(const struct picture_metadata *a, const struct picture_metadata *b)
{
	return same_fact(a, b, FACT_LOST) && same_fact(a, b, FACT_LOSSES) && same_fact(a, b, FACT_UNRESOLVED);
}

/* Losses, so that a bad capture looks bad; nothing if they were already shown
 * (said). */
static void add_losses(struct str *page, const struct picture_metadata *about, const struct picture_metadata *said)
{
	struct ratio lost, unresolved;

	if (said && same_losses(about, said))
		return;
	if (!ratio_parse(&lost, about->facts[FACT_LOST]) && lost.part) {
		str_puts(page, "<p class=\"bad lost\">lost: ");
		add_ratio(page, &lost);
		str_puts(page, "</p>");
	}
	if (about->facts[FACT_LOSSES]) {
		str_puts(page, "<p class=\"bad\">");
		html_add_text(page, about->facts[FACT_LOSSES]);
		str_puts(page, "</p>");
	}
	if (!ratio_parse(&unresolved, about->facts[FACT_UNRESOLVED]) && unresolved.part > unresolved.whole / 20) {
		str_puts(page, "<p class=\"bad\">frames without a name: ");
		add_ratio(page, &unresolved);
		str_puts(page, "</p>");
	}
}

static void add_problem(struct str *page, const struct web_picture *p)
{
	if (!p->problem)
		return;
	str_puts(page, "<p class=\"bad problem\">");
	html_add_text(page, p->problem);
	str_puts(page, "</p>");
}

static void add_size(struct str *page, const struct web_picture *p)
{
	str_puts(page, p->type == PICTURE_PNG ? "<li>PNG " : "<li>SVG ");
	add_bytes(page, p->size_bytes);
	str_puts(page, "</li>");
}

/* The event only where it differs from that of the capture. */
static void add_picture_facts(struct str *page, const struct web_picture *p, const struct web_capture *c)
{
	const char *const *facts = p->about.facts;
	struct str total = { 0 }; /* the unit is untrusted text */

	str_puts(page, "<ul class=\"facts\">");
	add_item(page, "kind", facts[FACT_KIND]);
	if (c->about && !same_fact(c->about, &p->about, FACT_EVENT))
		add_item(page, "event", facts[FACT_EVENT]);
	add_total(&total, facts[FACT_TOTAL], facts[FACT_UNIT]);
	add_item(page, "total", total.buf);
	str_free(&total);
	add_item(page, "filter", facts[FACT_FILTER]);
	if (p->type != PICTURE_UNREAD)
		add_size(page, p);
	str_puts(page, "</ul>");
}

/* The same picture in another format: a link, not a second picture. */
static bool is_other_format(const struct member *png, const struct member *svg)
{
	const char *a = png->picture->path, *b = svg->picture->path;
	size_t len = strlen(a);

	return png->picture->type == PICTURE_PNG && !png->picture->problem && svg->picture->type == PICTURE_SVG &&
	       !svg->picture->problem && strlen(b) == len && !strncmp(a, b, len - strlen("png"));
}

static void add_other_format(struct str *page, const struct web_picture *p)
{
	str_puts(page, "<p class=\"other\"><a href=\"");
	html_add_url(page, p->path);
	str_puts(page, "\">PNG</a> ");
	add_bytes(page, p->size_bytes);
	str_puts(page, "</p>");
}

static void add_picture(struct str *page, const struct web_capture *c, const struct web_picture *p,
			const struct web_picture *png)
{
	str_puts(page, "<figure class=\"picture\"><a href=\"");
	html_add_url(page, p->path);
	str_puts(page, "\">");
	add_thumbnail(page, p);
	str_puts(page, "<span class=\"title\">");
	html_add_text(page, title_of(p));
	str_puts(page, "</span></a><figcaption>");
	add_picture_facts(page, p, c);
	add_problem(page, p);
	add_losses(page, &p->about, c->about);
	if (png)
		add_other_format(page, png);
	str_puts(page, "</figcaption></figure>\n");
}

static void add_pictures(struct str *page, const struct web_capture *c)
{
	if (c->members->role != MEMBER_PICTURE)
		return; /* pictures come first */
	str_puts(page, "<div class=\"pictures\">\n");
	for (size_t i = 0; i < c->count && c->members[i].role == MEMBER_PICTURE; i++) {
		const struct member *m = &c->members[i];

		if (i + 1 < c->count && is_other_format(m, m + 1))
			continue; /* shown with the next */
		add_picture(page, c, m->picture, i && is_other_format(m - 1, m) ? m[-1].picture : NULL);
	}
	str_puts(page, "</div>\n");
}

/* ---- the threads of a capture --------------------------------------------------- */

static void add_thread(struct str *page, const struct web_capture *c, const struct member *m, uint64_t sum)
{
	const struct web_picture *p = m->picture;
	double share_percent = sum ? 100.0 * (double)m->total / (double)sum : 0;

	str_puts(page, "<li class=\"thread\"><a href=\"");
	html_add_url(page, p->path);
	str_puts(page, "\">");
	add_thumbnail(page, p);
	str_puts(page, "<span class=\"title\">");
	html_add_text(page, title_of(p));
	str_puts(page, "</span></a>");
	str_addf(page, "<span class=\"share\"><span style=\"width:%.1f%%\"></span></span>", share_percent);
	add_picture_facts(page, p, c);
	add_problem(page, p);
	add_losses(page, &p->about, c->about);
	str_puts(page, "</li>\n");
}

static void add_threads(struct str *page, const struct web_capture *c)
{
	size_t first = 0, count = 0;
	uint64_t sum = 0;

	while (first < c->count && c->members[first].role == MEMBER_PICTURE)
		first++;
	for (; first + count < c->count && c->members[first + count].role == MEMBER_THREAD; count++)
		sum += c->members[first + count].total;
	if (!count)
		return;
	str_addf(page, "<details class=\"threads\"%s><summary>%zu thread%s</summary>\n<ol>\n",
		 first ? "" : " open=\"\"", count, count == 1 ? "" : "s");
	for (size_t i = 0; i < count; i++)
		add_thread(page, c, &c->members[first + i], sum);
	str_puts(page, "</ol></details>\n");
}

/* ---- a capture ------------------------------------------------------------------- */

static void add_sources(struct str *page, const struct web_capture *c)
{
	bool any = false;

	for (size_t i = 0; i < c->count; i++) {
		const struct web_picture *p = c->members[i].picture;

		if (c->members[i].role != MEMBER_SOURCE)
			continue;
		str_puts(page, any ? "" : "<ul class=\"sources\">");
		any = true;
		str_puts(page, "<li><a href=\"");
		html_add_url(page, p->path);
		str_puts(page, "\">");
		html_add_text(page, base_name(p->path));
		str_puts(page, "</a> ");
		add_bytes(page, p->size_bytes);
		add_problem(page, p);
		str_puts(page, "</li>");
	}
	str_puts(page, any ? "</ul>\n" : "");
}

static void add_when(struct str *page, const struct web_capture *c)
{
	str_puts(page, "<h4>");
	add_time(page, c->start_ns);
	if (c->end_ns > c->start_ns) {
		str_puts(page, " \xe2\x80\x93 ");
		add_time(page, c->end_ns);
	}
	str_puts(page, " UTC</h4>");
	if (c->end_ns > c->start_ns) {
		str_puts(page, "<p class=\"length\">");
		add_duration(page, c->end_ns - c->start_ns);
		str_puts(page, "</p>");
	} else if (!c->timed) {
		str_puts(page, "<p class=\"length\">written</p>");
	}
}

static void add_capture_facts(struct str *page, const struct web_capture *c)
{
	const char *const *facts = c->about->facts;

	str_puts(page, "<ul class=\"facts\">");
	add_item(page, "event", facts[FACT_EVENT]);
	add_item(page, "rate", facts[FACT_RATE]);
	add_item(page, "kernel", facts[FACT_KERNEL]);
	str_puts(page, "</ul>\n");
	add_losses(page, c->about, NULL);
	if (facts[FACT_COMMAND]) {
		str_puts(page, "<p class=\"command\">");
		html_add_text(page, facts[FACT_COMMAND]);
		str_puts(page, "</p>\n");
	}
}

/* The script's sort keys. */
static void add_sort_keys(struct str *page, const struct web_capture *c)
{
	const char *title = c->members->key;
	uint64_t size_bytes = 0, lost = 0;
	struct ratio ratio;

	for (size_t i = 0; i < c->count; i++) {
		const struct web_picture *p = c->members[i].picture;

		size_bytes += p->size_bytes;
		if (!ratio_parse(&ratio, p->about.facts[FACT_LOST]) && ratio.part > lost)
			lost = ratio.part;
	}
	if (c->members->role == MEMBER_PICTURE)
		title = title_of(c->members->picture);
	str_addf(page, " data-time=\"%llu\" data-size=\"%llu\" data-lost=\"%llu\" data-title=\"",
		 (unsigned long long)(c->start_ns / 1000000), (unsigned long long)size_bytes, (unsigned long long)lost);
	html_add_text(page, title);
	str_puts(page, "\" data-day=\"");
	str_puts(page, c->day);
	str_puts(page, "\" data-host=\"");
	html_add_text(page, capture_host(c));
	str_addc(page, '"');
}

void card_write(struct str *page, const struct web_capture *c)
{
	str_addf(page, "<article class=\"capture%s\"", c->about ? "" : " plain");
	add_sort_keys(page, c);
	str_puts(page, "><header>");
	add_when(page, c);
	str_puts(page, "<p class=\"name\">");
	html_add_text(page, c->members->key);
	str_puts(page, "</p></header>\n");
	add_pictures(page, c);
	str_puts(page, "<div class=\"about\">\n");
	if (c->about)
		add_capture_facts(page, c);
	add_sources(page, c);
	if (c->members->role == MEMBER_SOURCE)
		str_puts(page, "<p>No pictures of this recording.</p>\n");
	str_puts(page, "</div>\n");
	add_threads(page, c);
	str_puts(page, "</article>\n");
}
