/* tables: the tables of functions, locations and mappings that pprof and OTLP have: a stack is a list of numbers of
 * locations, a location is a function and what was inlined into it.
 *
 *     frames      main, handle, read (inlined)
 *     locations   1: main   2: handle <- read
 *     stack       1, 2      (root first; in both formats the leaf is first)
 *
 * Numbers begin at 1, in order of first use. */
#ifndef COLLAPSE_OUTPUT_TABLES_H
#define COLLAPSE_OUTPUT_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/output/line_view.h"
#include "core/map.h"

enum { TABLE_DEPTH_MAX = 256 }; /* most functions in one location; further ones go into the next location */

struct table_function {
	uint32_t name, file; /* numbers in view.strings; 0: unknown */
};

/* A line of a location: a function, and the place in it. */
struct table_line {
	uint32_t function, line; /* line 0: unknown */
};

struct location_tables {
	struct line_view view;
	struct table_line *of_name; /* by number in view.strings; function 0: not looked up yet */
	size_t of_name_cap;
	struct map by_function;           /* name, file -> number */
	struct table_function *functions; /* [function_count], from 0 */
	size_t function_count, function_cap;
	struct map by_module;          /* address of a module -> number */
	const struct module **modules; /* [module_count], from 0 */
	size_t module_count, module_cap;
	uint32_t *plain; /* by number in view.strings: the location with only this function; 0: none yet */
	size_t plain_cap;
	struct intern locations; /* for each location: the number of its module, 0 if unknown, then its lines, the
				  * innermost first */

	uint32_t *stack; /* [stack_count]: locations of the current line, root first */
	uint32_t *ends;  /* ... and the number of frames up to the end of each location */
	size_t stack_count, stack_cap, end_cap;
	size_t last_frames; /* of the line */
	/* by number of the product's text: the location of a frame with only that text, or another fact about the
	 * text */
	uint32_t *of_text;
	bool is_known_stack; /* the view has not seen the current line, because it has the roots of the view's last
			      * line */
	char build_id[2 * BUILD_ID_MAX + 1];
	const struct fold_line *last;
};

void tables_begin(struct location_tables *t, const struct product *p);

/* Look at a line: sets t->stack, and the labels and thread in t->view. */
void tables_line(struct location_tables *t, const struct fold_line *line);

/* The lines of location i (from 0), the innermost first; sets *module, and returns how many lines there are. */
size_t tables_location(const struct location_tables *t, size_t i, uint32_t *module,
		       struct table_line lines[TABLE_DEPTH_MAX]);

/* The build-id of a module in hexadecimal, valid until the next call; NULL: unknown. */
const char *tables_build_id(struct location_tables *t, const struct module *module);

void tables_end(struct location_tables *t);

#endif
