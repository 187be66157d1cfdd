/* giving_way: what is not urgent gives way to the machine's own work. */
#ifndef CORE_GIVING_WAY_H
#define CORE_GIVING_WAY_H

enum giving_way {
	GIVES_WAY,  /* somebody waits for it: nice 5, reads and writes after those of others (best-effort, 7) */
	COMES_LAST, /* nice 19, reads and writes when nobody else does (idle) */
};

/* From now on, this thread, and the threads and children that it starts, give way.  A thread that already has a higher
 * niceness keeps it. */
void give_way(enum giving_way how);

#endif
