/* Reads a large file in several parts at the same time, and joins them. */
#include "render/profile/profile.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/infile.h"
#include "core/lines.h"
#include "core/memory.h"
#include "render/profile/line.h"

enum { PARTS_MAX = 8, PART_BYTES_MIN = 4 << 20 };

struct part {
	struct profile profile;
	struct str headers;
	const char *path;
	const struct profile_filter *filter;
	uint64_t start, length;
	atomic_bool *stop;
	pthread_t thread;
	int status;
};

/* ---- cutting -------------------------------------------------------------- */

/* The start of the first line at or after at; size if there is none. */
static uint64_t profile_parallel_next_line(int fd, uint64_t at, uint64_t size)
{
	char buf[4096];

	while (at < size) {
		ssize_t n = pread(fd, buf, sizeof(buf), (off_t)at - 1);
		const char *newline = n > 0 ? memchr(buf, '\n', (size_t)n) : NULL;

		if (n <= 0)
			break;
		if (newline)
			return at + (uint64_t)(newline - buf);
		at += (uint64_t)n;
	}
	return size;
}

static size_t profile_parallel_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) < 0 ? 1 : (size_t)CPU_COUNT(&set);
}

/* Set start and length of at most count parts.  Returns how many there are; fewer than two if the file is small
 * or not a regular file. */
