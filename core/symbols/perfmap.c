#include "core/symbols/perfmap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/lines.h"

enum { MAX_BYTES = 1 << 26 }; /* read at once */

#define MAX_FILE (UINT64_C(1) << 32)

/* "7f2c4d000100 80 LFoo;::bar", with or without 0x. */
static bool parse_line(char *text, size_t len, uint64_t *start, uint64_t *size, char **name)
{
	char *end;

	text[len] = '\0'; /* where the newline was */
	*start = strtoull(text, &end, 16);
	if (end == text || *end != ' ')
		return false;
	text = end + 1;
	*size = strtoull(text, &end, 16);
	if (end == text || *end != ' ' || !*size || *start + *size < *start)
		return false;
	*name = end + strspn(end, " ");
	return **name;
}

/* The last thing that was said of this address, said again: the file was written anew. */
static bool is_known(const struct jit_code *code, uint64_t start, uint64_t size, const char *name, size_t len)
{
	const struct jit_piece *p = jit_code_at(code, start);

	return p && p->size == size && len == intern_len(&code->names, p->name) &&
	       !memcmp(name, intern_text(&code->names, p->name), len);
}

static void take_line(struct perfmap *m, char *text, size_t len, uint64_t now_ns, struct jit_code *code)
{
	struct jit_piece *piece;
	uint64_t start, size;
	char *name;

	while (len && !*text) { /* a hole: the file was cut while its writer went on */
		text++;
		len--;
	}
	if (!len || !parse_line(text, len, &start, &size, &name)) {
		code->bad++;
		return;
	}
	if (is_known(code, start, size, name, strlen(name)))
		return;
	piece = jit_code_add(code, start, size, start, name, strlen(name));
	if (!piece)
		return;
	/* Some time since the last look; what was there before has most likely been gone by then. */
	piece->from_ns = m->looked_ns ? ++m->looked_ns : 0;
	piece->seen_ns = now_ns;
}

/* Is what was read still there, and the file no other? */
static bool goes_on(const struct perfmap *m, int fd)
{
	size_t len = m->at < sizeof(m->tail) ? (size_t)m->at : sizeof(m->tail);
	char tail[sizeof(m->tail)];

	return pread(fd, tail, len, (off_t)(m->at - len)) == (ssize_t)len && !memcmp(tail, m->tail, len);
}

static void keep_tail(struct perfmap *m, int fd)
{
	size_t len = m->at < sizeof(m->tail) ? (size_t)m->at : sizeof(m->tail);

	if (pread(fd, m->tail, len, (off_t)(m->at - len)) != (ssize_t)len)
		m->at = 0;
}

/* Read whole lines; returns false when there was no end of bytes, but none of a line. */
static bool read_lines(struct perfmap *m, int fd, uint64_t now_ns, struct jit_code *code, bool *more)
{
	struct lines lines = { .fd = fd, .path = "perf map", .limited = true, .left = MAX_BYTES };
	uint64_t start = m->at;
	size_t len;
	char *text;

	while (lines_next(&lines, &text, &len)) {
		if (lines.at_end && lines.start == lines.end)
			break; /* being written: the last line may be half there */
		take_line(m, text, len, now_ns, code);
		m->at = start + (MAX_BYTES - lines.left) - (lines.end - lines.start);
	}
	*more = !lines.left;
	free(lines.buf);
	return m->at > start || !*more;
}

void perfmap_read(struct perfmap *m, int fd, uint64_t now_ns, struct jit_code *code)
{
	bool more = true;

	if (!goes_on(m, fd))
		m->at = 0;
	while (more && m->at < MAX_FILE) {
		off_t data = lseek(fd, (off_t)m->at, SEEK_DATA);

		if (data > (off_t)m->at) {
			m->at = (uint64_t)data;
			code->bad++;
		}
		lseek(fd, (off_t)m->at, SEEK_SET);
		if (!read_lines(m, fd, now_ns, code, &more)) {
			m->at += MAX_BYTES;
			code->bad++;
		}
	}
	keep_tail(m, fd);
	m->looked_ns = now_ns;
}
