/* Makes the data of a heat map's picture: a grid for each map and for each hue in it, and one scale for all of
 * them. */
#include "render/heat/heat_draw.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

bool heat_has_hues(const struct heat_chart *c)
{
	return c->hues.dimension && c->hues.key_count && !c->hues.exclude;
}

/* The place of stack's key among those with a hue; key_count: it has no hue. */
static size_t heat_chart_hue_of(const struct heat_hues *hues, size_t stack)
{
	uint32_t key = hues->dimension->key_of[stack];
	size_t i = 0;

	while (i < hues->key_count && (key == HEAT_NONE || hues->keys[i] != key))
		i++;
	return i;
}

/* ---- which stacks --------------------------------------------------------- */

/* [stack] 1 if it has the key of dimension per.  Returns NULL if per is NULL. */
static uint8_t *stacks_of(const struct heat *h, const struct heat_dimension *per, uint32_t key)
{
	uint8_t *stacks = per ? xcalloc(h->stack_count + 1, 1) : NULL;

	for (size_t i = 0; per && i < h->stack_count; i++)
		stacks[i] = per->key_of[i] == key;
	return stacks;
}

/* [stack] 1 if it is in stacks (NULL: all) and its key has the hue; with others, 1 if it is in stacks and its key has
 * another hue or none. */
static uint8_t *stacks_with_hue(const struct heat_chart *c, const uint8_t *stacks, size_t hue, bool others)
{
	uint8_t *chosen = xcalloc(c->heat->stack_count + 1, 1);

	for (size_t i = 0; i < c->heat->stack_count; i++)
		chosen[i] = (!stacks || stacks[i]) && (heat_chart_hue_of(&c->hues, i) == hue) != others;
	return chosen;
}

/* The stacks that a map draws. */
static uint8_t *drawn_stacks(const struct heat_chart *c, const struct heat_map *m)
{
	const struct heat_hues *hues = &c->hues;
	bool some = hues->dimension && hues->key_count && (hues->isolate || hues->exclude);

	if (!some)
		return NULL;
	return stacks_with_hue(c, m->stacks, hues->key_count, hues->isolate);
}

/* ---- maps ----------------------------------------------------------------- */

/* Choose the CPUs of m that belong to a key (a host, a CPU); false: m has no such CPU. */
static bool choose_cpus(const struct heat_chart *c, const struct heat_map *m, uint32_t key, struct heat_choice *choice)
{
	const struct heat *h = c->heat;
	const struct heat_dimension *d = c->hues.dimension;
	const char *name = intern_text(&h->names, d->keys[key].name);
	uint32_t cpu = heat_cpu_number(name);

	*choice = m->choice;
	if (!strcmp(d->name, "cpu")) {
		choice->cpu = cpu;
		choice->one_cpu = true;
		return cpu != HEAT_NONE && !(m->choice.one_cpu && m->choice.cpu != cpu);
	}
	for (uint32_t i = 0; i < h->recording_count; i++) {
		if (strcmp(h->recordings[i].host, name))
			continue;
		choice->recording = i;
		choice->one_recording = true;
		return !m->choice.one_recording || !strcmp(h->recordings[m->choice.recording].host, name);
	}
	return false;
}

/* Grids of CPUs by key.  Each CPU belongs to one key, so the rest is all CPUs except those of the keys with hues. */
static void make_of_cpus(struct heat_chart *c, struct heat_map *m)
{
	const struct heat_axes *a = &c->axes;
	size_t count = c->hues.key_count, cells = (size_t)a->columns * a->rows;
	struct heat_grid *rest;

	m->of_key = xcalloc(count + 1, sizeof(*m->of_key));
	rest = &m->of_key[count];
	heat_grid_make(rest, c->heat, a, &m->choice);
	for (size_t i = 0; i < count; i++) {
		struct heat_grid *g = &m->of_key[i];
		struct heat_choice choice;

		if (choose_cpus(c, m, c->hues.keys[i], &choice))
			heat_grid_make(g, c->heat, a, &choice);
		else
			*g = (struct heat_grid){ .axes = *a, .cells = xcalloc(cells, sizeof(*g->cells)) };
		for (size_t k = 0; k < cells; k++)
			rest->cells[k] -= g->cells[k];
		rest->total -= g->total;
	}
	rest->largest = 0;
	for (size_t k = 0; k < cells; k++)
		rest->largest = rest->cells[k] > rest->largest ? rest->cells[k] : rest->largest;
}

static void make_of_keys(struct heat_chart *c, struct heat_map *m)
{
	const struct heat_hues *hues = &c->hues;
	size_t count = hues->key_count + !hues->isolate;
	uint32_t *grid_of = xcalloc(c->heat->stack_count + 1, sizeof(*grid_of));

	for (size_t i = 0; i < c->heat->stack_count; i++) {
		size_t hue = heat_chart_hue_of(hues, i);

		grid_of[i] = hue < count ? (uint32_t)hue : HEAT_NONE;
	}
	m->of_key = xcalloc(hues->key_count + 1, sizeof(*m->of_key));
	heat_grids_make(m->of_key, count, c->heat, &c->axes, &m->choice, grid_of);
	free(grid_of);
}

static void make_lines(struct heat_chart *c, struct heat_map *m, const struct heat_style *style,
		       const struct heat_choice *drawn)
{
	if (c->axes.y == HEAT_Y_OFFSET || !style->lines)
		return;
	for (size_t i = 0; i < style->percentile_count; i++)
		m->lines[i] = heat_percentile(c->heat, &c->axes, drawn, style->percentiles[i]);
}

