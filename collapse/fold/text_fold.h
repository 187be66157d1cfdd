/* text_fold: merges what several threads parsed from text, and folds it into lines. */
#ifndef COLLAPSE_FOLD_TEXT_FOLD_H
#define COLLAPSE_FOLD_TEXT_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/fold/fold.h"
#include "collapse/fold/text_request.h"
#include "collapse/fold/times.h"

/* The times of the first and the last sample; needs keep_times.  Returns false if there is none. */
bool text_extent(const struct text_parsed *p, uint64_t *first_ns, uint64_t *last_ns);

/* The columns of the values, for f->columns of text_fold(). */
void text_columns(const struct text_parsed *p, struct columns *columns);

/* Set values, in the form that a fold's line has them, for the columns of text_columns(). */
void text_spread(const struct columns *c, const struct text_value *from, uint64_t *values);

/* Make sorted lines and, with keep_times, the list of all samples with their times, sorted.  f->columns is set.  Exits
 * 2 if the requested event does not occur. */
void text_fold(const struct text_parsed *p, struct text_request *request, struct fold *f, struct intern *texts,
	       struct timed_samples *times);

/* Append the comments, in their order. */
void text_comments(const struct text_parsed *p, struct str *out);

/* Warn of the first MESSAGES_MAX errors of each kind, "path:line:column: ...; expected ...", or "path: at offset 17: ..."
 * if the input is binary, and of how many more there are; returns the number of all errors. */
uint64_t text_tell_wrong(const struct text_parsed *p, const char *path, const char *wanted);

/* Warn of each kind of loss, and append the losses as they are in a header: "clipped calls 1, truncated stacks 3". */
void text_tell_lost(const struct text_parsed *p, const char *path, struct str *losses);

/* Does the input continue with a file that cannot be read together with the first one (text_refuse())?  Returns -1
 * after a message, else 0. */
int text_tell_refused(const struct text_parsed *p, const char *path);

/* How many values are negative.  If there are any, there are two columns: the amount to take off, and the amount to
 * add. */
uint64_t text_negative(const struct text_parsed *p);

/* How many samples there are. */
uint64_t text_samples(const struct text_parsed *p);

#endif
