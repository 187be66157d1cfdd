/* text_stacks: collects the stacks that a text format's parser finds (collapse/parse/format.h).
 *
 * Frames, stacks and labels get a number when their bytes are first seen.  Text that was seen before is hashed and
 * compared in place, and never copied:
 *
 *     frame "main"                    --> 17          text_frame()
 *     stack 17, 4, 230 (root first)   --> 5           text_stack(), or text_known() for a whole stack
 *     labels java, 8513/8530, cpu 3   --> 2           text_label()
 *     sample: time, values, 5, 2                      fold_add_text()
 *
 * Each thread that parses has a struct text_stacks of its own, with numbers of its own; text_fold.h
 * merges them so that the result is the same however the input was divided among them.  Text is kept
 * as it is in the input; each text is made fit for a frame (frame.h) once, when it is folded. */
#ifndef COLLAPSE_FOLD_TEXT_STACKS_H
#define COLLAPSE_FOLD_TEXT_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_value.h"
#include "collapse/fold/whole_lines.h"
#include "core/decimal.h"
#include "core/intern.h"
#include "core/map.h"
#include "core/str.h"

enum { TEXT_VALUES_MAX = 8 };

/* What the value of a sample is.  TEXT_WEIGHT_EVENT depends on the event: samples of a clock, and of several events,
 * are counted; for other events, periods are added up. */
enum text_weight { TEXT_WEIGHT_EVENT, TEXT_WEIGHT_SAMPLES, TEXT_WEIGHT_PERIOD };

struct name_style;

/* Settings for a whole input, which are known before the first sample is added. */
struct text_setup {
	size_t value_count;      /* of each sample; 1 to TEXT_VALUES_MAX */
	uint32_t longest;        /* bit i: keep the maximum of value i, a whole number; else add up */
	uint64_t columns;        /* folded text with several values a line: a hash of their names; 0: they have no
				  * names */
	bool two_seen;           /* ... the first line ends in two numbers, but not every line that begin() saw does */
	uint64_t lines_skipped;  /* before the first record */
	size_t columns_asked;    /* number of values that --columns asks for; 0: not given */
	bool timed;              /* each sample has a time */
	bool sums_untimed;       /* ... except sums of several samples, which have TIMES_NONE (times.h) */
	bool keep_times;         /* fold_add_text() keeps each sample with its time; otherwise only sums */
	bool whole;              /* lines are not split into frames: they are added by text_whole_line(), not by
				  * fold_add_text() */
	bool binary;             /* the input has no lines: errors are reported with their offset */
	bool lines;              /* --srcline: give frames their source lines, if the input has them */
	bool no_files;           /* --files never: functions of one name in different files are one frame */
	bool inlined;            /* --inline: also show the inlined functions found in files on this machine */
	int time_power;          /* a time is in units of 10^time_power ns (--unitstime) */
	unsigned own;            /* set by the format's begin() from the heading, for its parse(); 0 before that */
	const char *event;       /* --event, for formats whose samples have a value for each event: other events need
				  * not be added; "all"; NULL: not given, so the first event that is added counts */
	unsigned labels;         /* TEXT_HAS_PIDS, ... (format.h): the labels that are needed; others may stay unset */
	enum text_weight weight; /* for formats with TEXT_HAS_PERIODS */
	const struct name_style *style; /* for formats whose parser makes names; never NULL */
	unsigned fields;                /* for begin() to tell parse() */
};

/* The kind of a frame's code.  Its annotation is that of frames in recordings (--kernel, --jit, --all). */
enum text_kind { TEXT_PLAIN, TEXT_KERNEL, TEXT_JIT, TEXT_INLINED, TEXT_INTERPRETED, TEXT_QUICK, TEXT_KINDS };

/* Where a function is defined, as far as the input says. */
struct text_source {
	const char *file; /* [len], a path or the name of a module, of any bytes; len 0: unknown */
	size_t len;
	uint32_t line; /* 0: unknown */
};

