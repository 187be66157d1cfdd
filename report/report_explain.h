/* report_explain: what happened in the time of a recording, in words: pyrograph collapse --explain, as a verb. */
#ifndef REPORT_REPORT_EXPLAIN_H
#define REPORT_REPORT_EXPLAIN_H

/* "pyrograph explain ...": argv[0] is "explain".  Returns the exit status. */
int report_explain(int argc, char **argv);

#endif
