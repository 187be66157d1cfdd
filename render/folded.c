/* "render folded": a picture in, its folded lines out. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/infile.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "render/charts.h"
#include "render/drawing/gzip.h"

#define PICTURE_BYTES_MAX ((size_t)2 << 30)

/* Append the whole file.  Returns 0, or -1 after a message. */
static int render_folded_read_file(struct str *text, const char *path)
{
	int fd = strcmp(path, "-") ? infile_open(path) : STDIN_FILENO;
	FILE *in = fd < 0 ? NULL : fd == STDIN_FILENO ? stdin : fdopen(fd, "r");
	char some[64 * 1024];
	int status = -1;
	size_t len;

	if (!in)
		return error("%s: %s", path, strerror(errno));
	infile_note(fd);
	while ((len = fread(some, 1, sizeof(some), in)) && text->len <= PICTURE_BYTES_MAX)
		str_add(text, some, len);
	if (ferror(in))
		error("%s: %s", path, strerror(errno));
	else if (text->len > PICTURE_BYTES_MAX)
		error("%s: is larger than 2 GB", path);
	else
		status = 0;
	if (in != stdin)
		fclose(in);
	return status;
}

/* The text of a picture, unpacked. */
static int read_picture(struct str *text, const char *path)
{
	struct str plain = { 0 };
	const char *wrong;

	if (render_folded_read_file(text, path) < 0)
		return -1;
	if (!gzip_is(str_text(text), text->len))
		return 0;
	wrong = gzip_read(&plain, text->buf, text->len, PICTURE_BYTES_MAX);
	str_free(text);
	*text = plain;
	return wrong ? error("%s: %s", path, wrong) : 0;
}

/* The chart whose data the picture has; if the picture has no data, the first chart, whose unfold() reports this. */
static const struct chart_entry *render_folded_find_chart(const char *svg, size_t len)
{
	for (const struct chart_entry *const *chart = charts; *chart; chart++) {
		if ((*chart)->is_in && (*chart)->is_in(svg, len))
			return *chart;
	}
	return charts[0];
}

static int render_folded_write_lines(const struct str *picture, const char *path, const char *output)
{
	const struct chart_entry *chart = render_folded_find_chart(str_text(picture), picture->len);
	struct outfile out;

	if (outfile_open(&out, output) < 0)
		return -1;
	if (chart->unfold(out.file, str_text(picture), picture->len, path) < 0) {
		outfile_abandon(&out);
		return -1;
	}
	return outfile_commit(&out);
}

int folded_run(int argc, char **argv)
{
	const char *output = NULL, *path;
	const struct opt opts[] = { { 'o', "output", "FILE", "write to FILE [stdout]", .text = &output }, { 0 } };
	static const struct manual manual = {
		.usage = "[-o FILE] [PICTURE]",
		.about = "Writes the folded lines of a picture (.svg or .svgz; stdin without PICTURE).",
		.examples = "  pyrograph render folded cpu.svg >cpu.folded\n"
			    "  pyrograph render folded old.svgz | pyrograph render flame -i >new.svg\n",
	};
	struct str text = { 0 };
	int status = 1;

	argc = opts_parse(opts, &manual, argc, argv);
	if (argc > 1)
		die_usage("one picture at a time");
	path = argc ? argv[0] : "-";
	if (outfile_is_same(output, path))
		die_usage("-o %s would overwrite the picture", output);
	if (read_picture(&text, path) < 0)
		goto out;
	status = render_folded_write_lines(&text, path, output) < 0;
out:
	str_free(&text);
	return status;
}
