#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/lanes/lanes.h"
#include "render/profile/line.h"
#include "render/profile/number.h"
#include "render/profile/sample.h"

enum { LANES_MOST = 10000 };

static struct lanes_lane *find_lane(struct lanes *l, const char *name, size_t len)
{
	size_t before = l->names.count;
	uint32_t number;

	if (before >= LANES_MOST && intern_find(&l->names, name, len) == UINT32_MAX)
		return NULL;
	number = intern_add(&l->names, name, len);
	if (l->names.count > before) {
		l->lanes = xgrow(l->lanes, &l->lane_cap, l->names.count, sizeof(*l->lanes));
		l->lanes[number] = (struct lanes_lane){ .unit = xstrdup(""), .limit = LANES_NONE, .drops = LANES_NONE };
	}
	return &l->lanes[number];
}

/* # lane: unit=bytes name=lane;memory;free */
static bool lanes_read_take_unit(struct lanes *l, const char *line, size_t len)
{
	static const char head[] = FOLDED_LANE_HEADER FOLDED_LANE_UNIT "=", mark[] = " " FOLDED_LANE_NAME "=";
	const char *end = line + len, *unit = line + strlen(head), *name;
	struct lanes_lane *lane;

	if (!text_begins(line, len, head))
		return false;
	name = memmem(unit, (size_t)(end - unit), mark, strlen(mark));
	if (!name || name + strlen(mark) == end)
		return true;
	lane = find_lane(l, name + strlen(mark), (size_t)(end - name) - strlen(mark));
	if (lane) {
		free(lane->unit);
		lane->unit = xstrndup(unit, (size_t)(name - unit));
	}
	return true;
}

static const char *lanes_read_take_sample(struct lanes *l, const struct sample_line *s)
{
	struct lanes_lane *lane;

	if (!s->timed) {
		l->untimed_lines++;
		return NULL;
	}
	if (s->time_ns == UINT64_MAX)
		return sample_late;
	lane = find_lane(l, s->stack, s->stack_len);
	if (!lane)
		return "more lanes than can be drawn";
	l->points = xgrow(l->points, &l->cap, l->count + 1, sizeof(*l->points));
	l->points[l->count] =
		(struct lanes_point){ s->time_ns, s->value, (uint32_t)(lane - l->lanes), s->decimals, l->count };
	l->count++;
	return NULL;
}

const char *lanes_line(struct lanes *l, const struct line_filter *f, const char *line, size_t len)
{
	enum rows_line what = rows_line(&l->in, f, line, len);
	struct sample_line s;
	const char *wrong;

	if (what == ROWS_COMMENT && !lanes_read_take_unit(l, line, len))
		source_read(&l->in.source, line, len);
	if (what != ROWS_SAMPLE)
		return NULL;
	wrong = sample_parse_one(&s, line, len);
	return wrong ? wrong : lanes_read_take_sample(l, &s);
}

static const char *lanes_read_take_line(void *l, const struct line_filter *f, const char *line, size_t len)
{
	return lanes_line(l, f, line, len);
}

int lanes_read(struct lanes *l, const char *path, const struct line_filter *filter)
{
	return rows_read(&l->in, path, filter, lanes_read_take_line, l);
}

/* ---- words ---- */

void lanes_name_add(struct str *out, const struct lanes_lane *lane)
{
	const char *name = lane->name, *root = FOLDED_LANE ";";

	if (text_begins(name, strlen(name), root))
		name += strlen(root);
	for (; *name; name++)
		str_addc(out, *name == ';' ? ' ' : *name);
}

void lanes_value_add(struct str *out, const struct lanes_lane *lane, uint64_t value)
{
	size_t before = out->len;

	value_add(out, value, &(struct unit){ lane->unit, lane->decimals, 1 });
	if (!*lane->unit && out->len > before && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
}

void lanes_free(struct lanes *l)
{
	for (size_t i = 0; i < l->names.count; i++)
		free(l->lanes[i].unit);
	source_free(&l->in.source);
	intern_free(&l->names);
	free(l->lanes);
	free(l->points);
	*l = (struct lanes){ 0 };
}
