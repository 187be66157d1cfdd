#include "render/drawing/picture.h"

#include <stdbool.h>

#include "core/markup.h"
#include "core/utf8.h"

/* Longest value, and longest sum: all metadata must be within the file's first 16 kB. */
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
	static const char *const ours[] = { PICTURE_KIND,    PICTURE_TITLE,    PICTURE_UNIT,
					    PICTURE_TOTAL,   PICTURE_THREAD,   PICTURE_NOTES,
					    PICTURE_LONGEST, PICTURE_HEADLINE, PICTURE_IDLE };

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
	str_puts(out, "}" PICTURE_CLOSE "\n<title>");
	xml_puts(out, p->title);
	str_puts(out, "</title>\n");
	add_description(out, (const char *const[]){ p->headline, summary, p->notes }, 3);
}
