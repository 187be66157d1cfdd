#include "render/drawing/heading.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/drawing/doubts.h"
#include "render/profile/number.h"

static const char SEPARATOR[] = " \xc2\xb7 ", DASH[] = " \xe2\x80\x93 "; /* middle dot, en dash */

enum { TITLE_LINES_MAX = 3, HEADLINE_FOLDS_MAX = 2, LINES_MAX = 10 };

/* The first line of doubts, which stay the last lines, whatever is added later. */
static size_t first_doubt(const struct heading *h)
{
	size_t first = h->count;

	while (first && h->lines[first - 1].role == TEXT_DOUBT)
		first--;
	return first;
}

static struct str *heading_add_line(struct heading *h, enum text_role role)
{
	size_t at = role == TEXT_DOUBT ? h->count : first_doubt(h);

	h->lines = xgrow(h->lines, &h->cap, h->count + 1, sizeof(*h->lines));
	memmove(h->lines + at + 1, h->lines + at, (h->count - at) * sizeof(*h->lines));
	h->count++;
	h->lines[at] = (struct heading_line){ .role = role };
	return &h->lines[at].text;
}

/* Widths are estimated by font.h in every format, so that lines break at the same places in an SVG, a PDF, and a PNG of
 * any scale. */
static struct font heading_measured(const struct font *font, enum text_role role)
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

