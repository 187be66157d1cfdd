/* stages: where the stage programs are, and how to run one. */
#ifndef REPORT_STAGES_H
#define REPORT_STAGES_H

#include <stdbool.h>

#include "core/str.h"

/* Become pyrograph-STAGE, found beside this program, else on PATH; argv[0] is
 * replaced, argv[1..] are its arguments.  Returns the exit status to use only
 * when that failed, after a message. */
int stage_exec(const char *stage, char **argv);

/* Run pyrograph-STAGE, argv[0], which speaks in our name (core/error.h), and wait for
 * its end.  Returns its exit status;
 * after a message 128 + n when signal n ended it.  With outlive, SIGINT, SIGTERM
 * and SIGHUP end the stage only (Ctrl-C reaches it from the terminal; what a
 * process sends to us alone is passed on). */
int stage_run(char **argv, bool outlive);

/* The same for a stage that answers on its stdout: append that to out. */
int stage_read(char **argv, struct str *out);

#endif
