/* Profiles with several values a stack: layers, and how widths follow from them. */
#include "render/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/wallclock.h"
#include "render/profile/number.h"

/* ---- layers --------------------------------------------------------------- */

static void name_layer(struct profile_layer *layer, const char *name)
{
	free(layer->name);
	layer->name = xstrdup(name);
}

void profile_need_layers(struct profile *p, size_t count, const char *name)
{
	p->layers = xgrow(p->layers, &p->layers_cap, count, sizeof(*p->layers));
	while (p->layer_count < count)
		p->layers[p->layer_count++] = (struct profile_layer){ xstrdup(""), 0 };
	if (name)
		name_layer(&p->layers[count - 1], name);
}

uint32_t profile_layer_called(struct profile *p, const char *name, size_t len)
{
	char *text;

	len = strnlen(name, len); /* a layer's name ends at a NUL */
	for (size_t i = 0; i < p->layer_count; i++) {
		if (strlen(p->layers[i].name) == len && !memcmp(p->layers[i].name, name, len))
			return (uint32_t)i;
	}
	if (p->layer_count == PROFILE_LAYERS_MAX)
		return UINT32_MAX;
	text = xstrndup(name, len);
	profile_need_layers(p, p->layer_count + 1, text);
	free(text);
	return (uint32_t)p->layer_count - 1;
}

/* ---- windows of time ------------------------------------------------------ */

static void name_window(struct profile *p, size_t layer)
{
	struct str text = { 0 };

	wallclock_add(&text, p->start_ns + layer * p->step_ns);
	name_layer(&p->layers[layer], text.buf);
	str_free(&text);
}

/* A line is earlier than the first window: insert more windows before it. */
static void shift_layers(struct profile *p, size_t more)
{
	size_t before = p->layer_count;

	p->layers = xgrow(p->layers, &p->layers_cap, before + more, sizeof(*p->layers));
	p->layer_count += more;
	memmove(p->layers + more, p->layers, before * sizeof(*p->layers));
	for (size_t i = 0; i < more; i++)
		p->layers[i] = (struct profile_layer){ xstrdup(""), 0 };
	for (size_t i = 1; i < p->value_count; i++)
		p->values[i].layer += (uint32_t)more;
	p->start_ns -= more * p->step_ns;
	for (size_t i = 0; i < more; i++)
		name_window(p, i);
}

/* The start of the window that contains time_ns; 0 if it is before 1970. */
static uint64_t window_begin(uint64_t time_ns, uint64_t start_ns, uint64_t step_ns)
{
	uint64_t into = time_ns >= start_ns ? (time_ns - start_ns) % step_ns
					    : (step_ns - (start_ns - time_ns) % step_ns) % step_ns;

	return into < time_ns ? time_ns - into : 0;
}

uint32_t profile_layer_at(struct profile *p, uint64_t time_ns, uint64_t start_ns, uint64_t step_ns)
{
	uint64_t begin, steps;

	if (start_ns == PROFILE_FIRST_TIME)
		start_ns = p->layer_count ? p->start_ns : time_ns;
	begin = window_begin(time_ns, start_ns, step_ns);
	if (!p->layer_count) {
		p->start_ns = begin;
		p->step_ns = step_ns;
	}
	if (begin < p->start_ns) {
		steps = (p->start_ns - begin + step_ns - 1) / step_ns;
		if (steps > PROFILE_LAYERS_MAX - p->layer_count)
			return UINT32_MAX;
		shift_layers(p, steps);
		return 0;
	}
	steps = (begin - p->start_ns) / step_ns;
	if (steps >= PROFILE_LAYERS_MAX)
		return UINT32_MAX;
	for (size_t i = p->layer_count; i <= steps; i++) {
		profile_need_layers(p, i + 1, NULL);
		name_window(p, i);
	}
	return (uint32_t)steps;
}

/* ---- values --------------------------------------------------------------- */

static uint32_t *profile_layers_first_value(struct profile *p, uint32_t stack)
{
	size_t before = p->first_count;

	if (stack >= before) {
		p->first_value = xgrow(p->first_value, &p->first_count, (size_t)stack + 1, sizeof(*p->first_value));
		memset(p->first_value + before, 0, (p->first_count - before) * sizeof(*p->first_value));
	}
	return &p->first_value[stack];
}

/* Until profile_combine(), a list may have the same layer twice, but this is rare, since the stacks of a layer mostly
 * come in a row. */
void profile_add_value(struct profile *p, uint32_t stack, uint32_t layer, uint64_t value)
{
	uint32_t *first = profile_layers_first_value(p, stack);

	p->layers[layer].total += value;
	if (*first && p->values[*first].layer == layer) {
		p->values[*first].value += value;
		return;
	}
	if (!p->value_count)
		p->value_count = 1;
	if (p->value_count >= UINT32_MAX)
		die("more than 4 billion values");
	p->values = xgrow(p->values, &p->values_cap, p->value_count + 1, sizeof(*p->values));
	p->values[p->value_count] = (struct profile_value){ *first, layer, value };
	*first = (uint32_t)p->value_count++;
}