/* What is known of a frame; the texts are valid until the next frame is added. */
struct text_frame_parts {
	const char *name; /* [len] */
	size_t len;
	struct text_source at;
	enum text_kind kind;
};

/* Whose a sample is. */
enum text_owner { TEXT_CGROUP, TEXT_CONTAINER_ID, TEXT_CONTAINER, TEXT_POD_UID, TEXT_POD, TEXT_NAMESPACE, TEXT_OWNERS };

/* A sample's labels, for --root, --threads, --state and --event.  Names are numbers from text_name(). */
struct text_labels {
	/* both are the tid if only that is known; -1: not known, so threads are told apart by their names */
	int32_t pid, tid;
	uint32_t cpu;   /* UINT32_MAX: not known */
	uint32_t comm;  /* of the thread, ... */
	uint32_t event; /* ... of the event, ... */
	uint32_t unit;  /* ... of the unit of its values ("ns"; by default "samples"), ... */
	uint32_t state; /* ... and of the thread's state; TEXT_NO_NAME: not known */
	uint32_t given; /* "comm=java<TAB>cpu=cpu1": the frames at the root (core/format/samples.h); TEXT_NO_NAME: they
			 * are made of the labels above */
	uint32_t owner[TEXT_OWNERS]; /* TEXT_NO_NAME: not known */
};

#define TEXT_NO_NAME UINT32_MAX
#define TEXT_NO_LABELS         \
	((struct text_labels){ \
		-1,            \
		-1,            \
		UINT32_MAX,    \
		TEXT_NO_NAME,  \
		TEXT_NO_NAME,  \
		TEXT_NO_NAME,  \
		TEXT_NO_NAME,  \
		TEXT_NO_NAME,  \
		{ TEXT_NO_NAME, TEXT_NO_NAME, TEXT_NO_NAME, TEXT_NO_NAME, TEXT_NO_NAME, TEXT_NO_NAME } })

/* Facts that the lines lack or have in another form than the input, although the input is not malformed.  Each comes
 * with an amount. */
enum text_loss {
	TEXT_NEGATIVE,  /* a negative value of a sample with a time; amount: its absolute value */
	TEXT_CLIPPED,   /* a call that outlasts the enclosing call; amount: the ns after the end of the enclosing one */
	TEXT_UNENDED,   /* a call without an end; amount: the ns until the last time of its thread, which are counted */
	TEXT_BACKWARDS, /* an event earlier than the one before it, so it gets the time of that one; amount: the
			 * difference */
	TEXT_ASYNC,     /* an operation of no stack of calls */
	TEXT_TRUNCATED, /* a stack that was too deep, without its outermost frames; no amount */
	TEXT_LOSSES
};

struct text_lost {
	uint64_t count, amount;
};

struct text_sample {
	uint64_t time_ns;                /* if setup.timed */
	const struct text_value *values; /* [setup.value_count] */
	uint32_t stack, labels;
};

/* A part of the input; it has whole records.  Parts are numbered in order. */
struct text_part {
	const char *text;
	size_t len;
	uint64_t number;
	struct text_stacks *out;
};

/* An error in the input. */
struct text_wrong {
	uint64_t part, line, column; /* both from 1, line within the part; for binary input, line is an offset */
	const char *what;
};

struct text_stacks {
	const struct text_setup *setup; /* set it first */
	const struct text_part *part;   /* the current part, ... */
	uint64_t part_lines;            /* ... its lines (binary: bytes), ... */
	uint64_t samples_in_part;       /* ... and its samples so far, ... */
	uint64_t frames_in_part;        /* ... and frames of distinct stacks */
	void *own;                      /* what the format's parser keeps from part to part, ... */
	void (*own_free)(void *own);    /* ... set along with it */

