/* stages: where the stage programs are, and how to run one. */
#ifndef STAGES_H
#define STAGES_H

/* Become pyrograph-STAGE, found beside this program, else on PATH; argv[0] is
 * replaced, argv[1..] are its arguments.  Returns the exit status to use only
 * when that failed, after a message. */
int stage_exec(const char *stage, char **argv);

#endif
