/* The chooser of symbols, compared with one that looks at all symbols for each place, on random tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sorted.h"
#include "core/symbols/space/chooser.h"
#include "tests/unit/check.h"

enum { ROUNDS = 400, PLACES_MAX = 300, SYMBOLS_MAX = 400 };

static uint64_t state = 1;

static uint64_t random_below(uint64_t n)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (state >> 33) % n;
}

/* Where code is: the kernel, its modules a gigabyte away, BPF programs, and the last addresses. */
static uint64_t random_address(uint64_t spread)
{
	static const uint64_t areas[] = { 0xffffffff81000000, 0xffffffff81000000, 0xffffffff81000000,
					  0xffffffffa0000000, 0xffffffffc0000000, UINT64_MAX - 0x2000 };

	return areas[random_below(sizeof(areas) / sizeof(*areas))] + random_below(spread);
}

static struct symbol random_symbol(uint64_t spread)
{
	static const char *const names[] = { "f",        "_f",      "__f",         "longer", "__ia32_f",
					     "__pi_f_x", "_longer", "longer.cold", NULL,     "other" };

	return (struct symbol){ .start = random_address(spread),
				.size = random_below(3) ? random_below(64) : random_below(2) * 0x1000,
				.name = names[random_below(sizeof(names) / sizeof(*names))],
				.weak = random_below(2),
				.local = random_below(2) };
}

static int underscores(const char *name)
{
	return (int)strspn(name, "_");
}

static int is_second(const char *name)
{
	return !strncmp(name, "__ia32_", 7) || !strncmp(name, "__pi_", 5);
}

/* Above 0 if a is better than b; 0: the first of the two is chosen. */
static int compare(const struct symbol *a, const struct symbol *b)
{
	if (a->start != b->start || !a->name || !b->name)
		return ORDER(a->start, b->start) ?: !b->name - !a->name;
	return !b->size - !a->size ?: b->weak - a->weak ?: b->local - a->local ?:
	       is_second(b->name) - is_second(a->name) ?: underscores(b->name) - underscores(a->name) ?:
	       ORDER(strlen(a->name), strlen(b->name));
}

/* The symbol of an address by the rules of chooser.h, or NULL. */
static const struct symbol *choose(const struct symbol *symbols, size_t count, uint64_t address)
{
	const struct symbol *covering = NULL, *before = NULL, *chosen;

	for (size_t i = 0; i < count; i++) {
		const struct symbol *s = &symbols[i];

		if (s->start > address)
			continue;
		if (!before || compare(s, before) > 0)
			before = s;
		if (address - s->start < s->size && (!covering || compare(s, covering) > 0))
			covering = s;
	}
	chosen = covering ? covering : before && !before->size ? before : NULL;
	return chosen && chosen->name ? chosen : NULL;
}

static bool is_right(const struct place *place, const struct symbol *right)
{
	if (!place->name || !right)
		return !place->name && !right;
	return place->start == right->start && place->size == right->size && !strcmp(place->name, right->name);
}

SORT_BY(by_address, struct place, address);

/* Choose once, with few or many places, in a narrow or wide range.  Returns how many places get another symbol. */
static size_t try_once(struct place *wanted, size_t *named)
{
	static struct symbol symbols[SYMBOLS_MAX];
	size_t places = random_below(PLACES_MAX), count = random_below(SYMBOLS_MAX), wrong = 0;
	uint64_t spread = (uint64_t)1 << (4 + random_below(10));
	struct arena names = { 0 };
	struct chooser chooser;

	for (size_t i = 0; i < places; i++)
		wanted[i] = (struct place){ .address = random_address(spread) };
	qsort(wanted, places, sizeof(*wanted), by_address);
	chooser_init(&chooser, wanted, places);
	for (size_t i = 0; i < count; i++) {
		symbols[i] = random_symbol(spread);
		chooser_offer(&chooser, &symbols[i]);
	}
	chooser_finish(&chooser, &names);
	for (size_t i = 0; i < places; i++) {
		wrong += !is_right(&wanted[i], choose(symbols, count, wanted[i].address));
		*named += wanted[i].name != NULL;
	}
	arena_free(&names);
	return wrong;
}

int main(void)
{
	struct place *wanted = calloc(PLACES_MAX, sizeof(*wanted));
	size_t wrong = 0, named = 0;

	for (int i = 0; i < ROUNDS; i++)
		wrong += try_once(wanted, &named);
	printf("# %zu places have a name\n", named);
	CHECK(named > ROUNDS);
	CHECK(!wrong);
	free(wanted);
	return check_done();
}
