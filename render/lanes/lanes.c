#include "render/lanes/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
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

	if (lane->decimals && strcmp(lane->unit, "ns") && strcmp(lane->unit, "bytes")) {
		quantity_add(out, value, decimal_shift(1, lane->decimals));
		str_addf(out, " %s", lane->unit);
	} else {
		value_add(out, value, &(struct unit){ lane->unit, lane->decimals, 1 });
	}
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

/* ---- all were read ---- */

/* Sorts the points of lanes, finds the window, and the lane that is the limit of another. */

/* ---- the window ---- */

static void lanes_find_window(struct lanes *l)
{
	rows_window_begin(&l->in, FOLDED_FROM, FOLDED_TO);
	for (size_t i = 0; i < l->count; i++)
		rows_window_widen(&l->in, l->points[i].time_ns, l->points[i].time_ns + 1);
	rows_window_end(&l->in);
}

/* The last value before the window holds at its beginning. */
static void cut_points(struct lanes *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct lanes_point p = l->points[i];
		bool is_last_before = p.time_ns < l->in.start_ns &&
				      (i + 1 == l->count || l->points[i + 1].lane != p.lane ||
				       l->points[i + 1].time_ns > l->in.start_ns) &&
				      (l->lanes[p.lane].is_silent || l->in.start_ns - p.time_ns < LANES_KNOWN_NS) &&
				      !l->lanes[p.lane].is_event;

		if (p.time_ns >= l->in.end_ns || (p.time_ns < l->in.start_ns && !is_last_before))
			continue;
		p.time_ns = is_last_before ? l->in.start_ns : p.time_ns;
		l->points[kept++] = p;
	}
	l->count = kept;
}

static const char *set_window(struct lanes *l, uint64_t start_ns, uint64_t end_ns)
{
	l->in.start_ns = start_ns;
	l->in.end_ns = end_ns;
	cut_points(l);
	return l->count ? NULL : "nothing was recorded in that time";
}

/* ---- points ---- */

static int lanes_finish_by_lane_and_time(const void *a, const void *b)
{
	const struct lanes_point *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void lanes_finish_sum_up(struct lanes *l)
{
	for (size_t i = 0; i < l->names.count; i++) {
		l->lanes[i].name = intern_text(&l->names, (uint32_t)i);
		l->lanes[i].count = l->lanes[i].decimals = 0;
	}
	for (size_t i = 0; i < l->count; i++) {
		struct lanes_lane *lane = &l->lanes[l->points[i].lane];

		if (!lane->count++)
			lane->first = i;
		lane->decimals = l->points[i].decimals > lane->decimals ? l->points[i].decimals : lane->decimals;
	}
	for (size_t i = 0; i < l->count; i++) {
		struct lanes_point *p = &l->points[i];
		struct lanes_lane *lane = &l->lanes[p->lane];

		p->value = decimal_shift(p->value, lane->decimals - p->decimals);
		p->decimals = lane->decimals;
		lane->least = i == lane->first || p->value < lane->least ? p->value : lane->least;
		lane->most = i == lane->first || p->value > lane->most ? p->value : lane->most;
	}
}

/* ---- what belongs together ---- */

/* The lane whose name differs only in its last frame; LANES_NONE if that lane has no values. */
static int sibling(const struct lanes *l, const char *name, const char *frame)
{
	const char *last = strrchr(name, ';');
	struct str other = { 0 };
	uint32_t number;

	if (!last)
		return LANES_NONE;
	str_add(&other, name, (size_t)(last + 1 - name));
	str_puts(&other, frame);
	number = intern_find(&l->names, other.buf, other.len);
	str_free(&other);
	return number == UINT32_MAX || !l->lanes[number].count ? LANES_NONE : (int)number;
}

static const char *last_frame(const char *name)
{
	const char *last = strrchr(name, ';');

	return last ? last + 1 : name;
}

static void find_kinds(struct lanes *l)
{
	for (size_t i = 0; i < l->names.count; i++) {
		struct lanes_lane *lane = &l->lanes[i];

		lane->name = intern_text(&l->names, (uint32_t)i);
		lane->is_event = !strcmp(last_frame(lane->name), "drops");
		lane->is_silent =
			strncmp(lane->name, FOLDED_LANE ";", 5) || !strncmp(lane->name, FOLDED_LANE ";csv;", 9);
	}
}

static void lanes_finish_join(struct lanes *l)
{
	for (size_t i = 0; i < l->names.count; i++) {
		struct lanes_lane *lane = &l->lanes[i];
		const char *frame = last_frame(lane->name);
		bool is_depth = !strcmp(frame, "depth");

		if (!lane->count || (!is_depth && strcmp(frame, "accept-queue")))
			continue;
		lane->limit = sibling(l, lane->name, is_depth ? "limit" : "accept-limit");
		if (lane->limit != LANES_NONE && (strcmp(l->lanes[lane->limit].unit, lane->unit) ||
						  l->lanes[lane->limit].decimals != lane->decimals))
			lane->limit = LANES_NONE;
		if (lane->limit != LANES_NONE)
			l->lanes[lane->limit].is_limit = true;
		lane->drops = is_depth ? sibling(l, lane->name, "drops") : LANES_NONE;
	}
}

/* Everything before the window is known. */
static const char *lanes_finish_begin(struct lanes *l)
{
	if (!l->count)
		return l->untimed_lines ? "the lines have no times: pyrograph collapse --lanes" : "no line is left";
	qsort(l->points, l->count, sizeof(*l->points), lanes_finish_by_lane_and_time);
	find_kinds(l);
	return NULL;
}

static const char *lanes_finish_end(struct lanes *l, const char *wrong)
{
	if (wrong)
		return wrong;
	lanes_finish_sum_up(l);
	lanes_finish_join(l);
	return NULL;
}

const char *lanes_finish(struct lanes *l, const char *from, const char *to)
{
	const char *wrong = lanes_finish_begin(l);
	uint64_t start, end;

	if (wrong)
		return wrong;
	if (!from && !to)
		l->count = rows_leave_strays(&l->in, "values", l->points, l->count, sizeof(*l->points));
	lanes_find_window(l);
	wrong = rows_window_part(&l->in, from, to, &start, &end);
	return lanes_finish_end(l, wrong ? wrong : set_window(l, start, end));
}

const char *lanes_finish_between(struct lanes *l, uint64_t start_ns, uint64_t end_ns, bool relative)
{
	const char *wrong = lanes_finish_begin(l);

	l->in.start_ns = start_ns;
	l->in.end_ns = end_ns;
	l->in.relative = relative;
	if (!wrong)
		wrong = rows_window_part(&l->in, NULL, NULL, &start_ns, &end_ns);
	return lanes_finish_end(l, wrong ? wrong : set_window(l, start_ns, end_ns));
}
