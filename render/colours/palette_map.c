#include "render/colours/palette_map.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/lines.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "render/colours/palette.h"

/* "rgb(232,85,17)" or "#e85511", NUL-terminated. */
static bool palette_map_parse_value(const char *text, uint32_t *rgb)
{
	unsigned r, g, b;
	int end = 0;

	if (parse_colour(text, rgb))
		return true;
	if (sscanf(text, "rgb( %3u , %3u , %3u )%n", &r, &g, &b, &end) != 3 || !end || text[end] || r > 255 ||
	    g > 255 || b > 255)
		return false;
	*rgb = r << 16 | g << 8 | b;
	return true;
}

/* The last "->" of line, or NULL. */
static char *find_arrow(char *line, size_t len)
{
	for (size_t i = len; i >= 2; i--) {
		if (line[i - 2] == '-' && line[i - 1] == '>')
			return line + i - 2;
	}
	return NULL;
}

static bool palette_map_take_line(struct palette_map *m, char *line, size_t len)
{
	char *arrow = find_arrow(line, len), value[64];
	size_t value_len;
	uint32_t rgb;

	if (!arrow)
		return false;
	value_len = len - (size_t)(arrow + 2 - line);
	if (value_len >= sizeof(value))
		return false;
	memcpy(value, arrow + 2, value_len);
	value[value_len] = '\0';
	if (!palette_map_parse_value(value, &rgb))
		return false;
	palette_map_add(m, line, (size_t)(arrow - line), rgb);
	return true;
}

int palette_map_read(struct palette_map *m, const char *path)
{
	struct lines in;
	size_t len;
	char *line;
	int status;

	if (access(path, F_OK))
		return 0;
	/* In a directory where others can write, the default name may belong to anything, such as a pipe. */
	if ((strcmp(path, PALETTE_MAP) ? lines_open : lines_open_regular)(&in, path) < 0)
		return -1;
	while (lines_next(&in, &line, &len)) {
		if (len && !palette_map_take_line(m, line, len))
			warn("%s:%" PRIu64 ": is not \"name->rgb(red,green,blue)\": skipped", in.path, in.number);
	}
	status = in.failed ? -1 : 0;
	lines_close(&in);
	m->changed = false;
	return status;
}

bool palette_map_find(const struct palette_map *m, const char *name, size_t len, uint32_t *rgb)
{
	uint32_t id = m->names.count ? intern_find(&m->names, name, len) : UINT32_MAX;

	if (id == UINT32_MAX)
		return false;
	*rgb = m->rgb[id];
	return true;
}

void palette_map_add(struct palette_map *m, const char *name, size_t len, uint32_t rgb)
{
	size_t count = m->names.count;
	uint32_t id = intern_add(&m->names, name, len);

	m->rgb = xgrow(m->rgb, &m->cap, m->names.count, sizeof(*m->rgb));
	if (m->names.count != count || m->rgb[id] != rgb)
		m->changed = true;
	m->rgb[id] = rgb;
}

/* ---- writing ---------------------------------------------------------------- */

struct entry {
	const char *name;
	size_t len;
	uint32_t rgb;
};

static int palette_map_by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static void write_entries(const struct palette_map *m, FILE *out)
{
	struct entry *entries = xcalloc(m->names.count, sizeof(*entries));

	for (uint32_t i = 0; i < m->names.count; i++)
		entries[i] = (struct entry){ intern_text(&m->names, i), intern_len(&m->names, i), m->rgb[i] };
	qsort(entries, m->names.count, sizeof(*entries), palette_map_by_name);
	for (uint32_t i = 0; i < m->names.count; i++) {
		uint32_t rgb = entries[i].rgb;

		fwrite(entries[i].name, 1, entries[i].len, out);
		fprintf(out, "->rgb(%u,%u,%u)\n", rgb >> 16, rgb >> 8 & 255, rgb & 255);
	}
	free(entries);
}

int palette_map_write(const struct palette_map *m, const char *path)
{
	struct outfile out;
	char *target;
	int status;

	if (!m->changed)
		return 0;
	/* A link that the user named is followed; one that has the default name is replaced. */
	target = strcmp(path, PALETTE_MAP) ? realpath(path, NULL) : NULL;
	status = outfile_open_own(&out, AT_FDCWD, target ? target : path, path);
	free(target);
	if (status < 0)
		return -1;
	write_entries(m, out.file);
	return outfile_commit(&out);
}

void palette_map_free(struct palette_map *m)
{
	if (!m)
		return;
	intern_free(&m->names);
	free(m->rgb);
	*m = (struct palette_map){ 0 };
}
