/* macsample: the call graph that macOS' sample(1) prints.
 *
 *     Analysis of sampling rg (pid 64751) every 1 millisecond
 *     Call graph:
 *         5130 Thread_8749954   DispatchQueue_1: com.apple.main-thread  (serial)
 *         + 5130 start_wqthread  (in libsystem_pthread.dylib) + 15  [0x7fff737cf3d5]
 *         +   ! 4282 -[NSRunLoop run]  (in Foundation) + 34  [0x103a0db1e]  loop.m:12
 *         +   : 848 ???  (in rg)  load address 0x103746000 + 0x2a  [0x103a0db1e]
 *     Total number in stack (recursive counted multiple, when >=5):
 *
 * becomes
 *
 *     Thread_8749954;libsystem_pthread`start_wqthread;Foundation`-[NSRunLoop run] 4282
 *     Thread_8749954;libsystem_pthread`start_wqthread;rg`??? 848
 *
 * Numbers of samples are inclusive.  A stack whose leaf waits in the kernel has the state idle. */
#include <string.h>

#include "collapse/parse/call_tree.h"
#include "collapse/parse/format.h"
#include "collapse/parse/function_name.h"
#include "collapse/parse/stack_builder.h"

enum { INDENT = 4, STEP = 2 };

enum { IS_RUNNING, IS_IDLE };

struct graph {
	struct call_tree tree;
	struct text_labels labels; /* of the thread */
	uint32_t idle, running;
	int32_t pid;
	struct str frame, name;
};

/* Functions in which a thread waits.  Since macOS 13, messages are received with mach_msg2_trap. */
static bool macsample_is_idle(struct text_span function)
{
	static const char *const names[] = {
		"__psynch_cvwait",
		"__select",
		"__semwait_signal",
		"__ulock_wait",
		"__wait4",
		"__workq_kernreturn",
		"kevent",
		"mach_msg_trap",
		"read",
		"semaphore_wait_trap",
		"__ulock_wait2",
		"kevent64",
		"mach_msg2_trap",
		"poll",
		"semaphore_timedwait_trap",
		"__select_nocancel",
		"kevent_id",
		"mach_msg_overwrite_trap",
		"kevent_qos",
		"__semwait_signal_nocancel",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (span_is(function, names[i]))
			return true;
	}
	return false;
}

static void macsample_add_stack(struct call_tree *t, uint32_t stack, const struct call_row *leaf, uint64_t count)
{
	struct graph *g = t->user;
	struct text_sample sample = { .values = &(struct text_value){ .whole = count }, .stack = stack };

	g->labels.state = leaf->tag == IS_IDLE ? g->idle : g->running;
	sample.labels = text_label(t->out, &g->labels);
	fold_add_text(t->out, &sample);
}

/* "Thread_8749954   DispatchQueue_1: com.apple.main-thread  (serial)", "Thread_8749954: CVDisplayLink" */
static void macsample_begin_thread(struct graph *g, struct text_span text, const struct call_row *row)
{
	struct text_span number = text;
	uint64_t tid;

	call_tree_end(&g->tree);
	g->labels = TEXT_NO_LABELS;
	text.len = span_find(text, "  ");
	g->labels.comm = text_name(g->tree.out, text.text, text.len);
	g->labels.pid = g->pid;
	if (span_skip(&number, "Thread_") && span_number(&number, INT32_MAX, &tid))
		g->labels.tid = (int32_t)tid;
	g->labels.pid = g->pid < 0 ? g->labels.tid : g->pid;
	g->labels.tid = g->labels.tid < 0 ? g->labels.pid : g->labels.tid;
	call_tree_row(&g->tree, 0, 0, row);
}

/* Turn "start_wqthread  (in libsystem_pthread.dylib) + 15  [0x7fff737cf3d5]" into the frame
 * "libsystem_pthread`start_wqthread", and tell the kind of function. */
static uint32_t parse_function(struct graph *g, struct text_span text, uint32_t *tag)
{
	size_t in = span_find(text, "  (in ");
	struct text_span function = { text.text, in < text.len ? in : span_find(text, "  ") };
	struct text_span module = span_after(text, in < text.len ? in + 6 : text.len);

	module.len = span_find(module, ")");
	if (span_ends(module, ".dylib"))
		module.len -= strlen(".dylib");
	*tag = macsample_is_idle(function) ? IS_IDLE : IS_RUNNING;
	str_clear(&g->frame);
	str_add(&g->frame, module.text, module.len);
	if (module.len)
		str_addc(&g->frame, '`');
	function = function_name_clean(function, &g->name);
	str_add(&g->frame, function.text, function.len);
	return text_frame(g->tree.out, TEXT_PLAIN, str_text(&g->frame), g->frame.len);
}

