/* Names of the kernel from a stored copy of kallsyms, in which a part is found by binary search: they are the same as
 * from the whole text, at many addresses in the kernel's image, its modules and BPF programs. */
#include "core/symbols/kernel_copy.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/kallsyms.h"
#include "tests/unit/check.h"

enum { STEP = 61 }; /* of all symbols, one in so many */

SORT_BY(by_address, struct place, address);

static size_t add_around(struct place **places, size_t *cap, size_t count, uint64_t address)
{
	static const int offsets[] = { -1, 0, 5 };

	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		*places = xgrow(*places, cap, count + 1, sizeof(**places));
		(*places)[count++] = (struct place){ .address = address + (uint64_t)(int64_t)offsets[i] };
	}
	return count;
}

/* Places around some symbols, and around all symbols outside of the image. */
static size_t choose(const struct kernel_copy *c, struct place **places)
{
	const char *p = c->kept;
	struct kallsyms_line line;
	size_t cap = 0, count = 0;

	for (size_t i = 0; kallsyms_next(&p, &line); i++) {
		if (line.address && (i % STEP == 0 || (size_t)(line.name - c->kept) > c->image))
			count = add_around(places, &cap, count, line.address);
	}
	qsort(*places, count, sizeof(**places), by_address);
	return count;
}

static bool is_same(const struct place *a, const struct place *b)
{
	if (!a->name || !b->name)
		return a->name == b->name;
	return !strcmp(a->name, b->name) && a->start == b->start && a->size == b->size;
}

int main(void)
{
	struct kernel_copy c;
	struct place *wanted = NULL, *other;
	struct arena names = { 0 };
	struct kallsyms all;
	size_t count, differ = 0, named = 0;

	if (kernel_copy_keep(&c)) {
		printf("ok - a copy of the kernel's symbols # SKIP /proc/kallsyms hides addresses\n");
		return 0;
	}
	all = (struct kallsyms){ c.kept, c.len };
	count = choose(&c, &wanted);
	other = xcalloc(count + 1, sizeof(*other));
	memcpy(other, wanted, count * sizeof(*other));
	kallsyms_resolve(&all, wanted, count, &names);
	kernel_copy_resolve_all(&c, other, count, &names);
	for (size_t i = 0; i < count; i++) {
		bool same = is_same(&wanted[i], &other[i]);

		named += wanted[i].name != NULL;
		if (!same && ++differ < 10)
			printf("# %#llx: %s, not %s\n", (unsigned long long)wanted[i].address, other[i].name,
			       wanted[i].name);
	}
	CHECK(count > 1000 && named > count / 4);
	CHECK(differ == 0);
	free(wanted);
	free(other);
	arena_free(&names);
	kernel_copy_close(&c);
	return check_done();
}
