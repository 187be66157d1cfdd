#include "collapse/text/xctrace_cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static const char *const list_names[XCTRACE_LISTS] = { "text-address", "text-addresses", "pmc-events" };

static const char *xctrace_cells_attribute(const char **attributes, const char *name)
{
	for (; *attributes; attributes += 2) {
		if (!strcmp(attributes[0], name))
			return attributes[1];
	}
	return NULL;
}

static uint64_t number_attribute(const char **attributes, const char *name)
{
	const char *text = xctrace_cells_attribute(attributes, name);

	return text ? strtoull(text, NULL, 10) : 0;
}

/* Debian 13's Expat is deprecating the function that Debian 12's has. */
static long long byte_index(XML_Parser parser)
{
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
	return XML_GetCurrentByteIndex64(parser);
#else
	return XML_GetCurrentByteIndex(parser);
#endif
}

void xctrace_wrong(struct xctrace *x, const char *what)
{
	long long at = byte_index(x->parser);

	text_wrong(x->s, x->text + (at > 0 ? at : 0), what);
}

/* The number + 1 that ref stands for; 0 after a message, if it is not known. */
static uint32_t referred(struct xctrace *x, enum xctrace_kind kind, uint64_t ref)
{
	uint32_t number = map_get(&x->ids[kind], ref, 0);

	if (!number)
		xctrace_wrong(x, "a ref to an id that was not there before");
	return number;
}

/* "Main Thread 0x1e3 (app, pid: 12)"; of Xcode 26 "Main Thread (0x1e3) (app, pid: 12)" */
static uint32_t xctrace_cells_add_thread(struct xctrace *x, const char **attributes)
{
	const char *fmt = xctrace_cells_attribute(attributes, "fmt") ?: "", *hex = strstr(fmt, "0x"),
		   *open = strstr(fmt, " (");
	const char *pid = strstr(fmt, "pid: ");
	const char *end = hex && (!open || hex <= open + 2) ? hex : open ? open : fmt + strlen(fmt);
	struct xctrace_thread *t;

	hex = end == hex ? hex : NULL;
	while (end > fmt && (end[-1] == ' ' || end[-1] == '('))
		end--;
	x->threads = xgrow(x->threads, &x->thread_cap, x->thread_count + 1, sizeof(*x->threads));
	t = &x->threads[x->thread_count++];
	t->comm = end > fmt ? text_name(x->s, fmt, (size_t)(end - fmt)) : TEXT_NO_NAME;
	t->tid = hex ? (int32_t)strtol(hex, NULL, 16) : -1;
	t->pid = pid ? (int32_t)strtol(pid + strlen("pid: "), NULL, 10) : -1;
	return (uint32_t)x->thread_count;
}

static void begin_frame(struct xctrace *x, const char **attributes)
{
	const char *name = xctrace_cells_attribute(attributes, "name");
	uint64_t ref = number_attribute(attributes, "ref"), id = number_attribute(attributes, "id");
	uint32_t frame;

	if (ref) {
		frame = referred(x, XCTRACE_FRAME, ref);
		if (!frame)
			return;
		frame--;
	} else {
		if (!name || !*name)
			name = xctrace_cells_attribute(attributes, "addr") ?: "[unknown]";
		frame = text_frame(x->s, TEXT_PLAIN, name, strlen(name));
		*map_at(&x->ids[XCTRACE_FRAME], id, 0) = frame + 1;
	}
	str_add(&x->frames, (const char *)&frame, sizeof(frame));
}

static void begin_stack(struct xctrace *x, const char **attributes)
{
	uint64_t ref = number_attribute(attributes, "ref");

	if (ref) {
		x->stack = referred(x, XCTRACE_STACK, ref);
		return;
	}
	x->in_stack = true;
	x->stack_id = number_attribute(attributes, "id");
	str_clear(&x->frames);
}

static const char *unit_of_weight(const char *element)
{
	static const char *const units[][2] = { { "weight", "ns" },
						{ "cycle-weight", "cycles" },
						{ "pmc-event", "events" } };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!strcmp(element, units[i][0]))
			return units[i][1];
	}
	return NULL;
}

static void begin_content(struct xctrace *x, uint64_t id)
{
	x->in_content = true;
	x->content_id = id;
	str_clear(&x->content);
}

/* --- stacks of addresses ------------------------------------------------------------------- */

