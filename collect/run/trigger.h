/* trigger: "pyrograph collect trigger": has flight recorders write what they keep. */
#ifndef COLLECT_RUN_TRIGGER_H
#define COLLECT_RUN_TRIGGER_H

/* Returns the exit status: 1 if there is none that may be asked. */
int trigger_run(int argc, char **argv);

#endif
