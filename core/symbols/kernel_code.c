#include "core/symbols/kernel_code.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

/* Header, u64 address; u32 length; u16 type, flags; name and its NUL. */
enum { ADDRESS_AT = 8, LENGTH_AT = 16, TYPE_AT = 20, NAME_AT = 24 };

void kernel_code_add(struct kernel_code *k, const uint8_t *record, size_t size, uint64_t time_ns)
{
	struct kernel_function f = { .time_ns = time_ns };
	uint16_t type;
	size_t len;

	if (size <= NAME_AT)
		return;
	memcpy(&f.start, record + ADDRESS_AT, sizeof(f.start));
	memcpy(&f.len, record + LENGTH_AT, sizeof(f.len));
	memcpy(&type, record + TYPE_AT, sizeof(type));
	len = strnlen((const char *)record + NAME_AT, size - NAME_AT);
	if (type != PERF_RECORD_KSYMBOL_TYPE_BPF || !len)
		return;
	f.name = arena_strdup(&k->names, (const char *)record + NAME_AT, len);
	k->items = xgrow(k->items, &k->cap, k->count + 1, sizeof(*k->items));
	k->items[k->count++] = f;
	k->longest = f.len > k->longest ? f.len : k->longest;
}

static int kernel_code_by_place(const void *a, const void *b)
{
	const struct kernel_function *x = a, *y = b;

	return ORDER(x->start, y->start) ?: ORDER(x->len, y->len) ?: strcmp(x->name, y->name) ?:
	       ORDER(x->time_ns, y->time_ns);
}

static bool kernel_code_is_same(const struct kernel_function *a, const struct kernel_function *b)
{
	return a->start == b->start && a->len == b->len && !strcmp(a->name, b->name);
}

/* A function is reported when it comes and when it goes, and by perf itself if it was there before: keep the last report. */
static void kernel_code_drop_repeated(struct kernel_code *k)
{
	size_t kept = 0;

	for (size_t i = 0; i < k->count; i++) {
		kept += !kept || !kernel_code_is_same(&k->items[kept - 1], &k->items[i]);
		k->items[kept - 1] = k->items[i];
	}
	k->count = kept;
}

void kernel_code_sort(struct kernel_code *k)
{
	if (k->count)
		qsort(k->items, k->count, sizeof(*k->items), kernel_code_by_place);
	kernel_code_drop_repeated(k);
}

/* If a function was interrupted at its first byte, the stack has that address minus one, like a return address. */
const struct kernel_function *kernel_code_find(const struct kernel_code *k, uint64_t address)
{
	size_t i = FIRST_NOT(n, k->count, k->items[n].start <= address + 1);
	const struct kernel_function *found = NULL;

	while (i-- > 0 && address + 1 - k->items[i].start <= k->longest) {
		const struct kernel_function *f = &k->items[i];

		if (address + 1 - f->start <= f->len && (!found || f->time_ns > found->time_ns))
			found = f;
	}
	return found;
}

void kernel_code_resolve(const struct kernel_code *k, struct place *wanted, size_t count, struct arena *names)
{
	const struct kernel_function *last = NULL;
	const char *name = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct kernel_function *f = kernel_code_find(k, wanted[i].address);

		if (!f)
			continue;
		if (f != last)
			name = arena_strdup(names, f->name, strlen(f->name));
		last = f;
		wanted[i].start = f->start;
		wanted[i].size = f->len;
		wanted[i].name = name;
	}
}

void kernel_code_free(struct kernel_code *k)
{
	if (!k)
		return;
	free(k->items);
	arena_free(&k->names);
	*k = (struct kernel_code){ 0 };
}
