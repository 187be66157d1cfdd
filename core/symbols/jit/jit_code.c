#include "core/symbols/jit/jit_code.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/sorted.h"

enum { MAX_PIECES = 1 << 22, MAX_LINES = 1 << 24, LEAST_SLOTS = 512 };

#define MAX_SIZE (UINT64_C(1) << 40)
#define FIRST_OWN_PLACE (UINT64_C(1) << 62) /* room for all pieces of all sizes */
#define MAX_TEXT (UINT64_C(1) << 29)
#define MAX_UNWINDING (UINT64_C(1) << 28)

bool jit_code_is_full(const struct jit_code *code)
{
	return code->count >= MAX_PIECES || code->text_len >= MAX_TEXT || code->line_count >= MAX_LINES ||
	       code->bytes.len >= MAX_UNWINDING;
}

/* --- the last piece at an address ---------------------------------------------------- */

/* A slot has the number of a piece, counted from 1, and in the higher bits a part of its hash. */
enum { NUMBER_BITS = 23, NUMBER_MASK = (1 << NUMBER_BITS) - 1, MAX_PROBES = 512 };

_Static_assert((int)MAX_PIECES < (int)NUMBER_MASK, "the number of the last one, counted from 1");

/* The slot for an address.  Pieces in the same page usually arrive together, and have neighbouring slots.  NULL: too
 * many collisions, which only happen if somebody provokes them: the piece is then not found. */
static uint32_t *jit_code_slot_of(const struct jit_code *code, uint64_t start)
{
	uint64_t hash = hash_mix(start >> 12, 0);
	uint32_t tag = (uint32_t)((hash >> 32 ^ start) << NUMBER_BITS);
	size_t mask = code->newest_size - 1, first = (size_t)(hash + (start >> 4 & 0xff));

	for (size_t i = 0; i < MAX_PROBES; i++) {
		uint32_t *slot = &code->newest[(first + i) & mask];

		if (!*slot || (*slot >> NUMBER_BITS == tag >> NUMBER_BITS &&
			       jit_code_piece(code, (*slot & NUMBER_MASK) - 1)->start == start))
			return slot;
	}
	return NULL;
}

static void jit_code_take_slot(struct jit_code *code, size_t number)
{
	uint64_t start = jit_code_piece(code, number)->start, hash = hash_mix(start >> 12, 0);
	uint32_t *slot = jit_code_slot_of(code, start);

	if (!slot)
		return;
	code->newest_count += !*slot;
	*slot = (uint32_t)((hash >> 32 ^ start) << NUMBER_BITS) | ((uint32_t)number + 1);
}

static void jit_code_grow_slots(struct jit_code *code)
{
	size_t size = code->newest_size;
	uint32_t *old = code->newest;

	code->newest_size = size ? size * 2 : LEAST_SLOTS;
	code->newest_count = 0;
	code->newest = xcalloc(code->newest_size, sizeof(*code->newest));
	for (size_t i = 0; i < size; i++) {
		if (old[i])
			jit_code_take_slot(code, (old[i] & NUMBER_MASK) - 1);
	}
	free(old);
}

static void note_newest(struct jit_code *code, size_t number)
{
	if (code->newest_count * 4 >= code->newest_size * 3)
		jit_code_grow_slots(code);
	jit_code_take_slot(code, number);
}

const struct jit_piece *jit_code_at(const struct jit_code *code, uint64_t start)
{
	uint32_t *slot = code->newest_size ? jit_code_slot_of(code, start) : NULL;

	return slot && *slot ? jit_code_piece(code, (*slot & NUMBER_MASK) - 1) : NULL;
}

/* --- adding ---------------------------------------------------------------------------- */

/* Adds a text.  Returns where it is. */
static uint32_t jit_code_add_text(struct jit_code *code, const char *text, size_t len)
{
	size_t block = code->text_len / JIT_TEXT_BLOCK, left = JIT_TEXT_BLOCK - code->text_len % JIT_TEXT_BLOCK, at;

	if (code->text_len % JIT_TEXT_BLOCK == 0 || len >= left) { /* the text begins a new block */
		block = (code->text_len + JIT_TEXT_BLOCK - 1) / JIT_TEXT_BLOCK;
		code->text = xgrow(code->text, &code->text_cap, block + 1, sizeof(*code->text));
		code->text[block] = xmalloc(JIT_TEXT_BLOCK);
		code->text_len = block * JIT_TEXT_BLOCK;
	}
	at = code->text_len;
	memcpy(code->text[block] + at % JIT_TEXT_BLOCK, text, len);
	code->text[block][at % JIT_TEXT_BLOCK + len] = '\0';
	code->text_len += len + 1;
	return (uint32_t)at;
}

struct jit_piece *jit_code_add(struct jit_code *code, uint64_t start, uint64_t size, uint64_t offset, const char *name,
			       size_t name_len)
{
	size_t block = code->count / JIT_PIECES_BLOCK;

	if (!size || size > MAX_SIZE || start + size < start || jit_code_is_full(code) || name_len >= JIT_TEXT_BLOCK) {
		code->bad++;
		return NULL;
	}
	if (code->count % JIT_PIECES_BLOCK == 0) {
		code->pieces = xgrow(code->pieces, &code->cap, block + 1, sizeof(*code->pieces));
		code->pieces[block] = xmalloc(JIT_PIECES_BLOCK * sizeof(**code->pieces));
	}
	*jit_code_piece(code, code->count) = (struct jit_piece){
		.start = start,
		.size = size,
		.offset = offset,
		.name = jit_code_add_text(code, name, name_len),
	};
	note_newest(code, code->count);
	return jit_code_piece(code, code->count++);
}

