#include "core/symbols/jit_code.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { MAX_PIECES = 1 << 22 };

#define MAX_SIZE        (UINT64_C(1) << 40)
#define FIRST_OWN_PLACE (UINT64_C(1) << 62) /* room for all pieces of all sizes */

static void note_newest(struct jit_code *code, uint64_t start)
{
	uint32_t number = intern_add(&code->starts, (const char *)&start, sizeof(start));

	code->newest = xgrow(code->newest, &code->newest_cap, number + 1, sizeof(*code->newest));
	code->newest[number] = (uint32_t)code->count;
}

struct jit_piece *jit_code_add(struct jit_code *code, uint64_t start, uint64_t size, uint64_t offset,
			       const char *name, size_t name_len)
{
	if (!size || size > MAX_SIZE || start + size < start || code->count >= MAX_PIECES) {
		code->bad++;
		return NULL;
	}
	note_newest(code, start);
	code->pieces = xgrow(code->pieces, &code->cap, code->count + 1, sizeof(*code->pieces));
	code->pieces[code->count] = (struct jit_piece){
		.start = start, .size = size, .offset = offset, .name = intern_add(&code->names, name, name_len),
	};
	return &code->pieces[code->count++];
}

const struct jit_piece *jit_code_at(const struct jit_code *code, uint64_t start)
{
	uint32_t number = intern_find(&code->starts, (const char *)&start, sizeof(start));

	return number == UINT32_MAX ? NULL : &code->pieces[code->newest[number]];
}

/* --- told apart by time ------------------------------------------------------------ */

static int by_start(const void *a, const void *b)
{
	const struct jit_piece *x = *(struct jit_piece *const *)a, *y = *(struct jit_piece *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x < y ? -1 : x > y;
}

void jit_code_settle(struct jit_code *code)
{
	struct jit_piece **sorted = xmalloc(code->count * sizeof(struct jit_piece *));
	uint64_t place = FIRST_OWN_PLACE;

	for (size_t i = 0; i < code->count; i++)
		sorted[i] = &code->pieces[i];
	if (code->count)
		qsort(sorted, code->count, sizeof(*sorted), by_start);
	for (size_t first = 0, i; first < code->count; first = i) {
		uint64_t end = sorted[first]->start;
		bool by_time = false;

		for (i = first; i < code->count && (i == first || sorted[i]->start < end); i++) {
			uint64_t own_end = sorted[i]->start + sorted[i]->size;

			by_time |= sorted[i]->seen_ns != sorted[first]->seen_ns;
			end = own_end > end ? own_end : end;
		}
		for (size_t k = first; by_time && k < i; k++) {
			sorted[k]->by_time = true;
			sorted[k]->offset = place;
			place += sorted[k]->size;
		}
	}
	free(sorted);
}

uint64_t jit_piece_since(const struct jit_piece *p, size_t number, struct spaces *spaces, int pid)
{
	uint64_t space_ns = spaces_find(spaces, pid, p->seen_ns)->from_ns;

	/* Before all samples, and in the order in which they came: the last one wins. */
	return p->from_ns > space_ns ? p->from_ns : space_ns + number;
}

/* --- names -------------------------------------------------------------------------- */

static size_t first_from(const struct place *wanted, size_t count, uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (wanted[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_line(const struct jit_code *code, const struct jit_piece *p, struct place *place,
		     struct arena *names)
{
	const struct jit_line *best = NULL;

	for (uint32_t i = 0; i < p->line_count; i++) {
		const struct jit_line *line = &code->lines[p->first_line + i];

		if (line->address <= place->address && (!best || line->address >= best->address))
			best = line;
	}
	if (!best)
		return;
	place->line = best->line;
	place->file = arena_strdup(names, intern_text(&code->names, best->file),
				   intern_len(&code->names, best->file));
}

void jit_code_name(const struct jit_code *code, struct place *wanted, size_t count, struct arena *names)
{
	for (size_t n = 0; n < code->count; n++) {
		const struct jit_piece *p = &code->pieces[n];
		const char *copy = NULL;

		if (!intern_len(&code->names, p->name))
			continue;
		for (size_t i = first_from(wanted, count, p->offset);
		     i < count && wanted[i].address - p->offset < p->size; i++) {
			if (!copy)
				copy = arena_strdup(names, intern_text(&code->names, p->name),
						    intern_len(&code->names, p->name));
			wanted[i].start = p->offset;
			wanted[i].size = p->size;
			wanted[i].name = copy;
			add_line(code, p, &wanted[i], names);
		}
	}
}

void jit_code_free(struct jit_code *code)
{
	if (!code)
		return;
	free(code->pieces);
	free(code->lines);
	free(code->unwinding);
	free(code->newest);
	str_free(&code->bytes);
	intern_free(&code->names);
	intern_free(&code->starts);
	*code = (struct jit_code){0};
}
