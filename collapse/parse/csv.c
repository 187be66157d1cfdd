#include "collapse/parse/csv.h"

/* The place of the quote that closes the field; line.text is at the first quote.  A doubled quote stands for a
 * quote. */
static size_t closing_quote(struct text_span line, bool *doubled)
{
	size_t i = 1;

	*doubled = false;
	for (; i < line.len; i++) {
		if (line.text[i] != '"')
			continue;
		if (i + 1 == line.len || line.text[i + 1] != '"')
			break;
		*doubled = true;
		i++;
	}
	return i;
}

bool csv_field(struct text_span *line, struct text_span *field, struct str *buffer)
{
	size_t indent = span_indent(*line), end, comma;
	struct text_span quoted = span_after(*line, indent);
	bool doubled;

	if (!line->text || !line->len)
		return false;
	if (!span_begins(quoted, "\"")) {
		comma = span_find(*line, ",");
		*field = (struct text_span){ line->text, comma };
		*line = span_after(*line, comma + (comma < line->len));
		return true;
	}
	end = closing_quote(quoted, &doubled);
	*field = (struct text_span){ quoted.text + 1, end - 1 };
	if (doubled || indent) {
		str_clear(buffer);
		str_add(buffer, line->text, indent);
		for (size_t i = 0; i < field->len; i++) {
			str_addc(buffer, field->text[i]);
			i += field->text[i] == '"' && i + 1 < field->len && field->text[i + 1] == '"';
		}
		*field = (struct text_span){ buffer->buf, buffer->len };
	}
	*line = span_after(quoted, end);
	comma = span_find(*line, ",");
	*line = span_after(*line, comma + (comma < line->len));
	return true;
}

bool csv_value(struct text_stacks *s, struct text_span field, const char *at, struct text_value *value)
{
	char digits[64];
	size_t count = 0, left;
	const char *start = digits, *wrong = "no value";

	field = span_trim(field);
	for (size_t i = 0; i < field.len && count < sizeof(digits); i++) {
		if (field.text[i] != ',')
			digits[count++] = field.text[i];
	}
	left = count;
	if (count < sizeof(digits) && text_value_read(s, &start, &left, value, &wrong) && !left)
		return true;
	text_wrong(s, at, left < count ? "no value" : wrong);
	return false;
}
