/* all_threads: stands for a thread's name in formats that need one, if threads are not known; read again, it is not
 * taken for a name. */
#ifndef COLLAPSE_WIRE_ALL_THREADS_H
#define COLLAPSE_WIRE_ALL_THREADS_H

#define ALL_THREADS "all threads"

#endif