static size_t profile_parallel_cut(struct part *parts, const char *path, size_t count)
{
	struct stat st;
	uint64_t size;
	int fd;

	/* A pipe must not even be opened, since its writer would notice that it is closed. */
	if (!strcmp(path, "-") || stat(path, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < 2 * PART_BYTES_MIN)
		return 0;
	fd = infile_open(path);
	if (fd < 0)
		return 0;
	size = (uint64_t)st.st_size;
	if (count > PARTS_MAX)
		count = PARTS_MAX;
	if (count > size / PART_BYTES_MIN)
		count = size / PART_BYTES_MIN;
	for (size_t i = 0; i < count; i++)
		parts[i].start = i ? profile_parallel_next_line(fd, size / count * i, size) : 0;
	for (size_t i = 0; i < count; i++)
		parts[i].length = (i + 1 < count ? parts[i + 1].start : UINT64_MAX) - parts[i].start;
	close(fd);
	return count;
}

/* ---- joining -------------------------------------------------------------- */

/* The numbers of a part's names, nodes and stacks in the whole. */
struct joined_places {
	uint32_t *name;         /* [name] */
	uint32_t *node, *stack; /* [node] */
	uint32_t layer;         /* of the values; NO_LAYER: values are widths */
	uint32_t count_before;  /* the whole's nodes, without those of the part */
	bool last;              /* no part follows, so its stacks will not be looked up */
};

enum { NO_LAYER = UINT32_MAX };

static void profile_parallel_add_value(struct profile *p, uint32_t stack, uint64_t value, uint32_t layer)
{
	if (layer == NO_LAYER)
		p->stacks[stack].self += value;
	else if (value)
		profile_add_value(p, stack, layer, value);
}

/* Put a stack of part into p.  For nodes that came from part itself, no search for children is needed, since they have
 * only those of part. */
static void join_stack(struct profile *p, const struct profile *part, uint32_t s, const struct joined_places *places)
{
	const struct profile_stack *from = &part->stacks[s];
	uint32_t node = places->node[from->parent], in = places->stack[from->parent];
	uint32_t end = profile_stack_end(part, s), n = from->first, n_name, child;

	for (; n < end && node < places->count_before; n++) {
		child = profile_child(p, node, &in, places->name[profile_name(part, n)]);
		if (!child)
			break;
		places->node[n] = node = child;
		places->stack[n] = in;
	}
	if (n == end) {
		in = profile_ending(p, node, in);
		p->stacks[in].idle |= from->idle;
		profile_parallel_add_value(p, in, from->self, places->layer);
		return;
	}
	n_name = places->name[profile_name(part, n)];
	in = places->last ? profile_begin_stack(p, node, in) : profile_hang(p, node, in, n_name);
	p->stacks[in].idle |= from->idle;
	profile_parallel_add_value(p, in, from->self, places->layer);
	for (; n < end; n++) {
		places->node[n] = (uint32_t)p->count;
		places->stack[n] = in;
		profile_add_node(p, places->name[profile_name(part, n)]);
	}
}

static void join_stacks(struct profile *p, const struct profile *part, uint32_t layer, bool last)
{
	struct joined_places places = {
		.name = xmalloc(part->names.count * sizeof(uint32_t)),
		.node = xmalloc(part->count * sizeof(uint32_t)),
		.stack = xmalloc(part->count * sizeof(uint32_t)),
		.layer = layer,
		.count_before = (uint32_t)p->count,
		.last = last,
	};

	for (uint32_t id = 0; id < part->names.count; id++)
		places.name[id] = id == PROFILE_FOLDED_NAME ? id
							    : intern_add(&p->names, intern_text(&part->names, id),
									 intern_len(&part->names, id));
	places.node[0] = places.stack[0] = 0;
	profile_parallel_add_value(p, 0, part->stacks[0].self, layer);
	for (uint32_t s = 1; s < part->stack_count; s++)
		join_stack(p, part, s, &places);
	if (last)
		profile_close(p); /* the table, which lacks the new stacks */
	free(places.name);
	free(places.node);
	free(places.stack);
}

static void join_headers(struct profile *p, const struct str *headers)
{
	for (size_t at = 0; at < headers->len;) {
		const char *line = headers->buf + at;
		size_t len = (size_t)((char *)memchr(line, '\n', headers->len - at) - line);

		source_read(&p->source, line, len);
		at += len + 1;
	}
}

/* Convert all parts and p to the same units.  Returns false if the sum is too large. */
static bool profile_parallel_same_units(struct profile *p, struct part *parts, size_t count)
{
	unsigned decimals = p->decimals;
	uint64_t total;

	for (size_t i = 0; i < count; i++) {
		if (parts[i].profile.decimals > decimals)
			decimals = parts[i].profile.decimals;
	}
	if (decimals > p->decimals && !profile_refine(p, decimals))
		return false;
	total = p->total;
	for (size_t i = 0; i < count; i++) {
		struct profile *part = &parts[i].profile;

		if (decimals > part->decimals && !profile_refine(part, decimals))
			return false;
		if (__builtin_add_overflow(total, part->total, &total))
			return false;
	}
	return true;
}

/* Join part, perhaps the last one, into p; part is emptied. */
static void profile_parallel_join(struct profile *p, struct part *part, uint32_t layer, bool last)
{
	if (!p->count && layer == NO_LAYER) {
		profile_free(p);
		*p = part->profile;
		part->profile = (struct profile){ 0 };
	} else {
		profile_ensure_root(p);
		join_stacks(p, &part->profile, layer, last);
		p->total += part->profile.total;
		p->lines += part->profile.lines;
		p->filtered_lines += part->profile.filtered_lines;
		p->timed |= part->profile.timed;
	}
	join_headers(p, &part->headers);
}

/* ---- reading -------------------------------------------------------------- */

static void *read_part(void *arg)
{
	struct part *part = arg;

	part->status = profile_read_part(&part->profile, part->path, part->filter, part->start, part->length,
					 &part->headers, part->stop);
	if (part->status < 0)
		*part->stop = true;
	return NULL;
}

/* Returns 0 if all parts could be read. */
static int read_parts(struct part *parts, size_t count, const char *path, const struct profile_filter *filter)
{
	atomic_bool stop = false;
	size_t started;
	int status = 0;

	for (started = 0; started < count; started++) {
		struct part *part = &parts[started];

		part->path = path;
		part->filter = filter;
		part->stop = &stop;
		if (started && pthread_create(&part->thread, NULL, read_part, part))
			break;
	}
	if (started < count)
		stop = true;
	read_part(&parts[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(parts[i].thread, NULL);
	for (size_t i = 0; i < started; i++)
		status |= parts[i].status;
	return started < count ? -1 : status;
}

/* Parts share the filter, so the file is not divided if the filter has a state: a regular expression's last match, or
 * the frames in the last header. */
static bool can_be_cut(const struct profile *p, const struct profile_filter *filter)
{
	if (filter->lines.include_count || filter->lines.exclude_count || filter->chart || filter->split)
		return false;
	if (filter->layering == LAYERING_NONE || filter->layering == LAYERING_COLUMNS)
		return !p->layer_count;
	return filter->layering == LAYERING_FILE;
}

/* Read the places of root frames from the comments at the beginning of path. */
static void read_first_roots(struct root_places *roots, const char *path)
{
	struct folded_source header = { 0 };
	struct lines in;
	size_t len;
	char *line;

	if (lines_open(&in, path) == 0) {
		while (lines_next(&in, &line, &len)) {
			if (in.number == 1)
				line_skip_mark(&line, &len);
			if (!line_is_comment(line, len) || source_read(&header, line, len))
				break;
		}
		lines_close(&in);
	}
	root_places_read(roots, &header);
	source_free(&header);
}

bool profile_read_parallel(struct profile *p, const char *path, const struct profile_filter *filter)
{
	struct profile_filter own = *filter;
	uint32_t layer = filter->layering == LAYERING_FILE ? filter->layer : (uint32_t)NO_LAYER;
	size_t count = can_be_cut(p, filter) ? profile_parallel_processors() : 1;
	struct part parts[PARTS_MAX] = { 0 };
	bool good;

	if (count > 1)
		count = profile_parallel_cut(parts, path, count);
	if (count < 2)
		return false;
	read_first_roots(&own.roots, path);
	good = read_parts(parts, count, path, &own) == 0 && profile_parallel_same_units(p, parts, count);
	if (good && layer != NO_LAYER)
		profile_need_layers(p, (size_t)layer + 1, path);
	for (size_t i = 0; i < count; i++) {
		if (good)
			profile_parallel_join(p, &parts[i], layer, i + 1 == count);
		profile_free(&parts[i].profile);
		str_free(&parts[i].headers);
	}
	return good;
}
