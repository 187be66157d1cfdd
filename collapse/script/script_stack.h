/* script_stack: the lines below a sample's header in the text of perf script, as one stack.
 *
 * Most stacks repeat byte for byte: the lines up to the next blank one are hashed as they are.  A cache, which grows to
 * 8 MB, compares 96 bits of that hash; only stacks that it does not have are read line by line. */
#ifndef COLLAPSE_SCRIPT_SCRIPT_STACK_H
#define COLLAPSE_SCRIPT_SCRIPT_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "collapse/fold/text_stacks.h"
#include "collapse/script/script_cache.h"
#include "collapse/script/script_frame.h"
#include "core/hash.h"

/* Finds the blank line that ends a record, and hashes the text before it at the same time.
 *
 * Two lanes of 64 bits are hashed side by side, as in core/hash.h: among a billion billion texts of the same length, no
 * two are expected to agree in both, so they need not be kept and compared. */

struct wide_hash {
	uint64_t a, b;
};

enum { BLANK_LINE_STEP = 32 };

static inline void wide_hash_step(struct wide_hash *h, const char *text)
{
	uint64_t w[4];

	memcpy(w, text, sizeof(w));
	h->a = hash_mix(w[0] ^ h->a, w[1]);
	h->b = hash_mix(w[2] ^ h->b, w[3]);
}

/* Are there two newlines one after the other in text[0..BLANK_LINE_STEP + 1)? */
static inline int has_blank_line(const char *text)
{
#ifdef __SSE2__
	const __m128i newline = _mm_set1_epi8('\n');
	const __m128i *here = (const __m128i *)text, *next = (const __m128i *)(text + 1);
	__m128i low = _mm_and_si128(_mm_cmpeq_epi8(_mm_loadu_si128(here), newline),
				    _mm_cmpeq_epi8(_mm_loadu_si128(next), newline));
	__m128i high = _mm_and_si128(_mm_cmpeq_epi8(_mm_loadu_si128(here + 1), newline),
				     _mm_cmpeq_epi8(_mm_loadu_si128(next + 1), newline));

	return _mm_movemask_epi8(_mm_or_si128(low, high));
#else
	const char *end = text + BLANK_LINE_STEP, *at = text;

	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		if (*++at == '\n')
			return 1;
	}
	return 0;
#endif
}

/* The end of the line before the first blank line: the place after the first of two newlines, or `end`.  *h becomes the
 * hash of the text up to that place. */
static inline const char *blank_line_find(const char *text, const char *end, struct wide_hash *h)
{
	const char *at = text;
	char rest[BLANK_LINE_STEP] = { 0 };
	size_t n = 0;

	*h = (struct wide_hash){ 0x243f6a8885a308d3u, 0x13198a2e03707344u };
	while (end - at > BLANK_LINE_STEP && !has_blank_line(at)) {
		wide_hash_step(h, at);
		at += BLANK_LINE_STEP;
	}
	while (at + n < end && n < BLANK_LINE_STEP && !(at[n] == '\n' && (at + n + 1 == end || at[n + 1] == '\n')))
		n++;
	n += at + n < end && n < BLANK_LINE_STEP;
	memcpy(rest, at, n);
	wide_hash_step(h, rest);
	at += n;
	h->a = hash_mix(h->a, (uint64_t)(at - text));
	h->b = hash_mix(h->b, h->a);
	return at;
}

struct script_stacks {
	struct script_lines lines;
	struct script_cache seen; /* stacks by the hash of their lines */
	uint32_t *frames;         /* scratch: frames of the stack that is being read, leaf first */
	size_t count, cap;
	bool unparted; /* in this part, samples do not end in blank lines */
};

/* Where a stack's lines are, and their hash. */
struct script_ahead {
	const char *at, *end;
	struct wide_hash hash;
};

/* Find the blank line that most likely ends the stack whose lines begin at `at`, and prefetch the stack's place in the
 * cache for script_stack_ahead().  Returns false if script_stack_read() must be called instead. */
bool script_stack_look(struct script_stacks *k, const struct text_stacks *s, const char *at,
		       struct script_ahead *ahead);

/* Read the stack that was found.  Returns the text after it.  If that is not ahead->end, the lines were not all of the
 * stack, and stacks that were found after it may be wrong. */
const char *script_stack_ahead(struct script_stacks *k, struct text_stacks *s, const struct script_ahead *ahead,
			       uint32_t *stack);

/* Read the lines that begin at `at`, up to the next header, blank line, or the end of the part.  Returns the text after
 * the stack, with the stack's number in *stack. */
const char *script_stack_read(struct script_stacks *k, struct text_stacks *s, const char *at, uint32_t *stack);

/* The stack of a sample whose only frame is in its header: "7f00 main+0x1 (/bin/a)". */
uint32_t script_stack_of_one(struct script_stacks *k, struct text_stacks *s, const char *frame, size_t len);

void script_stacks_free(struct script_stacks *k);

#endif
