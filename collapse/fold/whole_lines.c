#include "collapse/fold/whole_lines.h"

#include <stdlib.h>

#include "collapse/fold/frame.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "whole_word()");

/* --- text --------------------------------------------------------------------------- */

typedef int8_t lanes __attribute__((vector_size(16)));

static lanes load(const char *at)
{
	lanes bytes;

	memcpy(&bytes, at, sizeof(bytes));
	return bytes;
}

/* Bytes before[i], at[i] that are, or may be, not as in a line of ours: see frame_add(). */
static lanes doubts(lanes before, lanes at)
{
	lanes control = (at < ' ') | (at == 0x7f); /* signed: or not ASCII */
	lanes start = (before == ';') & ((at == ' ') | (at == ';') | (at == '#') | (at == '@'));
	lanes end = (before == ' ') & ((at == ';') | ((at > '-') & (at < ':')));

	return control | start | end;
}

static bool is_any(lanes bytes)
{
	uint64_t halves[2];

	memcpy(halves, &bytes, sizeof(halves));
	return (halves[0] | halves[1]) != 0;
}

/* Copy text with WHOLE_SEMICOLON for ';'.  Returns false if a frame may have to be changed. */
static bool copy(char *to, const char *text, size_t len)
{
	lanes doubt = { 0 };
	char first[sizeof(lanes) + 1] = ";", padded[sizeof(lanes)];

	if (len < sizeof(lanes)) {
		memset(padded, 'x', sizeof(padded));
		memcpy(padded, text, len);
		memcpy(first + 1, padded, sizeof(padded));
	} else {
		memcpy(first + 1, text, sizeof(padded));
	}
	doubt |= doubts(load(first), load(first + 1));
	for (size_t i = 0; i < sizeof(padded) && i < len; i++)
		to[i] = first[i + 1] == ';' ? WHOLE_SEMICOLON : first[i + 1];
	for (size_t i = sizeof(lanes); i < len; i += sizeof(lanes)) {
		size_t from = i + sizeof(lanes) > len ? len - sizeof(lanes) : i;
		lanes at = load(text + from);

		doubt |= doubts(load(text + from - 1), at);
		at ^= (at == ';') & (';' ^ WHOLE_SEMICOLON);
		memcpy(to + from, &at, sizeof(at));
	}
	return !is_any(doubt) && text[len - 1] != ';' && text[len - 1] != ' ';
}

/* The text with its frames as frame_add() has them. */
static void clean(struct str *out, const char *text, size_t len)
{
	const char *end = text + len, *stop;

	str_clear(out);
	for (; text <= end; text = stop + 1) {
		stop = memchr(text, ';', (size_t)(end - text));
		if (!stop)
			stop = end;
		if (out->len)
			str_addc(out, ';');
		frame_add(out, text, (size_t)(stop - text));
	}
}

/* --- lines -------------------------------------------------------------------------- */

static struct whole_line *make_line(struct whole_lines *w, size_t len)
{
	if (len > UINT32_MAX - WHOLE_SLACK || w->len / WHOLE_WORD >= UINT32_MAX - 1 - len / WHOLE_WORD)
		die("too many stacks, or one of over 4 GB");
	w->bytes = xgrow(w->bytes, &w->cap, w->len + whole_line_size(len, w->value_count) + WHOLE_SLACK, 1);
	return whole_line_at(w, w->len);
}

void whole_lines_add(struct whole_lines *w, const char *stack, size_t len, const struct text_value *values)
{
	size_t width = w->value_count;
	struct whole_line *line = make_line(w, len);

	if (!copy(whole_line_text(line, width), stack, len)) {
		clean(&w->clean, stack, len);
		len = w->clean.len;
		line = make_line(w, len);
		copy(whole_line_text(line, width), w->clean.buf, len);
	}
	memset(whole_line_text(line, width) + len, 0, WHOLE_WORD);
	line->len = (uint32_t)len;
	line->hash = 0;
	for (size_t i = 0; i < width; i++)
		line->values[i] = values[i];
	w->len += whole_line_size(len, width);
}

