#include "collect/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/symbols/starts.h"

enum { DEPTHS = 4 }; /* deeper stacks are judged as those of three frames */

struct capture_hits {
	uint64_t all;
	uint64_t outermost[DEPTHS]; /* ... as the end of a stack of so many user frames */
	uint64_t astray;            /* ... as the last frame in a module, and not the end */
};

static struct capture_hits *hits_of(struct capture *c, uint32_t place)
{
	size_t before = c->hits_cap;

	c->hits = xgrow(c->hits, &c->hits_cap, place + 1, sizeof(*c->hits));
	memset(c->hits + before, 0, (c->hits_cap - before) * sizeof(*c->hits));
	return &c->hits[place];
}

static void add_broken(struct capture *c, uint32_t module, uint64_t stacks)
{
	size_t before = c->broken_cap;

	c->quality.broken += stacks;
	if (module == PLACE_NO_MODULE)
		return;
	c->broken = xgrow(c->broken, &c->broken_cap, module + 1, sizeof(*c->broken));
	memset(c->broken + before, 0, (c->broken_cap - before) * sizeof(*c->broken));
	c->broken[module] += stacks;
}

static void add_looking_broken(struct capture *c, uint32_t module, uint64_t stacks)
{
	c->looks_broken += stacks;
	add_broken(c, module, stacks);
}

void capture_frame(struct capture *c, struct capture_stack *s, uint32_t place, uint32_t module, bool kernel)
{
	hits_of(c, place)->all++;
	c->quality.frames++;
	s->depth++;
	if (kernel)
		return;
	if (!s->user_depth++)
		s->last_module = PLACE_NO_MODULE;
	s->astray = module == PLACE_NO_MODULE;
	if (s->astray)
		return;
	s->last_place = place;
	s->last_module = module;
}

static void add_walked(struct capture *c, const struct capture_stack *s)
{
	if (s->end == RECORDING_END_TRUNCATED || s->end == RECORDING_END_TOO_DEEP)
		c->quality.cut++;
	else if (s->end != RECORDING_END_COMPLETE)
		add_broken(c, s->last_module, 1);
}

void capture_stack(struct capture *c, const struct capture_stack *s)
{
	if (!s->user_depth || s->alone)
		return;
	c->quality.stacks++;
	if (s->walked)
		add_walked(c, s);
	else if (s->depth >= (c->max_stack ? c->max_stack : CAPTURE_MAX_STACK))
		c->quality.cut++;
	else if (s->last_module == PLACE_NO_MODULE)
		add_looking_broken(c, PLACE_NO_MODULE, 1);
	else if (s->astray)
		hits_of(c, s->last_place)->astray++;
	else
		hits_of(c, s->last_place)->outermost[s->user_depth < DEPTHS ? s->user_depth : DEPTHS - 1]++;
}

static void judge_place(struct capture *c, const struct capture_hits *hits, const struct place *place,
			const struct module *module)
{
	if (!place->name)
		c->quality.nameless += hits->all;
	if (hits->astray && stack_start_of(DEPTHS, true, place->name, module) == START_LOST)
		add_looking_broken(c, place->module, hits->astray);
	for (size_t depth = 1; depth < DEPTHS; depth++) {
		if (hits->outermost[depth] && stack_start_of(depth, false, place->name, module) == START_LOST)
			add_looking_broken(c, place->module, hits->outermost[depth]);
	}
}

void capture_judge(struct capture *c, const struct places *places, const struct modules *modules)
{
	uint64_t most = 0;

	for (size_t i = 0; i < places->count && i < c->hits_cap; i++) {
		const struct place *place = &places->items[i];

		judge_place(c, &c->hits[i], place,
			    place->module < modules->count ? &modules->items[place->module] : NULL);
	}
	for (size_t i = 0; i < c->broken_cap && i < modules->count; i++) {
		if (c->broken[i] <= most)
			continue;
		most = c->broken[i];
		snprintf(c->worst, sizeof(c->worst), "%s", module_name(&modules->items[i]));
		c->worst_is_jit = modules->items[i].kind == MODULE_JIT;
	}
}

void capture_free(struct capture *c)
{
	if (!c)
		return;
	free(c->hits);
	free(c->broken);
	c->hits = NULL;
	c->broken = NULL;
	c->hits_cap = c->broken_cap = 0;
}
