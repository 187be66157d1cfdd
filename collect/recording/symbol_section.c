#include "collect/recording/symbol_section.h"

#include <stdlib.h>
#include <string.h>

#include "core/intern.h"
#include "core/memory.h"
#include "core/sorted.h"

typedef unsigned long long hex;

/* Add a name as text for a section of lines. */
static void add_line_text(struct str *out, const char *text)
{
	size_t start = out->len;

	str_puts(out, text);
	for (size_t i = start; i < out->len; i++)
		out->buf[i] = out->buf[i] == '\n' ? '?' : out->buf[i];
	str_addc(out, '\n');
}

static void symbol_section_add_module(struct str *out, const struct module *m)
{
	static const char *const kinds[] = { "kernel", "elf", "vdso", "jit" };

	str_addf(out, "module %s %s ", kinds[m->kind], m->id);
	add_line_text(out, m->path);
}

/* --- symbols ---------------------------------------------------------------------- */

/* A symbol that extends to the next one gets the size that covers the addresses seen, since the next symbol may be
 * missing in the section. */
static void symbol_section_add_symbol(struct str *out, const struct place *first, const struct place *last)
{
	uint64_t size = first->size ? first->size : last->address - first->start + 1;

	str_addf(out, "%llx %llx ", (hex)first->start, (hex)size);
	add_line_text(out, first->name);
}

/* Add the symbols of one module's places, which are sorted by symbol. */
static void symbol_section_add_symbols(struct str *out, const struct place *items, const uint32_t *order, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		const struct place *first = &items[order[i]];

		end = i + 1;
		if (!first->name)
			continue;
		while (end < count && items[order[end]].name && items[order[end]].start == first->start)
			end++;
		symbol_section_add_symbol(out, first, &items[order[end - 1]]);
	}
}

/* --- source ----------------------------------------------------------------------- */

/* The strings that lines refer to by number. */
struct told_place {
	struct intern sources, functions;
};

/* Add "source 2a /src/app/main.cc", unless this was written before. */
static void symbol_section_tell(struct str *out, const char *word, struct intern *told, const char *text)
{
	size_t before = told->count;

	if (!text || intern_add(told, text, strlen(text)) < before)
		return;
	str_addf(out, "%s %zx ", word, before);
	add_line_text(out, text);
}

/* Add "2a", or "-" if the file is unknown, and the line. */
static void symbol_section_add_source(struct str *out, const struct told_place *told, const char *file, uint32_t line)
{
	if (file)
		str_addf(out, "%x", intern_find(&told->sources, file, strlen(file)));
	else
		str_addc(out, '-');
	str_addf(out, " %u", line);
}

static void add_lines_of(struct str *out, struct told_place *told, const struct place *place)
{
	symbol_section_tell(out, "source", &told->sources, place->file);
	for (size_t i = place->inlined_count; i-- > 0;) {
		symbol_section_tell(out, "source", &told->sources, place->inlined[i].file);
		symbol_section_tell(out, "function", &told->functions, place->inlined[i].name);
	}
	str_addf(out, "@%llx ", (hex)place->address);
	symbol_section_add_source(out, told, place->file, place->line);
	str_addc(out, '\n');
	for (size_t i = place->inlined_count; i-- > 0;) {
		const struct inlined *f = &place->inlined[i];

		str_addc(out, '+');
		symbol_section_add_source(out, told, f->file, f->line);
		str_addf(out, " %x\n", intern_find(&told->functions, f->name, strlen(f->name)));
	}
}

static void symbol_section_add_lines(struct str *out, const struct place *items, const uint32_t *order, size_t count)
{
	struct told_place told = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct place *place = &items[order[i]];

		if (place->file || place->inlined_count)
			add_lines_of(out, &told, place);
	}
	intern_free(&told.sources);
	intern_free(&told.functions);
}

/* --- functions without a name ----------------------------------------------------- */

/* The places are sorted by start. */
static void symbol_section_add_functions(struct str *out, const struct place *items, const uint32_t *order,
					 size_t count)
{
	uint64_t last = 0;

	for (size_t i = 0; i < count; i++) {
		const struct place *place = &items[order[i]];

		if (place->name || !place->function || place->function == last)
			continue;
		last = place->function;
		str_addf(out, "~%llx %llx %llx\n", (hex)place->start, (hex)place->size, (hex)place->function);
	}
}

/* --- reasons ---------------------------------------------------------------------- */

/* Add "!no-symbol 3f": the reason why places have no name, and their number. */
static void symbol_section_add_reasons(struct str *out, const struct place *items, const uint32_t *order, size_t count)
{
	size_t counts[WHY_COUNT] = { 0 };

	for (size_t i = 0; i < count; i++)
		counts[items[order[i]].why] += !items[order[i]].name;
	for (int why = WHY_UNKNOWN + 1; why < WHY_COUNT; why++) {
		if (counts[why])
			str_addf(out, "!%s %zx\n", why_word((enum why)why), counts[why]);
	}
}

/* --- all of it -------------------------------------------------------------------- */

static int by_module_and_symbol(const void *a, const void *b, void *places)
{
	const struct place *items = places;
	const struct place *x = &items[*(const uint32_t *)a], *y = &items[*(const uint32_t *)b];

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	if (!x->name != !y->name)
		return x->name ? -1 : 1;
	return ORDER(x->start, y->start) ?: ORDER(x->address, y->address);
}

static bool symbol_section_is_told(const struct place *place)
{
	return place->name || place->file || place->inlined_count || place->why != WHY_UNKNOWN;
}

void symbol_section_write(struct str *out, const struct places *places, const struct modules *modules)
{
	uint32_t *order = xmalloc(places->count * sizeof(*order));
	size_t count = 0;

	for (uint32_t i = 0; i < places->count; i++) {
		if (places->items[i].module < modules->count && symbol_section_is_told(&places->items[i]))
			order[count++] = i;
	}
	if (count)
		qsort_r(order, count, sizeof(*order), by_module_and_symbol, places->items);
	for (size_t i = 0, end; i < count; i = end) {
		uint32_t module = places->items[order[i]].module;

		for (end = i + 1; end < count && places->items[order[end]].module == module; end++)
			;
		symbol_section_add_module(out, &modules->items[module]);
		symbol_section_add_symbols(out, places->items, order + i, end - i);
		symbol_section_add_lines(out, places->items, order + i, end - i);
		symbol_section_add_functions(out, places->items, order + i, end - i);
		symbol_section_add_reasons(out, places->items, order + i, end - i);
	}
	free(order);
}