	struct intern texts;    /* frames and names, as they stand in the input */
	struct intern stacks;   /* numbers of frames, uint32_t each, unaligned */
	struct intern labels;   /* struct text_labels, unaligned */
	struct intern known;    /* texts that were parsed as stacks, ... */
	uint32_t *known_stacks; /* [known.count] ... and these stacks */
	size_t known_cap;
	struct text_seen *label_seen; /* [labels.count] */
	size_t label_count, label_cap;

	struct text_last_row *last_rows; /* [last_row_cap], by stack: the last row that was used with it */
	size_t last_row_cap;
	struct map row_of;     /* stack, labels -> row + 1 */
	struct text_row *rows; /* [row_count] */
	size_t row_count, row_cap;
	struct text_value *sums; /* [row_count * value_count]; not with keep_times */
	size_t sum_cap;
	struct text_time *times; /* [time_count]; with keep_times */
	size_t time_count, time_cap;
	struct text_value *values; /* [time_count * value_count]; with keep_times */
	size_t value_cap;
	uint64_t samples;
	struct str placed;        /* the text of the current frame with its source */
	bool sources;             /* some frame has one */
	struct text_value *minus; /* [minus_count], by row: the amount to take off; rows at the end may be missing */
	size_t minus_count, minus_cap;
	uint64_t negative; /* how many values are */
	bool fractions;    /* some value has a fraction */
	bool periods;      /* some value is a period */

	struct text_done *parts; /* [part_count]: parsed parts, in order */
	size_t part_count, part_cap;
	struct text_wrong *wrongs; /* [wrong_kept]: the first MESSAGES_MAX of each kind */
	size_t wrong_kept, wrong_cap;
	struct text_wrong_kind *wrong_kinds; /* [wrong_kind_count] */
	size_t wrong_kind_count, wrong_kind_cap;
	uint64_t wrong_count;
	struct text_lost lost[TEXT_LOSSES];
	struct text_wrong refused; /* where a concatenated file begins that must be refused, and in what it differs
				    * (text_refuse()); if its member `what` is NULL, there is none */
	bool few_values;           /* folded text: a line has one value, although the lines that begin() saw have two */
	struct str comments;       /* whole lines */
	struct whole_lines whole;  /* with setup.whole: the lines, ... */
	struct whole_lines whole_minus; /* ... and those with negative values, stored as if positive */
};

/* The positions of the first and the last sample with certain labels: part << 32 | number in the part. */
struct text_seen {
	uint64_t first, last;
};

/* The row + 1 that a stack has with these labels. */
struct text_last_row {
	uint32_t labels, row;
};

/* A stack with its labels. */
struct text_row {
	uint32_t stack, labels;
};

struct text_time {
	uint64_t ns;
	uint32_t row;
};

/* Counts of a part that was parsed. */
struct text_done {
	uint64_t number, lines;         /* binary: bytes, not lines */
	size_t time_count, comment_len; /* totals at its end */
};

/* All errors of a kind. */
struct text_wrong_kind {
	const char *what;
	uint64_t count;
};

/* The number of a frame, for use in a stack.  text may have any bytes; the same kind and text give the same number. */
uint32_t text_frame(struct text_stacks *s, enum text_kind kind, const char *text, size_t len);

/* The same for a function whose file or line is known.  Functions of the same name in two files are two frames;
 * text_files.h chooses what is shown of the files.  The line is ignored without setup.lines, and the file with
 * setup.no_files. */
uint32_t text_frame_at(struct text_stacks *s, enum text_kind kind, const char *name, size_t len, struct text_source at);

/* Take a frame's number apart. */
void text_frame_take(const struct text_stacks *s, uint32_t frame, struct text_frame_parts *parts);

/* The number of a name for labels. */
static inline uint32_t text_name(struct text_stacks *s, const char *text, size_t len)
{
	return intern_add(&s->texts, text, len);
}

/* A stand-in for the tid of a thread that has none, or whose tid is too large.  It is computed from what identifies the
 * thread: a large number or a name. */
int32_t text_thread_number(const char *id, size_t len);

/* Do the samples of this event count time, "cpu-clock:u"? */
bool text_event_is_clock(const char *event, size_t len);

