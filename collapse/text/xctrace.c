/* xctrace: what Apple's `xctrace export --xpath '...[@schema="time-profile"]'` prints of a recording of Instruments.
 * Elements with an id are written once, and then referred to by ref:
 *
 *     <trace-query-result><node><schema name="time-profile">...</schema>
 *     <row><sample-time id="1" fmt="00:00.512.000">512000000</sample-time>
 *       <thread id="2" fmt="Main Thread 0x1e3 (app, pid: 12)"><tid id="3" fmt="0x1e3">483</tid></thread>
 *       <weight id="4" fmt="1.00 ms">1000000</weight>
 *       <backtrace id="5"><frame id="6" name="leaf" addr="0x1042"/><frame id="7" name="main" addr="0x1040"/></backtrace></row>
 *     <row><sample-time id="8">513000000</sample-time><thread ref="2"/><weight ref="4"/><backtrace ref="5"/></row>
 *     </node></trace-query-result>
 *
 * Other schemas have the same rows.  cpu-profile has <cycle-weight> and, around the backtrace, <tagged-backtrace>.
 * counters-profile has the increase of each event counter since the previous sample (only the table of contents says
 * which counters these are):
 *
 *     <pmc-event id="9">1000000</pmc-event><pmc-events id="28" fmt="(979,308), (2,144,842)">979308 2144842</pmc-events>
 *
 * time-sample has no weights: a row counts 1.  Its stacks, like those in tables of kdebug counters, are lists of
 * addresses: the address of the sample, then the callers, up to a 0.  The kernel's and the user's stack are in two
 * cells, in this order.  <backtrace> may contain lists of addresses, too, in pieces:
 *
 *     <kperf-bt id="8" fmt="PC:0x1042, 2 frames"><text-addresses id="9">4160 0</text-addresses>
 *       <text-address id="10">4162</text-address><process ref="4"/></kperf-bt>
 *
 * <sentinel/> stands for a cell that is empty.
 *
 * This is written from published files, since Instruments does not run on Linux.  Frames are leaf first. */
#include <expat.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/label_keys.h"
#include "core/decimal.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/str.h"

/* --- lists of decimal numbers, to which others refer by their id ------------------------ */

/* <text-addresses id="24">4331406713 4331406716</text-addresses>      24 -> 4331406713, 4331406716 */

struct number_list {
	size_t start, count; /* in items */
};

/* {0} is valid and empty. */
struct number_lists {
	uint64_t *items;
	size_t item_count, item_cap;
	struct number_list *lists; /* [count] */
	size_t count, cap;
	struct map by_id; /* id -> number in lists + 1 */
};

/* The number + 1 of the last list that was begun, and of the one with an id; 0: there is none. */
static inline uint32_t number_lists_last(const struct number_lists *l)
{
	return (uint32_t)l->count;
}

static inline uint32_t number_lists_find(const struct number_lists *l, uint64_t id)
{
	return map_get(&l->by_id, id, 0);
}

/* Begin a list with this id; number_lists_append() then adds to it. */
static void number_lists_begin(struct number_lists *l, uint64_t id)
{
	l->lists = xgrow(l->lists, &l->cap, l->count + 1, sizeof(*l->lists));
	l->lists[l->count++] = (struct number_list){ l->item_count, 0 };
	*map_at(&l->by_id, id, 0) = (uint32_t)l->count;
}

static void number_lists_append(struct number_lists *l, uint64_t number)
{
	l->items = xgrow(l->items, &l->item_cap, l->item_count + 1, sizeof(*l->items));
	l->items[l->item_count++] = number;
	l->lists[l->count - 1].count++;
}

/* Append all numbers of text, up to the first word that is not a number; a number that is too large becomes
 * UINT64_MAX. */
static void number_lists_parse(struct number_lists *l, const char *text)
{
	char *end;

	for (; *text; text = end) {
		while (*text == ' ' || *text == '\n')
			text++;
		if (!is_digit(*text))
			return;
		number_lists_append(l, strtoull(text, &end, 10));
	}
}

static void number_lists_free(struct number_lists *l)
{
	free(l->items);
	free(l->lists);
	map_free(&l->by_id);
	*l = (struct number_lists){ 0 };
}

/* --- cells: threads, weights, stacks: written once with an id, referred to afterwards --- */

/* What an id stands for. */
enum xctrace_kind { XCTRACE_FRAME = 1, XCTRACE_STACK, XCTRACE_TAGGED, XCTRACE_THREAD, XCTRACE_STATE, XCTRACE_WEIGHT };

/* Elements whose content is a list of numbers, with their ids. */
enum xctrace_list { XCTRACE_ADDRESS, XCTRACE_ADDRESSES, XCTRACE_COUNTERS, XCTRACE_LISTS };

