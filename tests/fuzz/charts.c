/* Coverage-guided fuzzing of charts of bars and of timelines: `make fuzz`.  For any lines, the sums of rows are those
 * of the lines, and so are the sums of the lines that are read back from a picture. */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "render/bars/bars.h"
#include "render/bars/chart.h"
#include "render/states/states.h"
#include "render/tenancy/tenancy.h"
#include "render/timeline/timeline_code.h"
#include "render/timeline/timeline_draw.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
_Noreturn void __wrap_die_usage(const char *format, ...);

static jmp_buf refused;
static struct bars_style style;
/* Avoid control bytes, which come back as blanks and may make a comment, and empty frames, which are left out of a
 * row's name. */
static bool plain;

/* Linked in place of die_usage(), because a header may lack the roots that are needed. */
_Noreturn void __wrap_die_usage(const char *format, ...)
{
	(void)format;
	longjmp(refused, 1);
}

static void must(bool condition)
{
	if (!condition)
		abort();
}

/* path: of the bytes. */
static int file_of(char *path, size_t room, const void *bytes, size_t size)
{
	int fd = memfd_create("fuzz", 0);

	must(write(fd, bytes, size) == (ssize_t)size);
	snprintf(path, room, "/proc/self/fd/%d", fd);
	return fd;
}

/* ---- states ----------------------------------------------------------------- */

static const struct bars_wish states_wish = {
	.kind = "state",
	.by = "by",
	.unsaid = "thread,state,by",
	.collapse = "--states ",
	.verb = "states",
	.has_by = states_is_runnable,
	.is_kind = states_is_state,
};

/* Returns false if they are refused. */
static bool read_bars(struct bars *b, const char *path)
{
	if (setjmp(refused))
		return false;
	return bars_read(b, path, &states_wish) == 0;
}

static bool larger(const void *ctx, const struct bars_row *a, const struct bars_row *b)
{
	(void)ctx;
	return a->amount.value > b->amount.value;
}

static void check_rows(const struct bars *b)
{
	uint64_t value = 0, count = 0, parts = 0, members = 0;

	for (size_t i = 0; i < b->row_count; i++) {
		value += b->rows[i].amount.value;
		count += b->rows[i].amount.count;
		members += b->rows[i].members;
	}
	for (size_t i = 0; i < b->segment_count; i++)
		parts += b->segments[i].amount.value;
	must(value == b->amount.value && parts == value && count == b->amount.count);
	must(members >= b->row_count);
}

static void unfold_bars(const struct bars *b, const struct str *svg)
{
	struct bars again = { 0 };
	char path[64], *lines = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&lines, &len);
	int fd;

	must(bars_are_in(svg->buf, svg->len));
	must(bars_unfold(out, svg->buf, svg->len, "the picture") == 0);
	fclose(out);
	fd = file_of(path, sizeof(path), lines, len);
	/* Roots after the state must come before it if lines may lack the state: such a line is bad. */
	if (plain && read_bars(&again, path) && !again.bad_lines) {
		must(again.decimals <= b->decimals && bars_refine(&again, b->decimals));
		bars_group(&again, &(struct bars_folding){ 0 });
		must(again.amount.value == b->amount.value && again.amount.count == b->amount.count);
	}
	bars_free(&again);
	close(fd);
	free(lines);
}

static void draw_bars(struct bars *b)
{
	struct states_words words = { 0 };
	struct bars_table contenders = { 0 };
	struct bars_chart chart = { .bars = b,
				    .style = &style,
				    .kind = "states",
				    .title = "States",
				    .many = states_many(b),
				    .note_heading = "waited",
				    .tell_by = states_tell_by,
				    .tables = &contenders,
				    .table_count = 1 };
	struct bars_plan plan = { 0 };
	struct drawing drawing;
	struct str svg = { 0 };

	states_words_make(&words, b);
	states_contenders(&contenders, b);
	chart.headline = str_text(&words.headline);
	chart.notes = words.notes;
	bars_plan_make(&plan, &chart);
	drawing = bars_chart_drawing(&plan);
	drawing_svg(&drawing, &svg);
	unfold_bars(b, &svg);
	str_free(&svg);
	bars_plan_free(&plan);
	table_free(&contenders);
	states_words_free(&words, b->row_count);
}

