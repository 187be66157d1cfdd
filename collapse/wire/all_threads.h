/* all_threads: what takes the place of a thread's name in formats that need one, where threads are not known; read again,
 * it is not a name. */
#ifndef COLLAPSE_WIRE_ALL_THREADS_H
#define COLLAPSE_WIRE_ALL_THREADS_H

#define ALL_THREADS "all threads"

#endif
