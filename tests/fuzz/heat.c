/* Coverage-guided fuzzing of heat maps: `make fuzz`.  For any lines, the events are what sample.h makes of each line,
 * the cells add up to the events, and the lines read back from a picture give the same picture.  Any picture is
 * unfolded or refused. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "render/colours/palette.h"
#include "render/heat/heat_code.h"
#include "render/heat/heat_draw.h"
#include "render/profile/line.h"
#include "render/profile/sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct heat_filter all; /* also says whether lanes are taken out of the lines */
/* Avoid control bytes, a BOM, and empty frames at the end, which do not come back as they were. */
static bool plain;

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

/* ---- lines ------------------------------------------------------------------- */

/* How many lines of text hold an event, without a header: a number before the value belongs to a frame. */
static size_t count_events(const char *text, size_t size)
{
	const char *end = text + size;
	struct sample_line s;
	size_t count = 0;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((newline ? newline : end) - text), cut = len;

		if (cut && text[cut - 1] == '\r')
			cut--;
		count += !line_is_blank(text, cut) && !line_is_comment(text, cut) && !sample_parse_one(&s, text, cut) &&
			 s.timed && s.time_ns != UINT64_MAX && s.value != UINT64_MAX;
		text += len + 1;
	}
	return count;
}

static void check_order(const struct heat *h)
{
	uint64_t sum = 0, events = 0;

	for (size_t i = 0; i < h->event_count; i++) {
		must(h->stack[i] < h->stack_count);
		must(!i || h->time_ns[i - 1] < h->time_ns[i] ||
		     (h->time_ns[i - 1] == h->time_ns[i] && h->stack[i - 1] <= h->stack[i]));
	}
	for (size_t i = 0; i < h->stack_count; i++) {
		events += h->stacks[i].events;
		sum += h->stacks[i].value;
		must(h->stacks[i].profile < h->profile.stack_count);
	}
	must(events == h->event_count && (h->profile.total >= sum));
}

/* ---- pictures ----------------------------------------------------------------- */

/* lanes: those in the picture, or NULL. */
static void check_again(const struct heat *h, const struct lanes *lanes, const char *lines, size_t len)
{
	struct heat again = { 0 };
	char path[64];
	int fd = file_of(path, sizeof(path), lines, len);

	must(!heat_read(&again, path, &all) && !heat_finish(&again, &all));
	must(again.event_count == h->event_count && !again.bad_lines && !again.untimed_lines);
	must(again.idle_events == h->idle_events);
	must(again.lanes.count == (lanes ? lanes->count : 0));
	heat_free(&again);
	close(fd);
}

static void unfold(const struct heat *h, const struct lanes *lanes, const struct str *svg)
{
	char *lines = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&lines, &len);

	must(heat_is_in(svg->buf, svg->len));
	must(!heat_unfold(out, svg->buf, svg->len, "the picture"));
	fclose(out);
	if (plain)
		check_again(h, lanes, lines, len);
	free(lines);
}

static void draw(struct heat *h, const struct heat_axes *a, uint8_t how)
{
	struct heat_style style = { .unit = "ns",
				    .names_unit = "samples",
				    .width_px = 400,
				    .scale = 1,
				    .theme_name = "auto",
				    .script_url = "heat.js" };
	struct heat_hues hues = { 0 };
	struct heat_chart c;
	struct heat_plan p;
	struct drawing drawing;
	struct str svg = { 0 };
	size_t count;

	style.format = picture_format_find("svg", NULL);
	style.font = font_make("sans-serif", 12);
	style.theme = theme_find("light");
	style.ramp = heat_ramps(&count);
	style.palette = palette_find("hot");
	style.coloring = how >> 2 & 1 ? HEAT_RANK : HEAT_LINEAR;
	must(zone_find(&style.zone, "UTC", h->time_ns[0], h->time_ns[0]));
	heat_chart_make(&c, h, a, &hues, &style, how & 8 && h->dimension_count ? &h->dimensions[0] : NULL, 4);
	if (h->lanes.count)
		heat_lanes_add(&c, &h->lanes, &(struct text_list){ 0 });
	heat_plan_make(&p, &c, &style);
	drawing = heat_drawing(&p);
	drawing_svg(&drawing, &svg);
	unfold(h, c.lanes, &svg);
	str_free(&svg);
	heat_plan_free(&p);
	heat_chart_free(&c);
}

static void try_lines(const char *text, size_t size, uint8_t how)
{
	struct heat_axes a = { .y = how & 1 ? HEAT_Y_VALUE : HEAT_Y_OFFSET,
			       .period_ns = how & 2 ? 1000000000 : 7000000000,
			       .per_column = 1,
			       .rows = 1 + (how >> 4),
			       .high = 1000,
			       .step = 100 };
	bool header = memmem(text, size, FOLDED_HEADER, strlen(FOLDED_HEADER));
	uint64_t from, to;
	struct heat h = { 0 };
	char path[64];
	int fd = file_of(path, sizeof(path), text, size);

	all.lanes = how & 0x40;
	if (!heat_read(&h, path, &all)) {
		must(all.lanes || header || size < 3 || !memcmp(text, "\xef\xbb\xbf", 3) || h.decimals ||
		     h.event_count == count_events(text, size));
		if (!heat_finish(&h, &all)) {
			check_order(&h);
			if (h.event_count && heat_window(&h, &from, &to) && (to - from) / a.period_ns < 1000) {
				heat_axes_window(&a, from, to);
				draw(&h, &a, how);
			}
		}
	}
	heat_free(&h);
	close(fd);
}

static void try_picture(const char *text, size_t size)
{
	char *lines = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&lines, &len);

	if (heat_is_in(text, size))
		heat_unfold(out, text, size, "the picture");
	fclose(out);
	free(lines);
}

/* The first byte says how to draw the lines. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *text = (const char *)bytes + 1;

	if (size < 2)
		return 0;
	quiet = 1;
	plain = true;
	for (size_t i = 1; i < size; i++) {
		plain &= bytes[i] == '\n' || (bytes[i] >= ' ' && bytes[i] < 127);
		plain &= bytes[i] != ';' ||
			 (i > 1 && i + 1 < size && !strchr(";\n ", bytes[i - 1]) && !strchr(";\n ", bytes[i + 1]));
	}
	if (*text == '<')
		try_picture(text, size - 1);
	else
		try_lines(text, size - 1, bytes[0]);
	return 0;
}
