#include "collect/recording/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/symbols/starts.h"
#include "core/symbols/unnamed.h"

/* The facts that matter about the outermost end of a stack; the key of `ends`. */
struct capture_end {
	uint32_t outer[STARTS_LOOKED_AT];
	uint32_t depth; /* capped at one more than those */
	uint32_t last_place, last_module, astray, span;
};

/* Count one more sample of a place or a module, in a table by number. */
static void count_one(uint64_t **table, size_t *cap, uint32_t number)
{
	size_t before = *cap;

	*table = xgrow(*table, cap, number + 1, sizeof(**table));
	memset(*table + before, 0, (*cap - before) * sizeof(**table));
	(*table)[number]++;
}

static void add_broken(struct capture *c, bool span, uint32_t module, uint64_t stacks)
{
	struct capture_worst *w = span ? &c->of_spans : &c->of_samples;
	size_t before = w->cap;

	c->quality.broken += stacks;
	c->quality.span_broken += span ? stacks : 0;
	if (module == PLACE_NO_MODULE)
		return;
	w->broken = xgrow(w->broken, &w->cap, module + 1, sizeof(*w->broken));
	memset(w->broken + before, 0, (w->cap - before) * sizeof(*w->broken));
	w->broken[module] += stacks;
}

static void add_cut(struct capture *c, bool span)
{
	c->quality.cut++;
	c->quality.span_cut += span;
}

void capture_frame(struct capture *c, struct capture_stack *s, uint32_t place, uint32_t module, bool kernel)
{
	count_one(&c->hits, &c->hits_cap, place);
	if (!s->depth && !s->span) {
		c->samples++;
		if (!kernel)
			count_one(&c->leaves, &c->leaves_cap, place);
	}
	c->quality.frames++;
	s->depth++;
	if (kernel)
		return;
	if (!s->user_depth++)
		s->last_module = PLACE_NO_MODULE;
	memmove(s->outer + 1, s->outer, sizeof(s->outer) - sizeof(*s->outer));
	s->outer[0] = place;
	s->astray = module == PLACE_NO_MODULE;
	if (s->astray)
		return;
	s->last_place = place;
	s->last_module = module;
}

static void capture_add_walked(struct capture *c, const struct capture_stack *s)
{
	if (s->end == RECORDING_END_TRUNCATED || s->end == RECORDING_END_TOO_DEEP)
		add_cut(c, s->span);
	else if (s->end != RECORDING_END_COMPLETE)
		add_broken(c, s->span, s->last_module, 1);
	if (s->end == RECORDING_END_OTHER_STACK)
		(s->span ? &c->of_spans : &c->of_samples)->on_heap++;
}

static void add_end(struct capture *c, const struct capture_stack *s)
{
	struct capture_end end = { .depth = (uint32_t)s->user_depth,
				   .last_place = s->last_place,
				   .last_module = s->last_module,
				   .astray = s->astray,
				   .span = s->span };
	size_t before = c->stacks_cap;
	uint32_t number;

	if (s->user_depth > STARTS_LOOKED_AT)
		end.depth = STARTS_LOOKED_AT + 1;
	memcpy(end.outer, s->outer, sizeof(end.outer));
	number = intern_add(&c->ends, (const char *)&end, sizeof(end));
	c->stacks = xgrow(c->stacks, &c->stacks_cap, number + 1, sizeof(*c->stacks));
	memset(c->stacks + before, 0, (c->stacks_cap - before) * sizeof(*c->stacks));
	c->stacks[number]++;
}

void capture_stack(struct capture *c, const struct capture_stack *s)
{
	if (!s->user_depth || s->alone || (s->walked && s->end == RECORDING_END_NO_REGISTERS))
		return; /* no frame of the stack was found */
	c->quality.stacks++;
	c->quality.span_stacks += s->span;
	if (s->walked)
		capture_add_walked(c, s);
	else if (s->depth >= (c->max_stack ? c->max_stack : CAPTURE_MAX_STACK))
		add_cut(c, s->span);
	else
		add_end(c, s);
}

static bool is_broken(const struct capture_end *end, const struct places *places, const struct modules *modules)
{
	if (end->last_module >= modules->count)
		return true;
	for (uint32_t i = 0; i < end->depth && i < STARTS_LOOKED_AT; i++) {
		if (is_thread_start(places->items[end->outer[i]].name))
			return false;
	}
	return stack_start_of(end->depth, end->astray, places->items[end->last_place].name,
			      &modules->items[end->last_module]) == START_LOST;
}

static void find_worst(struct capture_worst *w, const struct modules *modules)
{
	uint64_t most = 0;

	for (size_t i = 0; i < w->cap && i < modules->count; i++) {
		if (w->broken[i] <= most)
			continue;
		most = w->broken[i];
		snprintf(w->module, sizeof(w->module), "%s", module_name(&modules->items[i]));
		w->pid = modules->items[i].pid;
		w->is_jit = modules->items[i].kind == MODULE_JIT;
	}
}

static void judge_names(struct capture *c, const struct places *places, const struct modules *modules)
{
	uint64_t *nameless = xcalloc(modules->count + 1, sizeof(*nameless)), most = 0;

	for (size_t i = 0; i < places->count && i < c->hits_cap; i++) {
		const struct place *place = &places->items[i];

		if (place->name)
			continue;
		if (place->function) {
			c->quality.stripped += c->hits[i];
			continue;
		}
		c->quality.nameless += c->hits[i];
		if (place->module >= modules->count)
			continue;
		nameless[place->module] += c->hits[i];
		if (nameless[place->module] < most)
			continue;
		most = nameless[place->module];
		c->nameless_why = place->why < WHY_COUNT ? (enum why)place->why : WHY_UNKNOWN;
		snprintf(c->nameless_in, sizeof(c->nameless_in), "%s", module_name(&modules->items[place->module]));
	}
	free(nameless);
}

static void judge_leaves(struct capture *c, const struct places *places, const struct modules *modules)
{
	uint64_t *by_module = xcalloc(modules->count + 1, sizeof(*by_module));
	struct str line = { 0 };

	for (size_t i = 0; i < places->count && i < c->leaves_cap; i++) {
		const struct place *place = &places->items[i];

		if (!place->name && place->why == WHY_NO_SYMBOLS && place->module < modules->count)
			by_module[place->module] += c->leaves[i];
	}
	if (unnamed_line(&line, modules, by_module, c->samples))
		snprintf(c->unnamed, sizeof(c->unnamed), "%s", line.buf);
	str_free(&line);
	free(by_module);
}

void capture_judge(struct capture *c, const struct places *places, const struct modules *modules)
{
	judge_names(c, places, modules);
	judge_leaves(c, places, modules);
	for (uint32_t i = 0; i < c->ends.count; i++) {
		struct capture_end end;

		memcpy(&end, intern_text(&c->ends, i), sizeof(end));
		if (!is_broken(&end, places, modules))
			continue;
		c->looks_broken += c->stacks[i];
		add_broken(c, end.span, end.last_module, c->stacks[i]);
	}
	find_worst(&c->of_samples, modules);
	find_worst(&c->of_spans, modules);
}

void capture_free(struct capture *c)
{
	if (!c)
		return;
	free(c->hits);
	free(c->leaves);
	free(c->stacks);
	free(c->of_samples.broken);
	free(c->of_spans.broken);
	intern_free(&c->ends);
	c->hits = c->leaves = c->stacks = c->of_samples.broken = c->of_spans.broken = NULL;
	c->hits_cap = c->leaves_cap = c->stacks_cap = c->of_samples.cap = c->of_spans.cap = 0;
}
