#include "collapse/output/facts.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/format/pairs.h"
#include "core/memory.h"
#include "core/wallclock.h"

static void facts_read_header(struct header_facts *f, const char *at, const char *end)
{
	struct pair p;

	while (pair_next(&at, end, &p)) {
		struct str value = { 0 };

		if (!p.value)
			continue;
		pair_value(&p, &value);
		f->items = xgrow(f->items, &f->cap, f->count + 1, sizeof(*f->items));
		f->items[f->count++] = (struct header_fact){ xstrndup(p.key, p.key_len), xstrdup(str_text(&value)) };
		str_free(&value);
	}
}

void facts_read(struct header_facts *f, const char *comments)
{
	while (*comments) {
		size_t len = strcspn(comments, "\n");

		if (text_begins(comments, len, FOLDED_HEADER) && !f->count) {
			facts_read_header(f, comments + strlen(FOLDED_HEADER), comments + len);
		} else if (len > 2) {
			f->notes = xgrow(f->notes, &f->note_cap, f->note_count + 1, sizeof(*f->notes));
			f->notes[f->note_count++] = xstrndup(comments + 2, len - 2);
		}
		comments += len + (comments[len] == '\n');
	}
}

const char *facts_get(const struct header_facts *f, const char *key)
{
	for (size_t i = 0; i < f->count; i++) {
		if (!strcmp(f->items[i].key, key))
			return f->items[i].value;
	}
	return NULL;
}

uint64_t facts_instant(const struct header_facts *f, const char *key)
{
	const char *text = facts_get(f, key);
	struct instant when;

	return text && instant_parse(text, &when) && when.kind == INSTANT_EPOCH ? when.ns : 0;
}

void facts_losses(const struct header_facts *f, struct str *out)
{
	const char *lost = facts_get(f, FOLDED_LOST), *losses = facts_get(f, FOLDED_LOSSES);
	const char *slash = lost ? strchr(lost, '/') : NULL;

	if (slash && strtoull(lost, NULL, 10))
		str_addf(out, "lost %.*s of %s samples", (int)(slash - lost), lost, slash + 1);
	if (losses)
		str_addf(out, "%s%s", out->len ? ", " : "", losses);
}

void facts_title(const struct header_facts *f, struct str *out)
{
	const char *event = facts_get(f, FOLDED_EVENT), *host = facts_get(f, FOLDED_HOST);

	str_puts(out, event ? event : "profile");
	if (host)
		str_addf(out, ", %s", host);
}

void facts_json(const struct header_facts *f, struct json_stream *json, const char *key)
{
	json_object(json, key);
	for (size_t i = 0; i < f->count; i++)
		json_string(json, f->items[i].key, f->items[i].value);
	if (f->note_count) {
		json_array(json, "notes");
		for (size_t i = 0; i < f->note_count; i++)
			json_string(json, NULL, f->notes[i]);
		json_close(json, ']');
	}
	json_close(json, '}');
}

void facts_free(struct header_facts *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->items[i].key);
		free(f->items[i].value);
	}
	for (size_t i = 0; i < f->note_count; i++)
		free(f->notes[i]);
	free(f->items);
	free(f->notes);
	*f = (struct header_facts){ 0 };
}
