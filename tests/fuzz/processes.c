/* Coverage-guided fuzzing of processes: `make fuzz`.  For lines, the picture gives back as many spans as went in;
 * timed_chart.h has the rest. */
#include "render/processes/processes.h"
#include "render/processes/processes_draw.h"
#include "tests/fuzz/timed_chart.h"

static const struct chart_entry chart = { .is_in = processes_is_in, .unfold = processes_unfold };

static void try_lines(const struct bars_style *style, const char *lines, size_t len)
{
	const char *end = lines + len;
	struct line_filter all = { 0 };
	struct processes_plan plan;
	struct drawing drawing;
	struct processes p = { 0 };
	struct str svg = { 0 };

	for (const char *at = lines; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		newline = newline ? newline : end;
		processes_line(&p, &all, at, (size_t)(newline - at));
		at = newline + 1;
	}
	if (!processes_finish(&p, NULL, NULL, 3)) {
		processes_plan_make(&plan, &p, style);
		drawing = processes_drawing(&plan);
		drawing_svg(&drawing, &svg);
		must(unfolded_lines(&chart, &svg) == p.span_count);
		processes_plan_free(&plan);
	}
	str_free(&svg);
	processes_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	try_chart(&chart, 18, try_lines, bytes, size);
	return 0;
}
