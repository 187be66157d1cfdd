#include "render/drawing/heading.h"

#include <ctype.h>
#include <stdlib.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/profile/number.h"

static const char SEPARATOR[] = " \xc2\xb7 ", DASH[] = " \xe2\x80\x93 "; /* middle dot, en dash */

/* If at least this share of the frames has no name, the picture says so in red. */
enum { UNRESOLVED_ALARM_PERCENT = 20 };

enum { TITLE_LINES_MAX = 3, HEADLINE_FOLDS_MAX = 2, LINES_MAX = 10 };

static struct str *add_line(struct heading *h, enum text_role role)
{
	h->lines = xgrow(h->lines, &h->cap, h->count + 1, sizeof(*h->lines));
	h->lines[h->count] = (struct heading_line){ .role = role };
	return &h->lines[h->count++].text;
}

/* With the estimates of font.h in every format, so that lines break at the same places in an SVG, a PDF, and a
 * PNG of any scale. */
static struct font measured(const struct font *font, enum text_role role)
{
	struct font f = canvas_font(font, role);

	f.metrics = NULL;
	return f;
}

/* How many bytes of text, up to a blank or its end, fit into width: at least one word. */
static size_t fitting_words(const struct font *font, const char *text, size_t len, int32_t width)
{
	size_t fits = 0, end = 0;

	do {
		while (end < len && text[end] == ' ')
			end++;
		while (end < len && text[end] != ' ')
			end++;
		if (fits && font_width(font, text, end) > width)
			break;
		fits = end;
	} while (end < len);
	return fits;
}

/* Add text as lines, broken at blanks only: a number cut in two would be wrong. */
static void add_lines(struct heading *h, enum text_role role, const struct font *font, int32_t width, const char *text,
		      size_t len, unsigned lines_max)
{
	struct font sized = measured(font, role);

	while (len && lines_max--) {
		size_t fits = lines_max ? fitting_words(&sized, text, len, width) : len;

		font_fit(add_line(h, role), &sized, text, fits, width, 1);
		while (fits < len && text[fits] == ' ')
			fits++;
		text += fits;
		len -= fits;
	}
}

/* Lines to which parts are added, separated by dots. */
struct parts {
	struct heading *heading;
	const struct font *font;
	enum text_role role;
	int64_t width, used;
	size_t count;
	const char *name; /* before the first part, or NULL */
};

static void add_part(struct parts *p, const struct str *part);

/* "base: 3 stacks cut" */
static void add_named_part(struct parts *p, const struct str *part)
{
	struct str named = { 0 };

	str_addf(&named, "%s: %s", p->name, part->buf);
	p->name = NULL;
	add_part(p, &named);
	str_free(&named);
}

static void add_part(struct parts *p, const struct str *part)
{
	struct font font = measured(p->font, p->role);
	int64_t width = font_width(&font, str_text(part), part->len);
	int64_t gap = font_width(&font, SEPARATOR, strlen(SEPARATOR));
	struct heading *h = p->heading;

	if (!part->len)
		return;
	if (p->name) {
		add_named_part(p, part);
		return;
	}
	if (!p->count++ || p->used + gap + width > p->width) {
		p->used = width; /* more than one line: the next part starts a new one */
		add_lines(h, p->role, p->font, (int32_t)p->width, part->buf, part->len, LINES_MAX);
		return;
	}
	p->used += gap + width;
	str_puts(&h->lines[h->count - 1].text, SEPARATOR);
	str_add(&h->lines[h->count - 1].text, part->buf, part->len);
}

/* "2026-11-21T10:15:02.014325678Z" */
static bool is_iso_time(const char *text)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:dd.ddd";

	for (size_t i = 0; shape[i]; i++) {
		if (shape[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != shape[i])
			return false;
	}
	return text[strlen(text) - 1] == 'Z';
}

/* "2026-11-21 10:15:02.014 – 10:15:07.000 UTC": the date appears once if start and end have the same. */
static void time_range(struct str *out, const struct folded_source *s)
{
	const char *start = source_get(s, FOLDED_START), *end = source_get(s, FOLDED_END);

	if (!start || !is_iso_time(start))
		return;
	str_addf(out, "%.10s %.12s", start, start + 11);
	if (end && is_iso_time(end)) {
		str_puts(out, DASH);
		if (strncmp(start, end, 10))
			str_addf(out, "%.10s ", end);
		str_addf(out, "%.12s", end + 11);
	}
	str_puts(out, " UTC");
}

static void add_text_part(struct parts *p, const char *before, const char *text)
{
	struct str part = { 0 };

	if (!text || !*text)
		return;
	str_puts(&part, before);
	str_puts(&part, text);
	add_part(p, &part);
	str_free(&part);
}

static bool unresolved_is_alarming(uint64_t part, uint64_t whole)
{
	return part > whole / 100 * UNRESOLVED_ALARM_PERCENT;
}

