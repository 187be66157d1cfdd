#include "render/drawing/settings.h"

#include <inttypes.h>
#include <stdbool.h>

#include "core/markup.h"
#include "core/utf8.h"
#include "render/drawing/svg.h"

enum { PART_BYTES = 1000 * 1000 };

void setting_bool(struct str *out, const char *key, bool value)
{
	str_addf(out, ",\"%s\":%s", key, value ? "true" : "false");
}

void setting_text(struct str *out, const char *key, const char *value)
{
	str_addf(out, ",\"%s\":", key);
	json_puts(out, value);
}

void setting_u64(struct str *out, const char *key, uint64_t value)
{
	str_addf(out, ",\"%s\":", key);
	str_add_u64(out, value);
}

void setting_px(struct str *out, const char *key, int32_t cpx)
{
	str_addf(out, ",\"%s\":", key);
	px_add(out, cpx);
}

static void setting_rgb(struct str *out, const char *key, uint32_t rgb)
{
	str_addf(out, ",\"%s\":\"", key);
	rgb_add(out, rgb);
	str_addc(out, '"');
}

void source_json(struct str *out, const struct folded_source *source)
{
	str_addc(out, '{');
	for (size_t i = 0; i < source->count; i++) {
		str_puts(out, i ? "," : "");
		json_puts(out, source->pairs[i].key);
		str_addc(out, ':');
		json_puts(out, source->pairs[i].value);
	}
	str_addc(out, '}');
}

/* The end of a part: after a line if possible, else anywhere but inside a character or an entity. */
static size_t part_len(const char *text, size_t len)
{
	const char *newline;

	if (len <= PART_BYTES)
		return len;
	newline = memrchr(text, '\n', PART_BYTES);
	if (newline)
		return (size_t)(newline - text) + 1;
	newline = memchr(text, '\n', len);
	return newline ? (size_t)(newline - text) + 1 : len;
}

void metadata_add(struct str *out, const char *class, const struct str *data)
{
	for (size_t at = 0, len; at < data->len; at += len) {
		len = part_len(data->buf + at, data->len - at);
		str_addf(out, "<metadata class=\"%s\">", class);
		str_add(out, data->buf + at, len);
		str_puts(out, "</metadata>\n");
	}
}

/* ---- frames --------------------------------------------------------------- */

static void add_advances(struct str *out, const struct font *font)
{
	str_puts(out, ",\"advances\":[");
	for (uint32_t code = ' '; code <= '~'; code++)
		str_addf(out, "%s%u", code == ' ' ? "" : ",", font_advance(font, code));
	str_addf(out, "],\"widest\":%u", font_advance(font, 0xfffd));
}

/* Append the optional members that are set. */
static void add_order(struct str *out, const struct frame_settings *s)
{
	if (s->charted)
		setting_bool(out, "chart", true);
	if (s->arrival)
		setting_bool(out, "arrival", true);
	if (s->folded)
		setting_u64(out, "folded", s->folded);
}

void frame_settings_add(struct str *out, const struct frame_settings *s)
{
	str_addf(out, "\"names\":%u,\"frames\":%u", s->names, s->frames);
	setting_text(out, "unit", s->unit.name);
	str_addf(out, ",\"decimals\":%u,\"factor\":%.17g", s->unit.decimals, s->unit.factor);
	setting_text(out, "nametype", s->nametype);
	setting_bool(out, "inverted", s->inverted);
	setting_bool(out, "fluid", s->fluid);
	setting_bool(out, "whole", s->whole);
	add_order(out, s);
	setting_px(out, "framesTop", s->top);
	setting_px(out, "pad", s->pad);
	setting_px(out, "fontSize", s->font->size_cpx);
	str_addf(out, ",\"frameHeight\":%d,\"rows\":%u,\"minWidth\":%.17g,\"boxesMax\":%u", s->height_px, s->rows,
		 s->least_px, s->boxes_max);
	setting_rgb(out, "rootColour", s->root_rgb);
	add_advances(out, s->font);
}

/* ---- what the picture is ---- */

