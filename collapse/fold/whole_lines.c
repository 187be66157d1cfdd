#include "collapse/fold/whole_lines.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/load_ahead.h"
#include "core/memory.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "whole_word()");

/* --- text --------------------------------------------------------------------------- */

enum { LANES = 32 };
typedef uint8_t lanes __attribute__((vector_size(LANES)));

static inline bool is_any(const lanes *bytes)
{
	uint64_t words[LANES / 8];

	memcpy(words, bytes, sizeof(words));
	return (words[0] | words[1] | words[2] | words[3]) != 0;
}

/* Copy text with WHOLE_SEMICOLON for ';'; up to LANES bytes more may be written.  Returns false if frame_add() would
 * change a frame, or might. */
static inline __attribute__((always_inline)) bool copy_lanes(char *to, const char *text, size_t len)
{
	char first[1 + LANES] = ";xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
	const char *from = first + 1;
	size_t place = 0;
	lanes doubt = { 0 };

	memcpy(first + 1, text, len < LANES ? len : LANES);
	for (size_t done = LANES;; done += LANES) {
		lanes before, at;

		memcpy(&before, from - 1, LANES);
		memcpy(&at, from, LANES);
		/* A control character, or not ASCII; ... */
		doubt |= (lanes)(at - ' ' >= 0x7f - ' ');
		/* ... a frame that begins with a blank, '#' or '@', or is empty; ... */
		doubt |= (lanes)(before == ';') & (lanes)((at < '$') | (at == ';') | (at == '@'));
		/* ... a blank before a number, or at the end. */
		doubt |= (lanes)(before == ' ') & (lanes)(at - '.' <= ';' - '.');
		at ^= (lanes)(at == ';') & (';' ^ WHOLE_SEMICOLON);
		memcpy(to + place, &at, LANES);
		if (done >= len)
			break;
		place = done + LANES > len ? len - LANES : done;
		from = text + place;
	}
	return !is_any(&doubt) && text[len - 1] != ';' && text[len - 1] != ' ';
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) bool copy_avx2(char *to, const char *text, size_t len)
{
	return copy_lanes(to, text, len);
}
#endif

static bool whole_lines_copy(char *to, const char *text, size_t len)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return copy_avx2(to, text, len);
#endif
	return copy_lanes(to, text, len);
}

/* The text, after frame_add() has cleaned each of its frames. */
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

/* A line's number consists of the number of its block, and of its offset in the block, in words.  A line that is longer
 * than a block gets a block of its own. */
enum { PLACE_BITS = 20, BLOCK_BYTES = WHOLE_WORD << PLACE_BITS, BLOCK_FIRST = 1 << 16, BLOCKS_MAX = 1 << 12 };

/* Begin a block that has room for size bytes. */
static void whole_lines_add_block(struct whole_lines *w, size_t size)
{
	size_t cap = w->block_count ? BLOCK_BYTES : BLOCK_FIRST;

	if (w->block_count == BLOCKS_MAX - 1)
		die("too many stacks");
	if (w->block_count)
		w->blocks[w->block_count - 1].len = w->len;
	w->blocks = xgrow(w->blocks, &w->block_cap, w->block_count + 1, sizeof(*w->blocks));
	w->cap = cap < size ? size : cap;
	w->bytes = w->blocks[w->block_count++].bytes = xmalloc(w->cap);
	w->len = w->settled = 0;
}

static struct whole_line *whole_lines_at(const struct whole_lines *w, size_t place)
{
	return (struct whole_line *)(void *)(w->bytes + place);
}

static uint32_t whole_lines_number_of(size_t block, size_t place)
{
	return (uint32_t)(block << PLACE_BITS | place / WHOLE_WORD);
}

static struct whole_line *line_called(const struct whole_lines *w, uint32_t number)
{
	size_t place = (size_t)(number & ((1 << PLACE_BITS) - 1)) * WHOLE_WORD;

	return (struct whole_line *)(void *)(w->blocks[number >> PLACE_BITS].bytes + place);
}

/* A block made for an overlong line stays that large if the line is merged into an earlier one: only BLOCK_BYTES of it
 * can be addressed. */
static bool whole_lines_has_room(const struct whole_lines *w, size_t size)
{
	return w->cap - w->len >= size && w->len < BLOCK_BYTES;
}

static struct whole_line *whole_lines_make_line(struct whole_lines *w, size_t len)
{
	size_t size = whole_line_size(len, w->value_count) + WHOLE_SLACK;

	if (len > UINT32_MAX - WHOLE_SLACK)
		die("a stack of over 4 GiB");
	if (!whole_lines_has_room(w, size))
		whole_lines_settle(w);
	if (!whole_lines_has_room(w, size))
		whole_lines_add_block(w, size);
	return whole_lines_at(w, w->len);
}

