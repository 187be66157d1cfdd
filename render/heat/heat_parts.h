/* heat_parts: shared by heat_*.c: reading lines into a heat.
 *
 *     input ── blocks of whole lines ──> as many threads as there are CPUs
 *                                          │ heat_block_scan()
 *     heat <── heat_join(), in order ──────┘
 *
 * A pipe is read like a file: any free thread reads the next block.  Each thread numbers the texts
 * that it meets on its own. */
#ifndef RENDER_HEAT_PARTS_H
#define RENDER_HEAT_PARTS_H

#include "core/error.h"
#include "render/heat/heat.h"
#include "render/profile/line.h"

/* Lines with the same header before them. */
struct heat_run {
	size_t end;         /* in the block's bytes */
	size_t event_end;   /* in the block's events */
	uint32_t recording; /* HEAT_NONE: no header so far */
	size_t columns;     /* values in a line; 0: one, without columns= */
};

/* A bad line, which is reported once its number in the file is known. */
struct heat_complaint {
	const char *wrong;
	uint64_t line; /* in the block, from 1 */
	size_t column; /* sample_fault() */
	size_t len;
	char text[64]; /* its beginning */
};

/* Some lines, read by one thread.  Events are in the order of lines. */
struct heat_block {
	const struct intern *texts; /* those of the thread */
	struct heat_run *runs;
	size_t run_count, runs_cap;

	uint64_t *time_ns;
	uint32_t *text;  /* in texts */
	uint64_t *value; /* NULL: all are same_value */
	uint64_t same_value;
	unsigned decimals;
	size_t count;

	struct heat_gap *gaps; /* .why is in texts */
	size_t gap_count, gaps_cap;
	struct str lanes; /* lines of lanes, each with its end */
	struct heat_complaint complaints[MESSAGES_MAX];
	size_t complaint_count;
	uint64_t all_lines; /* including blank lines and comments */
	uint64_t lines, bad_lines, filtered_lines, untimed_lines;
};

/* The state of one thread, with the events of its current block. */
struct heat_scanner {
	struct intern texts;
	uint64_t from_ns, to_ns; /* only events in this time are kept; 0, 0: all */
	bool lanes;              /* lines of lanes are kept unparsed */
	struct heat_block *block;
	uint64_t *time_ns, *value;
	uint32_t *text;
	size_t time_cap, text_cap, value_cap;
	bool differ;     /* the block's values differ */
	char second[24]; /* "@1475682078." of the line before */
	size_t second_len;
	uint64_t second_ns; /* the time in `second`, in ns */
};

/* Add the lines of buf, whose parts are b->runs, to b. */
void heat_block_scan(struct heat_scanner *s, struct heat_block *b, char *buf);

void heat_block_free(struct heat_block *b);
void heat_scanner_free(struct heat_scanner *s);

/* State that exists only while lines are added. */
struct heat_reading {
	struct intern keys; /* (text, recording) as 8 bytes, whose id is the stack's number */
	bool *unwanted;     /* [stack] the filter excludes it */
	size_t stacks_cap, unwanted_cap, event_cap, recordings_cap, gaps_cap;
};

/* Add the events of b, read from path, to h.  Returns 0, or -1 if values are too large. */
int heat_join(struct heat *h, const struct heat_block *b, const char *path, const struct heat_filter *filter);

/* Make room for exactly count more events. */
void heat_reserve(struct heat *h, size_t count);

/* The recording that the header line[0..len) of path begins, a new one if there is none. */
uint32_t heat_recording_of(struct heat *h, const char *path, const char *line, size_t len);

/* Is it a header of lanes, so that only lanes are expected to follow? */
bool heat_is_header_of_lanes(const char *line, size_t len);

/* The recording for lines before any header. */
uint32_t heat_recording_unknown(struct heat *h, const char *path);

/* Read "# gap: ...".  Returns false for other comments, and for invalid gaps. */
bool heat_gap_read(struct heat_gap *gap, struct intern *names, const char *line, size_t len);

/* The list in a header's root=: "" for none; NULL if it is missing. */
const char *heat_roots_of(const struct folded_source *header);

/* The place of a frame in the list of root=, or -1. */
int heat_place_of(const struct folded_source *header, const char *name);

/* Sort events by time, then by stack; equal ones stay in their order.  value may be NULL. */
void heat_sort(uint64_t *time_ns, uint32_t *stack, uint64_t *value, size_t count);

/* If there are several hosts, put the host's name before each stack. */
void heat_name_hosts(struct heat *h);

/* Set places, dimensions and their keys. */
void heat_dimensions_make(struct heat *h);

#endif
