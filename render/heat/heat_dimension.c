/* Dimensions: the frames at the root of stacks, and their keys. */
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "render/heat/heat_parts.h"
#include "render/profile/line.h"

enum { PLACES_MAX = sizeof(((struct heat_recording *)0)->places) / sizeof(int) };

static const char HOST[] = "host", UNKNOWN_HOST[] = "[unknown host]", WITHOUT_HEADER[] = "thread", NO_ROOTS[] = "none";

const char *heat_roots_of(const struct folded_source *header)
{
	const char *list = source_get(header, FOLDED_ROOT);

	return list && !strcmp(list, NO_ROOTS) ? "" : list;
}

int heat_place_of(const struct folded_source *header, const char *name)
{
	return line_column(heat_roots_of(header), name);
}

/* ---- hosts -------------------------------------------------------------------- */

static bool has_several_hosts(const struct heat *h)
{
	for (size_t i = 1; i < h->recording_count; i++) {
		if (strcmp(h->recordings[i].host, h->recordings[0].host))
			return true;
	}
	return false;
}

static const char *host_of(const struct heat_recording *r)
{
	return *r->host ? r->host : UNKNOWN_HOST;
}

/* Change "thread,cpu" to "host,thread,cpu". */
static void put_host_first(struct folded_source *s)
{
	const char *list = heat_roots_of(s);
	struct str roots = { 0 };
	size_t i;

	for (i = 0; i < s->count && strcmp(s->pairs[i].key, FOLDED_ROOT); i++)
		;
	if (i == s->count) {
		source_join(s, FOLDED_ROOT, HOST);
		return;
	}
	str_addf(&roots, "%s%s%s", HOST, *list ? "," : "", list);
	free(s->pairs[i].value);
	s->pairs[i].value = roots.buf;
}

static void put_host_before(struct heat *h, const bool *lacks)
{
	struct intern texts = { 0 };
	struct str text = { 0 };

	for (size_t i = 0; i < h->stack_count; i++) {
		struct heat_stack *s = &h->stacks[i];

		str_clear(&text);
		if (lacks[s->recording])
			str_addf(&text, "%s;", host_of(&h->recordings[s->recording]));
		str_add(&text, intern_text(&h->texts, s->text), intern_len(&h->texts, s->text));
		while (text.len && text.buf[text.len - 1] == ';')
			text.len--;
		s->text = intern_add(&texts, text.buf, text.len);
	}
	intern_free(&h->texts);
	h->texts = texts;
	str_free(&text);
}

void heat_name_hosts(struct heat *h)
{
	bool *lacks, any = false;

	if (!has_several_hosts(h))
		return;
	lacks = xcalloc(h->recording_count, sizeof(*lacks));
	for (size_t i = 0; i < h->recording_count; i++) {
		struct folded_source *s = &h->recordings[i].source;

		lacks[i] = heat_place_of(s, HOST) < 0;
		any |= lacks[i];
		if (lacks[i] && !source_get(s, FOLDED_ROOT))
			source_join(s, FOLDED_ROOT, WITHOUT_HEADER);
		if (lacks[i])
			put_host_first(s);
	}
	if (any) {
		put_host_before(h, lacks);
		put_host_first(&h->source);
	}
	free(lacks);
}

/* ---- places ------------------------------------------------------------------- */

static size_t add_dimension(struct heat *h, const char *name, size_t len)
{
	size_t size = (h->dimension_count + 1) * sizeof(*h->dimensions);

	for (size_t i = 0; i < h->dimension_count; i++) {
		if (strlen(h->dimensions[i].name) == len && !memcmp(h->dimensions[i].name, name, len))
			return i;
	}
	if (h->dimension_count == PLACES_MAX)
		return PLACES_MAX;
	h->dimensions = xrealloc(h->dimensions, size);
	h->dimensions[h->dimension_count] = (struct heat_dimension){ .name = xstrndup(name, len) };
	return h->dimension_count++;
}

static void heat_dimension_find_places(struct heat *h, struct heat_recording *r)
{
	const char *list = heat_roots_of(&r->source);

	for (size_t i = 0; i < PLACES_MAX; i++)
		r->places[i] = -1;
	if (!list)
		list = WITHOUT_HEADER;
	for (int place = 0; *list; place++) {
		size_t len = strcspn(list, ","), n = len ? add_dimension(h, list, len) : PLACES_MAX;

		if (n < PLACES_MAX && r->places[n] < 0)
			r->places[n] = place;
		list += len + !!list[len];
	}
}

/* ---- keys --------------------------------------------------------------------- */

struct order {
	const struct heat *heat;
	const struct heat_dimension *dimension;
};

static int by_events(const void *a, const void *b, void *ctx)
{
	const struct order *order = ctx;
	const struct heat_key *x = &order->dimension->keys[*(const uint32_t *)a];
	const struct heat_key *y = &order->dimension->keys[*(const uint32_t *)b];

	return ORDER(y->events, x->events)
		       ?: strcmp(intern_text(&order->heat->names, x->name), intern_text(&order->heat->names, y->name));
}

static void sort_keys(const struct heat *h, struct heat_dimension *d)
{
	struct order order = { h, d };
	uint32_t *sorted = xmalloc(d->key_count * sizeof(*sorted));
	uint32_t *place = xmalloc(d->key_count * sizeof(*place));
	struct heat_key *keys = xmalloc(d->key_count * sizeof(*keys));

	for (uint32_t i = 0; i < d->key_count; i++)
		sorted[i] = i;
	qsort_r(sorted, d->key_count, sizeof(*sorted), by_events, &order);
	for (uint32_t i = 0; i < d->key_count; i++) {
		keys[i] = d->keys[sorted[i]];
		place[sorted[i]] = i;
	}
	for (size_t i = 0; i < h->stack_count; i++) {
		if (d->key_of[i] != HEAT_NONE)
			d->key_of[i] = place[d->key_of[i]];
	}
	free(d->keys);
	d->keys = keys;
	free(sorted);
	free(place);
}