struct xctrace_thread {
	uint32_t comm;
	int32_t pid, tid;
};

struct xctrace {
	struct text_stacks *s;
	XML_Parser parser;
	const char *text;                   /* the whole input */
	size_t depth;                       /* elements that are open */
	struct map ids[XCTRACE_WEIGHT + 1]; /* by kind: id -> number + 1 in frames, stacks, threads or weights */
	uint32_t *stacks;
	size_t stack_count, stack_cap;
	struct xctrace_thread *threads;
	size_t thread_count, thread_cap;
	uint64_t *weights;
	size_t weight_count, weight_cap;

	struct number_lists lists[XCTRACE_LISTS], machine; /* machine: stacks of addresses, leaf first */
	struct map machine_stacks;                         /* (machines[0], machines[1]) -> number of a stack + 1 */
	struct event_values events;                        /* counters-profile: the weight, then the counters */

	struct str frames; /* frames of the current backtrace, leaf first, uint32_t each */
	uint64_t stack_id, tagged_id;
	bool in_row, in_stack, in_machine, in_content;
	struct str content; /* of the current weight, or list */
	uint64_t content_id;
	/* Of the current kperf-bt: the numbers + 1 of its lists, or 0; and the address in its fmt. */
	uint32_t pc, callers;
	uint64_t machine_id, fmt_pc;
	/* Of the current row: numbers + 1; 0: the row has none. */
	uint32_t stack, thread, weight, counters, state;
	uint32_t machines[2]; /* ... in machine: the stacks of its kperf-bt, the kernel's and the user's, or one of
			       * them */
	bool has_sentinel;    /* some cell is empty */
	const char *unit;     /* text of the weight, even if the weight is wrong; NULL: the row has no weight */
};

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

/* Expat in Debian 13 deprecates the only function for this in Debian 12. */
static long long byte_index(XML_Parser parser)
{
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
	return XML_GetCurrentByteIndex64(parser);
#else
	return XML_GetCurrentByteIndex(parser);
#endif
}

/* Report that something is wrong here. */
static void xctrace_wrong(struct xctrace *x, const char *what)
{
	long long at = byte_index(x->parser);

	text_wrong(x->s, x->text + (at > 0 ? at : 0), what);
}

/* The number + 1 of the element that ref names; 0, after a message, if it is not known. */
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

/* Use a complete list, given by its number + 1, for the current element. */
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

/* Take a stack of the row, which may have two: the kernel's and the user's. */
static void take_machine(struct xctrace *x, uint32_t number)
{
	x->machines[x->machines[0] != 0] = number;
}

/* The number of the stack of the row's kperf-bt. */
static uint32_t xctrace_machine_stack(struct xctrace *x)
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

/* The number + 1 of the name of a state, "Running". */
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

/* An element inside a row begins; and it ends. */
static void xctrace_begin_cell(struct xctrace *x, const char *element, const char **attributes)
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

static void xctrace_end_cell(struct xctrace *x, const char *element)
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

/* Frees all but the parser. */
static void xctrace_free(struct xctrace *x)
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

/* --- rows ------------------------------------------------------------------------------- */

static void begin_row(struct xctrace *x)
{
	x->in_row = true;
	x->in_stack = x->in_machine = x->in_content = false;
	x->stack = x->thread = x->weight = x->counters = x->state = 0;
	x->has_sentinel = false;
	x->unit = NULL;
	x->machines[0] = x->machines[1] = 0;
}

/* The number of the row's stack; UINT32_MAX, after a message, if the row has none. */
static uint32_t row_stack(struct xctrace *x)
{
	if (x->stack)
		return x->stacks[x->stack - 1];
	if (x->machines[0] || x->has_sentinel)
		return xctrace_machine_stack(x);
	xctrace_wrong(x, "a row without a backtrace");
	return UINT32_MAX;
}

static struct text_labels row_labels(const struct xctrace *x)
{
	struct text_labels labels = TEXT_NO_LABELS;

	if (x->thread) {
		labels.comm = x->threads[x->thread - 1].comm;
		labels.pid = x->threads[x->thread - 1].pid;
		labels.tid = x->threads[x->thread - 1].tid;
		labels_complete(&labels);
	}
	if (x->state)
		labels.state = x->state - 1;
	return labels;
}

/* For events of counters, the weight is the first counter. */
static void name_events(struct xctrace *x, const char *unit)
{
	struct text_span of_counters = { "events", strlen("events") };
	char name[24];

	x->events.out = x->s;
	event_values_name(&x->events, (struct text_span){ "weight", strlen("weight") },
			  (struct text_span){ unit, strlen(unit) });
	for (int i = 1; i < EVENTS_MAX; i++)
		event_values_name(&x->events,
				  (struct text_span){ name, (size_t)snprintf(name, sizeof(name), "counter%d", i) },
				  of_counters);
}

