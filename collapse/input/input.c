#include "collapse/input/input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/infile.h"

/* Returns false if nothing follows the bytes that were read. */
static bool input_go_on(struct input_stream *in, struct str *text)
{
	size_t before = text->len;

	if (!in->next || in->failed)
		return false;
	if (in->fd >= 0)
		close(in->fd);
	in->fd = in->next(in->argument, text);
	in->bytes += text->len - before;
	return in->fd >= 0;
}

void input_fill(struct input_stream *in, struct str *text, size_t want)
{
	if (!in->at_end)
		str_reserve(text, want > text->len ? want - text->len : 0);
	while (!in->at_end && text->len < want) {
		ssize_t n = read(in->fd, text->buf + text->len, want - text->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			error("%s: %s", in->path, strerror(errno));
			in->failed = true;
		}
		if (n > 0) {
			text->len += (size_t)n;
			in->bytes += (uint64_t)n;
		} else {
			in->at_end = !input_go_on(in, text);
		}
	}
}

/* Windows puts a byte-order mark at the beginning of UTF-8: no format has it. */
static void input_skip_mark(struct str *head)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t len = strlen(mark);

	if (!text_begins(str_text(head), head->len, mark))
		return;
	head->len -= len;
	memmove(head->buf, head->buf + len, head->len);
	head->buf[head->len] = '\0';
}

int input_open(struct input_stream *in, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	const struct packing *packing;
	struct stat st;

	*in = (struct input_stream){ .fd = is_stdin ? STDIN_FILENO : infile_open(path),
				     .path = is_stdin ? "stdin" : path };
	if (in->fd < 0)
		return error("%s: %s", path, strerror(errno));
	if (is_stdin)
		infile_note(in->fd);
	if (!fstat(in->fd, &st) && S_ISDIR(st.st_mode))
		return error("%s: is a directory", in->path);
	input_fill(in, &in->head, INPUT_HEAD_BYTES);
	packing = in->failed ? NULL : packing_of(str_text(&in->head), in->head.len);
	if (packing) {
		in->bytes = 0;
		in->unpacked = unpack_start(packing, in->fd, &in->head, in->path, &in->fd);
		if (!in->unpacked)
			return -1;
		in->at_end = false;
		input_fill(in, &in->head, INPUT_HEAD_BYTES);
	}
	input_skip_mark(&in->head);
	return in->failed ? -1 : 0;
}

int input_open_fd(struct input_stream *in, int fd, const char *name)
{
	*in = (struct input_stream){ .fd = fd, .path = name };
	input_fill(in, &in->head, INPUT_HEAD_BYTES);
	return in->failed ? -1 : 0;
}

int input_open_all(struct input_stream *in, int (*next)(void *argument, struct str *text), void *argument)
{
	*in = (struct input_stream){ .fd = -1, .path = "the inputs", .next = next, .argument = argument };
	in->at_end = !input_go_on(in, &in->head);
	input_fill(in, &in->head, INPUT_HEAD_BYTES);
	return in->failed ? -1 : 0;
}

void input_skip(struct input_stream *in, size_t bytes, uint64_t lines)
{
	memmove(in->head.buf, in->head.buf + bytes, in->head.len - bytes);
	in->head.len -= bytes;
	in->skipped += bytes;
	in->lines += lines;
}

bool input_is_file(const struct input_stream *in)
{
	struct stat st;

	return !in->unpacked && !fstat(in->fd, &st) && S_ISREG(st.st_mode);
}

bool input_is_svg(const char *text, size_t len)
{
	enum { LOOKED_AT = 4096 }; /* "<svg" must be within this many bytes */

	if (!text_begins(text, len, "<?xml") && !text_begins(text, len, "<!DOCTYPE svg") &&
	    !text_begins(text, len, "<svg"))
		return false;
	return memmem(text, len < LOOKED_AT ? len : LOOKED_AT, "<svg", strlen("<svg")) != NULL;
}

void input_close(struct input_stream *in)
{
	if (!in)
		return;
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = -1;
	in->damaged |= !unpack_end(in->unpacked);
	in->unpacked = NULL;
	str_free(&in->head);
}
