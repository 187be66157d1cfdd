#include "render/lanes/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "render/encoding/decode.h"
#include "render/encoding/unfold.h"
#include "render/profile/sample.h"

static const char ID[] = "lanes", DAMAGED[] = "its data is damaged";

enum { FLUSH_BYTES = 256 << 10 };

struct unfolded_lane {
	struct str stack, unit;
	uint64_t decimals;
};

struct unfolded_point {
	uint64_t time_ns, value;
	size_t lane, number;
};

struct unfolder {
	struct json data;
	struct unfolded_lane *lanes;
	size_t lane_count, lane_cap;
	struct unfolded_point *points;
	size_t count, cap;
};

bool lanes_is_in(const char *svg, size_t len)
{
	struct str text = { 0 };
	bool found = decode_text(&text, svg, len, ID);

	str_free(&text);
	return found;
}

/* ---- reading ---- */

/* ["lane;memory;free","bytes",0,...] */
static const char *lanes_unfold_read_lane(struct unfolder *u, struct json item)
{
	struct unfolded_lane *lane;
	struct str text = { 0 };
	struct json value;
	bool right;

	u->lanes = xgrow(u->lanes, &u->lane_cap, u->lane_count + 1, sizeof(*u->lanes));
	lane = &u->lanes[u->lane_count++];
	*lane = (struct unfolded_lane){ 0 };
	right = json_next_item(&item, &value) && json_text(value, &text);
	if (right) {
		unfold_frames(&lane->stack, str_text(&text), text.len);
		unfold_end_frames(&lane->stack, 0);
	}
	right = right && json_next_item(&item, &value) && json_text(value, &text);
	if (right && text.len)
		unfold_frame(&lane->unit, text.buf, text.len);
	right = right && json_next_item(&item, &value) && json_u64(value, &lane->decimals) &&
		lane->decimals <= SAMPLE_DECIMALS_MAX;
	str_free(&text);
	return right ? NULL : DAMAGED;
}

static const char *read_lanes(struct unfolder *u)
{
	struct json list = json_member(u->data, "lanes"), item;
	const char *wrong = NULL;

	while (!wrong && json_next_item(&list, &item))
		wrong = lanes_unfold_read_lane(u, item);
	return wrong;
}

static bool lanes_unfold_take_number(const char **at, const char *end, uint64_t *n)
{
	const char *from = *at;

	*n = 0;
	for (; *at < end && **at >= '0' && **at <= '9'; (*at)++) {
		if (__builtin_mul_overflow(*n, 10, n) || __builtin_add_overflow(*n, (uint64_t)(**at - '0'), n))
			return false;
	}
	if (*at == from || (*at < end && **at != ' '))
		return false;
	*at += *at < end;
	return true;
}

/* "0 8192 10000000 4096" */
static const char *read_points(struct unfolder *u, size_t lane, uint64_t start_ns, const char *at, const char *end)
{
	uint64_t time_ns = start_ns, more_ns, value;

	while (at < end) {
		if (!lanes_unfold_take_number(&at, end, &more_ns) || !lanes_unfold_take_number(&at, end, &value) ||
		    __builtin_add_overflow(time_ns, more_ns, &time_ns))
			return DAMAGED;
		u->points = xgrow(u->points, &u->cap, u->count + 1, sizeof(*u->points));
		u->points[u->count] = (struct unfolded_point){ time_ns, value, lane, u->count };
		u->count++;
	}
	return NULL;
}

static const char *lanes_unfold_read_data(struct unfolder *u, uint64_t start_ns, const struct str *data)
{
	const char *at = str_text(data), *end = at + data->len, *wrong = NULL;

	for (size_t lane = 0; !wrong && lane < u->lane_count && at < end; lane++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		newline = newline ? newline : end;
		wrong = read_points(u, lane, start_ns, at, newline);
		at = newline + 1;
	}
	return wrong;
}

/* ---- writing ---- */

static void lanes_unfold_add_header(const struct unfolder *u, struct str *out)
{
	unfold_header(out, json_member(u->data, "source"));
	for (size_t i = 0; i < u->lane_count; i++) {
		const struct unfolded_lane *lane = &u->lanes[i];

		if (lane->unit.len)
			str_addf(out, FOLDED_LANE_HEADER FOLDED_LANE_UNIT "=%s " FOLDED_LANE_NAME "=%s\n",
				 lane->unit.buf, str_text(&lane->stack));
	}
}

/* Sorts lines as collapse does: by time, and then by text. */
static int lanes_unfold_by_time(const void *a, const void *b, void *unfolder)
{
	const struct unfolded_lane *lanes = ((const struct unfolder *)unfolder)->lanes;
	const struct unfolded_point *x = a, *y = b;
	int order;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	order = strcmp(str_text(&lanes[x->lane].stack), str_text(&lanes[y->lane].stack));
	if (order)
		return order;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void lanes_unfold_write_lines(struct unfolder *u, struct str *text, FILE *out)
{
	if (u->count)
		qsort_r(u->points, u->count, sizeof(*u->points), lanes_unfold_by_time, u);
	for (size_t i = 0; i < u->count; i++) {
		const struct unfolded_point *p = &u->points[i];
		const struct unfolded_lane *lane = &u->lanes[p->lane];

		str_addc(text, '@');
		wallclock_add_seconds(text, p->time_ns);
		str_addc(text, ' ');
		str_add(text, str_text(&lane->stack), lane->stack.len);
		unfold_value(text, p->value, (unsigned)lane->decimals);
		str_addc(text, '\n');
		if (text->len < FLUSH_BYTES)
			continue;
		fwrite(text->buf, 1, text->len, out);
		str_clear(text);
	}
	fwrite(str_text(text), 1, text->len, out);
}

static void lanes_unfold_free_all(struct unfolder *u)
{
	for (size_t i = 0; i < u->lane_count; i++) {
		str_free(&u->lanes[i].stack);
		str_free(&u->lanes[i].unit);
	}
	free(u->lanes);
	free(u->points);
}

int lanes_unfold(FILE *out, const char *svg, size_t len, const char *path)
{
	return lanes_unfold_data(out, svg, len, path, ID);
}

int lanes_unfold_data(FILE *out, const char *svg, size_t len, const char *path, const char *id)
{
	struct str settings = { 0 }, data = { 0 }, text = { 0 };
	struct unfolder u = { 0 };
	uint64_t start_ns = 0;
	const char *wrong;

	decode_text(&settings, svg, len, id);
	decode_text(&data, svg, len, "lanes-data");
	u.data = json_make(str_text(&settings), settings.len);
	wrong = json_u64(json_member(u.data, "start"), &start_ns) ? read_lanes(&u) : DAMAGED;
	if (!wrong)
		wrong = lanes_unfold_read_data(&u, start_ns, &data);
	if (!wrong) {
		lanes_unfold_add_header(&u, &text);
		lanes_unfold_write_lines(&u, &text, out);
	}
	lanes_unfold_free_all(&u);
	str_free(&settings);
	str_free(&data);
	str_free(&text);
	return wrong ? error("%s: %s", path, wrong) : 0;
}
