/* Coverage-guided fuzzing of lanes: `make fuzz`.  For lines, the picture gives back as many values as went in;
 * timed_chart.h has the rest. */
#include "render/lanes/lanes.h"
#include "render/lanes/lanes_draw.h"
#include "tests/fuzz/timed_chart.h"

static const struct chart_entry chart = { .is_in = lanes_is_in, .unfold = lanes_unfold };

static void try_lines(const struct bars_style *style, const char *lines, size_t len)
{
	struct line_filter all = { 0 };
	struct lanes_plan plan;
	struct drawing drawing;
	struct str svg = { 0 };
	struct lanes l = { 0 };
	char path[64];
	int fd = memfd_create("fuzz", 0);

	must(write(fd, lines, len) == (ssize_t)len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!lanes_read(&l, path, &all) && !lanes_finish(&l, NULL, NULL)) {
		lanes_plan_make(&plan, &l, style);
		drawing = lanes_drawing(&plan);
		drawing_svg(&drawing, &svg);
		must(unfolded_lines(&chart, &svg) == l.count);
		lanes_plan_free(&plan);
	}
	str_free(&svg);
	lanes_free(&l);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	try_chart(&chart, 44, try_lines, bytes, size);
	return 0;
}
