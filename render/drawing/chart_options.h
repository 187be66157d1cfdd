/* chart_options: the options that charts share, each in one row.  All functions exit 2 on wrong usage.
 *
 *     const struct opt rows[] = {
 *             { .name = "output" },
 *             { .name = "title", .help = "heading [Flame Graph]" },
 *             { 'r', "reverse", NULL, "merge stacks from their leaves", .flag = &reverse },
 *             { 0 } };
 *
 * A row that only has a name is the shared option of that name; other members of the row replace the shared ones.  A
 * help of "" is none. */
#ifndef RENDER_DRAWING_CHART_OPTIONS_H
#define RENDER_DRAWING_CHART_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/opts.h"
#include "core/regexp.h"
#include "core/str.h"
#include "core/wallclock.h"

/* The options as given; NULL and 0: not given. */
struct chart_options {
	const char *output, *format, *title, *subtitle, *notes, *script, *siblings, *colors, *theme, *fonttype;
	const char *from, *to;
	struct text_list headline, include, exclude;
	int64_t width;
	double scale, fontsize;
	bool no_script, strict;
};

#define CHART_OPTIONS                                                                        \
	{                                                                                    \
		.fonttype = "Verdana, 'DejaVu Sans', sans-serif", .fontsize = 12, .scale = 1 \
	}

/* Set *o, and the variables that rows name, from the command line.  Returns how many operands are left, at argv[0]. */
int chart_options_parse(struct chart_options *o, const struct opt *rows, const struct manual *manual, int argc,
			char **argv);

void chart_options_check(const struct chart_options *o);
void chart_options_free(struct chart_options *o);

/* Append the options that select lines, in the form of the header's filter: "--include main --from 2s". */
void chart_options_filters(const struct chart_options *o, struct str *out);

/* Replace rows that only have a name by the rows of `shared` with these names, as above. */
void opts_complete(struct opt *rows, const struct opt *shared);

/* Compile each text of list, which are the values of the option called name; the caller calls regexps_free(). */
struct regexp **regexps_compile(const struct text_list *list, const char *option);
void regexps_free(struct regexp *const *regexps, size_t count);

/* The texts of --headline as lines; NULL: there are none.  The caller frees it. */
char *headline_join(const struct text_list *texts);

/* Parse a time such as 10:15:02.5, the value of the option called name; {0} if text is NULL. */
struct instant wanted_instant(const char *text, const char *option);

/* The files to read: argv[0..*count), or "-", which is stdin, if there is none. */
char **inputs_or_stdin(char **argv, int *count);

/* Report how many lines were skipped.  Returns 0, or -1 if --strict makes that an error. */
int report_bad_lines(uint64_t bad, uint64_t lines, bool strict);

#endif