/* The same line occurs below many callers, so its result is kept, with the tag in the lowest bit. */
static void take_function(struct graph *g, size_t depth, struct text_span text, struct call_row *row)
{
	uint32_t seen, known;

	if (!text_known(g->tree.out, text.text, text.len, &seen, &known)) {
		uint32_t frame = parse_function(g, text, &row->tag);

		seen = frame << 1 | row->tag;
		text_is(g->tree.out, known, seen);
	}
	row->tag = seen & 1;
	call_tree_row(&g->tree, depth, seen >> 1, row);
}

static void macsample_take_line(struct graph *g, struct text_span line)
{
	size_t at = INDENT;
	struct call_row row = { 0 };
	struct text_span rest;

	if (line.len <= INDENT || span_indent(line) < INDENT)
		return;
	while (at < line.len && strchr(" +!:|", line.text[at]) && line.text[at])
		at++;
	rest = span_after(line, at);
	row.at = rest.text;
	if (!span_number(&rest, UINT64_MAX, &row.count) || !span_skip(&rest, " ")) {
		text_wrong(g->tree.out, row.at, "no number of samples");
		return;
	}
	at -= INDENT;
	if (at % STEP)
		text_wrong(g->tree.out, row.at, "an odd indentation");
	else if (!at)
		macsample_begin_thread(g, rest, &row);
	else
		take_function(g, at / STEP, rest, &row);
}

/* "Analysis of sampling rg (pid 64751) every 1 millisecond" */
static int32_t macsample_pid_of(struct text_span line)
{
	size_t at = span_find(line, "(pid ");
	struct text_span rest = span_after(line, at < line.len ? at + 5 : at);
	uint64_t pid;

	return span_number(&rest, INT32_MAX, &pid) ? (int32_t)pid : -1;
}

/* Is it "    825 Thread_15758523", which can also begin a part? */
static bool macsample_is_thread(struct text_span line)
{
	uint64_t count;

	return span_skip(&line, "    ") && span_number(&line, UINT64_MAX, &count) && span_begins(line, " Thread_");
}

/* setup.own: the pid + 1; 0: not known */
static void macsample_begin(const char *text, size_t len, struct text_setup *setup)
{
	const struct text_part part = { .text = text, .len = len };
	const char *next = NULL;
	struct text_span line;

	if (span_line(&part, &next, &line) && span_begins(line, "Analysis of sampling "))
		setup->own = (unsigned)(macsample_pid_of(line) + 1);
}

static void macsample_parse(const struct text_part *part)
{
	bool in_graph = macsample_is_thread((struct text_span){ part->text, part->len });
	struct graph g = { .tree = { .out = part->out, .add = macsample_add_stack, .skip = 1 },
			   .labels = TEXT_NO_LABELS,
			   .idle = text_name(part->out, "idle", 4),
			   .running = text_name(part->out, "running", 7),
			   .pid = (int32_t)part->out->setup->own - 1 };
	const char *next = NULL;
	struct text_span line;

	g.tree.user = &g;
	while (span_line(part, &next, &line)) {
		if (span_begins(line, "Call graph:"))
			in_graph = true;
		else if (span_begins(line, "Total number in stack"))
			in_graph = false;
		else if (in_graph && line.len)
			macsample_take_line(&g, line);
	}
	call_tree_end(&g.tree);
	call_tree_free(&g.tree);
	str_free(&g.frame);
	str_free(&g.name);
}

static enum sniffed macsample_sniff(const char *text, size_t len)
{
	struct text_span all = { text, len };

	if (span_begins(all, "Analysis of sampling "))
		return SNIFF_SURE;
	return span_begins(all, "Call graph:\n    ") || span_has(all, "\nCall graph:\n    ") ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format macsample_format = {
	.name = "sample",
	.holds = "stacks, threads and states",
	.wanted = "'Call graph:', then lines '    + 12 function  (in module)'",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_STATES,
	.states = "running",
	.sniff = macsample_sniff,
	.begin = macsample_begin,
	.starts = macsample_is_thread,
	.parse = macsample_parse,
};
