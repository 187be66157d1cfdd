#include "render/heat/heat_options.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/nearest.h"

enum {
	HUES = 8,  /* if no keys are named */
	NAMES = 5, /* how many keys a message names */
};

static const char *heat_wish_key_name(const struct heat *h, const struct heat_dimension *d, size_t key)
{
	return intern_text(&h->names, d->keys[key].name);
}

/* ---- dimensions ------------------------------------------------------------- */

static _Noreturn void die_no_dimension(const struct heat *h, const char *option, const char *name)
{
	struct nearest near = { 0 };
	struct str names = { 0 };

	for (size_t i = 0; i < h->dimension_count; i++) {
		str_addf(&names, "%s%s", i ? ", " : "", h->dimensions[i].name);
		nearest_try(&near, name, h->dimensions[i].name);
	}
	if (near.name)
		die_usage("%s: the lines have no '%s' among their root frames. Did you mean '%s'?", option, name,
			  near.name);
	if (names.len)
		die_usage("%s: the lines have no '%s' among their root frames, which are %s (collapse --root %s,... "
			  "adds it)",
			  option, name, names.buf, name);
	die_usage("%s: the header names no root frames: collapse --root %s,... adds them", option, name);
}

static const struct heat_dimension *find_dimension(const struct heat *h, const char *option, const char *name)
{
	const struct heat_dimension *d = heat_dimension_find(h, name);

	if (!d)
		die_no_dimension(h, option, name);
	return d;
}

const struct heat_dimension *heat_wish_per(const struct heat *h, const struct heat_options *o)
{
	if (o->per && !strcmp(o->per, "host") && !heat_dimension_find(h, "host"))
		return NULL; /* a key has that name */
	return o->per ? find_dimension(h, "--per", o->per) : NULL;
}

/* ---- keys ------------------------------------------------------------------- */

static _Noreturn void die_no_key(const struct heat *h, const struct heat_dimension *d, const char *option,
				 const char *name)
{
	struct nearest near = { 0 };
	struct str names = { 0 };

	for (size_t i = 0; i < d->key_count; i++) {
		nearest_try(&near, name, heat_wish_key_name(h, d, i));
		if (i < NAMES)
			str_addf(&names, "%s'%s'", i ? ", " : "", heat_wish_key_name(h, d, i));
	}
	if (near.name)
		die_usage("%s: no %s is called '%s'. Did you mean '%s'?", option, d->name, name, near.name);
	die_usage("%s: no %s is called '%s'; the most frequent %s %s", option, d->name, name,
		  d->key_count == 1 ? "is" : "are", names.len ? names.buf : "none");
}

static uint32_t heat_wish_find_key(const struct heat *h, const struct heat_dimension *d, const char *option,
				   const char *name)
{
	for (uint32_t i = 0; i < d->key_count; i++) {
		if (!strcmp(heat_wish_key_name(h, d, i), name))
			return i;
	}
	die_no_key(h, d, option, name);
}

static void heat_wish_add_key(struct heat_hues *hues, uint32_t key)
{
	for (size_t i = 0; i < hues->key_count; i++) {
		if (hues->keys[i] == key)
			return;
	}
	hues->keys[hues->key_count++] = key;
}

static void heat_wish_add_named(struct heat_hues *hues, const struct heat *h, const char *option,
				const struct text_list *names)
{
	for (size_t i = 0; i < names->count; i++)
		heat_wish_add_key(hues, heat_wish_find_key(h, hues->dimension, option, names->items[i]));
}

/* Choose the most frequent keys, without those that have only idle stacks. */
static void add_first(struct heat_hues *hues, const struct heat_options *o)
{
	const struct heat_dimension *d = hues->dimension;
	size_t max = o->rainbow ? HEAT_HUES_MAX : o->regexps.count ? o->regexps.count : HUES;

	for (uint32_t i = 0; i < d->key_count && hues->key_count < max; i++) {
		if (d->keys[i].events)
			heat_wish_add_key(hues, i);
	}
}

/* Cells of --y utilization count CPUs, so only hosts and CPUs can have hues. */
static void check_cpus(const struct heat_options *o, const char *by)
{
	if (strcmp(by, "cpu") && strcmp(by, "host"))
		die_usage("--y utilization needs --by host or cpu: a CPU is shared by many a %s "
			  "(--per %s draws a map for each)",
			  o->by ? by : "pattern", o->by ? by : "comm");
	if (o->isolate.count || o->without.count)
		die_usage("--isolate and --without do not go with --y utilization: "
			  "--per %s draws a map for each, and --select gives hues",
			  by);
}

void heat_wish_hues(struct heat_hues *hues, const struct heat *h, const struct heat_options *o)
{
	const char *by = o->by ? o->by : o->regexps.count ? "regexp" : NULL;

	*hues = (struct heat_hues){ 0 };
	if (!by)
		return;
	if (heat_options_y(o) == HEAT_Y_UTILIZATION)
		check_cpus(o, by);
	hues->dimension = find_dimension(h, "--by", by);
	hues->keys = xcalloc(hues->dimension->key_count + 1, sizeof(*hues->keys));
	hues->isolate = o->isolate.count;
	hues->exclude = o->without.count;
	heat_wish_add_named(hues, h, "--select", &o->select);
	heat_wish_add_named(hues, h, "--isolate", &o->isolate);
	heat_wish_add_named(hues, h, "--without", &o->without);
	if (!hues->key_count) {
		add_first(hues, o);
		heat_keys_order(h, hues->dimension, hues->keys, hues->key_count);
	}
	if (hues->key_count > HEAT_HUES_MAX)
		warn("%zu keys: the first %d have hues", hues->key_count, HEAT_HUES_MAX);
}
