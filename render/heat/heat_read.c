#include "render/heat/heat.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/lines.h"
#include "core/memory.h"
#include "core/progress.h"
#include "core/str.h"
#include "render/heat/heat_parts.h"
#include "render/profile/foreign.h"

enum { BLOCK_BYTES = 4 << 20, THREADS_MAX = 8 };

static const char HEADER_LINE[] = "\n" FOLDED_HEADER;

/* The input, from which the threads read blocks in turn. */
struct input {
	pthread_mutex_t lock;
	struct heat *heat;
	const char *path;
	struct lines file; /* only opened by lines_open(), since threads read whole blocks */
	struct str rest;   /* the beginning of a line, whose end is in the next block */
	uint64_t bytes;    /* read so far */
	bool ended;
	struct heat_block **blocks; /* in the order of the file */
	size_t count, cap;
	uint32_t recording; /* of the last header */
	size_t columns;
	bool lanes; /* they are taken out */
};

struct worker {
	struct input *in;
	struct heat_scanner scanner;
	char *buf;
	size_t len, cap;
	pthread_t thread;
};

/* ---- blocks ----------------------------------------------------------------- */

/* How much to read at once: for a small file its size plus one byte, to see its end, since the first byte in a large
 * buffer already makes the kernel clear 2 MB. */
static size_t block_bytes(const struct input *in)
{
	struct stat st;

	if (!fstat(in->file.fd, &st) && S_ISREG(st.st_mode) && st.st_size < BLOCK_BYTES)
		return (size_t)st.st_size + 1;
	return BLOCK_BYTES;
}

/* Read at least one block, up to the end of a line. */
static void heat_read_fill(struct input *in, struct worker *w)
{
	size_t block = block_bytes(in);
	const char *newline = NULL;

	w->len = in->rest.len;
	w->buf = xgrow(w->buf, &w->cap, w->len + block, 1);
	if (w->len)
		memcpy(w->buf, in->rest.buf, w->len);
	str_clear(&in->rest);
	while (!newline && !in->ended) {
		size_t from = w->len, want = w->len < block ? block : w->len * 2;

		w->buf = xgrow(w->buf, &w->cap, want, 1);
		while (w->len < w->cap && !in->ended) {
			ssize_t n = read(in->file.fd, w->buf + w->len, w->cap - w->len);

			if (n < 0 && errno == EINTR)
				continue;
			if (n < 0)
				in->file.failed = errno;
			in->ended = n <= 0;
			w->len += n > 0 ? (size_t)n : 0;
		}
		newline = memrchr(w->buf + from, '\n', w->len - from);
	}
	if (in->ended)
		return;
	str_add(&in->rest, newline + 1, (size_t)(w->buf + w->len - newline - 1));
	w->len = (size_t)(newline + 1 - w->buf);
}

static void heat_read_add_run(const struct input *in, struct heat_block *b, size_t end)
{
	b->runs = xgrow(b->runs, &b->runs_cap, b->run_count + 1, sizeof(*b->runs));
	b->runs[b->run_count++] = (struct heat_run){ .end = end, .recording = in->recording, .columns = in->columns };
}

static void heat_read_take_header(struct input *in, const char *line, size_t len)
{
	const struct heat_recording *r;

	if (len && line[len - 1] == '\r')
		len--;
	if (in->lanes && heat_is_header_of_lanes(line, len)) {
		source_read(&in->heat->lanes.in.source, line, len);
		in->recording = HEAT_NONE;
		in->columns = 0;
		return;
	}
	in->recording = heat_recording_of(in->heat, in->path, line, len);
	r = &in->heat->recordings[in->recording];
	in->columns = line_columns(source_get(&r->source, FOLDED_COLUMNS));
}

/* Divide the block at its headers. */
static void heat_read_find_runs(struct input *in, struct heat_block *b, const char *text, size_t len)
{
	const char *end = text + len, *at = text, *newline;
	size_t head = strlen(FOLDED_HEADER);

	if (len < head || memcmp(text, FOLDED_HEADER, head))
		at = memmem(text, len, HEADER_LINE, head + 1);
	while (at && at < end) {
		at += *at == '\n';
		if (at > text)
			heat_read_add_run(in, b, (size_t)(at - text));
		newline = memchr(at, '\n', (size_t)(end - at));
		heat_read_take_header(in, at, (size_t)((newline ? newline : end) - at));
		at = newline ? memmem(newline, (size_t)(end - newline), HEADER_LINE, head + 1) : NULL;
	}
	heat_read_add_run(in, b, len);
}

/* Take the next block; its bytes are in w->buf.  Returns NULL at the end. */
static struct heat_block *next_block(struct input *in, struct worker *w)
{
	struct heat_block *b = NULL;
	struct str size = { 0 };

	pthread_mutex_lock(&in->lock);
	if (!in->ended)
		heat_read_fill(in, w);
	else
		w->len = 0;
	if (w->len) {
		b = xcalloc(1, sizeof(*b));
		in->blocks = xgrow(in->blocks, &in->cap, in->count + 1, sizeof(struct heat_block *));
		in->blocks[in->count++] = b;
		heat_read_find_runs(in, b, w->buf, w->len);
		in->bytes += w->len;
		size_add(&size, in->bytes);
		progress("%s: %s", in->file.path, size.buf);
		str_free(&size);
	}
	pthread_mutex_unlock(&in->lock);
	return b;
}

