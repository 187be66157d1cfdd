/* script_frame: the frames of a stack in the text of perf script.
 *
 *     ffffffff8103ce3b native_safe_halt+0xb ([kernel.kallsyms])     kernel: the address is in the upper half, or by
 *                                                                   the file
 *         7f5338999dd0 [unknown] (/usr/lib/libc-2.28.so)            [libc-2.28.so]
 *         7f722d142778 LFoo;::a->LFoo;::b (/tmp/perf-19982.map)     JIT; b is inlined
 *               401136 first (inlined)                              first_[i]
 *               401136 main+0x16 (/opt/my app (x86)/bin (deleted))
 *       prog.c:12                                                   -F +srcline: of the frame above
 *
 * A line that repeats is read only once, apart from its address. */
#ifndef COLLAPSE_SCRIPT_SCRIPT_FRAME_H
#define COLLAPSE_SCRIPT_SCRIPT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/script/script_cache.h"
#include "core/intern.h"
#include "core/str.h"

/* The frames of a line: usually one, or none for an inlined function that is not shown. */
struct script_line {
	uint32_t start, count; /* in frames, root first */
	uint32_t place;        /* number in places + 1; 0: the line has no place */
	bool nowhere;          /* nothing is mapped at its address */
	bool inlined;          /* not a frame of the machine's stack */
	bool kernel;
};

/* The file of a frame, as text_frame_at() takes it; file: [len].  It is empty unless --files asks for programs and
 * libraries. */
struct text_source script_source(const struct text_stacks *s, const char *file, size_t len);

/* An address for which, with --inline, its file may know inlined functions.  Texts are numbers of text_name(). */
struct script_place {
	uint32_t frame;      /* the frame of the line, without its source line */
	uint32_t whole;      /* ... and with it */
	uint32_t file, name; /* TEXT_NO_NAME: nameless */
	uint64_t address;    /* in memory */
	uint64_t offset;     /* in the function, or in the file */
	enum script_offset { SCRIPT_NO_OFFSET, SCRIPT_IN_FUNCTION, SCRIPT_IN_FILE } has;
};

/* Code in files that cannot tell more. */
enum { SCRIPT_OF_KERNEL = 1, SCRIPT_OF_JIT = 2, SCRIPT_OF_VDSO = 4 };

struct script_lines {
	struct script_cache recent; /* numbers of lines, by the hash of the text after the address */
	struct intern user, kernel; /* lines, without their addresses */
	struct script_line *of_user, *of_kernel;
	size_t user_cap, kernel_cap;
	uint32_t *frames;
	size_t count, cap;
	struct script_place *places;
	size_t place_count, place_cap;
	unsigned without_file;  /* SCRIPT_OF_...: with --inline, such frames were there */
	struct str name, whole; /* scratch */
};

/* A line that is read soon. */
struct script_line_ahead {
	const char *text;
	size_t len;
	uint64_t hash;
	bool cached; /* it may be in the cache */
};

/* Prefetch the cache's place for text[0..len), which begins with an address, and whose second line may be a source
 * line. */
void script_line_look(struct script_lines *l, const struct text_stacks *s, const char *text, size_t len,
		      struct script_line_ahead *line);

/* The frames of a line that script_line_look() was called for, valid until the next call.  NULL: the line has no
 * address. */
const struct script_line *script_line_read(struct script_lines *l, struct text_stacks *s,
					   const struct script_line_ahead *line);

/* Does line[0..len) look like a source line, "  prog.c:12", rather than a frame or registers? */
bool script_is_srcline(const char *line, size_t len);

void script_lines_free(struct script_lines *l);

#endif
