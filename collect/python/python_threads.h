/* python_threads: the names of threading.Thread in an interpreter of CPython 3.11 to 3.15.
 *
 * The outermost function of such a thread is Thread._bootstrap(self).  An object is believed to be the thread's if its
 * _ident is; no thread's name is another one's. */
#ifndef COLLECT_PYTHON_PYTHON_THREADS_H
#define COLLECT_PYTHON_PYTHON_THREADS_H

#include "collect/python/python_layout.h"
#include "collect/runtime/thread_reader.h"

extern const struct thread_reader python_thread_reader;

/* What its open() returns, for an interpreter that is known. */
void *python_threads_new(const struct python_runtime *runtime);

#endif