/* The number of a stack, root first. */
uint32_t text_stack(struct text_stacks *s, const uint32_t *frames, size_t count);

/* How many frames the next stack may have, at least TEXT_ROOM_LEAST.  Formats in which a few bytes stand for a deep
 * stack (trees, tables of stacks or of inlined functions) use this to keep the memory for all stacks in proportion to
 * the input.  A parser that leaves out frames keeps the innermost ones below a frame "[truncated]", and counts
 * TEXT_TRUNCATED. */
enum { TEXT_ROOM_LEAST = 128 };
size_t text_stack_room(const struct text_stacks *s);

/* The same for frames that are given from leaf to root; they are reversed in place. */
uint32_t text_stack_leaf_first(struct text_stacks *s, uint32_t *frames, size_t count);

/* If these bytes of the input were parsed before, set *stack to their stack and return true.
 * Otherwise the caller parses them, and calls text_is() with *known and the stack.  A stack of more than 1 MB of text
 * is never found. */
bool text_known(struct text_stacks *s, const char *bytes, size_t len, uint32_t *stack, uint32_t *known);
void text_is(struct text_stacks *s, uint32_t known, uint32_t stack);

/* The number of these labels, for use in a sample. */
uint32_t text_label(struct text_stacks *s, const struct text_labels *labels);

/* Add a sample; data that it points to is not needed afterwards. */
void fold_add_text(struct text_stacks *s, const struct text_sample *sample);

/* With setup.whole, add a line: a stack as it is in folded text, with its values. */
void text_whole_line(struct text_stacks *s, const char *stack, size_t len, const struct text_value *values);

/* Parse a number of 0 or more at the front of text[0..*len), and move text and len past it.  If there
 * is none, or it is too large, returns false with the reason in *wrong, and text and len stay the
 * same. */
bool text_value_read(struct text_stacks *s, const char **text, size_t *len, struct text_value *value,
		     const char **wrong);

/* The same for a number with a sign (TEXT_MINUS), for samples that have only one value. */
bool text_signed_read(struct text_stacks *s, const char **text, size_t *len, struct text_value *value,
		      const char **wrong);

/* Report an error at `at`, in the current part; what, a constant string, describes it.  The caller
 * skips the record.  All errors are counted, and the first MESSAGES_MAX of each kind are reported with line and column. */
void text_wrong(struct text_stacks *s, const char *at, const char *what);

/* Count a loss: the summary reports how many there were, and the sum of their amounts. */
static inline void text_lose(struct text_stacks *s, enum text_loss what, uint64_t amount)
{
	s->lost[what].count++;
	s->lost[what].amount = column_sum(s->lost[what].amount, amount);
}

/* The outermost frame of a stack that was cut because it was too deep; the cut counts as a loss. */
uint32_t text_truncated(struct text_stacks *s);

/* At `at`, in the current part, another file begins that cannot be read together with the first one; differs, a
 * constant string, says what that file has: "other columns". */
void text_refuse(struct text_stacks *s, const char *at, const char *differs);

/* Is a line without its newline a comment of folded text (core/format/folded.h)? */
static inline bool text_is_comment(const char *line, size_t len)
{
	return len && line[0] == '#' && (len == 1 || line[1] == ' ');
}

/* Add a comment, without its newline, to those of the output; what could control a terminal becomes '?'. */
void text_comment(struct text_stacks *s, const char *line, size_t len);

/* Parts must be given to each s in their order. */
void text_begin_part(struct text_stacks *s, const struct text_part *part);
void text_end_part(struct text_stacks *s);

/* Get the next line of a part, from *at on (NULL: the first line), without its newline or a carriage
 * return before that. Returns false at the end. */
bool text_line(const struct text_part *part, const char **at, const char **line, size_t *len);

/* Nothing more will be added: free the memory that only adding needs. */
void text_stacks_settle(struct text_stacks *s);

void text_stacks_free(struct text_stacks *s);

#endif
