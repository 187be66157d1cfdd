/* Coverage-guided fuzzing of processes: `make fuzz`.  The input is lines, or, after a first byte that is odd, a picture: then
 * its way back must stand any bytes.  Of lines, the spans that come back out of the picture are as many as went in. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/opts.h"
#include "render/processes/processes_draw.h"
#include "render/processes/processes_unfold.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct bars_style style;

static void must(bool condition)
{
	if (!condition)
		abort();
}

/* How many spans the lines of the picture have. */
static size_t unfolded(const char *svg, size_t len)
{
	char *text = NULL;
	size_t size = 0, count = 0;
	FILE *out = open_memstream(&text, &size);

	must(out && processes_is_in(svg, len));
	must(processes_unfold(out, svg, len, "the picture") == 0);
	fclose(out);
	for (size_t i = 0; i < size; i++)
		count += text[i] == '@' && (!i || text[i - 1] == '\n');
	free(text);
	return count;
}

static void try_lines(const char *at, const char *end)
{
	struct line_filter all = { 0 };
	struct processes_plan plan;
	struct processes p = { 0 };
	struct str svg = { 0 };

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		newline = newline ? newline : end;
		processes_line(&p, &all, at, (size_t)(newline - at));
		at = newline + 1;
	}
	if (!processes_finish(&p, NULL, NULL, 3)) {
		processes_plan_make(&plan, &p, &style);
		processes_svg(&plan, &svg);
		must(unfolded(svg.buf, svg.len) == p.span_count);
		processes_plan_free(&plan);
	}
	str_free(&svg);
	processes_free(&p);
}

static void try_picture(const char *svg, size_t len)
{
	FILE *out = fopen("/dev/null", "w");

	must(out);
	processes_is_in(svg, len);
	processes_unfold(out, svg, len, "the picture");
	fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct bars_options options;
	static char *argv[] = { "processes", NULL };

	if (!size)
		return 0;
	quiet = 1;
	if (!options.width) {
		bars_options_parse(&options, (struct opt[]){ { 0 } }, &(struct manual){ 0 }, 1, argv);
		options.script = "processes.js"; /* not the same long script in every picture */
		options.width = 1200;
		bars_style_make(&style, &options);
		style.title = "Processes";
		style.row_px = 18;
	}
	if (bytes[0] & 1)
		try_picture((const char *)bytes + 1, size - 1);
	else
		try_lines((const char *)bytes + 1, (const char *)bytes + size);
	return 0;
}