void whole_lines_add(struct whole_lines *w, const char *stack, size_t len, const struct text_value *values)
{
	size_t width = w->value_count;
	struct whole_line *line = whole_lines_make_line(w, len);

	if (!whole_lines_copy(whole_line_text(line, width), stack, len)) {
		clean(&w->clean, stack, len);
		len = w->clean.len;
		line = whole_lines_make_line(w, len);
		whole_lines_copy(whole_line_text(line, width), w->clean.buf, len);
	}
	memset(whole_line_text(line, width) + len, 0, WHOLE_WORD);
	line->len = (uint32_t)len;
	line->hash = 0;
	for (size_t i = 0; i < width; i++)
		line->values[i] = values[i];
	w->len += whole_line_size(len, width);
}

static size_t whole_lines_size_of(const struct whole_lines *w, const struct whole_line *line)
{
	return whole_line_size(line->len, w->value_count);
}

static const char *text_of(const struct whole_lines *w, const struct whole_line *line)
{
	return whole_line_text(line, w->value_count);
}

static void whole_lines_merge(const struct whole_lines *w, struct whole_line *into, const struct whole_line *line)
{
	for (size_t i = 0; i < w->value_count; i++)
		text_value_add(&into->values[i], &line->values[i], w->longest >> i & 1);
}

/* --- lines that were seen before ----------------------------------------------------- */

/* Settle the line at `from`: it becomes the next distinct line. */
static void settle(struct whole_lines *w, size_t from)
{
	size_t size = whole_lines_size_of(w, whole_lines_at(w, from));

	if (from != w->settled)
		memmove(w->bytes + w->settled, w->bytes + from, size);
	w->refs = xgrow(w->refs, &w->ref_cap, w->count + 1, sizeof(*w->refs));
	w->refs[w->count++] = (struct sort_ref){ 0, text_of(w, whole_lines_at(w, w->settled)) };
	w->settled += size;
}

/* Drop the bytes between the settled lines and from. */
static void whole_lines_close_gap(struct whole_lines *w, size_t from)
{
	if (from != w->settled && from != w->len)
		memmove(w->bytes + w->settled, w->bytes + from, w->len - from);
	w->len -= from - w->settled;
}

/* Settle lines while they come in ascending order; equal ones are merged. */
static void settle_ordered(struct whole_lines *w)
{
	size_t from = w->settled, size;

	for (; from < w->len; from += size) {
		struct whole_line *line = whole_lines_at(w, from);
		const char *last = w->count ? w->refs[w->count - 1].item : NULL;
		int order = last ? whole_compare(last, text_of(w, line)) : -1;

		if (order > 0)
			break;
		size = whole_lines_size_of(w, line);
		if (order)
			settle(w, from);
		else
			whole_lines_merge(w, whole_line_of(last, w->value_count), line);
	}
	whole_lines_close_gap(w, from);
}

static bool whole_lines_is_same(const void *owner, uint32_t number, const void *key)
{
	const struct whole_lines *w = owner;
	const struct whole_line *wanted = key;
	const struct whole_line *line = line_called(w, number);

	return line->len == wanted->len && !memcmp(text_of(w, line), text_of(w, wanted), wanted->len);
}

static uint64_t whole_lines_word_at(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return word;
}

/* Two independent chains of products, since each product needs the result of the one before it. */
static uint32_t hash_text(const char *text, size_t len)
{
	const char *end = text + len / WHOLE_WORD * WHOLE_WORD + WHOLE_WORD;
	uint64_t a = len, b = 0;

	for (; end - text >= 4 * WHOLE_WORD; text += 4 * WHOLE_WORD) {
		a = hash_mix(a ^ whole_lines_word_at(text), whole_lines_word_at(text + WHOLE_WORD));
		b = hash_mix(b ^ whole_lines_word_at(text + 2 * WHOLE_WORD),
			     whole_lines_word_at(text + 3 * WHOLE_WORD));
	}
	for (; text < end; text += WHOLE_WORD)
		a = hash_mix(a, whole_lines_word_at(text));
	return (uint32_t)hash_mix(a, b);
}

static void hash_line(struct whole_lines *w, struct whole_line *line)
{
	line->hash = hash_text(text_of(w, line), line->len);
	if (w->table.slot_count)
		load_ahead(&w->table.slots[line->hash & (w->table.slot_count - 1)], 1);
}

