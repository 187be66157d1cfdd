/* report_command: the command line of a stage, word by word. */
#ifndef REPORT_REPORT_COMMAND_H
#define REPORT_REPORT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

struct report_command { /* {0} is empty; the caller frees words; words[count] is NULL */
	const char **words;
	size_t count, cap;
};

void command_add(struct report_command *c, const char *word);

/* Add words up to a NULL. */
void command_add_all(struct report_command *c, const char *const *words);

#define COMMAND_ADD(c, ...) command_add_all(c, (const char *const[]){ __VA_ARGS__, NULL })

/* Add option and value if value is not NULL; add the option if it was given. */
void command_add_option(struct report_command *c, const char *option, const char *value);
void command_add_flag(struct report_command *c, const char *option, bool given);

/* Append word to out as a shell takes it for one word. */
void command_add_shell_word(struct str *out, const char *word);

#endif
