#include "render/bars/bars.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "render/profile/sample.h"

void bars_amount_add(struct bars_amount *a, const struct bars_amount *b)
{
	a->value += b->value;
	a->count += b->count;
	a->migrations += b->migrations;
	a->longest = a->longest > b->longest ? a->longest : b->longest;
}

/* ---- cells ---------------------------------------------------------------- */

static uint64_t cell_hash(uint32_t who, uint32_t kind, uint32_t by)
{
	return hash_mix((uint64_t)who << 32 | kind, by);
}

static void bars_grow_slots(struct bars *b)
{
	size_t count = b->slot_count ? b->slot_count * 2 : 1024;

	free(b->slots);
	b->slots = xcalloc(count, sizeof(*b->slots));
	b->slot_count = count;
	for (size_t n = 0; n < b->cell_count; n++) {
		const struct bars_cell *c = &b->cells[n];
		size_t i = cell_hash(c->who, c->kind, c->by) & (count - 1);

		while (b->slots[i])
			i = (i + 1) & (count - 1);
		b->slots[i] = (uint32_t)n + 1;
	}
}

struct bars_cell *bars_cell_of(struct bars *b, uint32_t who, uint32_t kind, uint32_t by)
{
	size_t i;

	if (b->cell_count * 2 >= b->slot_count)
		bars_grow_slots(b);
	i = cell_hash(who, kind, by) & (b->slot_count - 1);
	for (; b->slots[i]; i = (i + 1) & (b->slot_count - 1)) {
		struct bars_cell *c = &b->cells[b->slots[i] - 1];

		if (c->who == who && c->kind == kind && c->by == by)
			return c;
	}
	b->cells = xgrow(b->cells, &b->cells_cap, b->cell_count + 1, sizeof(*b->cells));
	b->cells[b->cell_count] = (struct bars_cell){ .who = who, .kind = kind, .by = by };
	b->slots[i] = (uint32_t)b->cell_count + 1;
	return &b->cells[b->cell_count++];
}

/* ---- values --------------------------------------------------------------- */

bool bars_refine(struct bars *b, unsigned decimals)
{
	unsigned places = decimals - b->decimals;

	if (decimal_shift(b->amount.value, places) == UINT64_MAX)
		return false;
	for (size_t i = 0; i < b->cell_count; i++) {
		struct bars_amount *a = &b->cells[i].amount;

		a->value = decimal_shift(a->value, places);
		a->longest = decimal_shift(a->longest, places);
	}
	for (size_t i = 0; i < b->span_count; i++)
		b->spans[i].value = decimal_shift(b->spans[i].value, places);
	b->amount.value = decimal_shift(b->amount.value, places);
	b->decimals = decimals;
	return true;
}

/* ---- what they say of themselves ------------------------------------------ */

const char *bars_unit(const struct bars *b)
{
	const char *unit = source_get(&b->source, FOLDED_UNIT);

	return unit ? unit : "samples";
}

bool bars_in_ns(const struct bars *b)
{
	return !strcmp(bars_unit(b), "ns");
}

/* Is name[0..slash) equal to the comm at name[slash + 1] (of comm_len bytes), with or without "-PID"? */
static bool is_alone(const char *name, size_t slash, size_t comm_len)
{
	size_t at = comm_len + 1;

	if (comm_len == slash) /* the main thread of several: "java-8513/java-8513" */
		return comm_len && !memcmp(name, name + slash + 1, comm_len);
	if (!comm_len || slash <= at || name[comm_len] != '-' || memcmp(name, name + slash + 1, comm_len))
		return false;
	while (at < slash && name[at] >= '0' && name[at] <= '9')
		at++;
	return at == slash;
}

/* "kworker/1:2-77/kworker/1:2": comms may have slashes, so any slash may separate the two. */
size_t bars_shown_len(const char *name, size_t len)
{
	const char *last = memrchr(name, ';', len);
	size_t from = last ? (size_t)(last + 1 - name) : 0;

	for (size_t i = from; i < len; i++) {
		if (name[i] == '/' && is_alone(name + from, i - from, len - i - 1))
			return i;
	}
	return len;
}

/* ---- the window ------------------------------------------------------------- */

/* Returns 0 if text is not a time. */
static uint64_t epoch_of(const char *text)
{
	struct instant when;

	if (!text || !instant_parse(text, &when) || when.kind != INSTANT_EPOCH)
		return 0;
	return when.ns;
}

uint64_t bars_window(const struct bars *b)
{
	uint64_t start = epoch_of(source_get(&b->source, FOLDED_START));
	uint64_t end = epoch_of(source_get(&b->source, FOLDED_END));
	uint64_t window = 0;

	if (bars_in_ns(b) && start && end > start)
		window = decimal_shift(end - start, b->decimals);
	for (size_t i = 0; i < b->row_count; i++) {
		if (b->rows[i].members == 1 && b->rows[i].amount.value > window)
			window = b->rows[i].amount.value;
	}
	for (size_t i = 0; !window && i < b->row_count; i++)
		window = b->rows[i].amount.value;
	return window;
}

void bars_free(struct bars *b)
{
	if (!b)
		return;
	intern_free(&b->names);
	source_free(&b->source);
	str_free(&b->roots);
	free(b->cells);
	free(b->spans);
	free(b->row_of);
	free(b->slots);
	free(b->rows);
	free(b->kinds);
	free(b->segments);
	*b = (struct bars){ 0 };
}
