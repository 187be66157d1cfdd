#include "render/heat/heat_draw.h"

#include <inttypes.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "render/drawing/chart_options.h"
#include "render/drawing/doubts.h"
#include "render/profile/line.h"
#include "render/profile/number.h"

/* In px.  The file has all lanes, but only as many are drawn as there is room for. */
enum { ROW_H = 46 * CPX, LABEL_H = 16 * CPX, ABOVE = 6 * CPX, MOST = 16 };

/* ---- reading ---- */

/* Add the lanes of a file that is not an input of the map, so that events in it do not count. */
static int heat_lanes_read_file(struct heat *h, const char *path)
{
	const struct heat_filter filter = { .lanes = true };
	struct heat other = { .lanes = h->lanes };
	int status = heat_read(&other, path, &filter);

	h->lanes = other.lanes;
	h->lanes.in.bad_lines += other.bad_lines + other.untimed_lines;
	if (other.event_count)
		inform("%s: left out %zu lines that are no lanes", path, other.event_count);
	other.lanes = (struct lanes){ 0 };
	heat_free(&other);
	return status;
}

int heat_lanes_read(struct heat *h, const char *path, bool is_input)
{
	if (!is_input && heat_lanes_read_file(h, path) < 0)
		return -1;
	if (h->lanes.in.bad_lines)
		warn("skipped %" PRIu64 " bad lines of lanes", h->lanes.in.bad_lines);
	if (!h->lanes.count)
		return error("%s has no lanes: 'pyrograph collapse --lanes' makes them, or any line "
			     "'@TIME lane;NAME VALUE'",
			     path);
	return 0;
}

static void keep_names(struct lanes *l, const struct text_list *only)
{
	struct regexp **res = regexps_compile(only, "--lane");
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++) {
		uint32_t lane = l->points[i].lane;

		if (line_matches(res, only->count, intern_text(&l->names, lane), intern_len(&l->names, lane)))
			l->points[kept++] = l->points[i];
	}
	l->count = kept;
	regexps_free(res, only->count);
}

/* Returns NULL, or why there is nothing to draw. */
static const char *heat_lanes_prepare(const struct heat_chart *c, struct lanes *l, const struct text_list *only)
{
	const struct heat_axes *a = &c->axes;
	bool relative = c->heat->relative;
	const char *wrong;

	if (l->in.source.count && !!source_get(&l->in.source, FOLDED_CLOCK) != relative)
		return "their times are of another clock than the map's";
	if (only->count)
		keep_names(l, only);
	if (!l->count)
		return "none matches --lane";
	wrong = lanes_finish_between(l, heat_column_ns(a, 0), heat_column_ns(a, a->columns), relative);
	return wrong && !l->count ? "none has values in the time of the map" : wrong;
}

void heat_lanes_add(struct heat_chart *c, struct lanes *l, const struct text_list *only)
{
	const char *wrong = heat_lanes_prepare(c, l, only);

	if (wrong)
		str_addf(&c->remarks, "%sWithout lanes: %s", c->remarks.len ? ". " : "", wrong);
	else
		c->lanes = l;
}

/* ---- drawing ---- */

int32_t heat_lanes_place(struct heat_plan *p, int32_t y)
{
	const struct heat_map *m = &p->chart->maps[0];
	struct lanes_strip *s = &p->lanes;

	if (!p->chart->lanes)
		return y;
	lanes_strip_make(s, p->chart->lanes, &p->style->font, p->style->theme, MOST);
	s->name_x = s->bar_x = m->x;
	s->name_w = p->w - HEAT_PAD - m->x; /* the words may be wider than the columns if there are few */
	s->bar_w = m->w;
	s->row_h = ROW_H;
	s->label_h = LABEL_H;
	lanes_strip_place(s, y + ABOVE);
	return s->y + s->h;
}

/* Append the losses of the lanes, except those that the map also has, since both may come from the same recording. */
static void heat_lanes_add_losses(const struct heat_chart *c, struct str *out)
{
	struct doubts own = { 0 }, map = { 0 };

	doubts_add(&own, &c->lanes->in.source);
	for (size_t i = 0; i < c->heat->recording_count; i++)
		doubts_add(&map, &c->heat->recordings[i].source);
	for (size_t i = 0; i < own.count; i++) {
		bool known = false;

		for (size_t k = 0; k < map.count; k++)
			known |= !strcmp(map.items[k].what, own.items[i].what);
		if (known)
			continue;
		str_puts(out, out->len ? ", " : "");
		doubt_say(&own, &own.items[i], out);
	}
	doubts_free(&own);
	doubts_free(&map);
}

void heat_lanes_tell(const struct heat_plan *p, struct str *out)
{
	const struct heat_chart *c = p->chart;
	struct str losses = { 0 };
	const char *host, *of;

	if (!c->lanes)
		return;
	str_puts(out, "Lanes: each has its own axis of values; a column of pixels shows the least and the greatest "
		      "value in it.");
	if (p->lanes.left_out > p->lanes.flat) {
		str_addc(out, ' ');
		number_add(out, p->lanes.left_out - p->lanes.flat);
		str_puts(out, " more are below these in a browser; --lane chooses.");
	}
	if (p->lanes.flat) {
		str_addc(out, ' ');
		number_add(out, p->lanes.flat);
		str_puts(out, p->lanes.flat == 1 ? " that is 0 all the time is left out."
						 : " that are 0 all the time are left out.");
	}
	host = source_get(&c->lanes->in.source, FOLDED_HOST);
	of = source_get(&c->heat->source, FOLDED_HOST);
	if (host && of && strcmp(host, of) != 0)
		str_addf(out, " They are of %s.", host);
	heat_lanes_add_losses(c, &losses);
	if (losses.len)
		str_addf(out, " Losses of the lanes: %s.", losses.buf);
	str_free(&losses);
}
