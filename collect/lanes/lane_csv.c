#include "collect/lanes/lane_csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/decimal.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "core/wallclock.h"

enum { READ_BYTES = 65536, LINE_MAX_BYTES = 4096, TURN_NS = 10000000, LAST_NS = 1000000000 };

bool lane_csv_is_valid(const char *option)
{
	const char *path = strchr(option, '=');

	return path && path > option && path[1];
}

/* A name must be usable as a frame: clean, without ';', and without a number after a blank. */
static char *clean_name(const char *name, size_t len)
{
	struct str out = { 0 };

	str_puts(&out, "csv;");
	printable_add(&out, name, len);
	for (size_t i = strlen("csv;"); i < out.len; i++)
		out.buf[i] = (char)(out.buf[i] == ';' ? ':' : out.buf[i] == ' ' ? '_' : out.buf[i]);
	return out.buf;
}

int lane_csv_open(struct lane_csv *c, const char *option, bool monotonic)
{
	const char *path = strchr(option, '=') + 1;

	*c = (struct lane_csv){ .path = path, .lane = LANE_NONE, .monotonic = monotonic };
	c->name = clean_name(option, (size_t)(path - 1 - option));
	c->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (c->fd < 0)
		return error("--csv: cannot read %s: %s", path, strerror(errno));
	return 0;
}

/* ---- lines ---- */

/* "2351.032", "1795342502.5" */
static bool read_seconds(const char *text, size_t len, uint64_t *ns)
{
	struct decimal d;

	return decimal_read(&text, &len, &d) && !len && decimal_scale(&d, 9, ns);
}

static bool lane_csv_read_time(const struct lane_csv *c, const char *text, size_t len, int64_t wall_ns, uint64_t *ns)
{
	struct instant instant;
	char buffer[64];

	if (read_seconds(text, len, ns)) {
		*ns -= c->monotonic ? 0 : (uint64_t)wall_ns;
		return true;
	}
	if (c->monotonic || len >= sizeof(buffer))
		return false;
	memcpy(buffer, text, len);
	buffer[len] = '\0';
	if (!instant_parse(buffer, &instant) || instant.kind != INSTANT_EPOCH)
		return false;
	*ns = instant.ns - (uint64_t)wall_ns;
	return true;
}

static bool lane_csv_read_value(const char *text, size_t len, uint64_t *thousandths)
{
	struct decimal d;

	return decimal_read(&text, &len, &d) && !len && decimal_scale(&d, 3, thousandths) && *thousandths <= INT64_MAX;
}

static size_t without_blanks(const char **text, size_t len)
{
	while (len && (**text == ' ' || **text == '\t'))
		(*text)++, len--;
	while (len && strchr(" \t\r", (*text)[len - 1]))
		len--;
	return len;
}

static bool lane_csv_take_line(struct lane_csv *c, struct lane_list *l, const char *text, size_t len, uint64_t from_ns,
			       uint64_t to_ns, int64_t wall_ns)
{
	const char *comma = memchr(text, ',', len), *value, *end;
	uint64_t time_ns, thousandths;
	size_t time_len, value_len;

	if (!comma)
		return false;
	value = comma + 1;
	value_len = len - (size_t)(value - text);
	time_len = without_blanks(&text, (size_t)(comma - text));
	end = memchr(value, ',', value_len);
	value_len = without_blanks(&value, end ? (size_t)(end - value) : value_len);
	if (!lane_csv_read_time(c, text, time_len, wall_ns, &time_ns) ||
	    !lane_csv_read_value(value, value_len, &thousandths))
		return false;
	if (time_ns < from_ns || time_ns >= to_ns)
		return true;
	if (c->lane == LANE_NONE)
		c->lane = lane_find(l, c->name, "-", -1);
	lane_set_exactly(l, c->lane, time_ns, thousandths);
	return true;
}

static void lane_csv_take(struct lane_csv *c, struct lane_list *l, const char *text, size_t len, uint64_t from_ns,
			  uint64_t to_ns, int64_t wall_ns)
{
	const char *start = text;

	c->lines++;
	if (!without_blanks(&start, len) || *start == '#' ||
	    lane_csv_take_line(c, l, text, len, from_ns, to_ns, wall_ns) || c->lines == 1)
		return;
	c->bad++;
	if (!c->wrong_told)
		warn("--csv: %s:%llu: expected 'time,value', %s", c->path, (unsigned long long)c->lines,
		     c->monotonic ? "time in seconds of CLOCK_MONOTONIC"
				  : "time as 1795342502.014 or 2026-11-21T10:15:02.014Z");
	c->wrong_told = true;
}

/* Take whole lines off c->text. */
static void lane_csv_take_lines(struct lane_csv *c, struct lane_list *l, uint64_t from_ns, uint64_t to_ns,
				int64_t wall_ns, bool last)
{
	size_t at = 0;

	while (at < c->text.len) {
		const char *start = c->text.buf + at, *end = memchr(start, '\n', c->text.len - at);

		if (!end && !last && c->text.len - at < LINE_MAX_BYTES)
			break;
		lane_csv_take(c, l, start, end ? (size_t)(end - start) : c->text.len - at, from_ns, to_ns, wall_ns);
		at = end ? (size_t)(end + 1 - c->text.buf) : c->text.len;
	}
	memmove(c->text.buf, c->text.buf + at, c->text.len - at);
	c->text.len -= at;
}

/* The size of the file; UINT64_MAX for a pipe or a device. */
static uint64_t bytes_there(const struct lane_csv *c)
{
	off_t at = lseek(c->fd, 0, SEEK_CUR);
	struct stat info;

	if (at < 0 || fstat(c->fd, &info) || !S_ISREG(info.st_mode))
		return UINT64_MAX;
	return info.st_size > at ? (uint64_t)(info.st_size - at) : 0;
}

void lane_csv_read(struct lane_csv *c, struct lane_list *l, uint64_t from_ns, uint64_t (*now)(void), int64_t wall_ns,
		   bool last)
{
	uint64_t until_ns = clock_ns(CLOCK_MONOTONIC) + (last ? LAST_NS : TURN_NS);
	uint64_t left = bytes_there(c);
	ssize_t n;

	do {
		str_reserve(&c->text, READ_BYTES);
		n = read(c->fd, c->text.buf + c->text.len, left < READ_BYTES ? (size_t)left : READ_BYTES);
		c->text.len += n > 0 ? (size_t)n : 0;
		left -= n > 0 ? (uint64_t)n : 0;
		c->behind = n > 0 && left && clock_ns(CLOCK_MONOTONIC) >= until_ns;
		if (c->text.len)
			lane_csv_take_lines(c, l, from_ns, now() + LANE_CSV_AHEAD_NS, wall_ns,
					    last && (n <= 0 || !left));
	} while (n > 0 && left && !c->behind);
	if (last && c->behind)
		warn("--csv: %s: there is more than could be read: the rest is left out", c->path);
}

void lane_csv_free(struct lane_csv *c)
{
	if (c->fd > 0)
		close(c->fd);
	free(c->name);
	str_free(&c->text);
	*c = (struct lane_csv){ 0 };
}
