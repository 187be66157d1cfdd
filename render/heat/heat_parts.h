/* heat_parts: between heat_*.c: how lines become a heat.
 *
 *     input ── blocks of whole lines ──> as many threads as there are CPUs
 *                                          │ heat_block_scan()
 *     heat <── heat_join(), in order ──────┘
 *
 * A pipe is read like a file: whoever is free reads the next block.  Each thread numbers
 * the texts that it meets by itself. */
#ifndef RENDER_HEAT_PARTS_H
#define RENDER_HEAT_PARTS_H

#include "render/heat/heat.h"
#include "render/profile/line.h"

/* Lines with the same header before them. */
struct heat_run {
	size_t end;         /* in the block's bytes */
	size_t event_end;   /* in the block's events */
	uint32_t recording; /* HEAT_NONE: there was no header yet */
	size_t columns;     /* values a line; 0: one */
};

/* A bad line, to be reported once its number is known. */
struct heat_complaint {
	const char *wrong;
	uint64_t line; /* in the block, from 1 */
	size_t len;
	char text[64]; /* its beginning */
};

/* Some lines, read by one thread.  Events are in the order of lines. */
struct heat_block {
	const struct intern *texts; /* that thread's */
	struct heat_run *runs;
	size_t run_count, runs_cap;

	uint64_t *time_ns;
	uint32_t *text;  /* in texts */
	uint64_t *value; /* NULL: every one is same_value */
	uint64_t same_value;
	unsigned decimals;
	size_t count;

	struct heat_gap *gaps; /* .why is in texts */
	size_t gap_count, gaps_cap;
	struct heat_complaint complaints[LINE_REPORTS_MAX];
	size_t complaint_count;
	uint64_t all_lines; /* with blank ones and comments */
	uint64_t lines, bad_lines, filtered_lines, untimed_lines;
};

/* The state of one thread, with the events of its current block. */
struct heat_scanner {
	struct intern texts;
	uint64_t from_ns, to_ns; /* events outside are left out; 0, 0: none are */
	struct heat_block *block;
	uint64_t *time_ns, *value;
	uint32_t *text;
	size_t time_cap, text_cap, value_cap;
	bool differ;     /* values do */
	char second[24]; /* "@1475682078." of the line before, */
	size_t second_len;
	uint64_t second_ns; /* and what it is */
};

/* Add the lines of buf[0..), divided by b->runs, to b. */
void heat_block_scan(struct heat_scanner *s, struct heat_block *b, char *buf);

void heat_block_free(struct heat_block *b);
void heat_scanner_free(struct heat_scanner *s);

/* What is known only while lines are added. */
struct heat_reading {
	struct intern keys; /* (text, recording) as 8 bytes: its id is the stack's number */
	bool *unwanted;     /* [stack] by the filter */
	size_t stacks_cap, unwanted_cap, event_cap, recordings_cap, gaps_cap;
};

/* Add the events of b, of path, to h.  Returns 0, or -1 when values are too large. */
int heat_join(struct heat *h, const struct heat_block *b, const char *path, const struct heat_filter *filter);

/* Room for count more events, and no more. */
void heat_reserve(struct heat *h, size_t count);

/* The recording that the header line[0..len) of path begins, new if there is no such. */
uint32_t heat_recording_of(struct heat *h, const char *path, const char *line, size_t len);

/* That of lines before any header. */
uint32_t heat_recording_unknown(struct heat *h, const char *path);

/* "# gap: ...": returns false for other comments, and what is no such stretch. */
bool heat_gap_read(struct heat_gap *gap, struct intern *names, const char *line, size_t len);

/* The list in a header's root=: "" for none; NULL if it is missing. */
const char *heat_roots_of(const struct folded_source *header);

/* The place of a frame in that list; -1 when it is not there. */
int heat_place_of(const struct folded_source *header, const char *name);

/* Sort events by time, equal times by stack; others stay in their order.  value may be
 * NULL. */
void heat_sort(uint64_t *time_ns, uint32_t *stack, uint64_t *value, size_t count);

/* If there are several hosts, put its host before each stack. */
void heat_name_hosts(struct heat *h);

/* Set places, dimensions and their keys. */
void heat_dimensions_make(struct heat *h);

#endif
