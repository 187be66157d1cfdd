#include "web/recording.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "core/format/recording.h"
#include "core/opts.h"
#include "core/str.h"
#include "core/wallclock.h"

enum {
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_CMDLINE = 11,
	FEATURES = 256,
	SECTION_MAX = 8192, /* more of one is not looked at */
	TEXT_MAX = 1000,
};

/* "PERFILE2", then sizes, then the sections of attributes, data and event types, then a bit for each
 * feature.  The table of the features' sections follows the data. */
struct header {
	char magic[8];
	uint64_t size, attr_size;
	struct section {
		uint64_t offset, size;
	} attrs, data, event_types;
	uint64_t features[FEATURES / 64];
};

/* The first bytes of the section of a feature; returns how many, 0 when it is not there. */
static size_t read_feature(const struct header *h, int fd, int feature, char bytes[SECTION_MAX])
{
	struct section section;
	uint64_t index = 0, at;
	ssize_t len;

	if (!(h->features[feature / 64] >> feature % 64 & 1))
		return 0;
	for (int i = 0; i < feature; i++)
		index += h->features[i / 64] >> i % 64 & 1;
	if (__builtin_add_overflow(h->data.offset, h->data.size, &at) || at > INT64_MAX - FEATURES * sizeof(section))
		return 0;
	if (pread(fd, &section, sizeof(section), (off_t)(at + index * sizeof(section))) != sizeof(section) ||
	    section.offset > INT64_MAX)
		return 0;
	len = pread(fd, bytes, section.size < SECTION_MAX ? section.size : SECTION_MAX, (off_t)section.offset);
	return len > 0 ? (size_t)len : 0;
}

/* Append the string at *at: its padded length, then its bytes and NULs.  Returns false at the end. */
static bool take_string(const char *bytes, size_t len, size_t *at, struct str *out)
{
	uint32_t padded;

	if (*at > len || len - *at < sizeof(padded))
		return false;
	memcpy(&padded, bytes + *at, sizeof(padded));
	*at += sizeof(padded);
	if (padded > len - *at)
		return false;
	str_add(out, bytes + *at, strnlen(bytes + *at, padded));
	*at += padded;
	return true;
}

static void web_recording_set_fact(struct picture_metadata *m, struct arena *text, enum fact fact,
				   const struct str *value)
{
	if (value->len)
		m->facts[fact] = arena_strdup(text, value->buf, value->len < TEXT_MAX ? value->len : TEXT_MAX);
}

static void web_recording_read_text(struct picture_metadata *m, struct arena *text, enum fact fact, const char *bytes,
				    size_t len)
{
	struct str value = { 0 };
	size_t at = 0;

	if (take_string(bytes, len, &at, &value))
		web_recording_set_fact(m, text, fact, &value);
	str_free(&value);
}

/* A count, then that many words. */
static void web_recording_read_command(struct picture_metadata *m, struct arena *text, const char *bytes, size_t len)
{
	struct str value = { 0 };
	uint32_t words = 0;
	size_t at = sizeof(words);

	if (len >= sizeof(words))
		memcpy(&words, bytes, sizeof(words));
	for (uint32_t i = 0; i < words && value.len < TEXT_MAX; i++) {
		if (i)
			str_addc(&value, ' ');
		if (!take_string(bytes, len, &at, &value))
			break;
	}
	web_recording_set_fact(m, text, FACT_COMMAND, &value);
	str_free(&value);
}

/* "MONOTONIC_NS REALTIME_NS" */
static void set_time(struct picture_metadata *m, struct arena *text, enum fact fact, const char *line, size_t len)
{
	const char *blank = memchr(line, ' ', len);
	struct str digits = { 0 }, time = { 0 };
	uint64_t ns;

	if (blank)
		str_add(&digits, blank + 1, (size_t)(line + len - blank - 1));
	if (parse_u64(str_text(&digits), &ns)) {
		wallclock_add(&time, ns);
		web_recording_set_fact(m, text, fact, &time);
	}
	str_free(&digits);
	str_free(&time);
}

/* Its first line, and its last if that is within what was read. */
static void read_clocks(struct picture_metadata *m, struct arena *text, const char *bytes, size_t len)
{
	const char *end = bytes + len, *last;
	const char *newline = memchr(bytes, '\n', len);

	if (!newline)
		return;
	set_time(m, text, FACT_START, bytes, (size_t)(newline - bytes));
	if (len == SECTION_MAX || end[-1] != '\n')
		return;
	last = memrchr(bytes, '\n', len - 1);
	if (last)
		set_time(m, text, FACT_END, last + 1, (size_t)(end - last - 2));
}

void recording_read(struct picture_metadata *m, struct arena *text, int fd)
{
	char bytes[SECTION_MAX];
	struct header h;
	size_t len;

	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) || memcmp(h.magic, "PERFILE2", sizeof(h.magic)))
		return;
	if ((len = read_feature(&h, fd, FEATURE_HOSTNAME, bytes)))
		web_recording_read_text(m, text, FACT_HOST, bytes, len);
	if ((len = read_feature(&h, fd, FEATURE_OSRELEASE, bytes)))
		web_recording_read_text(m, text, FACT_KERNEL, bytes, len);
	if ((len = read_feature(&h, fd, FEATURE_CMDLINE, bytes)))
		web_recording_read_command(m, text, bytes, len);
	if ((len = read_feature(&h, fd, RECORDING_CLOCKS, bytes)))
		read_clocks(m, text, bytes, len);
}
