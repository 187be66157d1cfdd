/* jit_code: pieces of code generated at run time, as reported by their compiler (perfmap.h,
 * jitdump.h): address, start time and name.
 *
 * Each piece has its own addresses in the module of its map or dump, which distinguishes pieces
 * that were at the same address at different times:
 *
 *     jitdump    the offset of the code's copy in the file
 *     perf map   the address itself; if others were there at other times, 1 << 62 and up */
#ifndef CORE_SYMBOLS_JIT_JIT_CODE_H
#define CORE_SYMBOLS_JIT_JIT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/str.h"
#include "core/symbols/space/places.h"
#include "core/symbols/space/spaces.h"

struct jit_piece {
	uint64_t start, size; /* addresses in the process */
	uint64_t offset;      /* the address of start in the module */
	uint64_t from_ns;     /* when it was generated; 0: unknown, long ago */
	uint64_t seen_ns;     /* a time at which it certainly existed */
	uint32_t name;        /* where its name begins in text */
	uint32_t lines : 31;  /* index + 1 in sources, for its lines; 0: unknown */
	uint32_t by_time : 1; /* other pieces were at the same place before or after it */
};

_Static_assert(sizeof(struct jit_piece) == 48, "there may be millions");

/* The source lines of a piece: lines[first..first + count). */
struct jit_source {
	uint32_t first, count;
};

/* The line of the code from this address of the module to the next one. */
struct jit_line {
	uint64_t address;
	uint32_t file, line; /* file: index in files */
};

/* Data to unwind the code at [offset, offset + size) of the module. */
struct jit_unwinding {
	uint64_t offset, size;
	uint64_t eh_frame_address; /* address in the module */
	size_t at, len;
};

enum { JIT_PIECES_BLOCK = 1 << 14, JIT_TEXT_BLOCK = 1 << 20 };

/* {0} is valid and empty.  Nothing is removed, and everything is in order of arrival. */
struct jit_code {
	struct jit_piece **pieces; /* in blocks, so that pieces never move */
	size_t count, cap;
	struct jit_line *lines;
	size_t line_count, line_cap;
	struct jit_unwinding *unwinding;
	size_t unwinding_count, unwinding_cap;
	struct str bytes; /* bytes of unwinding */
	char **text;      /* names, in blocks, NUL-terminated: most occur only once */
	size_t text_len, text_cap;
	struct intern files;
	struct jit_source *sources;
	size_t source_count, source_cap;
	uint32_t *newest;                 /* hash table with open addressing, by start: index + 1 of the newest
					   * piece there */
	size_t newest_size, newest_count; /* size: a power of two; count: entries in use */
	size_t bad;                       /* invalid lines or records */
};

static inline struct jit_piece *jit_code_piece(const struct jit_code *code, size_t number)
{
	return &code->pieces[number / JIT_PIECES_BLOCK][number % JIT_PIECES_BLOCK];
}

/* Is the limit reached: about four million pieces? */
bool jit_code_is_full(const struct jit_code *code);

/* Add a piece, which only has an address so far; NULL if the address is invalid (counted as bad) or the limit is
 * reached. */
struct jit_piece *jit_code_add(struct jit_code *code, uint64_t start, uint64_t size, uint64_t offset, const char *name,
			       size_t name_len);

/* The piece that starts at this address and was added last, or NULL. */
const struct jit_piece *jit_code_at(const struct jit_code *code, uint64_t start);

static inline const char *jit_piece_name(const struct jit_code *code, const struct jit_piece *p)
{
	return code->text[p->name / JIT_TEXT_BLOCK] + p->name % JIT_TEXT_BLOCK;
}

/* The lines from index first on belong to piece. */
void jit_code_add_source(struct jit_code *code, struct jit_piece *piece, size_t first);

/* For a perf map: give each piece that replaces another, or is replaced, an address of its own. */
void jit_code_settle(struct jit_code *code);

/* The time from which a piece is put into the space of pid. */
uint64_t jit_piece_since(const struct jit_piece *p, size_t number, struct spaces *spaces, int pid);

/* Name wanted[0..count), sorted by address in the module: almost a places_source. */
void jit_code_name(const struct jit_code *code, struct place *wanted, size_t count, struct arena *names);

void jit_code_free(struct jit_code *code);

#endif
