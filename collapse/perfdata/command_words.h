/* command_words: the word of a command line that tells processes of one program apart: "m3.c" in "cc1 -quiet m3.c -o
 * m3.s", "pack.sh" in "bash pack.sh".  Needs a recording with command lines (collect processes). */
#ifndef COLLAPSE_PERFDATA_COMMAND_WORDS_H
#define COLLAPSE_PERFDATA_COMMAND_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/intern.h"
#include "core/map.h"

struct command_words {     /* {0} is valid and empty */
	struct map by_pid; /* -> number in texts + 1 */
	struct intern texts;
};

/* Pick the word from a process's command line, in which each argument ends in a 0 byte; the last argument may be
 * cut. */
void command_words_add(struct command_words *w, int pid, const char *args, size_t len);

/* NULL: there is none. */
const char *command_words_find(const struct command_words *w, int pid);

/* Is this the name of a shell: "bash"?  Of a shell, its script matters, not its functions. */
bool command_words_is_shell(const char *name);

void command_words_free(struct command_words *w);

#endif
