#include "collapse/parse/source_line.h"

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
