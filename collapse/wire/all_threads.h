/* all_threads: the name of a thread in formats that need one, if threads are not known.  When such text is read again,
 * it does not count as a name. */
#ifndef COLLAPSE_WIRE_ALL_THREADS_H
#define COLLAPSE_WIRE_ALL_THREADS_H

#define ALL_THREADS "all threads"

#endif
