/* Timelines: the sums stay the same, whatever is drawn, cut or combined. */
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "render/drawing/time_axis.h"
#include "render/profile/number.h"
#include "render/timeline/raster.h"
#include "render/timeline/timeline.h"
#include "tests/unit/check.h"

#define START 1795342502000000000ull

static uint32_t seed;

static uint32_t next(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

/* A file with spans of `threads` threads, which do not overlap, of 0 to 20 ms each. */
static void write_spans(const char *path, uint32_t threads, uint32_t count)
{
	FILE *out = fopen(path, "w");
	uint64_t end[8] = { 0 };

	fprintf(out, "# pyrograph: root=host,thread,cpu columns=time,count,longest spans=start unit=ns\n");
	for (uint32_t i = 0; i < count; i++) {
		uint32_t thread = next(threads);
		uint64_t start = end[thread] + next(i % 7 ? 1000 : 9000000);
		uint64_t length = next(i % 5 ? 3000 : 20000000);

		end[thread] = start + length;
		start += START;
		fprintf(out, "@%llu.%09llu db1;t-%u;cpu%u %llu %u %llu\n", (unsigned long long)(start / 1000000000),
			(unsigned long long)(start % 1000000000), thread, next(4), (unsigned long long)length,
			next(9) ? 1 : 0, (unsigned long long)length);
	}
	fclose(out);
}

static void read_spans(struct timeline *t, const char *path, bool by_cpu)
{
	struct timeline_filter all = { 0 };
	struct timeline_wish wish = { .by_cpu = by_cpu };

	*t = (struct timeline){ 0 };
	timeline_read(t, path, &all);
	timeline_window(t);
	timeline_arrange(t, &wish);
}

static uint64_t sum_of_rows(const struct timeline *t)
{
	uint64_t sum = 0;

	for (size_t r = 0; r < t->row_count; r++) {
		for (size_t i = 0; i < t->rows[r].count; i++)
			sum += t->spans[t->rows[r].first + i].time_ns;
	}
	return sum;
}

static uint64_t count_of_spans(const struct timeline *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->span_count; i++)
		sum += timeline_values_of(t, &t->spans[i]).count;
	return sum;
}

/* Are the spans of each row, and of each of its kinds, in order, and inside the window? */
static bool is_in_order(const struct timeline *t)
{
	for (size_t r = 0; r < t->row_count; r++) {
		uint64_t end = t->in.start_ns;

		for (size_t i = 0; i < t->rows[r].count; i++) {
			const struct timeline_span *s = &t->spans[t->rows[r].first + i];

			if (t->stacks[s->stack].row != r || s->start_ns < end)
				return false;
			end = s->start_ns + s->time_ns;
		}
		if (end > t->in.end_ns)
			return false;
	}
	return true;
}

/* Do marks, from left to right, not cover each other? */
static bool are_apart(const struct marks *marks)
{
	for (size_t i = 1; i < marks->count; i++) {
		const struct mark *before = &marks->items[i - 1];

		if (marks->items[i].x < before->x + before->w - 20) /* the least width */
			return false;
	}
	return true;
}

/* How far the area of a row's marks differs from the row's time, as a part of the window; 1 if some marks cover
 * others. */
static double worst_area(const struct timeline *t, int32_t width)
{
	double worst = 0;
	struct raster r;

	raster_init(&r, t, width, 1000);
	for (uint32_t row = 0; row < t->row_count; row++) {
		struct marks marks = { 0 };
		double area = 0, wanted = (double)t->rows[row].time_ns / (double)(t->in.end_ns - t->in.start_ns);

		raster_row(&r, row, &marks);
		for (size_t i = 0; i < marks.count; i++)
			area += (double)marks.items[i].w * marks.items[i].h / 1000 / 100 / width;
		if (!are_apart(&marks))
			worst = 1;
		if (area - wanted > worst || wanted - area > worst)
			worst = area > wanted ? area - wanted : wanted - area;
		free(marks.items);
	}
	raster_free(&r);
	return worst;
}

static void check_random(const char *path)
{
	bool sums = true, order = true, areas = true, merges = true, cuts = true, transposed = true;

	for (uint32_t n = 1; n <= 40; n++) {
		struct timeline t;
		uint64_t time, count;

		seed = n;
		write_spans(path, 1 + n % 8, 20 + 30 * n);
		read_spans(&t, path, true);
		time = t.time_ns;
		transposed &= sum_of_rows(&t) == time;
		timeline_free(&t);
		read_spans(&t, path, false);
		count = count_of_spans(&t);
		sums &= t.time_ns == time && sum_of_rows(&t) == time && t.row_count == 1 + n % 8;
		order &= is_in_order(&t);
		areas &= worst_area(&t, 300) < 0.02 && worst_area(&t, 20000) < 0.02;
		timeline_merge(&t, 20 + n);
		merges &= t.span_count <= 20 + n || t.merged_ns > t.in.end_ns - t.in.start_ns;
		merges &= sum_of_rows(&t) == time && count_of_spans(&t) == count && is_in_order(&t);
		timeline_free(&t);
		time = 0;
		for (uint32_t part = 0; part < 3; part++) {
			struct timeline_filter all = { 0 };
			uint64_t third, at;

			t = (struct timeline){ 0 };
			timeline_read(&t, path, &all);
			timeline_window(&t);
			third = (t.in.end_ns - t.in.start_ns) / 3;
			at = t.in.start_ns + part * third;
			timeline_clip(&t, at, part == 2 ? t.in.end_ns : at + third);
			time += t.time_ns;
			timeline_free(&t);
		}
		read_spans(&t, path, false);
		cuts &= time == t.time_ns;
		timeline_free(&t);
	}
	CHECK(sums);
	CHECK(transposed);
	CHECK(order);
	CHECK(areas);
	CHECK(merges);
	CHECK(cuts);
}

static const char *clock_of(uint64_t ns, int digits)
{
	static struct str text;

	str_clear(&text);
	clock_add(&text, ns, digits);
	return str_text(&text);
}

static void check_words(void)
{
	CHECK_TEXT(clock_of(START + 14325678, 9), "10:15:02.014325678");
	CHECK_TEXT(clock_of(START, 0), "10:15:02");
	CHECK_TEXT(clock_of(START, -1), "10:15");
	CHECK(tick_step(10000000000, 10) == 1000000000 && tick_step(10000000001, 10) == 2000000000);
	CHECK(tick_step(10, 10) == 1 && tick_step(20, 10) == 2 && tick_step(21, 10) == 5 && tick_step(50, 10) == 5);
	CHECK(tick_step(51, 10) == 10 && tick_step(20000000, 10) == 2000000 && tick_step(20000001, 10) == 5000000);
	CHECK(tick_step(86400000000000, 4) == 21600000000000);
	CHECK(tick_step(1, 10) == 1 && tick_step(UINT64_MAX, 1) > 0);
	CHECK(tick_digits(1000000000) == 0 && tick_digits(200000000) == 1);
	CHECK(tick_digits(60000000000) == -1);
}

int main(void)
{
	char path[] = "/tmp/timeline-XXXXXX";
	int fd = mkstemp(path);

	quiet = 1;
	close(fd);
	check_random(path);
	unlink(path);
	check_words();
	return check_done();
}
