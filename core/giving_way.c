#include "core/giving_way.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ioprio_set(2) has no header: classes are above 13 bits of data. */
enum { OF_PROCESS = 1, CLASS_SHIFT = 13, CLASS_BEST_EFFORT = 2, CLASS_IDLE = 3, LAST_OF_CLASS = 7 };

void give_way(enum giving_way how)
{
	int nice = how == COMES_LAST ? 19 : 5, now = getpriority(PRIO_PROCESS, 0);
	int io = how == COMES_LAST ? CLASS_IDLE << CLASS_SHIFT : CLASS_BEST_EFFORT << CLASS_SHIFT | LAST_OF_CLASS;

	if (now < nice)
		setpriority(PRIO_PROCESS, 0, nice);
	if (syscall(SYS_ioprio_get, OF_PROCESS, 0) >> CLASS_SHIFT != CLASS_IDLE)
		syscall(SYS_ioprio_set, OF_PROCESS, 0, io);
}
