/* roots: the frames at the root of each stack, chosen by --root.
 *
 * To add one: a row in roots.c. */
#ifndef COLLAPSE_FOLD_ROOTS_H
#define COLLAPSE_FOLD_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/sideband.h"
#include "core/intern.h"
#include "core/str.h"

enum { ROOTS_MAX = 16, ROOT_WORDS_MAX = 4 * ROOTS_MAX + 1 };

struct names;
struct places;

/* What roots are made from. */
struct roots {
	const struct root *chosen[ROOTS_MAX];
	size_t count;
	const struct perfdata *data;
	struct sideband *sideband;
	struct places *places; /* where the names of classes are */
	struct names *frames;  /* to be set before roots_write() */
	struct intern names;   /* (pid, comm) pairs, for threads that share a name, be they in
			      * the samples or not: a thread is called the same in all views */
	int *tids;             /* by pair: the tid, or -1 when there are several; of root comm: the name */
	size_t tid_cap;
	bool knows_threads; /* those of the records are in names */
	bool pool;          /* threads whose names differ in their number are one (core/pool.h) */
	bool state_frame;   /* "[sleeping]" stands for the stack, behind the roots */
};

/* Parse "thread,cpu".  Exits 2 with the known names when there is another. */
void roots_parse(struct roots *r, const char *list);

/* Parse a list and put its roots behind those that there are, but for those which are
 * among them. */
void roots_append(struct roots *r, const char *list);

/* Names for --help. */
void roots_list(struct str *out);

/* Append the names in the list, "thread,cpu", or "none". */
void roots_names(const struct roots *r, struct str *out);

/* Does the list contain the root called name? */
bool roots_has(const struct roots *r, const char *name);

/* What tells the sample's roots from others': fills words, returns their number. */
size_t roots_key(struct roots *r, const struct recorded_sample *s, uint32_t *words);

/* Write the frames that belong to words, each followed by ';'.  Some have none: by, of a
 * thread that sleeps. */
void roots_write(const struct roots *r, const uint32_t *words, struct str *out);

void roots_free(struct roots *r);

#endif