/* Give a key to each stack that has a name in name_of; there are at most as many names as in h. */
static void make_keys(const struct heat *h, struct heat_dimension *d, const uint32_t *name_of)
{
	uint32_t *key_of_name = xmalloc(h->names.count * sizeof(*key_of_name));
	size_t cap = 0;

	memset(key_of_name, 0xff, h->names.count * sizeof(*key_of_name));
	d->key_of = xmalloc(h->stack_count * sizeof(*d->key_of));
	for (size_t i = 0; i < h->stack_count; i++) {
		uint32_t name = name_of[i], *key;

		d->key_of[i] = HEAT_NONE;
		if (name == HEAT_NONE)
			continue;
		key = &key_of_name[name];
		if (*key == HEAT_NONE) {
			*key = (uint32_t)d->key_count;
			d->keys = xgrow(d->keys, &cap, d->key_count + 1, sizeof(*d->keys));
			d->keys[d->key_count++] = (struct heat_key){ .name = name };
		}
		d->key_of[i] = *key;
		if (h->stacks[i].idle)
			continue;
		d->keys[*key].events += h->stacks[i].events;
		d->keys[*key].value += h->stacks[i].value;
	}
	sort_keys(h, d);
	free(key_of_name);
}

static void heat_dimension_find_keys(struct heat *h, size_t number)
{
	uint32_t *name_of = xmalloc(h->stack_count * sizeof(*name_of));

	for (size_t i = 0; i < h->stack_count; i++) {
		const struct heat_stack *s = &h->stacks[i];
		int place = h->recordings[s->recording].places[number];
		const char *frame = NULL;
		size_t len;

		if (place >= 0)
			frame = line_frame(intern_text(&h->texts, s->text), intern_len(&h->texts, s->text), place,
					   &len);
		name_of[i] = frame ? intern_add(&h->names, frame, len) : HEAT_NONE;
	}
	make_keys(h, &h->dimensions[number], name_of);
	free(name_of);
}

void heat_dimensions_make(struct heat *h)
{
	for (size_t i = 0; i < h->recording_count; i++)
		heat_dimension_find_places(h, &h->recordings[i]);
	for (size_t i = 0; i < h->dimension_count; i++)
		heat_dimension_find_keys(h, i);
}

size_t heat_dimension_of_regexps(struct heat *h, const char *name, struct regexp *const *res, const char *const *labels,
				 size_t count)
{
	size_t size = (h->dimension_count + 1) * sizeof(*h->dimensions);
	uint32_t *name_of = xmalloc(h->stack_count * sizeof(*name_of));

	for (size_t i = 0; i < h->stack_count; i++) {
		const char *text = intern_text(&h->texts, h->stacks[i].text);
		size_t len = intern_len(&h->texts, h->stacks[i].text), n = 0;

		while (n < count && !regexp_match(res[n], text, len))
			n++;
		name_of[i] = n == count ? HEAT_NONE : intern_add(&h->names, labels[n], strlen(labels[n]));
	}
	h->dimensions = xrealloc(h->dimensions, size);
	h->dimensions[h->dimension_count] = (struct heat_dimension){ .name = xstrdup(name) };
	make_keys(h, &h->dimensions[h->dimension_count], name_of);
	free(name_of);
	return h->dimension_count++;
}

const struct heat_dimension *heat_dimension_find(const struct heat *h, const char *name)
{
	for (size_t i = 0; i < h->dimension_count; i++) {
		if (!strcmp(h->dimensions[i].name, name))
			return &h->dimensions[i];
	}
	return NULL;
}

/* ---- the order in which readers look for keys --------------------------------- */

/* The length of name without the number at its end. */
static size_t word_len(const char *name)
{
	size_t len = strlen(name);

	while (len && name[len - 1] >= '0' && name[len - 1] <= '9')
		len--;
	return len;
}

static bool are_numbered(const struct heat *h, const struct heat_dimension *d, const uint32_t *keys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *first = intern_text(&h->names, d->keys[keys[0]].name);
		const char *name = intern_text(&h->names, d->keys[keys[i]].name);
		size_t len = word_len(name), digits = strlen(name + len);

		if (len != word_len(first) || memcmp(name, first, len) || !digits || digits > 18)
			return false;
	}
	return true;
}

static int heat_dimension_by_number(const void *a, const void *b, void *ctx)
{
	const struct order *order = ctx;
	const char *x = intern_text(&order->heat->names, order->dimension->keys[*(const uint32_t *)a].name);
	const char *y = intern_text(&order->heat->names, order->dimension->keys[*(const uint32_t *)b].name);
	uint64_t m = strtoull(x + word_len(x), NULL, 10), n = strtoull(y + word_len(y), NULL, 10);

	return m != n ? (m > n) - (m < n) : strcmp(x, y);
}

void heat_keys_order(const struct heat *h, const struct heat_dimension *d, uint32_t *keys, size_t count)
{
	struct order order = { h, d };

	if (count && are_numbered(h, d, keys, count))
		qsort_r(keys, count, sizeof(*keys), heat_dimension_by_number, &order);
}
