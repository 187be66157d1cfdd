#include "collapse/parse/source_line.h"

#include <string.h>

struct text_span source_line_base(struct text_span path)
{
	size_t slash = span_last(path, '/');

	return slash + 1 < path.len ? span_after(path, slash + 1) : path;
}

void source_line_split(struct text_span source, struct text_span *file, struct text_span *line)
{
	size_t colon = span_last(source, ':');

	*file = source;
	*line = (struct text_span){ source.text, 0 };
	if (colon < source.len && span_is_digits(span_after(source, colon + 1))) {
		file->len = colon;
		*line = span_after(source, colon + 1);
	}
}

void source_line_add(struct stack_builder *b, enum text_kind kind, struct text_span name, struct text_span file,
		     struct text_span line)
{
	struct text_span base = source_line_base(file);
	struct str text = { 0 };

	if (!b->out->setup->lines || !base.len || !span_is_digits(line) || span_is(line, "0")) {
		stack_builder_add(b, kind, name);
		return;
	}
	str_add(&text, name.text, name.len);
	str_addc(&text, ':');
	str_add(&text, base.text, base.len);
	str_addc(&text, ':');
	str_add(&text, line.text, line.len);
	stack_builder_add(b, kind, (struct text_span){ text.buf, text.len });
	str_free(&text);
}
