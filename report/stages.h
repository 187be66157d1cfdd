/* stages: where the stage programs are, and how to run one. */
#ifndef REPORT_STAGES_H
#define REPORT_STAGES_H

#include <stdbool.h>

#include "core/str.h"
#include "core/verbs.h"

/* The verbs of pyrograph, in the order of the data, without functions. */
extern const struct verb stage_verbs[];

/* Execute pyrograph-STAGE, found beside this program, else on PATH; argv[0] is
 * replaced, argv[1..] are its arguments.  Returns only on failure, after a message:
 * the exit status to use. */
int stage_exec(const char *stage, char **argv);

/* Run pyrograph-STAGE, argv[0], which uses our name in messages (core/error.h), and wait
 * for its end.  Returns its exit status, or 128 + n after a message when signal n ended it.
 * With outlive, SIGINT, SIGTERM and SIGHUP end only the stage (Ctrl-C reaches it from the
 * terminal; signals that a process sends only to us are passed on). */
int stage_run(char **argv, bool outlive);

/* The same; append the stage's stdout to out. */
int stage_read(char **argv, struct str *out);

#endif
