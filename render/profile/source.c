#include "render/profile/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/format/pairs.h"
#include "core/memory.h"
#include "core/str.h"

static struct source_pair *source_find(const struct folded_source *s, const char *key)
{
	for (size_t i = 0; i < s->count; i++) {
		if (!strcmp(s->pairs[i].key, key))
			return &s->pairs[i];
	}
	return NULL;
}

const char *source_get(const struct folded_source *s, const char *key)
{
	const struct source_pair *pair = source_find(s, key);

	return pair ? pair->value : NULL;
}

/* "3/12345"; SCNu64 would take a sign. */
static bool parse_ratio(const char *text, uint64_t *part, uint64_t *whole)
{
	int end = 0;

	if (strspn(text, "0123456789/") != strlen(text))
		return false;
	return sscanf(text, "%" SCNu64 "/%" SCNu64 "%n", part, whole, &end) == 2 && !text[end];
}

bool source_ratio(const struct folded_source *s, const char *key, uint64_t *part, uint64_t *whole)
{
	const char *value = source_get(s, key);

	return value && parse_ratio(value, part, whole);
}

/* Is item one of the comma-separated words of list? */
static bool list_has(const char *list, const char *item)
{
	size_t len = strlen(item);

	if (!len)
		return true;
	for (const char *at = list; (at = strstr(at, item)); at++) {
		bool starts = at == list || (at > list + 1 && at[-1] == ' ' && at[-2] == ',');

		if (starts && (!at[len] || at[len] == ','))
			return true;
	}
	return false;
}

/* Of several values, the worst one counts: "1.28ms", "2s", "0.43%/1%", "0.3 % of the machine"; a text that is no number
 * is the worst. */
static double badness(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return end == text ? HUGE_VAL : *end == 's' ? value * 1000 : value;
}

/* Longer lists are cut, since nobody reads them, and each header would have to go through them. */
enum { LIST_MAX = 16384 };

/* Join the values old and add of key. */
static void source_join_values(struct str *joined, const char *key, const char *old, const char *add)
{
	uint64_t part[2], whole[2];

	if (!strcmp(key, FOLDED_START)) {
		str_puts(joined, strcmp(add, old) < 0 ? add : old);
	} else if (!strcmp(key, FOLDED_END)) {
		str_puts(joined, strcmp(add, old) > 0 ? add : old);
	} else if (!strcmp(key, FOLDED_CLOCK_WITHIN) || !strcmp(key, FOLDED_OWN_COST) ||
		   !strcmp(key, FOLDED_RECORDING_COST)) {
		str_puts(joined, badness(add) > badness(old) ? add : old);
	} else if (parse_ratio(old, &part[0], &whole[0]) && parse_ratio(add, &part[1], &whole[1])) {
		str_add_u64(joined, part[0] + part[1]);
		str_addc(joined, '/');
		str_add_u64(joined, whole[0] + whole[1]);
	} else {
		str_puts(joined, old);
		add = strlen(old) < LIST_MAX ? add : "...";
		if (list_has(old, add))
			return;
		str_puts(joined, ", ");
		str_puts(joined, add);
	}
}

void source_join(struct folded_source *s, const char *key, const char *value)
{
	struct source_pair *pair = source_find(s, key);
	struct str joined = { 0 };

	if (!pair) {
		s->pairs = xgrow(s->pairs, &s->cap, s->count + 1, sizeof(*s->pairs));
		s->pairs[s->count++] = (struct source_pair){ xstrdup(key), xstrdup(value) };
		return;
	}
	source_join_values(&joined, key, pair->value, value);
	free(pair->value);
	pair->value = xstrdup(str_text(&joined));
	str_free(&joined);
}

static void source_drop(struct folded_source *s, const char *key)
{
	struct source_pair *pair = source_find(s, key);

	if (!pair)
		return;
	free(pair->key);
	free(pair->value);
	memmove(pair, pair + 1, (size_t)(s->pairs + --s->count - pair) * sizeof(*pair));
}

/* Do both headers say the same about the quality of their stacks?  A header that says nothing has complete stacks. */
static bool quality_agrees(const struct folded_source *s, const struct folded_source *other)
{
	const char *mine = source_get(s, FOLDED_QUALITY), *others = source_get(other, FOLDED_QUALITY);

	return !s->count || (mine && others && !strcmp(mine, others));
}

void source_add(struct folded_source *s, const struct folded_source *other)
{
	bool agrees = quality_agrees(s, other);

	if (!other->count)
		return;
	if (!agrees)
		source_drop(s, FOLDED_QUALITY);
	for (size_t i = 0; i < other->count; i++) {
		if (agrees || strcmp(other->pairs[i].key, FOLDED_QUALITY) != 0)
			source_join(s, other->pairs[i].key, other->pairs[i].value);
	}
}

static bool source_is_key(const struct pair *p)
{
	size_t n = 0;

	while (n < p->key_len && p->key[n] && strchr("abcdefghijklmnopqrstuvwxyz0123456789_-", p->key[n]))
		n++;
	return n && n == p->key_len;
}

void source_read_pairs(struct folded_source *s, const char *text, size_t len)
{
	const char *at = text;
	struct pair p;

	while (pair_next(&at, text + len, &p)) {
		struct str key = { 0 }, value = { 0 };

		if (!p.value || !source_is_key(&p))
			continue;
		str_add(&key, p.key, p.key_len);
		pair_value(&p, &value);
		source_join(s, key.buf, str_text(&value));
		str_free(&key);
		str_free(&value);
	}
}

bool source_read(struct folded_source *s, const char *line, size_t len)
{
	size_t mark = strlen(FOLDED_HEADER);
	struct folded_source header = { 0 };

	if (len < mark || memcmp(line, FOLDED_HEADER, mark))
		return false;
	source_read_pairs(&header, line + mark, len - mark);
	source_add(s, &header);
	source_free(&header);
	return true;
}

void source_free(struct folded_source *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++) {
		free(s->pairs[i].key);
		free(s->pairs[i].value);
	}
	free(s->pairs);
	*s = (struct folded_source){ 0 };
}
