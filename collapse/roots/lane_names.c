#include "collapse/roots/lane_names.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame.h"
#include "collapse/perfdata/recorded.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/memory.h"

void lane_names_read(struct lane_names *l, const struct perfdata *d)
{
	struct section_lines lines;
	const char *text, *blank;
	size_t len;

	section_lines_init(&lines, d, RECORDING_LANES);
	while (section_next_line(&lines, &text, &len)) {
		uint64_t number;

		if (!field_number(&text, &len, 10, &number) || number != l->count || !len)
			return; /* damaged: numbers would lead astray */
		blank = memchr(text, ' ', len);
		if (!blank || blank == text)
			return;
		l->list = xgrow(l->list, &l->cap, l->count + 1, sizeof(*l->list));
		l->list[l->count++] = (struct lane_name){
			.unit = text,
			.unit_len = (size_t)(blank - text),
			.name = blank + 1,
			.len = len - (size_t)(blank + 1 - text),
		};
	}
}

size_t lane_names_add(struct lane_names *l, const char *unit, const char *name)
{
	l->list = xgrow(l->list, &l->cap, l->count + 1, sizeof(*l->list));
	l->list[l->count] = (struct lane_name){ unit, name, strlen(unit), strlen(name) };
	return l->count++;
}

void lane_name_add(const struct lane_name *name, struct str *out)
{
	const char *at = name->name, *end = at + name->len;

	while (at <= end) {
		const char *next = at < end ? memchr(at, ';', (size_t)(end - at)) : NULL;

		next = next ? next : end;
		str_addc(out, ';');
		frame_add(out, at, (size_t)(next - at));
		at = next + 1;
	}
}

void lane_names_comments(const struct lane_names *l, struct str *out)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct lane_name *name = &l->list[i];

		if (name->unit_len == 1 && *name->unit == '-')
			continue;
		str_puts(out, FOLDED_LANE_HEADER FOLDED_LANE_UNIT "=");
		frame_add(out, name->unit, name->unit_len);
		str_puts(out, " " FOLDED_LANE_NAME "=" FOLDED_LANE);
		lane_name_add(name, out);
		str_addc(out, '\n');
	}
}

void lane_names_free(struct lane_names *l)
{
	free(l->list);
	*l = (struct lane_names){ 0 };
}
