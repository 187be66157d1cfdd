/* verbs: the verbs of "pyrograph render" that do not draw charts. */
#ifndef RENDER_VERBS_H
#define RENDER_VERBS_H

/* argv[0] is the verb.  Each returns the exit status. */
int folded_run(int argc, char **argv);
int script_run(int argc, char **argv);

#endif
