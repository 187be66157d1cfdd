/* otlp_dictionary: what the writer of OTLP profiles (otlp_output.c) has, and the dictionary, in which all that
 * samples use is once: mappings, locations, functions, strings, attributes, stacks (collapse/wire/otlp_fields.h). */
#ifndef COLLAPSE_OUTPUT_OTLP_DICTIONARY_H
#define COLLAPSE_OUTPUT_OTLP_DICTIONARY_H

#include <stdbool.h>
#include <stdio.h>

#include "collapse/output/facts.h"
#include "collapse/output/output_formats.h"
#include "collapse/output/tables.h"
#include "collapse/output/value_types.h"

enum { OTLP_FLUSH_BYTES = 256 * 1024 };

struct otlp_attribute {
	uint32_t key;  /* number of a string */
	uint32_t text; /* number in texts + 1; 0: a number */
	uint64_t number;
};

/* What a line is in the dictionary: known after the first pass. */
struct otlp_line {
	uint32_t stack;
	uint32_t first, count; /* of its attributes, in attribute_numbers */
};

struct otlp {
	FILE *out;
	const struct product *p;
	struct header_facts facts;
	struct value_types types;
	struct location_tables tables;
	struct intern texts;   /* of attributes, which are no strings of the dictionary */
	struct intern strings; /* those that are used, from "" */
	uint32_t *of_view;     /* by number in tables.view.strings: number in strings; 0: not known yet */
	size_t of_view_cap;
	struct intern stacks, attributes; /* from 0; their numbers begin at 1 */
	struct otlp_line *lines;          /* [fold->count] */
	uint32_t *attribute_numbers;
	size_t attribute_count, attribute_cap;
	size_t *times_of;      /* [fold->count + 1]: by line, where its samples begin in by_line */
	uint32_t *by_line;     /* timed samples, line by line */
	uint64_t *build_id_of; /* by module: number of its attribute; 0: none */
	uint64_t start_ns, end_ns;
	struct str text, message, values, stamps, inner;
	size_t counted;
	bool counting;
};

/* Write w->text, or count its bytes, if it is longer than limit. */
void otlp_flush(struct otlp *w, size_t limit);

/* The number of a string in the dictionary; of one in w->tables.view.strings. */
uint32_t otlp_string(struct otlp *w, const char *text);
uint32_t otlp_own_string(struct otlp *w, uint32_t number);

/* The number of an attribute; key: a string of the dictionary; text NULL: it is a number. */
uint32_t otlp_attribute(struct otlp *w, uint32_t key, const char *text, uint64_t number);

/* Append packed numbers as a field, unless there are none, and forget them. */
void otlp_add_packed(struct str *out, unsigned field, struct str *packed);

void otlp_add_dictionary(struct otlp *w);

#endif
