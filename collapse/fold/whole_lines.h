/* whole_lines: folded lines that are kept as they are, to be merged, filtered and sorted without being split into
 * frames.
 *
 *     "main;read 3"  -->  len 9 | 3, 0 | main\1read \0 ...
 *
 * Each thread that parses has its own struct whole_lines (text_stacks.h).  Text is cleaned as frame.h says when it is
 * added.  '\1' stands for ';', so that sorting lines by bytes sorts them frame by frame: no byte of a frame is smaller,
 * and a shorter line comes before its continuations.
 *
 * As long as lines arrive in order, each is compared only with the one before.  After the first line that is out of
 * order, repeated lines are found by hash.  Every few thousand new lines are sorted while they are in the cache; these
 * runs are merged when they are written (whole_order.h).  So each line is fetched from memory once. */
#ifndef COLLAPSE_FOLD_WHOLE_LINES_H
#define COLLAPSE_FOLD_WHOLE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "collapse/fold/text_value.h"
#include "core/hash_table.h"
#include "core/str.h"
#include "core/textsort.h"

/* Texts are compared word by word.  Each begins at a multiple of WHOLE_WORD, and is padded with 1 to WHOLE_WORD zeros;
 * no other byte is 0. */

enum { WHOLE_WORD = 8 };

/* The bytes of text, from a multiple of WHOLE_WORD on, as a number that sorts like them.  The last byte of a word is 0
 * only in a text's last word. */
static inline uint64_t whole_word(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return __builtin_bswap64(word);
}

/* How many bytes two texts have in common, at most depth.  Only whole words count, and the last word of either text
 * does not. */
static inline size_t whole_common(const char *a, const char *b, size_t depth)
{
	size_t at = 0;

	while (at < depth && whole_word(a + at) == whole_word(b + at) && whole_word(a + at) & 0xff)
		at += WHOLE_WORD;
	return at;
}

/* Compare two texts that are padded with zeros: less than 0, 0, or more than 0. */
static inline int whole_compare(const char *a, const char *b)
{
	for (;; a += WHOLE_WORD, b += WHOLE_WORD) {
		uint64_t x = whole_word(a), y = whole_word(b);

		if (x != y)
			return x < y ? -1 : 1;
		if (!(x & 0xff))
			return 0;
	}
}

enum { WHOLE_SLACK = 64, WHOLE_SEMICOLON = '\1' };

enum { WHOLE_LEFT_OUT = 1 }; /* key of the ref of a line that is not wanted; otherwise the key is 0 */

struct whole_line {
	uint32_t len;  /* of the text, which follows the values and is padded with 1 to WHOLE_WORD zeros */
	uint32_t hash; /* set only from the end of a part until the next one begins */
	struct text_value values[];
};

struct whole_block {
	char *bytes; /* [len] */
	size_t len;  /* unless it is the last one */
};

/* {0} with value_count and longest set is empty. */
struct whole_lines {
	size_t value_count; /* of each line */
	uint32_t longest;   /* bit i: keep the maximum of value i; else add up */
	/* [block_count].  Lines are kept in blocks, which do not move, because memory that grows by copying is cleared
	 * twice. */
	struct whole_block *blocks;
	size_t block_count, block_cap;
	char *bytes; /* [len]: the last block: lines, each at a multiple of WHOLE_WORD; at least WHOLE_SLACK more bytes
		      * can be read */
	size_t len, cap;
	size_t settled;        /* the lines before it are distinct */
	struct sort_ref *refs; /* [count]: distinct lines, in sorted runs */
	size_t count, ref_cap;
	size_t *runs; /* [run_count]: where each run ends in refs; lines after the last run are not sorted yet */
	size_t run_count, run_cap;
	bool unordered;
	struct hash_table table; /* by text, once unordered: block and place */
	struct str clean;
};

/* Add a line with its values. */
void whole_lines_add(struct whole_lines *w, const char *stack, size_t len, const struct text_value *values);

/* Merge the lines added since the last call with the earlier ones. */
void whole_lines_settle(struct whole_lines *w);

/* The same; afterwards all distinct lines are in runs, and no line may be added. */
void whole_lines_end(struct whole_lines *w);

void whole_lines_free(struct whole_lines *w);

static inline char *whole_line_text(const struct whole_line *line, size_t value_count)
{
	return (char *)(uintptr_t)(line->values + value_count);
}

static inline struct whole_line *whole_line_of(const char *text, size_t value_count)
{
	return (struct whole_line *)(uintptr_t)(text - value_count * sizeof(struct text_value) -
						sizeof(struct whole_line));
}

/* How many bytes a line takes. */
static inline size_t whole_line_size(size_t len, size_t value_count)
{
	return sizeof(struct whole_line) + value_count * sizeof(struct text_value) + len / WHOLE_WORD * WHOLE_WORD +
	       WHOLE_WORD;
}

#endif