static size_t size_of(const struct whole_lines *w, const struct whole_line *line)
{
	return whole_line_size(line->len, w->value_count);
}

static void merge(const struct whole_lines *w, struct whole_line *into, const struct whole_line *line)
{
	for (size_t i = 0; i < w->value_count; i++)
		text_value_add(&into->values[i], &line->values[i], w->longest >> i & 1);
}

/* --- lines that were seen before ----------------------------------------------------- */

/* Make the line at from the next one that is settled. */
static void settle(struct whole_lines *w, size_t from)
{
	size_t size = size_of(w, whole_line_at(w, from));

	if (from != w->settled)
		memmove(w->bytes + w->settled, w->bytes + from, size);
	w->last = w->settled;
	w->settled += size;
	w->count++;
}

/* Drop what is between the settled lines and from. */
static void close_gap(struct whole_lines *w, size_t from)
{
	if (from != w->settled && from != w->len)
		memmove(w->bytes + w->settled, w->bytes + from, w->len - from);
	w->len -= from - w->settled;
}

/* Settle lines as long as each is greater than the one before, or the same. */
static void settle_ordered(struct whole_lines *w)
{
	size_t from = w->settled, size, width = w->value_count;

	for (; from < w->len; from += size) {
		struct whole_line *line = whole_line_at(w, from), *last = whole_line_at(w, w->last);
		int order = w->count ? whole_compare(whole_line_text(last, width), whole_line_text(line, width)) : -1;

		if (order > 0)
			break;
		size = size_of(w, line);
		if (order)
			settle(w, from);
		else
			merge(w, last, line);
	}
	close_gap(w, from);
}

static bool is_same(const void *owner, uint32_t number, const void *key)
{
	const struct whole_lines *w = owner;
	const struct whole_line *line = whole_line_at(w, (size_t)number * WHOLE_WORD), *wanted = key;
	size_t width = w->value_count;

	return line->len == wanted->len &&
	       !memcmp(whole_line_text(line, width), whole_line_text(wanted, width), line->len);
}

/* Hash the lines from place start on, and have their slots loaded. */
static void hash_from(struct whole_lines *w, size_t start)
{
	for (size_t at = start; at < w->len; at += size_of(w, whole_line_at(w, at))) {
		struct whole_line *line = whole_line_at(w, at);

		line->hash = (uint32_t)hash_bytes(whole_line_text(line, w->value_count), line->len);
		if (w->table.slot_count)
			__builtin_prefetch(&w->table.slots[line->hash & (w->table.slot_count - 1)]);
	}
}

/* Settle all lines from start on by their hash. */
static void settle_hashed(struct whole_lines *w, size_t start)
{
	size_t from = start, size;

	hash_from(w, start);
	w->settled = start;
	for (; from < w->len; from += size) {
		struct whole_line *line = whole_line_at(w, from);
		uint32_t next = (uint32_t)(w->settled / WHOLE_WORD),
			 number = hash_table_add(&w->table, line->hash, is_same, w, line, next);

		size = size_of(w, line);
		if (number == next)
			settle(w, from);
		else
			merge(w, whole_line_at(w, (size_t)number * WHOLE_WORD), line);
	}
	close_gap(w, from);
}

void whole_lines_settle(struct whole_lines *w)
{
	if (!w->unordered) {
		settle_ordered(w);
		if (w->settled == w->len)
			return;
		w->unordered = true;
		w->count = 0;
		settle_hashed(w, 0);
		return;
	}
	settle_hashed(w, w->settled);
}

void whole_lines_free(struct whole_lines *w)
{
	if (!w)
		return;
	free(w->bytes);
	hash_table_free(&w->table);
	str_free(&w->clean);
	*w = (struct whole_lines){ 0 };
}