static void *heat_read_work(void *arg)
{
	struct worker *w = arg;
	struct heat_block *b;

	while ((b = next_block(w->in, w)))
		heat_block_scan(&w->scanner, b, w->buf);
	return NULL;
}

/* ---- putting together -------------------------------------------------------- */

static void heat_read_report(const struct input *in, const struct heat_block *b, uint64_t lines_before,
			     uint64_t *reported)
{
	for (size_t i = 0; i < b->complaint_count && *reported < MESSAGES_MAX; i++) {
		const struct heat_complaint *c = &b->complaints[i];
		struct lines where = { .path = in->file.path, .number = lines_before + c->line };

		line_report(&where, c->wrong, c->column, c->text, c->len);
		++*reported;
	}
}

static int join_blocks(struct input *in, const struct heat_filter *filter)
{
	uint64_t lines = 0, reported = 0;
	size_t events = 0;
	int status = 0;

	for (size_t i = 0; i < in->count; i++)
		events += in->blocks[i]->count;
	heat_reserve(in->heat, events);
	for (size_t i = 0; i < in->count; i++) {
		struct heat_block *b = in->blocks[i];

		heat_read_report(in, b, lines, &reported);
		lines += b->all_lines;
		if (!status && heat_join(in->heat, b, in->path, filter) < 0)
			status = error("%s: values differ too much in size", in->file.path);
		heat_block_free(b);
		free(b);
	}
	free(in->blocks);
	return status;
}

/* ---- the whole ---------------------------------------------------------------- */

static size_t heat_read_processors(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof(set), &set) < 0 ? 1 : CPU_COUNT(&set);

	return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : (size_t)count;
}

/* How many characters of text are digits and points. */
static size_t number_len(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && ((text[i] >= '0' && text[i] <= '9') || text[i] == '.'))
		i++;
	return i;
}

/* Is it "1475682078.014 100", which trace2heatmap.pl reads?  The second line decides if the first may be a
 * heading; used only if no line has a time. */
static bool heat_read_is_points(const char *text, size_t len)
{
	for (int line = 0; line < 2 && len && !memchr(text, '@', len); line++) {
		const char *newline = memchr(text, '\n', len);
		size_t end = newline ? (size_t)(newline - text) : len, first = number_len(text, end), gap = first, last;

		while (gap < end && strchr(" \t,", text[gap]))
			gap++;
		last = gap + number_len(text + gap, end - gap);
		if (line && first && gap > first && last > gap && (last == end || text[last] == '\r'))
			return true;
		text += end + !!newline;
		len -= end + !!newline;
	}
	return false;
}

/* Read the first block.  It shows whether the input is folded text, and whether there is more. */
static int heat_read_begin(struct input *in, struct worker *w)
{
	struct str advice = { 0 };
	struct heat_block *b;
	char *text;
	size_t len;

	heat_read_fill(in, w);
	text = w->buf;
	len = w->len;
	if (foreign_is(&advice, text, len, in->path, "--heat ", "heat")) {
		error("%s: %s", in->file.path, advice.buf);
		str_free(&advice);
		return -1;
	}
	line_skip_mark(&text, &len);
	if (heat_read_is_points(text, len))
		return error("%s: two columns of numbers? then: "
			     "pyrograph collapse --format points %s | pyrograph render heat -y value",
			     in->file.path, in->path);
	b = xcalloc(1, sizeof(*b));
	in->blocks = xgrow(in->blocks, &in->cap, 1, sizeof(struct heat_block *));
	in->blocks[in->count++] = b;
	heat_read_find_runs(in, b, text, len);
	heat_block_scan(&w->scanner, b, text);
	return 0;
}

static void heat_read_all(struct input *in, struct worker *workers, size_t count)
{
	size_t started = 1;

	if (in->ended)
		return;
	for (; started < count; started++) {
		workers[started].in = in;
		workers[started].scanner.from_ns = workers[0].scanner.from_ns;
		workers[started].scanner.to_ns = workers[0].scanner.to_ns;
		workers[started].scanner.lanes = workers[0].scanner.lanes;
		if (pthread_create(&workers[started].thread, NULL, heat_read_work, &workers[started]))
			break;
	}
	heat_read_work(&workers[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
}

int heat_read(struct heat *h, const char *path, const struct heat_filter *filter)
{
	struct input in = { .lock = PTHREAD_MUTEX_INITIALIZER, .heat = h, .path = path };
	struct worker workers[THREADS_MAX] = { 0 };
	int status = -1;

	if (lines_open(&in.file, path) < 0)
		return -1;
	if (!h->reading)
		h->reading = xcalloc(1, sizeof(*h->reading));
	workers[0].in = &in;
	workers[0].scanner.from_ns = filter->from_ns;
	workers[0].scanner.to_ns = filter->to_ns;
	workers[0].scanner.lanes = in.lanes = filter->lanes;
	in.recording = HEAT_NONE;
	if (heat_read_begin(&in, &workers[0]) < 0)
		goto out;
	heat_read_all(&in, workers, heat_read_processors());
	progress_clear();
	status = join_blocks(&in, filter);
	if (in.file.failed)
		status = error("%s: %s", in.file.path, strerror(in.file.failed));
out:
	for (size_t i = 0; i < THREADS_MAX; i++) {
		heat_scanner_free(&workers[i].scanner);
		free(workers[i].buf);
	}
	str_free(&in.rest);
	lines_close(&in.file);
	return status;
}
