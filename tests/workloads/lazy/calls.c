/* Calls each function of library.c for the first time when a line is read, after dropping the pages in which names are
 * looked up, so that each binding has page faults.  Prints which functions have been called ("called NAME"). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/workloads/lazy/library.h"

enum { PAGES_MAX = 64 };

static struct {
	void *start;
	size_t len;
} tables[PAGES_MAX];
static size_t count;

/* The tables in which symbols are looked up are at the beginning of a file. */
static void find_tables(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096], rights[8];
	unsigned long start, end, offset;

	while (maps && fgets(line, sizeof(line), maps)) {
		if (count < PAGES_MAX && sscanf(line, "%lx-%lx %7s %lx", &start, &end, rights, &offset) == 4 &&
		    !offset && strstr(line, ".so") && !strcmp(rights, "r--p")) {
			tables[count].start = (void *)(uintptr_t)start; // NOLINT: the kernel gives numbers
			tables[count++].len = end - start;
		}
	}
	if (maps)
		fclose(maps);
}

static void drop(void)
{
	for (size_t i = 0; i < count; i++)
		madvise(tables[i].start, tables[i].len, MADV_DONTNEED);
}

static __attribute__((noinline)) void call(const char *name)
{
	drop();
	if (!strcmp(name, "lazy_yield"))
		lazy_yield();
	else if (!strcmp(name, "lazy_parent"))
		lazy_parent();
	else if (!strcmp(name, "lazy_length"))
		lazy_length(name);
}

int main(void)
{
	char name[64];

	find_tables();
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("ready");
	while (scanf("%63s", name) == 1) {
		call(name);
		printf("called %s\n", name);
	}
	return 0;
}