/* The lines are no longer in order: enter all that are settled into the hash table. */
static void whole_lines_begin_table(struct whole_lines *w)
{
	struct whole_line *line;

	w->unordered = true;
	w->blocks[w->block_count - 1].len = w->settled;
	for (size_t block = 0; block < w->block_count; block++) {
		for (size_t at = 0; at < w->blocks[block].len; at += whole_lines_size_of(w, line)) {
			line = (struct whole_line *)(void *)(w->blocks[block].bytes + at);
			hash_line(w, line);
			hash_table_add(&w->table, line->hash, whole_lines_is_same, w, line,
				       whole_lines_number_of(block, at));
		}
	}
}

/* Settle the remaining lines by their hash.  The slots of the table are loaded into the cache beforehand. */
static void settle_hashed(struct whole_lines *w)
{
	size_t from, size;

	for (from = w->settled; from < w->len; from += whole_lines_size_of(w, whole_lines_at(w, from)))
		hash_line(w, whole_lines_at(w, from));
	for (from = w->settled; from < w->len; from += size) {
		struct whole_line *line = whole_lines_at(w, from);
		uint32_t next = whole_lines_number_of(w->block_count - 1, w->settled),
			 number = hash_table_add(&w->table, line->hash, whole_lines_is_same, w, line, next);

		size = whole_lines_size_of(w, line);
		if (number == next)
			settle(w, from);
		else
			whole_lines_merge(w, line_called(w, number), line);
	}
	whole_lines_close_gap(w, from);
}

/* --- runs --------------------------------------------------------------------------- */

enum { RUN_MIN = 2048 };

static bool is_sorted(const struct sort_ref *refs, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (whole_compare(refs[i - 1].item, refs[i].item) > 0)
			return false;
	}
	return true;
}

enum { AHEAD = 12 };

/* The number of bytes after depth that all texts have in common. */
static size_t common_to_all(const struct sort_ref *refs, size_t count, size_t depth)
{
	const char *first = refs[0].item;
	size_t more = SIZE_MAX;

	for (size_t i = 1; i < count && more; i++) {
		if (i + AHEAD < count)
			load_ahead((const char *)refs[i + AHEAD].item + depth, 1);
		more = whole_common(first + depth, (const char *)refs[i].item + depth, more);
	}
	return more;
}

/* All texts differ, so none ends where it is still equal to others. */
static bool load_words(const void *context, struct sort_ref *refs, size_t count, size_t *depth)
{
	(void)context;
	if (*depth)
		*depth += common_to_all(refs, count, *depth);
	for (size_t i = 0; i < count; i++) {
		if (i + AHEAD < count)
			load_ahead((const char *)refs[i + AHEAD].item + *depth, 1);
		refs[i].key = whole_word((const char *)refs[i].item + *depth);
	}
	*depth += WHOLE_WORD;
	return true;
}

static int compare_words(const void *context, const void *a, const void *b, size_t depth)
{
	(void)context;
	return whole_compare((const char *)a + depth, (const char *)b + depth);
}

static void sort_lines(struct sort_ref *refs, size_t count)
{
	static const struct sort_order order = { load_words, compare_words };

	textsort_refs(refs, count, &order, NULL);
	for (size_t i = 0; i < count; i++)
		refs[i].key = 0;
}

/* Make a sorted run of the lines that are in no run yet, or add them to the last run. */
static void whole_lines_add_run(struct whole_lines *w)
{
	size_t start = w->run_count ? w->runs[w->run_count - 1] : 0;

	if (start == w->count)
		return;
	if (!is_sorted(w->refs + start, w->count - start))
		sort_lines(w->refs + start, w->count - start);
	if (!w->run_count || whole_compare(w->refs[start - 1].item, w->refs[start].item) > 0) {
		w->runs = xgrow(w->runs, &w->run_cap, w->run_count + 1, sizeof(*w->runs));
		w->run_count++;
	}
	w->runs[w->run_count - 1] = w->count;
}

void whole_lines_settle(struct whole_lines *w)
{
	if (!w->unordered)
		settle_ordered(w);
	if (w->settled == w->len)
		return;
	if (!w->unordered) {
		whole_lines_add_run(w);
		whole_lines_begin_table(w);
	}
	settle_hashed(w);
	if (w->count - (w->run_count ? w->runs[w->run_count - 1] : 0) >= RUN_MIN)
		whole_lines_add_run(w);
}

void whole_lines_end(struct whole_lines *w)
{
	whole_lines_settle(w);
	whole_lines_add_run(w);
}

void whole_lines_free(struct whole_lines *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->block_count; i++)
		free(w->blocks[i].bytes);
	free(w->blocks);
	free(w->refs);
	free(w->runs);
	hash_table_free(&w->table);
	str_free(&w->clean);
	*w = (struct whole_lines){ 0 };
}