static void make_doubt(const struct heat_chart *c, struct heat_map *m, const struct heat_choice *drawn)
{
	struct heat_choice doubtful = *drawn;
	uint8_t *stacks = heat_clock_doubts(c->heat, &c->axes, drawn->stacks);

	doubtful.stacks = stacks;
	if (stacks)
		heat_grid_make(&m->doubt, c->heat, &c->axes, &doubtful);
	free(stacks);
}

static void make_map(struct heat_chart *c, struct heat_map *m, const struct heat_style *style)
{
	struct heat_choice drawn = m->choice, idle = m->choice;
	uint8_t *stacks = drawn_stacks(c, m);

	idle.idle = true;
	drawn.stacks = stacks ? stacks : m->stacks;
	heat_grid_make(&m->grid, c->heat, &c->axes, &drawn);
	heat_grid_make(&m->idle, c->heat, &c->axes, &idle);
	m->unseen = heat_unseen(c->heat, &c->axes, &m->choice);
	make_doubt(c, m, &drawn);
	make_lines(c, m, style, &drawn);
	if (heat_has_hues(c) && c->axes.y == HEAT_Y_UTILIZATION)
		make_of_cpus(c, m);
	else if (heat_has_hues(c))
		make_of_keys(c, m);
	free(stacks);
}

/* Set the unobserved times and the clock note of a map that shows one host. */
static void look_at_host(const struct heat *h, struct heat_map *m, const char *host)
{
	for (uint32_t i = 0; i < h->recording_count; i++) {
		const struct heat_recording *r = &h->recordings[i];

		if (strcmp(r->host, host))
			continue;
		m->choice.recording = i; /* any recording of the host */
		m->choice.one_recording = true;
		if (r->clock_note && !m->flag)
			m->flag = xstrdup(r->clock_note);
	}
}

static void name_map(struct heat_chart *c, struct heat_map *m, const struct heat_dimension *per, uint32_t key)
{
	const struct heat *h = c->heat;
	uint32_t name = per->keys[key].name;

	m->title = xstrdup(intern_text(&h->names, name));
	m->stacks = stacks_of(h, per, key);
	m->choice.stacks = m->stacks;
	if (!strcmp(per->name, "host"))
		look_at_host(h, m, m->title);
	if (!strcmp(per->name, "cpu")) {
		m->choice.cpu = heat_cpu_number(m->title);
		m->choice.one_cpu = m->choice.cpu != HEAT_NONE;
	}
}

static void make_scale(struct heat_chart *c, enum heat_coloring coloring)
{
	size_t each = heat_has_hues(c) ? c->hues.key_count + 1 : 1, count = 0;
	const struct heat_grid **grids = xcalloc(c->map_count * each, sizeof(const struct heat_grid *));

	for (size_t i = 0; i < c->map_count; i++) {
		for (size_t k = 0; k < each; k++) {
			const struct heat_grid *g = heat_has_hues(c) ? &c->maps[i].of_key[k] : &c->maps[i].grid;

			if (g->cells)
				grids[count++] = g;
		}
	}
	heat_scale_make(&c->scale_of, coloring, grids, count);
	free(grids);
}

/* How many keys have stacks that are not idle. */
static size_t drawn_keys(const struct heat_dimension *d)
{
	size_t count = 0;

	while (count < d->key_count && d->keys[count].events)
		count++;
	return count;
}

void heat_chart_make(struct heat_chart *c, const struct heat *h, const struct heat_axes *a,
		     const struct heat_hues *hues, const struct heat_style *style, const struct heat_dimension *per,
		     size_t limit)
{
	size_t keys = per ? drawn_keys(per) : 1;
	uint32_t *order;

	*c = (struct heat_chart){
		.heat = h, .axes = *a, .hues = *hues, .map_count = keys, .per = per ? per->name : NULL
	};
	if (c->hues.key_count > HEAT_HUES_MAX)
		c->hues.key_count = HEAT_HUES_MAX;
	heat_hue_numbers(c->hues.keys, c->hues.key_count, c->hues.numbers);
	if (per && limit && limit < keys) {
		c->map_count = limit;
		c->maps_left_out = keys - limit;
	}
	c->map_count += !c->map_count; /* even if no stack has the dimension */
	c->maps = xcalloc(c->map_count, sizeof(*c->maps));
	order = xcalloc(c->map_count, sizeof(*order));
	for (uint32_t i = 0; i < c->map_count; i++)
		order[i] = i;
	if (per && keys)
		heat_keys_order(h, per, order, c->map_count);
	for (size_t i = 0; i < c->map_count; i++) {
		if (i < keys && per)
			name_map(c, &c->maps[i], per, order[i]);
		make_map(c, &c->maps[i], style);
	}
	free(order);
	make_scale(c, style->coloring);
	heat_beats(h, a, &c->warning);
	heat_remarks(h, a, &c->remarks);
}

static void free_map(struct heat_map *m, size_t of_keys)
{
	for (size_t i = 0; m->of_key && i < of_keys; i++)
		heat_grid_free(&m->of_key[i]);
	for (size_t i = 0; i < sizeof(m->lines) / sizeof(m->lines[0]); i++)
		free(m->lines[i]);
	heat_grid_free(&m->grid);
	heat_grid_free(&m->idle);
	heat_grid_free(&m->doubt);
	free(m->of_key);
	free(m->unseen);
	free(m->stacks);
	free(m->title);
	free(m->flag);
}

void heat_chart_free(struct heat_chart *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->map_count; i++)
		free_map(&c->maps[i], c->hues.key_count + 1);
	free(c->maps);
	heat_scale_free(&c->scale_of);
	str_free(&c->warning);
	str_free(&c->remarks);
	*c = (struct heat_chart){ 0 };
}