void profile_begin_columns(struct profile *p)
{
	profile_need_layers(p, 1, "before");
	profile_need_layers(p, 2, "after");
	for (uint32_t i = 0; i < p->stack_count; i++) {
		if (p->stacks[i].self)
			profile_add_value(p, i, 1, p->stacks[i].self);
		p->stacks[i].self = 0;
	}
}

/* ---- widths --------------------------------------------------------------- */

/* The current list, and the numbers of its records, which are reused. */
struct list {
	struct profile_value *values;
	uint32_t *records;
	size_t count, values_cap, records_cap;
};

SORT_BY(profile_layers_by_layer, struct profile_value, layer);

static void profile_layers_take_list(struct list *list, const struct profile *p, uint32_t first)
{
	list->count = 0;
	for (uint32_t r = first; r; r = p->values[r].next) {
		size_t want = list->count + 1;

		list->values = xgrow(list->values, &list->values_cap, want, sizeof(*list->values));
		list->records = xgrow(list->records, &list->records_cap, want, sizeof(*list->records));
		list->values[list->count] = p->values[r];
		list->records[list->count++] = r;
	}
}

/* Sort the list that starts at *first by layer, with each layer once, without zeros. */
static void merge_list(struct profile *p, uint32_t *first, struct list *list)
{
	uint32_t next = 0;
	size_t at, record;

	profile_layers_take_list(list, p, *first);
	if (list->count > 1)
		qsort(list->values, list->count, sizeof(*list->values), profile_layers_by_layer);
	for (at = record = list->count; at-- > 0;) {
		struct profile_value v = list->values[at];

		for (; at && list->values[at - 1].layer == v.layer; at--)
			v.value += list->values[at - 1].value;
		if (!v.value)
			continue;
		v.next = next;
		next = list->records[--record];
		p->values[next] = v;
	}
	*first = next;
}

static uint64_t profile_layers_width_of(const struct profile *p, uint32_t first, const struct profile_scale *scales,
					uint32_t layer)
{
	uint64_t width = 0, value;

	for (uint32_t r = first; r; r = p->values[r].next) {
		const struct profile_value *v = &p->values[r];

		value = v->value;
		if (p->combine == COMBINE_MAX && scales)
			value = scale_u64(value, scales[v->layer].num, scales[v->layer].den);
		if (p->combine == COMBINE_SUM)
			width += value;
		else if (value > width && (p->combine == COMBINE_MAX || v->layer == layer))
			width = value;
	}
	return width;
}

static bool scales_fit(const struct profile *p, const struct profile_scale *scales)
{
	for (size_t i = 0; i < p->layer_count; i++) {
		__uint128_t scaled = (__uint128_t)p->layers[i].total * scales[i].num;

		if (scaled / scales[i].den > UINT64_MAX)
			return false;
	}
	return true;
}

int profile_combine(struct profile *p, enum profile_combine how, const struct profile_scale *scales, uint32_t layer)
{
	struct list list = { 0 };
	int status = 0;

	if (!p->layer_count || !p->count)
		return 0;
	if (how == COMBINE_MAX && scales && !scales_fit(p, scales))
		return error("a scaled value would be too large");
	p->combine = how;
	p->total = 0;
	profile_layers_first_value(p, (uint32_t)p->stack_count - 1);
	for (size_t i = 0; i < p->stack_count; i++) {
		struct profile_stack *stack = &p->stacks[i];

		merge_list(p, &p->first_value[i], &list);
		stack->self = profile_layers_width_of(p, p->first_value[i], scales, layer);
		if (__builtin_add_overflow(p->total, stack->self, &p->total))
			status = -1;
	}
	free(list.values);
	free(list.records);
	return status ? error("the sum of all values would be too large") : 0;
}

/* ---- idle stacks ---------------------------------------------------------- */

bool profile_is_all_idle(const struct profile *p)
{
	for (size_t i = 0; i < p->stack_count; i++) {
		bool has_value = p->stacks[i].self || (i < p->first_count && p->first_value[i]);

		if (has_value && !p->stacks[i].idle)
			return false;
	}
	return true;
}

uint64_t profile_drop_idle(struct profile *p)
{
	uint64_t before = p->total;

	for (size_t i = 0; i < p->stack_count; i++) {
		if (!p->stacks[i].idle)
			continue;
		p->total -= p->stacks[i].self;
		p->stacks[i].self = 0;
		for (uint32_t v = i < p->first_count ? p->first_value[i] : 0; v; v = p->values[v].next) {
			p->total -= p->values[v].value;
			p->layers[p->values[v].layer].total -= p->values[v].value;
			p->values[v].value = 0;
		}
	}
	return before - p->total;
}
