#include "core/lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/infile.h"
#include "core/memory.h"
#include "core/str.h"

enum { CHUNK_BYTES = 256 * 1024 };

int lines_open(struct lines *l, const char *path)
{
	bool is_stdin = !strcmp(path, "-");

	*l = (struct lines){ .fd = is_stdin ? STDIN_FILENO : infile_open(path), .path = is_stdin ? "stdin" : path };
	if (l->fd < 0)
		return error("%s: %s", path, strerror(errno));
	if (is_stdin)
		infile_note(l->fd);
	return 0;
}

int lines_open_regular(struct lines *l, const char *path)
{
	*l = (struct lines){ .fd = infile_open_regular(path), .path = path };
	if (l->fd < 0)
		return error("%s: %s", path, errno == EINVAL ? "is not a regular file" : strerror(errno));
	return 0;
}

int lines_open_part(struct lines *l, const char *path, uint64_t start, uint64_t length)
{
	if (lines_open(l, path) < 0)
		return -1;
	l->limited = true;
	l->left = length;
	if (lseek(l->fd, (off_t)start, SEEK_SET) < 0) {
		lines_close(l);
		return error("%s: %s", path, strerror(errno));
	}
	return 0;
}

/* Move the remaining bytes to the front, and read more after them. */
static void lines_fill(struct lines *l)
{
	size_t room;
	ssize_t n;

	if (l->start) {
		memmove(l->buf, l->buf + l->start, l->end - l->start);
		l->end -= l->start;
		l->start = 0;
	}
	l->buf = xgrow(l->buf, &l->cap, l->end + CHUNK_BYTES, 1);
	room = l->cap - l->end;
	if (l->limited && room > l->left)
		room = (size_t)l->left;
	do
		n = read(l->fd, l->buf + l->end, room);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		l->failed = errno;
		error("%s: %s", l->path, strerror(errno));
	}
	if (n <= 0) {
		l->at_end = true;
		return;
	}
	l->end += (size_t)n;
	l->left -= (uint64_t)n;
}

bool lines_next(struct lines *l, char **text, size_t *len)
{
	size_t searched = 0;
	char *newline = NULL;

	for (;;) {
		if (l->end > l->start + searched)
			newline = memchr(l->buf + l->start + searched, '\n', l->end - l->start - searched);
		if (newline || l->at_end)
			break;
		searched = l->end - l->start;
		lines_fill(l);
	}
	if (!newline && l->start == l->end)
		return false;
	*text = l->buf + l->start;
	*len = (newline ? (size_t)(newline - l->buf) : l->end) - l->start;
	l->start += *len + (newline ? 1 : 0);
	if (*len && (*text)[*len - 1] == '\r')
		--*len;
	l->number++;
	return true;
}

void lines_close(struct lines *l)
{
	if (!l)
		return;
	if (l->fd > STDIN_FILENO)
		close(l->fd);
	free(l->buf);
	*l = (struct lines){ .fd = -1 };
}

size_t lines_ahead(const struct lines *l, const char *line)
{
	return (size_t)(l->buf + l->end - line);
}

int lines_each(const char *path, void (*take)(void *ctx, char *text, const char *where), void *ctx)
{
	struct str where = { 0 };
	struct lines in;
	size_t len;
	char *line;
	int status;

	if (lines_open(&in, path) < 0)
		return -1;
	while (lines_next(&in, &line, &len)) {
		char *text = xstrndup(line, len);

		str_clear(&where);
		str_addf(&where, "%s:%" PRIu64, in.path, in.number);
		if (strlen(text) != len)
			die_usage("%s: contains a NUL byte", where.buf);
		if (*text)
			take(ctx, text, where.buf);
		free(text);
	}
	status = in.failed ? -1 : 0;
	lines_close(&in);
	str_free(&where);
	return status;
}