/* Maximum length of a value, and of all together, since all metadata must be within the file's first 16 kB. */
enum { VALUE_MAX = 1000, ALL_MAX = 12000 };

/* text cut to VALUE_MAX bytes, between characters. */
static size_t cut_len(const char *text)
{
	size_t len = strlen(text), at = 0;

	while (at < len) {
		uint32_t code;
		size_t bytes = utf8_decode(text + at, len - at, &code);

		if (at + bytes > VALUE_MAX)
			break;
		at += bytes ? bytes : 1;
	}
	return at;
}

static void picture_add_text(struct str *out, const char *key, const char *value)
{
	size_t len = cut_len(value);

	str_addc(out, ',');
	json_puts(out, key);
	str_addc(out, ':');
	json_add(out, value, len);
}

static bool picture_is_ours(const char *key)
{
	static const char *const ours[] = { PICTURE_KIND,   PICTURE_TITLE, PICTURE_UNIT,    PICTURE_TOTAL,
					    PICTURE_THREAD, PICTURE_NOTES, PICTURE_LONGEST, PICTURE_HEADLINE,
					    PICTURE_IDLE,   PICTURE_PLOT };

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (!strcmp(key, ours[i]))
			return true;
	}
	return false;
}

/* Append the pairs of source, as long as out is not longer than limit. */
static void picture_add_source(struct str *out, const struct folded_source *source, size_t limit)
{
	for (size_t i = 0; i < source->count; i++) {
		const struct source_pair *pair = &source->pairs[i];

		if (!picture_is_ours(pair->key) && out->len < limit)
			picture_add_text(out, pair->key, pair->value);
	}
}

/* The area may lack a pixel of the chart's surroundings, but none of the chart itself. */
static void picture_add_plot(struct str *out, const struct plot *p)
{
	if (p->end)
		str_addf(out, ",\"" PICTURE_PLOT "\":\"%" PRId32 " %" PRId32 " %" PRId32 " %" PRId32 "%s\"",
			 (p->w + CPX - 1) / CPX, (p->h + CPX - 1) / CPX, p->top / CPX, (p->end + CPX - 1) / CPX,
			 p->whole ? " whole" : "");
}

static void add_description(struct str *out, const char *const *texts, size_t count)
{
	size_t start = out->len;

	for (size_t i = 0; i < count; i++) {
		if (!texts[i] || !*texts[i])
			continue;
		str_puts(out, out->len == start ? "<desc>" : "\n");
		xml_puts(out, texts[i]);
	}
	if (out->len > start)
		str_puts(out, "</desc>\n");
}

void picture_add(struct str *out, const struct picture *p, const char *summary)
{
	size_t start = out->len;

	str_puts(out, PICTURE_OPEN "{\"" PICTURE_KIND "\":");
	json_puts(out, p->kind);
	picture_add_text(out, PICTURE_TITLE, p->title);
	picture_add_text(out, PICTURE_UNIT, p->unit);
	str_addf(out, ",\"" PICTURE_TOTAL "\":");
	str_add_u64(out, p->total);
	if (p->has_idle) {
		str_puts(out, ",\"" PICTURE_IDLE "\":");
		str_add_u64(out, p->idle);
	}
	if (p->longest) {
		str_puts(out, ",\"" PICTURE_LONGEST "\":");
		str_add_u64(out, p->longest);
	}
	if (p->thread)
		picture_add_text(out, PICTURE_THREAD, p->thread);
	if (p->headline)
		picture_add_text(out, PICTURE_HEADLINE, p->headline);
	if (p->notes)
		picture_add_text(out, PICTURE_NOTES, p->notes);
	picture_add_source(out, p->source, start + ALL_MAX);
	if (p->about)
		picture_add_source(out, p->about, start + ALL_MAX);
	picture_add_plot(out, &p->plot);
	str_puts(out, "}" PICTURE_CLOSE "\n<title>");
	xml_puts(out, p->title);
	str_puts(out, "</title>\n");
	add_description(out, (const char *const[]){ p->headline, summary, p->notes }, 3);
}
