/* The losses of all recordings, summed: those that affect cells in red, those that affect only stacks in grey;
 * and the recordings' hosts in a few words. */
#include "core/decimal.h"
#include "render/heat/heat_draw.h"

#include <stdlib.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/profile/number.h"

enum { HOSTS_NAMED = 6 };

/* ---- losses ----------------------------------------------------------------- */

/* "throttled 3", "short user stacks 3 of 80", "file cut off". */
struct loss_count {
	char *what;
	uint64_t n, of; /* 0: not counted */
};

struct losses {
	struct loss_count *items;
	size_t count, cap;
};

/* Take the number at the end of text[0..*len), and shorten *len by it and by word before it.  Returns 0 if
 * there is no number. */
static uint64_t take_number(const char *text, size_t *len, const char *word)
{
	size_t start = *len, n = strlen(word);

	while (start && is_digit(text[start - 1]))
		start--;
	if (start == *len || start <= n || memcmp(text + start - n, word, n))
		return 0;
	*len = start - n;
	return strtoull(text + start, NULL, 10);
}

static void add_loss(struct losses *l, const char *text, size_t len)
{
	uint64_t of = take_number(text, &len, " of "), n = take_number(text, &len, " ");

	for (size_t i = 0; i < l->count; i++) {
		if (strlen(l->items[i].what) != len || memcmp(l->items[i].what, text, len))
			continue;
		l->items[i].n += n;
		l->items[i].of += of;
		return;
	}
	l->items = xgrow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
	l->items[l->count++] = (struct loss_count){ xstrndup(text, len), n, of };
}

static void add_losses(struct losses *l, const char *list)
{
	while (list && *list) {
		const char *end = strstr(list, ", ");

		add_loss(l, list, end ? (size_t)(end - list) : strlen(list));
		list = end ? end + 2 : NULL;
	}
}

/* Add up the losses of each recording: in the joined header, equal texts appear only once. */
static void find_losses(struct losses *l, const struct heat *h)
{
	for (size_t i = 0; i < h->recording_count; i++)
		add_losses(l, source_get(&h->recordings[i].source, FOLDED_LOSSES));
}

static void free_losses(struct losses *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->items[i].what);
	free(l->items);
}

/* Append the losses of stacks, or all others. */
static void say_losses(struct str *out, const struct losses *l, bool of_stacks)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct loss_count *loss = &l->items[i];

		if (!!strstr(loss->what, "stack") != of_stacks)
			continue;
		str_addf(out, "%s%s", out->len ? ", " : "", loss->what);
		if (loss->n || loss->of) {
			str_addc(out, ' ');
			number_add(out, loss->n);
		}
		if (loss->of) {
			str_puts(out, " of ");
			number_add(out, loss->of);
		}
	}
}

void heat_losses_add(struct str *out, const struct heat *h, bool of_stacks)
{
	struct losses l = { 0 };
	uint64_t part, whole;
	const char *quality;

	find_losses(&l, h);
	say_losses(out, &l, of_stacks);
	free_losses(&l);
	if (!of_stacks)
		return;
	quality = h->recording_count == 1 ? source_get(&h->source, FOLDED_QUALITY) : NULL;
	if (quality) {
		str_addf(out, "%s%s", out->len ? " \xc2\xb7 " : "", quality);
	} else if (source_ratio(&h->source, FOLDED_UNRESOLVED, &part, &whole) && part && whole) {
		str_puts(out, out->len ? " \xc2\xb7 " : "");
		percent_add(out, part, whole);
		str_puts(out, " of frames without a name");
	}
}

/* ---- the header ------------------------------------------------------------- */

/* "db1, db2", or "100 hosts" if they are many. */
static char *hosts_of(const char *list)
{
	struct str text = { 0 };
	size_t count = 1;

	for (const char *at = list; (at = strstr(at, ", ")); at++)
		count++;
	if (count <= HOSTS_NAMED)
		return xstrdup(list);
	number_add(&text, count);
	str_puts(&text, " hosts");
	return text.buf;
}

static bool is_said_elsewhere(const char *key)
{
	static const char *const keys[] = { FOLDED_START, FOLDED_END, FOLDED_LOSSES, FOLDED_UNRESOLVED,
					    FOLDED_QUALITY };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!strcmp(key, keys[i]))
			return true;
	}
	return false;
}

void heat_source_make(struct folded_source *s, const struct heat *h)
{
	struct str losses = { 0 };

	*s = (struct folded_source){ 0 };
	for (size_t i = 0; i < h->source.count; i++) {
		const struct source_pair *pair = &h->source.pairs[i];
		char *hosts = strcmp(pair->key, FOLDED_HOST) ? NULL : hosts_of(pair->value);

		if (!is_said_elsewhere(pair->key))
			source_join(s, pair->key, hosts ? hosts : pair->value);
		free(hosts);
	}
	heat_losses_add(&losses, h, false);
	if (losses.len)
		source_join(s, FOLDED_LOSSES, losses.buf);
	str_free(&losses);
}
