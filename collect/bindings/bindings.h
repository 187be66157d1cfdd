/* bindings: the verb "pyrograph collect bindings": which functions running processes have not bound yet. */
#ifndef COLLECT_BINDINGS_BINDINGS_H
#define COLLECT_BINDINGS_BINDINGS_H

int bindings_run(int argc, char **argv);

#endif
