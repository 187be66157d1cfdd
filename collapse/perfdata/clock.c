#include "collapse/perfdata/clock.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/recorded.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/sorted.h"

static uint64_t magnitude(int64_t n)
{
	return n < 0 ? -(uint64_t)n : (uint64_t)n;
}

static void clock_add_reading(struct clock *c, uint64_t record_ns, uint64_t wall_ns)
{
	if (c->count && c->anchors[c->count - 1].record_ns > record_ns)
		return; /* damaged: keep them ascending */
	c->anchors = xgrow(c->anchors, &c->cap, c->count + 1, sizeof(*c->anchors));
	c->anchors[c->count++] = (struct clock_anchor){ record_ns, wall_ns };
}

/* CLOCK_DATA: u32 version, u32 clock id, u64 wall ns, u64 clock ns, both at the same moment. */
static void read_clock_data(struct clock *c, const struct perfdata *d)
{
	size_t len;
	const uint8_t *p = perfdata_feature(d, FEATURE_CLOCK_DATA, &len);

	if (p && len >= 24 && load_u32(p) == 1)
		clock_add_reading(c, load_u64(p + 16), load_u64(p + 8));
}

/* Take the next word of a line. */
static bool clock_take_word(const char **text, size_t *len, const char *wanted)
{
	size_t n = strlen(wanted);

	if (*len <= n || memcmp(*text, wanted, n) != 0 || (*text)[n] != ' ')
		return false;
	*text += n + 1;
	*len -= n + 1;
	return true;
}

/* "23509317896969 kernel synchronized 12500000 310000": the last line counts. */
static void clock_read_state(struct clock *c, const struct perfdata *d)
{
	struct section_lines lines;
	const char *text, *blank;
	size_t len;

	section_lines_init(&lines, d, RECORDING_CLOCK_STATE);
	while (section_next_line(&lines, &text, &len)) {
		uint64_t time_ns, within_ns;
		bool unsynchronized;

		if (!field_number(&text, &len, 10, &time_ns) || !(blank = memchr(text, ' ', len)))
			continue;
		len -= (size_t)(blank + 1 - text);
		text = blank + 1;
		unsynchronized = clock_take_word(&text, &len, FOLDED_UNSYNCHRONIZED);
		if ((!unsynchronized && !clock_take_word(&text, &len, "synchronized")) ||
		    !field_number(&text, &len, 10, &within_ns))
			continue;
		c->unsynchronized = unsynchronized;
		c->within_ns = within_ns;
	}
}

void clock_read(struct clock *c, const struct perfdata *d)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, RECORDING_CLOCKS);
	while (section_next_line(&lines, &text, &len)) {
		uint64_t record_ns, wall_ns;

		if (field_number(&text, &len, 10, &record_ns) && field_number(&text, &len, 10, &wall_ns))
			clock_add_reading(c, record_ns, wall_ns);
	}
	if (!c->count)
		read_clock_data(c, d);
	clock_read_state(c, d);
}

uint64_t clock_wall(const struct clock *c, uint64_t record_ns)
{
	size_t after = FIRST_NOT(i, c->count, c->anchors[i].record_ns <= record_ns), low = after ? after - 1 : 0;

	uint64_t wall_ns, anchor_ns;

	if (!c->count)
		return record_ns;
	wall_ns = c->anchors[low].wall_ns;
	anchor_ns = c->anchors[low].record_ns;
	if (record_ns < anchor_ns && anchor_ns - record_ns > wall_ns) /* a broken time: before the epoch */
		return 0;
	return record_ns + (wall_ns - anchor_ns);
}

int64_t clock_error(const struct clock *c)
{
	int64_t largest = 0;

	for (size_t i = 1; i < c->count; i++) {
		uint64_t wall_ns = c->anchors[i].wall_ns - c->anchors[0].wall_ns;
		int64_t error = (int64_t)(wall_ns - (c->anchors[i].record_ns - c->anchors[0].record_ns));

		if (magnitude(error) > magnitude(largest))
			largest = error;
	}
	return largest;
}

void clock_free(struct clock *c)
{
	if (!c)
		return;
	free(c->anchors);
	*c = (struct clock){ 0 };
}
