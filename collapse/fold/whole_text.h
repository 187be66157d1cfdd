/* whole_text: compares texts of whole lines (whole_lines.h) word by word.  Each begins at a multiple of WHOLE_WORD, and is
 * filled up with 1 to WHOLE_WORD zeros; no other byte is 0. */
#ifndef COLLAPSE_FOLD_WHOLE_TEXT_H
#define COLLAPSE_FOLD_WHOLE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WHOLE_WORD = 8 };

/* The bytes of text at a multiple of WHOLE_WORD as a number that sorts as they do; its last byte is 0 in the last word
 * of a text only. */
static inline uint64_t whole_word(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return __builtin_bswap64(word);
}

/* How many bytes, at most depth, do two texts have in common, in whole words without the last of either? */
static inline size_t whole_common(const char *a, const char *b, size_t depth)
{
	size_t at = 0;

	while (at < depth && whole_word(a + at) == whole_word(b + at) && whole_word(a + at) & 0xff)
		at += WHOLE_WORD;
	return at;
}

/* Compare two texts that are filled up with zeros: less than 0, 0, or more than 0. */
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

#endif