static void try_bars(const char *path, uint8_t how)
{
	struct bars_folding folding = { .pools = how & 1 };
	struct bars b = { 0 };

	if (read_bars(&b, path)) {
		bars_group(&b, &folding);
		bars_dress(&b, states_dress);
		bars_sort(&b, larger, NULL);
		check_rows(&b);
		style.by_count = how & 2;
		style.top = how >> 2 & 3;
		if (!bars_why_nothing(&b, &style))
			draw_bars(&b);
	}
	bars_free(&b);
}

/* ---- tenancy ---------------------------------------------------------------- */

static uint64_t time_of(const struct timeline *t)
{
	uint64_t time_ns = 0;

	for (size_t i = 0; i < t->row_count; i++)
		time_ns += t->rows[i].time_ns;
	return time_ns;
}

static void unfold_timeline(const struct timeline *t, const struct timeline_wish *wish, const struct str *svg)
{
	struct timeline_filter all = { .sums = true };
	struct timeline again = { 0 };
	char path[64], *lines = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&lines, &len);
	int fd;

	must(timeline_is_in(svg->buf, svg->len));
	must(timeline_unfold(out, svg->buf, svg->len, "the picture") == 0);
	fclose(out);
	fd = file_of(path, sizeof(path), lines, len);
	if (plain) {
		must(timeline_read(&again, path, &all) == 0 && !again.in.bad_lines);
		timeline_window(&again);
		must(!timeline_arrange(&again, wish) && again.time_ns == t->time_ns);
	}
	timeline_free(&again);
	close(fd);
	free(lines);
}

static size_t merge_limit(uint8_t how)
{
	return how & 128 ? 3 : 0;
}

static void draw_timeline(struct timeline *t, const struct timeline_wish *wish, uint8_t how)
{
	struct bars_style own = { .title = "Tenancy",
				  .script_url = style.script_url,
				  .width_px = style.width_px,
				  .row_px = style.row_px,
				  .top = how >> 4 & 3,
				  .font = style.font,
				  .format = style.format,
				  .theme = style.theme,
				  .theme_name = style.theme_name,
				  .scale = 1 };
	struct timeline_plan plan;
	struct drawing drawing;
	struct str svg = { 0 };

	timeline_merge(t, merge_limit(how));
	timeline_colours(t);
	timeline_plan_make(&plan, t, &own, "tenancy");
	drawing = timeline_drawing(&plan);
	drawing_svg(&drawing, &svg);
	unfold_timeline(t, wish, &svg);
	str_free(&svg);
	timeline_plan_free(&plan);
}

static void try_timeline(const char *path, uint8_t how)
{
	struct timeline_filter all = { .sums = true };
	struct timeline_wish wish = { .by_cpu = how & 1, .by_state = how & 2, .order = how >> 2 & 3 };
	struct timeline t = { 0 };
	bool over_time;

	if (timeline_read(&t, path, &all) < 0)
		return;
	over_time = t.timed && !t.summed && !(how & 64);
	wish.total = !over_time;
	if (t.has_waits) {
		wish.by_state = true;
		wish.order = TIMELINE_BY_STALLS;
	}
	timeline_window(&t);
	timeline_prepare_merge(&t, merge_limit(how));
	/* The same as timeline_find_window(); a window of length 0 wraps round. */
	if (t.time_ns && (!over_time || t.in.end_ns - t.in.start_ns - 1 < ROWS_NS_MAX - 1) &&
	    !timeline_arrange(&t, &wish)) {
		must(time_of(&t) == t.time_ns);
		if (over_time) {
			draw_timeline(&t, &wish, how);
		} else {
			timeline_colours(&t);
			must(tenancy_draw_sums(&t, &style, "/dev/null") == 0);
		}
	}
	timeline_free(&t);
}

/* The first byte says what to draw, and how. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct bars_options options = BARS_OPTIONS;
	static char *argv[] = { "states", NULL };
	char path[64];
	int fd;

	if (!size)
		return 0;
	quiet = 1;
	if (!options.common.width) {
		bars_options_parse(&options, (struct opt[]){ { 0 } }, &(struct manual){ 0 }, 1, argv);
		options.common.script = "charts.js"; /* so that not every picture contains the same long script */
		bars_style_make(&style, &options);
	}
	plain = true;
	for (size_t i = 1; i < size; i++) {
		plain &= bytes[i] == '\n' || (bytes[i] >= ' ' && bytes[i] != 127);
		plain &= bytes[i] != ';' || (i > 1 && !strchr(";\n ", bytes[i - 1]));
	}
	fd = file_of(path, sizeof(path), bytes + 1, size - 1);
	try_bars(path, bytes[0]);
	try_timeline(path, bytes[0]);
	close(fd);
	return 0;
}
