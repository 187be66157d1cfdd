/* Coverage-guided fuzzing of lanes: `make fuzz`.  The input is lines, or, after a first byte that is odd, a picture: then
 * its way back must stand any bytes.  Of lines, the values that come back out of the picture are as many as went in. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "core/opts.h"
#include "render/lanes/lanes_draw.h"
#include "render/lanes/lanes_unfold.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct bars_style style;

static void must(bool condition)
{
	if (!condition)
		abort();
}

/* How many values the lines of the picture have. */
static size_t unfolded(const char *svg, size_t len)
{
	char *text = NULL;
	size_t size = 0, count = 0;
	FILE *out = open_memstream(&text, &size);

	must(out && lanes_is_in(svg, len));
	must(lanes_unfold(out, svg, len, "the picture") == 0);
	fclose(out);
	for (size_t i = 0; i < size; i++)
		count += text[i] == '@' && (!i || text[i - 1] == '\n');
	free(text);
	return count;
}

static void try_lines(const uint8_t *bytes, size_t size)
{
	struct line_filter all = { 0 };
	struct lanes_plan plan;
	struct str svg = { 0 };
	struct lanes l = { 0 };
	char path[64];
	int fd = memfd_create("fuzz", 0);

	must(write(fd, bytes, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!lanes_read(&l, path, &all) && !lanes_finish(&l, NULL, NULL)) {
		lanes_plan_make(&plan, &l, &style);
		lanes_svg(&plan, &svg);
		must(unfolded(svg.buf, svg.len) == l.count);
		lanes_plan_free(&plan);
	}
	str_free(&svg);
	lanes_free(&l);
	close(fd);
}

static void try_picture(const char *svg, size_t len)
{
	FILE *out = fopen("/dev/null", "w");

	must(out);
	lanes_is_in(svg, len);
	lanes_unfold(out, svg, len, "the picture");
	fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct bars_options options;
	static char *argv[] = { "lanes", NULL };

	if (!size)
		return 0;
	quiet = 1;
	if (!options.width) {
		bars_options_parse(&options, (struct opt[]){ { 0 } }, &(struct manual){ 0 }, 1, argv);
		options.script = "lanes.js"; /* not the same long script in every picture */
		options.width = 1200;
		bars_style_make(&style, &options);
		style.title = "Lanes";
		style.row_px = 44;
	}
	if (bytes[0] & 1)
		try_picture((const char *)bytes + 1, size - 1);
	else
		try_lines(bytes + 1, size - 1);
	return 0;
}
