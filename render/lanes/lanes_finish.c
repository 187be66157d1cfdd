/* Puts the points of lanes in order, finds the window, and which lane is the limit of which. */
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "render/drawing/common_options.h"
#include "render/lanes/lanes.h"
#include "render/profile/sample.h"
#include "render/profile/strays.h"

/* 1980: earlier times are not of a wall clock. */
static const uint64_t EPOCH_LEAST_NS = 10ull * 366 * 86400 * NS_PER_SEC;
/* What a script can count exactly. */
static const uint64_t WINDOW_MOST_NS = 9000000000000000ull;

/* ---- the window ---- */

static bool lanes_finish_header_time(const struct lanes *l, const char *key, uint64_t *ns)
{
	const char *text = source_get(&l->source, key);
	struct instant when;

	if (!text || !instant_parse(text, &when) || when.kind != INSTANT_EPOCH)
		return false;
	*ns = when.ns;
	return true;
}

static void lanes_leave_strays(struct lanes *l)
{
	struct strays strays = { 0 };
	uint64_t from_ns, to_ns;
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++)
		strays_see(&strays, l->points[i].time_ns);
	if (!strays_leave(&strays, "values", &l->source, &from_ns, &to_ns))
		return;
	for (size_t i = 0; i < l->count; i++) {
		if (l->points[i].time_ns >= from_ns && l->points[i].time_ns < to_ns)
			l->points[kept++] = l->points[i];
	}
	l->count = kept;
}

static void lanes_finish_find_window(struct lanes *l)
{
	bool known = lanes_finish_header_time(l, FOLDED_FROM, &l->start_ns) &&
		     lanes_finish_header_time(l, FOLDED_TO, &l->end_ns) && l->start_ns < l->end_ns;

	if (!known) {
		l->start_ns = UINT64_MAX;
		l->end_ns = 0;
	}
	for (size_t i = 0; i < l->count; i++) {
		uint64_t ns = l->points[i].time_ns;

		l->start_ns = ns < l->start_ns ? ns : l->start_ns;
		l->end_ns = ns >= l->end_ns ? ns + 1 : l->end_ns;
	}
	l->relative = source_get(&l->source, FOLDED_CLOCK) || l->start_ns < EPOCH_LEAST_NS;
}

/* What a lane had before the window it has at its beginning. */
static void cut_points(struct lanes *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct lanes_point p = l->points[i];
		bool is_last_before = p.time_ns < l->start_ns &&
				      (i + 1 == l->count || l->points[i + 1].lane != p.lane ||
				       l->points[i + 1].time_ns > l->start_ns) &&
				      (l->lanes[p.lane].is_silent || l->start_ns - p.time_ns < LANES_KNOWN_NS) &&
				      !l->lanes[p.lane].is_event;

		if (p.time_ns >= l->end_ns || (p.time_ns < l->start_ns && !is_last_before))
			continue;
		p.time_ns = is_last_before ? l->start_ns : p.time_ns;
		l->points[kept++] = p;
	}
	l->count = kept;
}

static const char *set_window(struct lanes *l, uint64_t start_ns, uint64_t end_ns)
{
	if (start_ns >= end_ns)
		return "--from is not before --to";
	if (end_ns - start_ns > WINDOW_MOST_NS)
		return "the lines span more than 104 days: give --from, --to";
	l->start_ns = start_ns;
	l->end_ns = end_ns;
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

/* The lane of the same name but for its last frame; LANES_NONE if it has no values. */
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

/* All that comes before the window is known. */
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

const char *lanes_finish(struct lanes *l, const char *from_text, const char *to_text)
{
	struct instant from = wanted_instant(from_text, "--from"), to = wanted_instant(to_text, "--to");
	const char *wrong = lanes_finish_begin(l);

	if (wrong)
		return wrong;
	if (!from_text && !to_text)
		lanes_leave_strays(l);
	lanes_finish_find_window(l);
	return lanes_finish_end(l,
				set_window(l, from_text ? instant_resolve(&from, l->start_ns, l->end_ns) : l->start_ns,
					   to_text ? instant_resolve(&to, l->start_ns, l->end_ns) : l->end_ns));
}

const char *lanes_finish_between(struct lanes *l, uint64_t start_ns, uint64_t end_ns, bool relative)
{
	const char *wrong = lanes_finish_begin(l);

	l->relative = relative;
	return wrong ? wrong : lanes_finish_end(l, set_window(l, start_ns, end_ns));
}
