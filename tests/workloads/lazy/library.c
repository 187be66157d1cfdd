/* A library that is linked lazily: functions of other files are bound at their first call. */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "tests/workloads/lazy/library.h"

int lazy_yield(void)
{
	return sched_yield() + 1; /* + 1, because the compiler makes a call at the end of a function a jump, as
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
