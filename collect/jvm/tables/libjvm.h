/* libjvm: the HotSpot library that a process maps. */
#ifndef COLLECT_JVM_TABLES_LIBJVM_H
#define COLLECT_JVM_TABLES_LIBJVM_H

#include "collect/runtime/runtime_file.h"

/* runtime_file_find() for HotSpot's library: false if the process is not a HotSpot JVM, ... */
bool libjvm_find(int pid, struct runtime_file *lib);

#endif
