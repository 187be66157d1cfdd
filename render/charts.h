/* charts: the verbs of pyrograph-render, one file and one row in main.c each. */
#ifndef RENDER_CHARTS_H
#define RENDER_CHARTS_H

/* argv[0] is the verb.  Each returns the exit status. */
int flame_run(int argc, char **argv);
int heat_run(int argc, char **argv);
int states_run(int argc, char **argv);
int folded_run(int argc, char **argv);
int script_run(int argc, char **argv);
int tenancy_run(int argc, char **argv);

#endif