static void xctrace_cells_add_address(struct xctrace *x, uint64_t address)
{
	enum text_kind kind = address >> 63 ? TEXT_KERNEL : TEXT_PLAIN;
	char name[24];
	uint32_t frame;

	frame = text_frame(x->s, kind, name,
			   (size_t)snprintf(name, sizeof(name), "0x%llx", (unsigned long long)address));
	str_add(&x->frames, (const char *)&frame, sizeof(frame));
}

/* Take a list that is now known, by its number + 1. */
static void xctrace_cells_take_list(struct xctrace *x, enum xctrace_list kind, uint32_t number)
{
	const struct number_list *list = number ? &x->lists[kind].lists[number - 1] : NULL;

	if (kind == XCTRACE_COUNTERS) {
		x->counters = number;
	} else if (x->in_machine) {
		*(kind == XCTRACE_ADDRESS ? &x->pc : &x->callers) = number;
	} else if (x->in_stack && list) {
		for (size_t i = 0; i < list->count && x->lists[kind].items[list->start + i]; i++)
			xctrace_cells_add_address(x, x->lists[kind].items[list->start + i]);
	}
}

static void begin_list(struct xctrace *x, enum xctrace_list kind, uint64_t id, uint64_t ref)
{
	if (!ref) {
		begin_content(x, id);
		return;
	}
	if (!number_lists_find(&x->lists[kind], ref))
		xctrace_wrong(x, "a ref to an id that was not there before");
	xctrace_cells_take_list(x, kind, number_lists_find(&x->lists[kind], ref));
}

/* A row may have two, the kernel's stack and the user's. */
static void take_machine(struct xctrace *x, uint32_t number)
{
	x->machines[x->machines[0] != 0] = number;
}

uint32_t xctrace_machine_stack(struct xctrace *x)
{
	uint32_t *known = map_at(&x->machine_stacks, x->machines[0], x->machines[1]);

	if (*known)
		return *known - 1;
	str_clear(&x->frames);
	for (size_t i = 0; i < 2 && x->machines[i]; i++) {
		const struct number_list *list = &x->machine.lists[x->machines[i] - 1];

		for (size_t n = 0; n < list->count; n++)
			xctrace_cells_add_address(x, x->machine.items[list->start + n]);
	}
	*known = text_stack_leaf_first(x->s, (uint32_t *)(void *)x->frames.buf, x->frames.len / sizeof(uint32_t)) + 1;
	return *known - 1;
}

static void begin_machine(struct xctrace *x, const char **attributes, uint64_t id, uint64_t ref)
{
	const char *fmt = xctrace_cells_attribute(attributes, "fmt");

	if (ref && !number_lists_find(&x->machine, ref))
		xctrace_wrong(x, "a ref to an id that was not there before");
	else if (ref)
		take_machine(x, number_lists_find(&x->machine, ref));
	x->in_machine = !ref;
	x->machine_id = id;
	x->pc = x->callers = 0;
	x->fmt_pc = fmt && !strncmp(fmt, "PC:", 3) ? strtoull(fmt + 3, NULL, 16) : 0;
}

/* The callers may begin with the address itself. */
static void end_machine(struct xctrace *x)
{
	const struct number_lists *addresses = &x->lists[XCTRACE_ADDRESS], *callers = &x->lists[XCTRACE_ADDRESSES];
	const struct number_list *list = x->pc ? &addresses->lists[x->pc - 1] : NULL;
	uint64_t pc = list && list->count ? addresses->items[list->start] : x->fmt_pc;

	x->in_machine = false;
	number_lists_begin(&x->machine, x->machine_id);
	if (pc)
		number_lists_append(&x->machine, pc);
	list = x->callers ? &callers->lists[x->callers - 1] : NULL;
	for (size_t i = 0; list && i < list->count && callers->items[list->start + i]; i++) {
		uint64_t caller = callers->items[list->start + i];

		if (i || caller != pc)
			number_lists_append(&x->machine, caller);
	}
	take_machine(x, number_lists_last(&x->machine));
}

/* --- cells ---------------------------------------------------------------------------------- */

/* "Running"; the number of its name + 1 */
static uint32_t xctrace_cells_add_state(struct xctrace *x, const char **attributes)
{
	const char *fmt = xctrace_cells_attribute(attributes, "fmt");

	return fmt ? text_name(x->s, fmt, strlen(fmt)) + 1 : 0;
}

