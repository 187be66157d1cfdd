/* A library that is linked lazily: functions of other files are bound at their first call. */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "tests/workloads/lazy/library.h"

int lazy_yield(void)
{
	return sched_yield() + 1; /* not the last thing that the function does, because then a jump would do, as
				   * below */
}

int lazy_parent(void)
{
	return getppid();
}

size_t lazy_length(const char *text)
{
	return strlen(text) + 1;
}
