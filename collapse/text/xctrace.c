/* xctrace: what Apple's `xctrace export --xpath '...[@schema="time-profile"]'` prints of a recording of Instruments.  Elements
 * with an id are told once, and then by ref:
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
 * counters-profile counts events, and has what each counter counted since the sample before (which ones, only the table of
 * contents tells):
 *
 *     <pmc-event id="9">1000000</pmc-event><pmc-events id="28" fmt="(979,308), (2,144,842)">979308 2144842</pmc-events>
 *
 * time-sample has no weights: a row counts 1.  Its stacks, like those of tables of kdebug counters, are addresses, where the
 * sample was, and the callers, up to a 0; the kernel's come before the user's, each a cell of its own.  <backtrace> may
 * have them, too, in pieces:
 *
 *     <kperf-bt id="8" fmt="PC:0x1042, 2 frames"><text-addresses id="9">4160 0</text-addresses>
 *       <text-address id="10">4162</text-address><process ref="4"/></kperf-bt>
 *
 * <sentinel/> stands for a cell that is empty.
 *
 * Written from files that others published: Instruments does not run here.  Frames are leaf first. */
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/event_values.h"
#include "collapse/parse/format.h"
#include "collapse/parse/label_keys.h"
#include "collapse/text/xctrace_cells.h"
#include "core/memory.h"

static void begin_row(struct xctrace *x)
{
	x->in_row = true;
	x->in_stack = x->in_machine = x->in_content = false;
	x->stack = x->thread = x->weight = x->counters = x->state = 0;
	x->has_sentinel = false;
	x->unit = NULL;
	x->machines[0] = x->machines[1] = 0;
}

/* The number of the row's stack; UINT32_MAX after a message, if it has none. */
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

/* Events of counters: the weight is the first one. */
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

/* xctrace nests some ten.  Expat keeps each that is open. */
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

/* Expat expands no entities of other files by itself, and bounds how much those of this one may expand to. */
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
