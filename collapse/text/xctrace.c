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
 * Other schemas have the same rows: cpu-profile has <cycle-weight> and, around the backtrace, <tagged-backtrace>; rows without
 * a weight, as those of time-sample, count 1.
 *
 * Written from files that others published: Instruments does not run here.  Frames are leaf first; weights are ns, or cycles. */
#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/label_keys.h"
#include "core/map.h"
#include "core/memory.h"

/* What an id stands for. */
enum kind { KIND_FRAME = 1, KIND_STACK, KIND_TAGGED, KIND_THREAD, KIND_WEIGHT };

struct thread_labels {
	uint32_t comm;
	int32_t pid, tid;
};

struct xctrace {
	struct text_stacks *s;
	XML_Parser parser;
	const char *text;                /* the whole input */
	struct map ids[KIND_WEIGHT + 1]; /* by kind: id -> number + 1 in frames, stacks, threads or weights */
	uint32_t *stacks;
	size_t stack_count, stack_cap;
	struct thread_labels *threads;
	size_t thread_count, thread_cap;
	uint64_t *weights;
	size_t weight_count, weight_cap;

	struct str frames; /* of the current backtrace, leaf first, uint32_t each */
	uint64_t stack_id, tagged_id;
	bool in_row, in_stack, in_weight;
	bool has_weight;    /* the current row, even if it is a wrong one; ... */
	bool in_cycles;     /* ... of cycles */
	struct str content; /* of the current weight */
	uint64_t weight_id;
	/* Of the current row: numbers + 1; 0: it has none. */
	uint32_t stack, thread, weight;
};

static const char *attribute(const char **attributes, const char *name)
{
	for (; *attributes; attributes += 2) {
		if (!strcmp(attributes[0], name))
			return attributes[1];
	}
	return NULL;
}

static uint64_t number_attribute(const char **attributes, const char *name)
{
	const char *text = attribute(attributes, name);

	return text ? strtoull(text, NULL, 10) : 0;
}

static void wrong(struct xctrace *x, const char *what)
{
	XML_Index at = XML_GetCurrentByteIndex(x->parser);

	text_wrong(x->s, x->text + (at > 0 ? at : 0), what);
}

/* The number + 1 that ref stands for; 0 after a message, if it is not known. */
static uint32_t referred(struct xctrace *x, enum kind kind, uint64_t ref)
{
	uint32_t number = map_get(&x->ids[kind], ref, 0);

	if (!number)
		wrong(x, "a ref to an id that was not there before");
	return number;
}

/* "Main Thread 0x1e3 (app, pid: 12)" */
static uint32_t add_thread(struct xctrace *x, const char **attributes)
{
	const char *fmt = attribute(attributes, "fmt"), *open = fmt ? strstr(fmt, " (") : NULL;
	const char *pid = fmt ? strstr(fmt, "pid: ") : NULL, *hex;
	size_t len = open ? (size_t)(open - fmt) : fmt ? strlen(fmt) : 0;
	struct thread_labels *t;

	hex = fmt ? memmem(fmt, len, " 0x", 3) : NULL;
	if (hex)
		len = (size_t)(hex - fmt);
	x->threads = xgrow(x->threads, &x->thread_cap, x->thread_count + 1, sizeof(*x->threads));
	t = &x->threads[x->thread_count++];
	t->comm = len ? text_name(x->s, fmt, len) : TEXT_NO_NAME;
	t->tid = hex ? (int32_t)strtol(hex + 1, NULL, 16) : -1;
	t->pid = pid ? (int32_t)strtol(pid + strlen("pid: "), NULL, 10) : -1;
	return (uint32_t)x->thread_count;
}

static void begin_frame(struct xctrace *x, const char **attributes)
{
	const char *name = attribute(attributes, "name");
	uint64_t ref = number_attribute(attributes, "ref"), id = number_attribute(attributes, "id");
	uint32_t frame;

	if (ref) {
		frame = referred(x, KIND_FRAME, ref);
		if (!frame)
			return;
		frame--;
	} else {
		if (!name || !*name)
			name = attribute(attributes, "addr") ?: "[unknown]";
		frame = text_frame(x->s, TEXT_PLAIN, name, strlen(name));
		*map_at(&x->ids[KIND_FRAME], id, 0) = frame + 1;
	}
	str_add(&x->frames, (const char *)&frame, sizeof(frame));
}

static void begin_stack(struct xctrace *x, const char **attributes)
{
	uint64_t ref = number_attribute(attributes, "ref");

	if (ref) {
		x->stack = referred(x, KIND_STACK, ref);
		return;
	}
	x->in_stack = true;
	x->stack_id = number_attribute(attributes, "id");
	str_clear(&x->frames);
}

static bool is_weight(const char *element)
{
	return !strcmp(element, "weight") || !strcmp(element, "cycle-weight");
}