/* Add the quality of stacks: only what is alarming, or only what is not. */
static void add_quality(struct parts *p, const struct folded_source *s, bool alarming)
{
	const char *quality = source_get(s, FOLDED_QUALITY);
	uint64_t part, whole;
	struct str text = { 0 };

	if (!source_ratio(s, FOLDED_UNRESOLVED, &part, &whole) || !whole)
		part = whole = 0;
	if ((!part && !quality) || unresolved_is_alarming(part, whole) != alarming)
		return;
	if (quality) {
		add_text_part(p, "", quality);
		return;
	}
	percent_add(&text, part, whole);
	str_puts(&text, " of frames without a name");
	add_part(p, &text);
	str_free(&text);
}

static void add_origin(struct heading *h, const struct font *font, int32_t width, const char *name, const char *total,
		       const struct folded_source *s)
{
	struct parts parts = { h, font, TEXT_NOTE, width, 0, 0, NULL };
	const char *rate = source_get(s, FOLDED_RATE), *event = source_get(s, FOLDED_EVENT);
	struct str text = { 0 };

	add_text_part(&parts, "", name);
	add_text_part(&parts, "", source_get(s, FOLDED_HOST));
	str_puts(&text, event ? event : "");
	if (event && rate)
		str_addf(&text, " at %s", rate);
	add_part(&parts, &text);
	str_clear(&text);
	time_range(&text, s);
	add_part(&parts, &text);
	add_text_part(&parts, "", total);
	add_text_part(&parts, "only ", source_get(s, FOLDED_FILTER));
	add_quality(&parts, s, false);
	str_free(&text);
}

/* Add the losses, in red: a bad recording must look bad. */
static void add_losses(struct heading *h, const struct font *font, int32_t width, const char *name,
		       const struct folded_source *s)
{
	struct parts parts = { h, font, TEXT_ALARM, width, 0, 0, name && *name ? name : NULL };
	struct str text = { 0 };
	uint64_t lost, all;

	if (source_ratio(s, FOLDED_LOST, &lost, &all) && lost) {
		str_puts(&text, "Lost ");
		number_add(&text, lost);
		str_puts(&text, " of ");
		number_add(&text, all);
		str_puts(&text, " samples");
		if (all) {
			str_puts(&text, " (");
			percent_add(&text, lost, all);
			str_addc(&text, ')');
		}
		add_part(&parts, &text);
	}
	add_text_part(&parts, "", source_get(s, FOLDED_LOSSES));
	add_quality(&parts, s, true);
	str_free(&text);
}

static void add_headline(struct heading *h, const struct font *font, int32_t width, const char *text)
{
	for (int i = 0; *text && i < HEADLINE_LINES_MAX; i++) {
		size_t len = strcspn(text, "\n");

		add_lines(h, TEXT_DETAILS, font, width, text, len, HEADLINE_FOLDS_MAX);
		text += len + (text[len] == '\n');
	}
}

void heading_make(struct heading *h, const struct font *font, int32_t width_cpx, const struct heading_words *words,
		  const char *total, const struct folded_source *source)
{
	const char *title = words->title, *subtitle = words->subtitle;

	*h = (struct heading){ 0 };
	if (*title)
		add_lines(h, TEXT_TITLE, font, width_cpx, title, strlen(title), TITLE_LINES_MAX);
	else
		add_line(h, TEXT_TITLE);
	if (words->headline)
		add_headline(h, font, width_cpx, words->headline);
	if (subtitle)
		add_lines(h, TEXT_DETAILS, font, width_cpx, subtitle, strlen(subtitle), TITLE_LINES_MAX);
	if (!source)
		return;
	add_origin(h, font, width_cpx, NULL, total, source);
	add_losses(h, font, width_cpx, NULL, source);
}

void heading_add_origin(struct heading *h, const struct font *font, int32_t width_cpx, const char *name,
			const char *total, const struct folded_source *source)
{
	add_origin(h, font, width_cpx, name, total, source);
	add_losses(h, font, width_cpx, name, source);
}

void heading_add_text(struct heading *h, enum text_role role, const struct font *font, int32_t width_cpx,
		      const char *text)
{
	add_lines(h, role, font, width_cpx, text, strlen(text), LINES_MAX);
}

static int32_t line_height(const struct heading_line *line, const struct font *font)
{
	return canvas_style(font, line->role).size_cpx * 3 / 2;
}

int32_t heading_height(const struct heading *h, const struct font *font)
{
	int32_t height = 0;

	for (size_t i = 0; i < h->count; i++)
		height += line_height(&h->lines[i], font);
	return height;
}

void heading_draw(const struct heading *h, struct canvas *c, int32_t x, int32_t y)
{
	c->open_group(c, "heading");
	heading_draw_lines(h, c, x, y);
	c->close_group(c);
}

void heading_draw_lines(const struct heading *h, struct canvas *c, int32_t x, int32_t y)
{
	for (size_t i = 0; i < h->count; i++) {
		const struct heading_line *line = &h->lines[i];
		int32_t height = line_height(line, &c->font);

		c->text(c, line->role, x, baseline(y, height, canvas_style(&c->font, line->role).size_cpx),
			str_text(&line->text), line->text.len);
		y += height;
	}
}

void heading_free(struct heading *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->count; i++)
		str_free(&h->lines[i].text);
	free(h->lines);
	*h = (struct heading){ 0 };
}
