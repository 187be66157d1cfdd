#include "collapse/output/quality_counts.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame.h"
#include "core/intern.h"
#include "core/memory.h"

static size_t quality_counts_slot_of(const struct quality_counts *c, uint32_t module)
{
	return module < c->modules->count ? module : c->modules->count;
}

static size_t reason_of(const struct stack *stack, const struct place *place)
{
	if (place->why == WHY_UNMAPPED && stack->span)
		return UNMAPPED_IN_SPAN;
	return place->why < WHY_COUNT ? place->why : WHY_UNKNOWN;
}

static void quality_counts_frame(struct quality_counts *c, const struct stack *stack, const struct place *place)
{
	size_t module = quality_counts_slot_of(c, place->module);
	struct quality *of_root = &c->by_root[stack->root];

	of_root->frames += stack->samples;
	c->by_module[module].frames += stack->samples;
	c->all.frames += stack->samples;
	if (place->name)
		return;
	if (place->function) {
		of_root->stripped += stack->samples;
		c->by_module[module].stripped += stack->samples;
		c->all.stripped += stack->samples;
	} else {
		of_root->nameless += stack->samples;
		c->by_module[module].nameless += stack->samples;
		c->all.nameless += stack->samples;
	}
	c->reasons[module * REASONS + reason_of(stack, place)] += stack->samples;
}

static void count_stack(struct quality_counts *c, const struct stack *stack, const struct places *places)
{
	unsigned end = quality_user_end(stack, places, c->modules);
	size_t module = quality_counts_slot_of(c, quality_last_module(stack, places));

	quality_count(&c->all, stack, end);
	quality_count(&c->by_root[stack->root], stack, end);
	quality_count(&c->by_module[module], stack, end);
	if (end != USER_END_NONE)
		c->ends[module * USER_ENDS + end] += stack->samples;
	for (uint32_t i = 0; i < stack->frame_count + stack->waker_frames; i++) {
		if (!(stack->frames[i] & FRAME_TEXT))
			quality_counts_frame(c, stack, &places->items[stack->frames[i] >> FRAME_PLACE_SHIFT]);
	}
}

/* For each module, count the modules with frames that have the same text. */
static uint32_t *count_same(const struct quality_counts *c, const char *(*text_of)(const struct module *))
{
	size_t count = c->modules->count;
	uint32_t *same = xcalloc(count + 1, sizeof(*same)), *number = xcalloc(count + 1, sizeof(*number));
	uint32_t *uses = xcalloc(count + 1, sizeof(*uses));
	struct intern texts = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *text = text_of(&c->modules->items[i]);

		number[i] = intern_add(&texts, text, strlen(text));
		uses[number[i]] += c->by_module[i].frames != 0;
	}
	for (size_t i = 0; i < count; i++)
		same[i] = uses[number[i]];
	intern_free(&texts);
	free(number);
	free(uses);
	return same;
}

static const char *module_path(const struct module *m)
{
	return m->path;
}

/* Append a module's name; or its path, if another module has the same name; with its id, if another
 * one has the same path (in another container, or of another build). */
static void quality_counts_add_module(struct str *out, const struct quality_counts *c, size_t module)
{
	const struct module *m = &c->modules->items[module];
	const char *text = c->names[module] > 1 ? m->path : module_name(m);

	if (m->kind == MODULE_JIT) {
		str_addf(out, "[jit:%d]", m->pid);
		return;
	}
	frame_add(out, text, strlen(text));
	if (c->names[module] > 1 && c->paths[module] > 1)
		str_addf(out, "@%s", m->id);
}

/* Blanks become '_', so that scripts can split columns. */
char *quality_module_word(const struct quality_counts *c, size_t module)
{
	struct str text = { 0 };

	if (module < c->modules->count)
		quality_counts_add_module(&text, c, module);
	else
		str_puts(&text, "[unknown]");
	for (size_t i = 0; i < text.len; i++)
		text.buf[i] = text.buf[i] == ' ' ? '_' : text.buf[i];
	return text.buf;
}

void quality_counts_make(struct quality_counts *c, const struct gather *g, const struct fold *fold,
			 const struct names *names)
{
	size_t slots = names->modules->count + 1;

	*c = (struct quality_counts){
		.modules = names->modules,
		.sideband = g->sideband,
		.by_root = xcalloc(g->root_keys.count + 1, sizeof(*c->by_root)),
		.by_module = xcalloc(slots, sizeof(*c->by_module)),
		.ends = xcalloc(slots, USER_ENDS * sizeof(*c->ends)),
		.reasons = xcalloc(slots, REASONS * sizeof(*c->reasons)),
	};
	for (size_t i = 0; i < g->stacks.count; i++) {
		if (fold->lines[fold->line_of_stack[i]].kept)
			count_stack(c, &g->stacks.items[i], names->places);
	}
	c->names = count_same(c, module_name);
	c->paths = count_same(c, module_path);
}

void quality_counts_free(struct quality_counts *c)
{
	free(c->by_root);
	free(c->by_module);
	free(c->ends);
	free(c->reasons);
	free(c->names);
	free(c->paths);
}