static void XMLCALL begin(void *argument, const char *element, const char **attributes)
{
	struct xctrace *x = argument;
	uint64_t ref = number_attribute(attributes, "ref"), id = number_attribute(attributes, "id");

	if (!strcmp(element, "row")) {
		x->in_row = true;
		x->stack = x->thread = x->weight = 0;
		x->has_weight = x->in_cycles = false;
	} else if (!x->in_row) {
		return;
	} else if (!strcmp(element, "backtrace")) {
		begin_stack(x, attributes);
	} else if (!strcmp(element, "tagged-backtrace")) {
		x->tagged_id = ref ? 0 : id;
		x->stack = ref ? referred(x, KIND_TAGGED, ref) : 0;
	} else if (!strcmp(element, "frame") && x->in_stack) {
		begin_frame(x, attributes);
	} else if (!strcmp(element, "thread")) {
		x->thread = ref ? referred(x, KIND_THREAD, ref) : add_thread(x, attributes);
		if (!ref)
			*map_at(&x->ids[KIND_THREAD], id, 0) = x->thread;
	} else if (is_weight(element)) {
		x->has_weight = true;
		x->in_cycles = *element == 'c';
		x->in_weight = !ref;
		x->weight_id = id;
		x->weight = ref ? referred(x, KIND_WEIGHT, ref) : 0;
		str_clear(&x->content);
	}
}

static void end_stack(struct xctrace *x)
{
	uint32_t *frames = (uint32_t *)(void *)x->frames.buf;
	size_t count = x->frames.len / sizeof(*frames);

	x->stacks = xgrow(x->stacks, &x->stack_cap, x->stack_count + 1, sizeof(*x->stacks));
	x->stacks[x->stack_count++] = text_stack_leaf_first(x->s, frames, count);
	x->stack = (uint32_t)x->stack_count;
	*map_at(&x->ids[KIND_STACK], x->stack_id, 0) = x->stack;
	x->in_stack = false;
}

static void end_weight(struct xctrace *x)
{
	x->weights = xgrow(x->weights, &x->weight_cap, x->weight_count + 1, sizeof(*x->weights));
	x->weights[x->weight_count++] = strtoull(str_text(&x->content), NULL, 10);
	x->weight = (uint32_t)x->weight_count;
	*map_at(&x->ids[KIND_WEIGHT], x->weight_id, 0) = x->weight;
	x->in_weight = false;
}

static void end_row(struct xctrace *x)
{
	struct text_labels labels = TEXT_NO_LABELS;
	struct text_value value;
	const char *unit;

	x->in_row = x->in_stack = x->in_weight = false;
	if (!x->stack || (x->has_weight && !x->weight)) {
		wrong(x, x->stack ? "a row without a weight" : "a row without a backtrace");
		return;
	}
	if (x->thread) {
		labels.comm = x->threads[x->thread - 1].comm;
		labels.pid = x->threads[x->thread - 1].pid;
		labels.tid = x->threads[x->thread - 1].tid;
		labels_complete(&labels);
	}
	unit = !x->has_weight ? "samples" : x->in_cycles ? "cycles" : "ns";
	labels.unit = text_name(x->s, unit, strlen(unit));
	value = (struct text_value){ x->has_weight ? x->weights[x->weight - 1] : 1, 0 };
	fold_add_text(x->s, &(struct text_sample){ .values = &value,
						   .stack = x->stacks[x->stack - 1],
						   .labels = text_label(x->s, &labels) });
}

static void XMLCALL end(void *argument, const char *element)
{
	struct xctrace *x = argument;

	if (!strcmp(element, "row"))
		end_row(x);
	else if (!strcmp(element, "backtrace") && x->in_stack)
		end_stack(x);
	else if (!strcmp(element, "tagged-backtrace") && x->in_row && x->stack && x->tagged_id)
		*map_at(&x->ids[KIND_TAGGED], x->tagged_id, 0) = x->stack;
	else if (is_weight(element) && x->in_weight)
		end_weight(x);
}

static void XMLCALL content(void *argument, const char *text, int len)
{
	struct xctrace *x = argument;

	if (x->in_weight)
		str_add(&x->content, text, (size_t)len);
}

/* Expat expands no entities of other files by itself, and bounds how much those of this one may expand to. */
static void parse(const struct text_part *part)
{
	enum { STEP_BYTES = 1 << 20 };
	static const XML_Memory_Handling_Suite memory = { xmalloc, xrealloc, free };
	struct xctrace x = { .s = part->out, .parser = XML_ParserCreate_MM(NULL, &memory, NULL), .text = part->text };
	enum XML_Status status = XML_STATUS_OK;

	XML_SetUserData(x.parser, &x);
	XML_SetElementHandler(x.parser, begin, end);
	XML_SetCharacterDataHandler(x.parser, content);
	for (size_t at = 0; at < part->len && status == XML_STATUS_OK; at += STEP_BYTES) {
		size_t left = part->len - at, step = left < STEP_BYTES ? left : STEP_BYTES;

		status = XML_Parse(x.parser, part->text + at, (int)step, step == left);
	}
	if (status != XML_STATUS_OK)
		wrong(&x, "XML that is damaged, or ends here");
	XML_ParserFree(x.parser);
	for (size_t i = 0; i < sizeof(x.ids) / sizeof(*x.ids); i++)
		map_free(&x.ids[i]);
	free(x.stacks);
	free(x.threads);
	free(x.weights);
	str_free(&x.frames);
	str_free(&x.content);
}

static enum sniffed sniff(const char *text, size_t len)
{
	static const char root[] = "<trace-query-result";
	enum { LOOKED_AT = 4096 };

	return memmem(text, len < LOOKED_AT ? len : LOOKED_AT, root, strlen(root)) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format xctrace_format = {
	.name = "xctrace",
	.holds = "stacks and values",
	.wanted = "'<row>...</row>'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS,
	.sniff = sniff,
	.parse = parse,
};
