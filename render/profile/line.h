/* line: what is known about a line of folded text without parsing it (sample.h). */
#ifndef RENDER_LINE_H
#define RENDER_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/lines.h"
#include "core/regexp.h"

bool line_is_blank(const char *line, size_t len);

/* "# text" and a lone "#" are comments. */
bool line_is_comment(const char *line, size_t len);

/* Skip a byte order mark (UTF-8 files from Windows). */
void line_skip_mark(char **line, size_t *len);

/* Does one of res[0..count) match? */
bool line_matches(struct regexp *const *res, size_t count, const char *line, size_t len);

/* Which lines are wanted: if there are include patterns, those that match one; and none that matches an exclude
 * pattern.  {0}: all. */
struct line_filter {
	struct regexp *const *include, *const *exclude;
	size_t include_count, exclude_count;
};

bool line_passes(const struct line_filter *f, const char *line, size_t len);

/* Report that the last line read is bad, and why; the line is shown without control characters.  column: the place of
 * the error, from 1; 0: sample_fault() may know. */
void line_report(const struct lines *in, const char *wrong, size_t column, const char *line, size_t len);

/* Pass each line of path ("-": stdin) to take(to), without a byte order mark.  take() returns NULL, or what is wrong
 * with the line; *bad counts such lines, and the first few are reported.  Returns 0, or -1 after a message. */
int lines_take(const char *path, const char *(*take)(void *to, const char *line, size_t len), void *to, uint64_t *bad);

/* How many columns= there are in a list such as "time,count,longest", at most SAMPLE_COLUMNS_MAX; 0 for NULL, for a
 * single column, and for those of a differential (sample.h). */
size_t line_columns(const char *list);

/* Do all stacks of text[0..len), whose last line may be cut, have two values, up to the next header?  If not, a number
 * before the value belongs to a frame ("at timers.js position 7095 12"). */
bool line_two_values(const char *text, size_t len);

/* The place of name in a list such as "time,count,longest", or -1. */
int line_column(const char *list, const char *name);

/* Returns the frame at place (0: the root), within stack[0..len), and its length; NULL if the stack is shorter. */
const char *line_frame(const char *stack, size_t len, int place, size_t *frame_len);

#endif