static void begin_label(struct xctrace *x, bool is_thread, const char **attributes, uint64_t id, uint64_t ref)
{
	enum xctrace_kind kind = is_thread ? XCTRACE_THREAD : XCTRACE_STATE;
	uint32_t number = ref         ? referred(x, kind, ref)
			  : is_thread ? xctrace_cells_add_thread(x, attributes)
				      : xctrace_cells_add_state(x, attributes);

	*(is_thread ? &x->thread : &x->state) = number;
	if (!ref && number)
		*map_at(&x->ids[kind], id, 0) = number;
}

static enum xctrace_list list_of(const char *element)
{
	enum xctrace_list kind = 0;

	while (kind < XCTRACE_LISTS && strcmp(element, list_names[kind]) != 0)
		kind++;
	return kind;
}

void xctrace_begin_cell(struct xctrace *x, const char *element, const char **attributes)
{
	uint64_t ref = number_attribute(attributes, "ref"), id = number_attribute(attributes, "id");

	if (!strcmp(element, "backtrace")) {
		begin_stack(x, attributes);
	} else if (!strcmp(element, "tagged-backtrace")) {
		x->tagged_id = ref ? 0 : id;
		x->stack = ref ? referred(x, XCTRACE_TAGGED, ref) : 0;
	} else if (!strcmp(element, "kperf-bt")) {
		begin_machine(x, attributes, id, ref);
	} else if (!strcmp(element, "frame") && x->in_stack) {
		begin_frame(x, attributes);
	} else if (!strcmp(element, "thread") || !strcmp(element, "thread-state")) {
		begin_label(x, !element[strlen("thread")], attributes, id, ref);
	} else if (!strcmp(element, "sentinel")) {
		x->has_sentinel = true;
	} else if (unit_of_weight(element)) {
		x->unit = unit_of_weight(element);
		x->weight = ref ? referred(x, XCTRACE_WEIGHT, ref) : 0;
		if (!ref)
			begin_content(x, id);
	} else if (list_of(element) < XCTRACE_LISTS) {
		begin_list(x, list_of(element), id, ref);
	}
}

static void xctrace_cells_end_stack(struct xctrace *x)
{
	uint32_t *frames = (uint32_t *)(void *)x->frames.buf;
	size_t count = x->frames.len / sizeof(*frames);

	x->stacks = xgrow(x->stacks, &x->stack_cap, x->stack_count + 1, sizeof(*x->stacks));
	x->stacks[x->stack_count++] = text_stack_leaf_first(x->s, frames, count);
	x->stack = (uint32_t)x->stack_count;
	*map_at(&x->ids[XCTRACE_STACK], x->stack_id, 0) = x->stack;
	x->in_stack = false;
}

static void end_weight(struct xctrace *x)
{
	x->weights = xgrow(x->weights, &x->weight_cap, x->weight_count + 1, sizeof(*x->weights));
	x->weights[x->weight_count++] = strtoull(str_text(&x->content), NULL, 10);
	x->weight = (uint32_t)x->weight_count;
	*map_at(&x->ids[XCTRACE_WEIGHT], x->content_id, 0) = x->weight;
	x->in_content = false;
}

static void end_list(struct xctrace *x, enum xctrace_list kind)
{
	number_lists_begin(&x->lists[kind], x->content_id);
	number_lists_parse(&x->lists[kind], str_text(&x->content));
	x->in_content = false;
	xctrace_cells_take_list(x, kind, number_lists_last(&x->lists[kind]));
}

void xctrace_end_cell(struct xctrace *x, const char *element)
{
	if (!strcmp(element, "backtrace") && x->in_stack)
		xctrace_cells_end_stack(x);
	else if (!strcmp(element, "tagged-backtrace") && x->stack && x->tagged_id)
		*map_at(&x->ids[XCTRACE_TAGGED], x->tagged_id, 0) = x->stack;
	else if (!strcmp(element, "kperf-bt") && x->in_machine)
		end_machine(x);
	else if (x->in_content && unit_of_weight(element))
		end_weight(x);
	else if (x->in_content && list_of(element) < XCTRACE_LISTS)
		end_list(x, list_of(element));
}

void xctrace_free(struct xctrace *x)
{
	for (size_t i = 0; i < sizeof(x->ids) / sizeof(*x->ids); i++)
		map_free(&x->ids[i]);
	for (size_t i = 0; i < XCTRACE_LISTS; i++)
		number_lists_free(&x->lists[i]);
	number_lists_free(&x->machine);
	map_free(&x->machine_stacks);
	free(x->stacks);
	free(x->threads);
	free(x->weights);
	str_free(&x->frames);
	str_free(&x->content);
}