/* Add text as lines, broken at blanks only, since a number cut in two would be wrong. */
static void heading_add_lines(struct heading *h, enum text_role role, const struct font *font, int32_t width,
			      const char *text, size_t len, unsigned lines_max)
{
	struct font sized = heading_measured(font, role);

	while (len && lines_max--) {
		size_t fits = lines_max ? fitting_words(&sized, text, len, width) : len;

		font_fit(heading_add_line(h, role), &sized, text, fits, width, 1);
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

/* The last line of the parts' role. */
static struct str *last_line(const struct parts *p)
{
	const struct heading *h = p->heading;

	return &h->lines[(p->role == TEXT_DOUBT ? h->count : first_doubt(h)) - 1].text;
}

static void heading_add_part(struct parts *p, const struct str *part);

/* "base: 3 stacks cut" */
static void add_named_part(struct parts *p, const struct str *part)
{
	struct str named = { 0 };

	str_addf(&named, "%s: %s", p->name, part->buf);
	p->name = NULL;
	heading_add_part(p, &named);
	str_free(&named);
}

static void heading_add_part(struct parts *p, const struct str *part)
{
	struct font font = heading_measured(p->font, p->role);
	int64_t width = font_width(&font, str_text(part), part->len);
	int64_t gap = font_width(&font, SEPARATOR, strlen(SEPARATOR));

	if (!part->len)
		return;
	if (p->name) {
		add_named_part(p, part);
		return;
	}
	if (!p->count++ || p->used + gap + width > p->width) {
		p->used = width; /* more than one line, so that the next part starts a new one */
		heading_add_lines(p->heading, p->role, p->font, (int32_t)p->width, part->buf, part->len, LINES_MAX);
		return;
	}
	p->used += gap + width;
	str_puts(last_line(p), SEPARATOR);
	str_add(last_line(p), part->buf, part->len);
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

/* Append " ±1.28ms", the possible error of the clock.  Whether a clock is synchronised matters only if there are
 * several hosts. */
static void heading_add_clock(struct str *out, const struct folded_source *s)
{
	const char *within = source_get(s, FOLDED_CLOCK_WITHIN), *host = source_get(s, FOLDED_HOST);

	if (!within)
		return;
	if (strcmp(within, FOLDED_UNSYNCHRONIZED) != 0)
		str_addf(out, " \xc2\xb1%s", within);
	else if (host && strchr(host, ','))
		str_puts(out, " by an unsynchronized clock");
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
	heading_add_clock(out, s);
}

static void add_text_part(struct parts *p, const char *before, const char *text)
{
	struct str part = { 0 };

	if (!text || !*text)
		return;
	str_puts(&part, before);
	str_puts(&part, text);
	heading_add_part(p, &part);
	str_free(&part);
}

/* Add a remark to the lines of doubts, after the last remark.  name: put before the remark, or NULL. */
static void add_doubt(struct heading *h, const struct font *font, int32_t width, const char *name, const char *text)
{
	struct parts parts = { h, font, TEXT_DOUBT, width, 0, 0, NULL };
	struct font sized = heading_measured(font, TEXT_DOUBT);
	struct str part = { 0 };

	if (!*text)
		return;
	if (first_doubt(h) == h->count) {
		str_puts(&part, HEADING_DETAILS);
	} else {
		parts.used = font_width(&sized, last_line(&parts)->buf, last_line(&parts)->len);
		parts.count = 1;
	}
	if (name)
		str_addf(&part, "%s: ", name);
	str_puts(&part, text);
	heading_add_part(&parts, &part);
	str_free(&part);
}

static void heading_draw_origin(struct heading *h, const struct font *font, int32_t width, const char *name,
				const char *total, const struct folded_source *s)
{
	struct parts parts = { h, font, TEXT_NOTE, width, 0, 0, NULL };
	const char *rate = source_get(s, FOLDED_RATE), *event = source_get(s, FOLDED_EVENT);
	struct str text = { 0 };

	add_text_part(&parts, "", name);
	add_text_part(&parts, "", source_get(s, FOLDED_HOST));
	str_puts(&text, event ? event : "");
	if (event && rate)
		str_addf(&text, " at %s", rate);
	heading_add_part(&parts, &text);
	str_clear(&text);
	time_range(&text, s);
	heading_add_part(&parts, &text);
	add_text_part(&parts, "", total);
	add_text_part(&parts, "only ", source_get(s, FOLDED_FILTER));
	add_text_part(&parts, "between ", source_get(s, FOLDED_BETWEEN));
	str_free(&text);
}

/* The place for the text about a loss: the alarms or the doubts. */
struct sayings {
	struct parts alarms;
	const char *name;
};

static void heading_say(struct sayings *to, struct str *text, bool alarm)
{
	struct parts *p = &to->alarms;

	if (alarm) {
		heading_add_part(p, text);
	} else if (text->len) {
		add_doubt(p->heading, p->font, (int32_t)p->width, to->name, text->buf);
		to->name = NULL;
	}
	str_clear(text);
}

/* The quality of stacks. */
static void heading_say_quality(struct sayings *to, const struct folded_source *s)
{
	const char *quality = source_get(s, FOLDED_QUALITY);
	uint64_t part, whole;
	struct str text = { 0 };

	if (!source_ratio(s, FOLDED_UNRESOLVED, &part, &whole) || !whole)
		part = whole = 0;
	if (quality) {
		str_puts(&text, quality);
	} else if (part) {
		percentage_add(&text, part, whole);
		str_puts(&text, " of frames without a name");
	}
	heading_say(to, &text, doubts_nameless_is_alarm(part, whole));
	str_free(&text);
}

static void heading_say_cost(struct sayings *to, const struct folded_source *s)
{
	const char *cost = source_get(s, FOLDED_RECORDING_COST);
	struct str text = { 0 };

	if (cost)
		str_addf(&text, "Recording took %s", cost);
	heading_say(to, &text, false);
	str_free(&text);
}

/* Add the losses, in red if they change conclusions, since a bad recording must look bad. */
static void heading_add_losses(struct heading *h, const struct font *font, int32_t width, const char *name,
			       const struct folded_source *s)
{
	struct sayings to = { .name = name && *name ? name : NULL };
	struct doubts d = { 0 };
	struct str text = { 0 };

	to.alarms = (struct parts){ h, font, TEXT_ALARM, width, 0, 0, to.name };
	doubts_add(&d, s);
	doubts_say_lost(&d, &text);
	heading_say(&to, &text, doubts_lost_is_alarm(&d));
	for (size_t i = 0; i < d.count; i++) {
		doubt_say(&d, &d.items[i], &text);
		heading_say(&to, &text, doubt_is_alarm(&d, &d.items[i]));
	}
	heading_say_quality(&to, s);
	heading_say_cost(&to, s);
	doubts_free(&d);
	str_free(&text);
}

static void heading_add_headline(struct heading *h, const struct font *font, int32_t width, const char *text)
{
	for (int i = 0; *text && i < HEADLINE_LINES_MAX; i++) {
		size_t len = strcspn(text, "\n");

		heading_add_lines(h, TEXT_DETAILS, font, width, text, len, HEADLINE_FOLDS_MAX);
		text += len + (text[len] == '\n');
	}
}

void heading_make(struct heading *h, const struct font *font, int32_t width_cpx, const struct heading_words *words,
		  const char *total, const struct folded_source *source)
{
	const char *title = words->title, *subtitle = words->subtitle;

	*h = (struct heading){ 0 };
	if (*title)
		heading_add_lines(h, TEXT_TITLE, font, width_cpx, title, strlen(title), TITLE_LINES_MAX);
	else
		heading_add_line(h, TEXT_TITLE);
	if (words->headline)
		heading_add_headline(h, font, width_cpx, words->headline);
	if (subtitle)
		heading_add_lines(h, TEXT_DETAILS, font, width_cpx, subtitle, strlen(subtitle), TITLE_LINES_MAX);
	if (!source)
		return;
	heading_draw_origin(h, font, width_cpx, NULL, total, source);
	heading_add_losses(h, font, width_cpx, NULL, source);
}

void heading_add_origin(struct heading *h, const struct font *font, int32_t width_cpx, const char *name,
			const char *total, const struct folded_source *source)
{
	heading_draw_origin(h, font, width_cpx, name, total, source);
	heading_add_losses(h, font, width_cpx, name, source);
}

void heading_add_text(struct heading *h, enum text_role role, const struct font *font, int32_t width_cpx,
		      const char *text)
{
	if (role == TEXT_DOUBT)
		add_doubt(h, font, width_cpx, NULL, text);
	else
		heading_add_lines(h, role, font, width_cpx, text, strlen(text), LINES_MAX);
}

static int32_t heading_line_height(const struct heading_line *line, const struct font *font)
{
	return canvas_style(font, line->role).size_cpx * 3 / 2;
}

int32_t heading_height(const struct heading *h, const struct font *font)
{
	int32_t height = 0;

	for (size_t i = 0; i < h->count; i++)
		height += heading_line_height(&h->lines[i], font);
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
		int32_t height = heading_line_height(line, &c->font);

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