void jit_code_add_source(struct jit_code *code, struct jit_piece *piece, size_t first)
{
	code->sources = xgrow(code->sources, &code->source_cap, code->source_count + 1, sizeof(*code->sources));
	code->sources[code->source_count++] = (struct jit_source){
		(uint32_t)first,
		(uint32_t)(code->line_count - first),
	};
	piece->lines = (uint32_t)code->source_count & 0x7fffffff;
}

/* --- distinguished by time --------------------------------------------------------- */

static int jit_code_by_start(const void *a, const void *b, void *code)
{
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct jit_piece *x = jit_code_piece(code, i), *y = jit_code_piece(code, k);

	return ORDER(x->start, y->start) ?: ORDER(i, k);
}

/* Were all pieces seen at the same time, as in a map that was read once?  Then no piece replaces another. */
static bool has_one_time(const struct jit_code *code)
{
	for (size_t i = 1; i < code->count; i++) {
		if (jit_code_piece(code, i)->seen_ns != jit_code_piece(code, 0)->seen_ns)
			return false;
	}
	return true;
}

/* The end of the group of pieces that overlap with sorted[first], directly or through others; *by_time: pieces in the
 * group replace each other. */
static size_t end_of_group(const struct jit_code *code, const uint32_t *sorted, size_t first, bool *by_time)
{
	uint64_t seen_ns = jit_code_piece(code, sorted[first])->seen_ns,
		 end = jit_code_piece(code, sorted[first])->start;
	size_t i = first;

	*by_time = false;
	for (; i < code->count && (i == first || jit_code_piece(code, sorted[i])->start < end); i++) {
		const struct jit_piece *p = jit_code_piece(code, sorted[i]);

		*by_time |= p->seen_ns != seen_ns;
		end = p->start + p->size > end ? p->start + p->size : end;
	}
	return i;
}

void jit_code_settle(struct jit_code *code)
{
	uint64_t place = FIRST_OWN_PLACE;
	uint32_t *sorted;

	if (has_one_time(code))
		return;
	sorted = xmalloc(code->count * sizeof(*sorted));
	for (size_t i = 0; i < code->count; i++)
		sorted[i] = (uint32_t)i;
	qsort_r(sorted, code->count, sizeof(*sorted), jit_code_by_start, code);
	for (size_t first = 0, end; first < code->count; first = end) {
		bool by_time;

		end = end_of_group(code, sorted, first, &by_time);
		for (size_t k = first; by_time && k < end; k++) {
			struct jit_piece *p = jit_code_piece(code, sorted[k]);

			p->by_time = true;
			p->offset = place;
			place += p->size;
		}
	}
	free(sorted);
}

uint64_t jit_piece_since(const struct jit_piece *p, size_t number, struct spaces *spaces, int pid)
{
	uint64_t space_ns = spaces_find(spaces, pid, p->seen_ns)->from_ns;

	/* Pieces from before all samples count in order of arrival: the last one wins. */
	return p->from_ns > space_ns ? p->from_ns : space_ns + number;
}

/* --- names -------------------------------------------------------------------------- */

static size_t jit_code_first_from(const struct place *wanted, size_t count, uint64_t address)
{
	return FIRST_NOT(i, count, wanted[i].address < address);
}

static void jit_code_add_line(const struct jit_code *code, const struct jit_piece *p, struct place *place,
			      struct arena *names)
{
	struct jit_source source = p->lines ? code->sources[p->lines - 1] : (struct jit_source){ 0 };
	const struct jit_line *best = NULL;

	for (uint32_t i = 0; i < source.count; i++) {
		const struct jit_line *line = &code->lines[source.first + i];

		if (line->address <= place->address && (!best || line->address >= best->address))
			best = line;
	}
	if (!best)
		return;
	place->line = best->line;
	place->file = arena_strdup(names, intern_text(&code->files, best->file), intern_len(&code->files, best->file));
}

void jit_code_name(const struct jit_code *code, struct place *wanted, size_t count, struct arena *names)
{
	for (size_t n = 0; n < code->count; n++) {
		const struct jit_piece *p = jit_code_piece(code, n);
		const char *name = jit_piece_name(code, p), *copy = NULL;

		if (!*name)
			continue;
		for (size_t i = jit_code_first_from(wanted, count, p->offset);
		     i < count && wanted[i].address - p->offset < p->size; i++) {
			if (!copy)
				copy = arena_strdup(names, name, strlen(name));
			wanted[i].start = p->offset;
			wanted[i].size = p->size;
			wanted[i].name = copy;
			jit_code_add_line(code, p, &wanted[i], names);
		}
	}
}

void jit_code_free(struct jit_code *code)
{
	if (!code)
		return;
	for (size_t i = 0; i * JIT_PIECES_BLOCK < code->count; i++)
		free(code->pieces[i]);
	for (size_t i = 0; i * JIT_TEXT_BLOCK < code->text_len; i++)
		free(code->text[i]);
	free(code->pieces);
	free(code->text);
	free(code->lines);
	free(code->unwinding);
	free(code->newest);
	free(code->sources);
	str_free(&code->bytes);
	intern_free(&code->files);
	*code = (struct jit_code){ 0 };
}
