/* timed_chart: code shared by the targets for charts with values or spans over time.  Their input is lines or, after an
 * odd first byte, a picture, which may have any bytes. */
#ifndef TESTS_FUZZ_TIMED_CHART_H
#define TESTS_FUZZ_TIMED_CHART_H

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/opts.h"
#include "render/bars/bars_style.h"
#include "render/drawing/chart_entry.h"
#include "tests/fuzz/input.h"

/* How many lines with a time the picture gives back; the chart must know as many. */
static inline size_t unfolded_lines(const struct chart_entry *chart, const struct str *svg)
{
	char *text = NULL;
	size_t size = 0, count = 0;
	FILE *out = open_memstream(&text, &size);

	must(out && chart->is_in(svg->buf, svg->len));
	must(chart->unfold(out, svg->buf, svg->len, "the picture") == 0);
	fclose(out);
	for (size_t i = 0; i < size; i++)
		count += text[i] == '@' && (!i || text[i - 1] == '\n');
	free(text);
	return count;
}

static inline void try_picture(const struct chart_entry *chart, const char *svg, size_t len)
{
	FILE *out = fopen("/dev/null", "w");

	must(out);
	chart->is_in(svg, len);
	chart->unfold(out, svg, len, "the picture");
	fclose(out);
}

/* Try the input as a picture, or pass it to try_lines(), with rows of so many px. */
static inline void try_chart(const struct chart_entry *chart, int32_t row_px,
			     void (*try_lines)(const struct bars_style *style, const char *lines, size_t len),
			     const uint8_t *bytes, size_t size)
{
	static struct bars_options options = BARS_OPTIONS;
	static struct bars_style style;
	static char *argv[] = { "chart", NULL };

	if (!size)
		return;
	quiet = 1;
	if (!options.common.width) {
		bars_options_parse(&options, (struct opt[]){ { 0 } }, &(struct manual){ 0 }, 1, argv);
		options.common.script = "chart.js"; /* so that not every picture contains the same long script */
		options.common.width = 1200;
		bars_style_make(&style, &options);
		style.title = "Chart";
		style.row_px = row_px;
	}
	if (bytes[0] & 1)
		try_picture(chart, (const char *)bytes + 1, size - 1);
	else
		try_lines(&style, (const char *)bytes + 1, size - 1);
}

#endif
