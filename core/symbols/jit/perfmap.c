#include "core/symbols/jit/perfmap.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

enum { CHUNK = 1 << 18 }; /* bytes read at a time; lines are shorter */

#define MAX_TAKEN (UINT64_C(1) << 30)

/* Like strtoull(text, end, 16), but without signs; false: not a number, or too large. */
static bool perfmap_parse_hex(const char **text, const char *end, uint64_t *n)
{
	static const int8_t digits[256] = {
		['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
		['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
		['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
	};
	const char *at = *text, *first;

	while (at < end && isspace((unsigned char)*at))
		at++;
	if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
		at += 2;
	first = at;
	for (*n = 0; at < end && digits[(unsigned char)*at]; at++) {
		if (*n >> 60)
			return false;
		*n = *n << 4 | (uint64_t)(digits[(unsigned char)*at] - 1);
	}
	*text = at;
	return at > first;
}

struct line {
	uint64_t start, size;
	const char *name;
	size_t name_len;
};

/* "7f2c4d000100 80 LFoo;::bar", with or without 0x; a NUL ends the name. */
static bool perfmap_parse_line(const char *text, const char *end, struct line *line)
{
	if (!perfmap_parse_hex(&text, end, &line->start) || text == end || *text++ != ' ')
		return false;
	if (!perfmap_parse_hex(&text, end, &line->size) || text == end || *text++ != ' ')
		return false;
	if (!line->size || line->start + line->size < line->start)
		return false;
	while (text < end && *text == ' ')
		text++;
	line->name = text;
	line->name_len = strnlen(text, (size_t)(end - text));
	return line->name_len;
}

/* Does the line repeat the last one of its address?  Then the file was rewritten. */
static bool perfmap_is_known(const struct jit_code *code, const struct line *line)
{
	const struct jit_piece *p = jit_code_at(code, line->start);
	const char *name;

	if (!p || p->size != line->size)
		return false;
	name = jit_piece_name(code, p);
	return !strncmp(name, line->name, line->name_len) && !name[line->name_len];
}

static void perfmap_take_line(struct perfmap *m, const char *text, const char *end, struct jit_code *code)
{
	struct jit_piece *piece;
	struct line line;

	while (text < end && !*text) /* a hole: the file was truncated while its writer went on */
		text++;
	if (end > text && end[-1] == '\r')
		end--;
	if (!perfmap_parse_line(text, end, &line)) {
		code->bad++;
		return;
	}
	if (perfmap_is_known(code, &line))
		return;
	piece = jit_code_add(code, line.start, line.size, line.start, line.name, line.name_len);
	if (!piece)
		return;
	/* the piece was made after the last look; older code there was most likely gone by then */
	piece->from_ns = m->looked_ns ? ++m->looked_ns : 0;
	piece->seen_ns = m->look_ns;
}

/* Is it the same file, and is the part that was read unchanged? */
static bool perfmap_goes_on(const struct perfmap *m, int fd)
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

static void note_hole(struct perfmap *m, struct jit_code *code)
{
	code->bad += !m->in_hole;
	m->in_hole = true;
}

/* Skips a hole.  Returns false when there is nothing after it. */
static bool pass_over_hole(struct perfmap *m, int fd, struct jit_code *code)
{
	off_t data = lseek(fd, (off_t)m->at, SEEK_DATA);

	if ((data < 0 && errno == ENXIO) || data > (off_t)m->at)
		note_hole(m, code);
	if (data > (off_t)m->at)
		m->at = (uint64_t)data;
	return data >= 0 || errno != ENXIO;
}

/* Take the complete lines of the next chunk.  Returns false if there are none. */
static bool perfmap_read_chunk(struct perfmap *m, int fd, char *chunk, struct jit_code *code)
{
	size_t want = m->look_end - m->at < CHUNK ? (size_t)(m->look_end - m->at) : CHUNK;
	ssize_t n = pread(fd, chunk, want, (off_t)m->at);
	const char *text = chunk, *end, *newline;

	if (n <= 0)
		return false;
	end = chunk + n;
	while (text < end && !*text) /* a hole that is stored */
		text++;
	if (text > chunk)
		note_hole(m, code);
	while ((newline = memchr(text, '\n', (size_t)(end - text)))) {
		perfmap_take_line(m, text, newline, code);
		text = newline + 1;
		m->in_hole = false;
	}
	if (text == chunk && n == CHUNK) { /* no valid line is so long */
		code->bad++;
		text = end;
	}
	m->at += (uint64_t)(text - chunk);
	m->taken += (uint64_t)(text - chunk);
	return text > chunk; /* else the last line is still being written */
}

static bool is_too_much(const struct perfmap *m, const struct jit_code *code)
{
	return m->taken >= MAX_TAKEN || jit_code_is_full(code);
}

/* Reads the file.  Returns whether the look is over. */
static bool perfmap_look(struct perfmap *m, int fd, const struct patience *patience, struct jit_code *code)
{
	char *chunk = xmalloc(CHUNK);
	bool over = false;

	while (!over && !is_too_much(m, code) && !patience_is_over(patience))
		over = m->at >= m->look_end || !pass_over_hole(m, fd, code) || !perfmap_read_chunk(m, fd, chunk, code);
	free(chunk);
	return over;
}

bool perfmap_read(struct perfmap *m, int fd, uint64_t now_ns, const struct patience *patience, struct jit_code *code)
{
	struct stat st;
	bool over;

	if (fstat(fd, &st))
		return true;
	if (!perfmap_goes_on(m, fd)) {
		m->at = m->taken = m->look_ns = 0;
		m->in_hole = false;
	}
	if (!m->look_ns) {
		m->look_ns = now_ns;
		m->look_end = (uint64_t)st.st_size;
	}
	over = perfmap_look(m, fd, patience, code);
	keep_tail(m, fd);
	m->unread = over || m->at > (uint64_t)st.st_size ? 0 : (uint64_t)st.st_size - m->at;
	if (over) {
		m->looked_ns = m->look_ns;
		m->look_ns = 0;
	}
	return over || is_too_much(m, code);
}
