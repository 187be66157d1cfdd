/* What a heat map draws: dividing it by hues, or into maps, keeps the sums; and the positions on the axes. */
#include <stdlib.h>
#include <unistd.h>

#include "core/wallclock.h"
#include "render/heat/heat_draw.h"
#include "tests/unit/check.h"

#define START 1795256102000000000ull

static uint32_t seed = 99;

static uint32_t next(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static void write_lines(const char *path, uint32_t count)
{
	FILE *out = fopen(path, "w");

	fprintf(out, "# pyrograph: host=db1 root=thread,cpu rate=99Hz unit=samples\n");
	for (uint32_t i = 0; i < count; i++) {
		uint64_t ns = START + (uint64_t)next(20000) * 1000000 + next(1000000);

		fprintf(out, "@%llu.%09llu t-%u;cpu%u;run;f%u 1\n", (unsigned long long)(ns / 1000000000),
			(unsigned long long)(ns % 1000000000), next(9), next(3), next(4));
	}
	fclose(out);
}

static struct heat_style style(void)
{
	struct heat_style s = {
		.unit = "samples", .names_unit = "samples", .width_px = 900, .scale = 1, .theme_name = "light"
	};
	size_t count;

	s.font = font_make("Verdana", 12);
	s.format = picture_format_find("svg", NULL);
	s.theme = theme_find("light");
	s.ramp = heat_ramps(&count);
	return s;
}

/* Do the hues of each map add up to the map, cell by cell, and all maps to the whole? */
static bool adds_up(const struct heat_chart *c, uint64_t whole)
{
	size_t cells = (size_t)c->axes.columns * c->axes.rows;
	uint64_t sum = 0;

	for (size_t i = 0; i < c->map_count; i++) {
		const struct heat_map *m = &c->maps[i];

		for (size_t k = 0; k < cells; k++) {
			uint64_t of_keys = 0;

			for (size_t key = 0; m->of_key && key <= c->hues.key_count; key++)
				of_keys += m->of_key[key].cells ? m->of_key[key].cells[k] : 0;
			if (m->of_key && of_keys != m->grid.cells[k])
				return false;
		}
		sum += m->grid.total;
	}
	return sum == whole;
}

static void check_sums(const struct heat *h, const struct heat_axes *a)
{
	const struct heat_dimension *thread = heat_dimension_find(h, "thread");
	const struct heat_dimension *cpu = heat_dimension_find(h, "cpu");
	uint64_t of_two = thread->keys[0].events + thread->keys[4].events;
	uint32_t keys[] = { 0, 4 };
	struct heat_style s = style();
	struct heat_chart c;

	for (unsigned how = 0; how < 8; how++) {
		struct heat_hues hues = {
			.dimension = thread, .keys = keys, .key_count = 2, .isolate = how & 1, .exclude = how & 2
		};
		uint64_t whole = how & 2 ? h->event_count - of_two : how & 1 ? of_two : h->event_count;

		if ((how & 3) == 3)
			continue;
		heat_chart_make(&c, h, a, &hues, &s, how & 4 ? cpu : NULL, 0);
		CHECK(adds_up(&c, whole));
		CHECK(c.map_count == (how & 4 ? 3 : 1) && !c.maps_left_out);
		heat_chart_free(&c);
	}
	heat_chart_make(&c, h, a, &(struct heat_hues){ 0 }, &s, cpu, 2);
	CHECK(c.map_count == 2 && c.maps_left_out == 1);
	CHECK(adds_up(&c, cpu->keys[0].events + cpu->keys[1].events));
	heat_chart_free(&c);
}

static void ticks_of(struct str *out, struct heat_axes a, int32_t h_px)
{
	struct heat h = { 0 };
	struct heat_chart c = { .heat = &h, .axes = a };
	struct heat_style s = style();
	struct heat_plan p = { .chart = &c, .style = &s };

	s.unit = a.y == HEAT_Y_VALUE ? "ns" : "samples";
	str_clear(out);
	heat_ticks_make(&p, h_px * CPX);
	for (size_t i = 0; i < p.tick_count; i++)
		str_addf(out, "%s%.3g %s", i ? ", " : "", p.ticks[i].at, p.ticks[i].label.buf);
	heat_plan_free(&p);
}

/* The drawing is never narrower than a pixel for each column. */
static void check_columns(void)
{
	CHECK(heat_columns_drawn(1200, 0, HEAT_Y_OFFSET) <= 1120 && heat_columns_drawn(1200, 0, HEAT_Y_OFFSET) > 1000);
	CHECK(heat_columns_drawn(300, 0, HEAT_Y_VALUE) < heat_columns_drawn(300, 0, HEAT_Y_OFFSET));
	CHECK(heat_columns_drawn(1, 0, HEAT_Y_VALUE) == 1);
	CHECK(heat_columns_drawn(300, 10, HEAT_Y_OFFSET) == 3000 &&
	      heat_columns_drawn(300, 1 << 30, HEAT_Y_OFFSET) == 1);
}

static void check_order(const struct heat *h)
{
	const struct heat_dimension *cpu = heat_dimension_find(h, "cpu"), *thread = heat_dimension_find(h, "thread");
	uint32_t keys[9] = { 2, 0, 1 };

	heat_keys_order(h, cpu, keys, 3);
	for (uint32_t i = 0; i < 3; i++)
		CHECK(intern_text(&h->names, cpu->keys[keys[i]].name)[3] == (char)('0' + i));
	for (uint32_t i = 0; i < 9; i++)
		keys[i] = i;
	heat_keys_order(h, thread, keys, 9); /* t-0 to t-8 */
	CHECK(!strcmp(intern_text(&h->names, thread->keys[keys[8]].name), "t-8"));
}

static void check_ticks(void)
{
	struct heat_axes a = { .period_ns = NS_PER_SEC, .per_column = 1, .columns = 1, .rows = 50 };
	struct heat_axes value = { .y = HEAT_Y_VALUE,
				   .period_ns = NS_PER_SEC,
				   .per_column = 1,
				   .columns = 1,
				   .rows = 50,
				   .high = 100000000,
				   .step = 2000000 };
	struct str t = { 0 };

	ticks_of(&t, a, 100);
	CHECK_TEXT(t.buf, "0 0 ms, 0.5 500 ms, 1 1000 ms");
	a.period_ns = 60 * NS_PER_SEC;
	ticks_of(&t, a, 150);
	CHECK_TEXT(t.buf, "0 0 s, 0.25 15 s, 0.5 30 s, 0.75 45 s, 1 60 s");
	a.period_ns = 3600 * NS_PER_SEC;
	ticks_of(&t, a, 100);
	CHECK_TEXT(t.buf, "0 0 min, 0.333 20 min, 0.667 40 min, 1 60 min");
	a.period_ns = 86400 * NS_PER_SEC;
	ticks_of(&t, a, 130);
	CHECK_TEXT(t.buf, "0 00:00, 0.25 06:00, 0.5 12:00, 0.75 18:00, 1 24:00");
	a.period_ns = 997000000;
	ticks_of(&t, a, 100);
	CHECK_TEXT(t.buf, "0 0 ms, 0.502 500 ms, 1 997 ms");
	ticks_of(&t, value, 100);
	CHECK_TEXT(t.buf, "0 0, 0.5 50 ms, 1 100 ms");
	value.high = 105000000, value.step = 2100000;
	ticks_of(&t, value, 200);
	CHECK_TEXT(t.buf, "0 0, 0.19 20 ms, 0.381 40 ms, 0.571 60 ms, 0.762 80 ms, 1 105 ms");
	value.high = 100000000;
	value.logarithmic = true;
	value.low = 1000;
	ticks_of(&t, value, 200);
	CHECK_TEXT(t.buf, "0 1 \xc2\xb5s, 0.2 10 \xc2\xb5s, 0.4 100 \xc2\xb5s, 0.6 1 ms, 0.8 10 ms, 1 100 ms");
	value.low = value.high;
	ticks_of(&t, value, 200);
	CHECK(t.len == 0 || strstr(t.buf, "100 ms"));
	value = (struct heat_axes){ .y = HEAT_Y_UTILIZATION, .rows = 20 };
	ticks_of(&t, value, 70);
	CHECK_TEXT(t.buf, "0 0 %, 0.5 50 %, 1 100 %");
	str_free(&t);
}

int main(void)
{
	char path[] = "/tmp/heat_chart.XXXXXX";
	struct heat_axes a = { .period_ns = NS_PER_SEC, .per_column = 1, .rows = 20 };
	struct heat_filter all = { 0 };
	struct heat h = { 0 };
	uint64_t from = 0, to = 0;

	close(mkstemp(path));
	write_lines(path, 3000);
	CHECK(heat_read(&h, path, &all) == 0 && heat_finish(&h, &all) == 0 && heat_window(&h, &from, &to));
	heat_axes_window(&a, from, to);
	check_sums(&h, &a);
	check_ticks();
	check_columns();
	check_order(&h);
	heat_free(&h);
	unlink(path);
	return check_done();
}
