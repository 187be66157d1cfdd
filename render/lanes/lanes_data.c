/* The data of lanes in an SVG, for the script and "render folded":
 *
 *     <metadata id="lanes">{          below a heat map: "heat-lanes"
 *     "start":"1795342502000000000",  since the epoch, in ns
 *     "window":10000000000,           ns
 *     "relative":false,"known":2500000000,
 *     "theme":"auto",                 and what else belongs to the chart
 *     "rows":[3,0,...],               numbers of lanes, in the order of their names, first those that are drawn
 *     "lanes":[["lane;memory;free","bytes",0,"#3f7fbf",1234,5678,4,-1,0,0],...],  name, unit, decimals, colour, least
 *                                     and greatest value drawn, the lanes of its limit and its drops (-1: none),
 *                                     whether it is of events, whether it repeats no values
 *     "source":{"host":"db1",...}}</metadata>    the header
 *     <metadata class="lanes-data">   a line for each lane: pairs of time since the one before, in ns, and value
 *     0 8192 10000000 4096
 *     </metadata> */
#include "core/markup.h"
#include "render/drawing/picture.h"
#include "render/drawing/settings.h"
#include "render/drawing/svg.h"
#include "render/lanes/lanes_strip.h"

static const struct lanes_scale *lanes_data_scale_of(const struct lanes_strip *s, size_t lane)
{
	static const struct lanes_scale none = { 0, 1, false };

	for (size_t i = 0; i < s->row_count; i++) {
		if (s->rows[i].lane == lane)
			return &s->rows[i].scale;
	}
	return &none;
}

static void add_lanes(const struct lanes_strip *s, struct str *out)
{
	str_puts(out, ",\n\"lanes\":[");
	for (size_t i = 0; i < s->l->names.count; i++) {
		const struct lanes_lane *lane = &s->l->lanes[i];
		const struct lanes_scale *scale = lanes_data_scale_of(s, i);

		str_puts(out, i ? ",\n[" : "[");
		json_puts(out, lane->name);
		str_addc(out, ',');
		json_puts(out, lane->unit);
		str_addf(out, ",%u,\"", lane->decimals);
		rgb_add(out, lanes_rgb(lane));
		str_puts(out, "\",");
		str_add_u64(out, scale->from);
		str_addc(out, ',');
		str_add_u64(out, scale->to);
		str_addf(out, ",%d,%d,%d,%d]", scale->has_limit ? lane->limit : LANES_NONE, lane->drops, lane->is_event,
			 lane->is_silent);
	}
	str_addc(out, ']');
}

static void lanes_data_add_values(const struct lanes *l, struct str *out)
{
	struct str data = { 0 };

	for (size_t i = 0; i < l->names.count; i++) {
		uint64_t before = l->in.start_ns;

		for (size_t k = 0; k < l->lanes[i].count; k++) {
			const struct lanes_point *point = &l->points[l->lanes[i].first + k];

			if (k)
				str_addc(&data, ' ');
			str_add_u64(&data, point->time_ns - before);
			str_addc(&data, ' ');
			str_add_u64(&data, point->value);
			before = point->time_ns;
		}
		str_addc(&data, '\n');
	}
	metadata_add(out, "lanes-data", &data);
	str_free(&data);
}

static void lanes_data_add_rows(const struct lanes_strip *s, bool left_out, struct str *out)
{
	const char *before = "";

	for (size_t i = 0; i < s->row_count; i++) {
		if (s->rows[i].left_out != left_out)
			continue;
		str_addf(out, "%s%zu", before, s->rows[i].lane);
		before = ",";
	}
}

void lanes_strip_data(const struct lanes_strip *s, const char *id, const char *more, struct str *out)
{
	str_addf(out, "<metadata id=\"%s\">{\"start\":\"", id);
	str_add_u64(out, s->l->in.start_ns);
	str_puts(out, "\",\"window\":");
	str_add_u64(out, s->l->in.end_ns - s->l->in.start_ns);
	setting_bool(out, "relative", s->l->in.relative);
	setting_u64(out, "known", LANES_KNOWN_NS);
	str_puts(out, more);
	str_puts(out, ",\"rows\":[");
	lanes_data_add_rows(s, false, out);
	if (s->left_out)
		str_addc(out, ',');
	lanes_data_add_rows(s, true, out);
	str_addc(out, ']');
	add_lanes(s, out);
	str_puts(out, ",\n\"source\":");
	source_json(out, &s->l->in.source);
	str_puts(out, "}</metadata>\n");
	lanes_data_add_values(s->l, out);
}
