/* verbs: "pyrograph collect cpu ...": the second word picks a function. */
#ifndef CORE_VERBS_H
#define CORE_VERBS_H

#include <stdbool.h>

struct verb {
	const char *name;
	const char *about;                 /* one line for --help */
	int (*run)(int argc, char **argv); /* argv[0] is the verb; returns the exit status */
};

/* Is argv[1] "--help", "-h" or, alone or followed by one of these, "help"?  "help VERB ..."
 * is rewritten to "VERB ... --help". */
bool help_asked(int argc, char **argv);

/* Is argv[1] "--version" or "-V"? */
bool version_asked(int argc, char **argv);

/* Print verbs for argv[2] (core/opts.h); those that have the function of the first one also in a list, "cpu,sched". */
void completion_verbs(const struct verb *verbs, char **argv);

/* Run the verb that argv[1] names and return its exit status.  stage is e.g.
 * "pyrograph collect"; examples are whole lines, shown first by --help. */
int verbs_run(const struct verb *verbs, const char *stage, const char *examples, int argc, char **argv);

#endif
