#include "collapse/parse/stack_builder.h"

#include <stdlib.h>

#include "collapse/frames/java_name.h"
#include "collapse/parse/function_name.h"
#include "core/memory.h"

void stack_builder_add_number(struct stack_builder *b, uint32_t frame)
{
	b->frames = xgrow(b->frames, &b->cap, b->count + 1, sizeof(*b->frames));
	b->frames[b->count++] = frame;
}

void stack_builder_add(struct stack_builder *b, enum text_kind kind, struct text_span frame)
{
	stack_builder_add_number(b, text_frame(b->out, kind, frame.text, frame.len));
}

#define SEVERAL UINT32_MAX /* limit on frames of a line that is remembered; a line with more is parsed each time */

bool stack_builder_add_known(struct stack_builder *b, struct text_span line, uint32_t *known)
{
	uint32_t frame;

	if (!text_known(b->out, line.text, line.len, &frame, known) || frame == SEVERAL)
		return false;
	stack_builder_add_number(b, frame);
	return true;
}

void stack_builder_learn(struct stack_builder *b, uint32_t known, size_t before)
{
	text_is(b->out, known, b->count == before + 1 ? b->frames[before] : SEVERAL);
}

void stack_builder_add_function_of(struct stack_builder *b, enum text_kind kind, struct text_span module,
				   struct text_span name)
{
	if (java_name_is_chain(name)) {
		for (size_t i = name.len - 1; i-- > 0;) {
			if (!span_begins(span_after(name, i), "->"))
				continue;
			stack_builder_add(b, TEXT_INLINED, function_name_clean(span_after(name, i + 2), &b->name));
			name.len = i;
		}
	}
	name = function_name_clean(name, &b->name);
	if (module.len) {
		str_clear(&b->frame);
		str_add(&b->frame, module.text, module.len);
		str_add(&b->frame, name.text, name.len);
		name = (struct text_span){ b->frame.buf, b->frame.len };
	}
	stack_builder_add(b, kind, name);
}

void stack_builder_add_function(struct stack_builder *b, enum text_kind kind, struct text_span name)
{
	stack_builder_add_function_of(b, kind, (struct text_span){ name.text, 0 }, name);
}

void stack_builder_add_module(struct stack_builder *b, enum text_kind kind, struct text_span path)
{
	size_t slash = span_last(path, '/');
	struct str name = { 0 };

	if (slash < path.len)
		path = span_after(path, slash + 1);
	str_addc(&name, '[');
	str_add(&name, path.text, path.len);
	str_addc(&name, ']');
	stack_builder_add(b, kind, (struct text_span){ name.buf, name.len });
	str_free(&name);
}

uint32_t stack_builder_end(struct stack_builder *b, enum stack_order order)
{
	uint32_t stack = order == LEAF_FIRST ? text_stack_leaf_first(b->out, b->frames, b->count)
					     : text_stack(b->out, b->frames, b->count);

	b->count = 0;
	return stack;
}

void stack_sample(struct text_stacks *s, uint32_t stack, const struct text_value *value,
		  const struct text_labels *labels)
{
	struct text_sample sample = { .values = value, .stack = stack, .labels = text_label(s, labels) };

	fold_add_text(s, &sample);
}

void stack_builder_sample(struct stack_builder *b, enum stack_order order, const struct text_value *value,
			  const struct text_labels *labels)
{
	if (!b->count && labels->comm == TEXT_NO_NAME)
		stack_builder_add(b, TEXT_PLAIN, (struct text_span){ "[unknown]", strlen("[unknown]") });
	stack_sample(b->out, stack_builder_end(b, order), value, labels);
}

void stack_builder_sample_once(struct stack_builder *b, enum stack_order order, const struct text_labels *labels)
{
	stack_builder_sample(b, order, &(struct text_value){ .whole = 1 }, labels);
}

void stack_builder_free(struct stack_builder *b)
{
	free(b->frames);
	str_free(&b->name);
	str_free(&b->frame);
	*b = (struct stack_builder){ 0 };
}

bool stack_value(struct text_stacks *s, struct text_span text, struct text_value *value)
{
	struct text_span rest = text;
	const char *wrong;

	if (text_signed_read(s, &rest.text, &rest.len, value, &wrong) && !rest.len)
		return true;
	if (span_is_digits(text))
		wrong = "a value that is too large";
	text_wrong(s, text.text, rest.len == text.len ? wrong : "no value");
	return false;
}

bool is_kernel_entry(struct text_span name)
{
	static const char *const names[] = {
		"entry_SYSCALL_64",     "entry_SYSENTER",      "entry_INT80",          "do_syscall_64",
		"ret_from_fork",        "secondary_startup",   "cpu_startup_entry",    "asm_",
		"__x86_indirect_thunk", "x86_64_start_kernel", "el0t_64_sync",         "el0_svc",
		"el1h_64_irq",          "ret_fast_syscall",    "system_call_fastpath", "sys_syscall",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (span_begins(name, names[i]))
			return true;
	}
	return false;
}

size_t split_before(const char *text, size_t len, bool (*starts)(struct text_span line))
{
	size_t end = len;

	while (end) {
		const char *newline = memrchr(text, '\n', end);
		size_t start = newline ? (size_t)(newline - text) + 1 : 0;

		if (start && start < len && starts((struct text_span){ text + start, len - start }))
			return start;
		end = start ? start - 1 : 0;
	}
	return 0;
}

size_t split_after(const char *text, size_t len, bool (*ends)(struct text_span line))
{
	const char *newline = len ? memrchr(text, '\n', len) : NULL;
	size_t end = newline ? (size_t)(newline - text) : 0;

	while (end) {
		const char *before = memrchr(text, '\n', end);
		size_t start = before ? (size_t)(before - text) + 1 : 0;
		struct text_span line = { text + start, end - start };

		if (line.len && line.text[line.len - 1] == '\r')
			line.len--;
		if (ends(line))
			return end + 1;
		end = start ? start - 1 : 0;
	}
	return 0;
}

uint32_t stack_of_lines(const struct text_part *part, const char *start, const char **next,
			bool (*is_end)(struct text_span line),
			uint32_t (*parse)(void *argument, const struct text_part *lines), void *argument)
{
	struct text_part lines = { .text = start };
	const char *after = *next;
	struct text_span line;
	uint32_t stack, known;

	while (span_line(part, &after, &line) && !is_end(line))
		*next = after;
	lines.len = (size_t)(*next - start);
	if (!text_known(part->out, lines.text, lines.len, &stack, &known)) {
		stack = parse(argument, &lines);
		text_is(part->out, known, stack);
	}
	return stack;
}

struct text_source source_line_of(struct text_span source)
{
	size_t colon = span_last(source, ':');
	struct text_span line = span_after(source, colon < source.len ? colon + 1 : colon);
	struct text_source at = { .file = source.text, .len = source.len };
	uint64_t number;

	if (!span_number(&line, UINT32_MAX, &number) || line.len)
		return at;
	at.len = colon;
	at.line = (uint32_t)number;
	return at;
}

void source_line_add(struct stack_builder *b, enum text_kind kind, struct text_span name, struct text_source at)
{
	stack_builder_add_number(b, text_frame_at(b->out, kind, name.text, name.len, at));
}
