/* report: the whole chain, from the running system to a directory of charts. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

/* "pyrograph report ...": argv[0] is "report".  Returns the exit status. */
int report_run(int argc, char **argv);

#endif
