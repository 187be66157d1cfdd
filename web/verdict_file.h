/* verdict_file: the rules of a directory, in a file of text, so that they also hold when somebody else makes the page
 * again, as report does:
 *
 *     # pyrograph web: rules for the colours of runs, as --verdict has them
 *     offcpu.max>100ms:red
 */
#ifndef WEB_VERDICT_FILE_H
#define WEB_VERDICT_FILE_H

#include "core/arena.h"
#include "web/verdict.h"

#define VERDICT_FILE "verdicts.txt"

/* Add the rules of the file in dir, the directory called name in messages; they live in text.  What is not a rule is
 * skipped, with a warning.  Links, and files that are not ours, are left alone. */
void verdict_file_read(struct verdicts *rules, struct arena *text, int dir, const char *name);

/* Write the rules; a file that we did not write is left alone unless force.  Returns 0, or -1 after a message. */
int verdict_file_write(const struct verdicts *rules, int dir, const char *name, bool force);

#endif