static void add_counters(struct xctrace *x, const struct text_value *weight, uint32_t stack, const char *unit)
{
	const struct number_lists *l = &x->lists[XCTRACE_COUNTERS];
	const struct number_list *list = &l->lists[x->counters - 1];
	struct text_labels labels = row_labels(x);

	if (!x->events.count)
		name_events(x, unit);
	event_values_add(&x->events, 0, weight, stack, &labels);
	for (size_t i = 0; i < list->count && i < EVENTS_MAX - 1; i++)
		event_values_add(&x->events, i + 1, &(struct text_value){ l->items[list->start + i], 0 }, stack,
				 &labels);
}

static void end_row(struct xctrace *x)
{
	const char *unit = x->unit ? x->unit : "samples";
	struct text_value value = { x->weight ? x->weights[x->weight - 1] : 1, 0 };
	struct text_labels labels;
	uint32_t stack;

	x->in_row = x->in_stack = x->in_machine = x->in_content = false;
	stack = row_stack(x);
	if (stack == UINT32_MAX)
		return;
	if (x->unit && !x->weight) {
		xctrace_wrong(x, "a row without a weight");
		return;
	}
	if (x->counters) {
		add_counters(x, &value, stack, unit);
		return;
	}
	labels = row_labels(x);
	labels.unit = text_name(x->s, unit, strlen(unit));
	fold_add_text(x->s,
		      &(struct text_sample){ .values = &value, .stack = stack, .labels = text_label(x->s, &labels) });
}

/* limit on nested elements, which Expat keeps; xctrace nests about ten. */
enum { DEPTH_MAX = 1024 };

static void XMLCALL xctrace_begin(void *argument, const char *element, const char **attributes)
{
	struct xctrace *x = argument;

	if (++x->depth > DEPTH_MAX) {
		xctrace_wrong(x, "elements in more than 1024 others");
		XML_StopParser(x->parser, XML_FALSE);
	} else if (!strcmp(element, "row"))
		begin_row(x);
	else if (x->in_row)
		xctrace_begin_cell(x, element, attributes);
}

static void XMLCALL xctrace_end(void *argument, const char *element)
{
	struct xctrace *x = argument;

	x->depth--;
	if (x->in_row && !strcmp(element, "row"))
		end_row(x);
	else if (x->in_row)
		xctrace_end_cell(x, element);
}

static void XMLCALL content(void *argument, const char *text, int len)
{
	struct xctrace *x = argument;

	if (x->in_content)
		str_add(&x->content, text, (size_t)len);
}

/* Expat by itself expands no entities of other files, and limits the expansion of entities in this one. */
static void xctrace_parse(const struct text_part *part)
{
	enum { STEP_BYTES = 1 << 20 };
	static const XML_Memory_Handling_Suite memory = { xmalloc, xrealloc, free };
	struct xctrace x = { .s = part->out, .parser = XML_ParserCreate_MM(NULL, &memory, NULL), .text = part->text };
	enum XML_Status status = XML_STATUS_OK;

	XML_SetUserData(x.parser, &x);
	XML_SetElementHandler(x.parser, xctrace_begin, xctrace_end);
	XML_SetCharacterDataHandler(x.parser, content);
	for (size_t at = 0; at < part->len && status == XML_STATUS_OK; at += STEP_BYTES) {
		size_t left = part->len - at, step = left < STEP_BYTES ? left : STEP_BYTES;

		status = XML_Parse(x.parser, part->text + at, (int)step, step == left);
	}
	if (status != XML_STATUS_OK && x.depth <= DEPTH_MAX)
		xctrace_wrong(&x, "XML that is damaged, or ends here");
	XML_ParserFree(x.parser);
	if (x.events.count)
		event_values_end(&x.events);
	xctrace_free(&x);
}

static enum sniffed xctrace_sniff(const char *text, size_t len)
{
	static const char root[] = "<trace-query-result";
	enum { LOOKED_AT = 4096 };

	while (len && *text && strchr(" \t\r\n\xef\xbb\xbf", *text)) { /* a byte-order mark, too */
		text++;
		len--;
	}
	return len && *text == '<' && memmem(text, len < LOOKED_AT ? len : LOOKED_AT, root, strlen(root)) ? SNIFF_SURE
													  : SNIFF_NO;
}

const struct input_format xctrace_format = {
	.name = "xctrace",
	.holds = "stacks and values",
	.wanted = "'<row>...</row>'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_EVENTS | TEXT_HAS_STATES,
	.states = "running",
	.sniff = xctrace_sniff,
	.parse = xctrace_parse,
};
