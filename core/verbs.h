/* verbs: "pyrograph collect cpu ...": the second word picks a function. */
#ifndef CORE_VERBS_H
#define CORE_VERBS_H

struct verb {
	const char *name;
	const char *about; /* one line for --help */
	int (*run)(int argc, char **argv); /* argv[0] is the verb; returns the exit status */
};

/* Run the verb that argv[1] names and return its exit status.  stage is e.g.
 * "pyrograph collect"; examples are whole lines, shown first by --help. */
int verbs_run(const struct verb *verbs, const char *stage, const char *examples, int argc,
	      char **argv);

#endif
