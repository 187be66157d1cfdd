#include "render/drawing/settings.h"

#include "core/markup.h"
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

void setting_rgb(struct str *out, const char *key, uint32_t rgb)
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

/* Where a part ends: after a line if possible, else anywhere but inside a character or an entity. */
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

/* Append the members that are omitted unless they are set. */
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
