/* trigger: "pyrograph collect trigger": asks flight recorders to write what they keep. */
#ifndef COLLECT_RUN_TRIGGER_H
#define COLLECT_RUN_TRIGGER_H

/* Returns the exit status: 1 if there is no flight recorder that we may ask. */
int trigger_run(int argc, char **argv);

#endif
