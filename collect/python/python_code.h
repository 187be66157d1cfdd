/* python_code: what a code object of an interpreter is called, and its lines: read once, and kept when the code, or the
 * process, is gone. */
#ifndef COLLECT_PYTHON_PYTHON_CODE_H
#define COLLECT_PYTHON_PYTHON_CODE_H

#include <stdint.h>

#include "bpf/python.h"
#include "collect/python/python_layout.h"
#include "core/map.h"

struct python_code {
	char *name; /* "app.views.handler"; NULL: the code could not be read */
	char *file; /* may be NULL */
	uint32_t first_line;
	uint8_t *lines; /* the table of lines, [lines_len] */
	size_t lines_len;
};

/* {0} is valid and empty. */
struct python_codes {
	struct map numbers; /* (code, name hash) -> number + 1 */
	struct python_code *list;
	size_t count, cap;
	size_t bytes; /* in texts and tables */
};

/* The code of a frame, which was copied in this batch or before; its name is NULL if it cannot be read, or is another one
 * now.  Valid until the next call. */
const struct python_code *python_code_of(struct python_codes *c, const struct python_runtime *p,
					 const struct python_frame *frame);

/* The same, if it cannot be read any more, but this was kept of it. */
const struct python_code *python_code_keep(struct python_codes *c, const struct python_frame *frame,
					   const struct python_texts *texts);

/* The line of an instruction: PYTHON_FRAME_AT(); 0: unknown. */
uint32_t python_code_line(const struct python_code *code, const struct python_offsets *o, uint32_t at);

void python_codes_free(struct python_codes *c);

#endif
