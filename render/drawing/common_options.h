/* common_options: options that all charts have.  All functions exit 2 on wrong usage. */
#ifndef RENDER_DRAWING_COMMON_OPTIONS_H
#define RENDER_DRAWING_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/opts.h"
#include "core/regexp.h"
#include "core/wallclock.h"

/* The options as given; NULL and 0: not given. */
struct common_options {
	const char *output, *script, *theme;
	double scale, fontsize;
};

void common_options_check(const struct common_options *o);

/* Compile each text of list, which the option of that name gave; the caller calls regexps_free(). */
struct regexp **regexps_compile(const struct text_list *list, const char *option);
void regexps_free(struct regexp *const *regexps, size_t count);

/* The texts of --headline as lines; NULL: there are none.  The caller frees it. */
char *headline_join(const struct text_list *texts);

/* Parse a time such as 10:15:02.5, given with the option of that name; {0} if text is NULL. */
struct instant wanted_instant(const char *text, const char *option);

/* The files to read: argv[0..*count), or "-", which is stdin, if there is none. */
char **inputs_or_stdin(char **argv, int *count);

/* Report how many lines were skipped.  Returns 0, or -1 if --strict makes that an error. */
int report_bad_lines(uint64_t bad, uint64_t lines, bool strict);

#endif
