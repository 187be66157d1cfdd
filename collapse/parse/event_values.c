#include "collapse/parse/event_values.h"

#include <stdlib.h>

#include "core/memory.h"

struct waiting_value {
	struct text_value value;
	uint32_t stack, labels;
};

void event_values_name(struct event_values *e, struct text_span name, struct text_span unit)
{
	const char *asked = e->out->setup->event;
	struct text_labels *labels = &e->labels[e->count];

	if (e->count == EVENTS_MAX)
		return;
	*labels = TEXT_NO_LABELS;
	labels->event = text_name(e->out, name.text, name.len);
	if (unit.len)
		labels->unit = text_name(e->out, unit.text, unit.len);
	e->wanted[e->count++] = !asked || span_is(name, asked);
}

static void event_values_add_one(struct event_values *e, const struct waiting_value *w)
{
	struct text_sample sample = { .values = &w->value, .stack = w->stack, .labels = w->labels };

	fold_add_text(e->out, &sample);
}

static void event_values_add_waiting(struct event_values *e)
{
	for (size_t i = 0; i < e->waiting_count; i++)
		event_values_add_one(e, &e->waiting[i]);
	e->waiting_count = 0;
}

/* If --event names none of the events, all are added, and the error says so later. */
static bool event_values_is_wanted(const struct event_values *e, size_t i)
{
	bool some = false;

	for (size_t k = 0; k < e->count; k++)
		some |= e->wanted[k];
	return e->wanted[i] || !some;
}

/* The number of the labels, which mostly are those of the value before. */
static uint32_t event_values_label_of(struct event_values *e, size_t i, const struct text_labels *labels)
{
	struct text_labels all = *labels;

	if (memcmp(&e->last, labels, sizeof(*labels)) != 0)
		memset(e->numbers, 0, sizeof(e->numbers));
	e->last = *labels;
	if (!e->numbers[i]) {
		all.event = e->labels[i].event;
		all.unit = e->labels[i].unit;
		e->numbers[i] = text_label(e->out, &all) + 1;
	}
	return e->numbers[i] - 1;
}

void event_values_add(struct event_values *e, size_t i, const struct text_value *value, uint32_t stack,
		      const struct text_labels *labels)
{
	struct waiting_value w = { .value = *value, .stack = stack };

	if (i >= e->count || (!value->whole && !value->fraction) || !event_values_is_wanted(e, i))
		return;
	w.labels = event_values_label_of(e, i, labels);
	if (i && !e->begun && !e->out->setup->event) {
		e->waiting = xgrow(e->waiting, &e->waiting_cap, e->waiting_count + 1, sizeof(*e->waiting));
		e->waiting[e->waiting_count++] = w;
		return;
	}
	event_values_add_one(e, &w);
	if (!e->begun) {
		e->begun = true;
		event_values_add_waiting(e);
	}
}

void event_values_end(struct event_values *e)
{
	event_values_add_waiting(e);
	free(e->waiting);
	*e = (struct event_values){ 0 };
}
