/* A library that is linked lazily: its first calls of other files' functions are bound when they are made. */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "tests/workloads/lazy/library.h"

int lazy_yield(void)
{
	return sched_yield() + 1; /* not the last thing that is done: else a jump would do, as below */
}

int lazy_parent(void)
{
	return getppid();
}

size_t lazy_length(const char *text)
{
	return strlen(text) + 1;
}
