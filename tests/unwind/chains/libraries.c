/* libraries: code in other files, reached through the PLT, or by dlopen. */
#include "chains.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* library.c */
void lib_burn(uint64_t turns);
void lib_nothing(void);

KEEP void run_plt(uint64_t turns);
KEEP void run_plt(uint64_t turns)
{
	lib_burn(turns);
	AND_RETURN();
}

/* Many calls, so that the stub itself is seen now and then. */
KEEP void run_stub(uint64_t turns);
KEEP void run_stub(uint64_t turns)
{
	for (uint64_t turn = 0; turn < turns / 2; turn++)
		lib_nothing();
}

KEEP void run_vdso(uint64_t turns);
KEEP void run_vdso(uint64_t turns)
{
	struct timespec now;

	for (uint64_t turn = 0; turn < turns / 100; turn++)
		clock_gettime(CLOCK_MONOTONIC, &now);
}

/* ---- opened and closed ---- */

#ifndef STATIC
/* NAME.so lies beside the program. */
static void *open_library(const char *name)
{
	char path[4096], *slash;
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 64);
	void *library = NULL;

	path[len < 0 ? 0 : len] = 0;
	slash = strrchr(path, '/');
	if (slash) {
		snprintf(slash, 64, "/lib%s.so", name);
		library = dlopen(path, RTLD_NOW);
	}
	if (!library) {
		fprintf(stderr, "%s: %s\n", path, dlerror());
		exit(1);
	}
	return library;
}

/* The second library is mapped where the first one was; otherwise, a message says so. */
static void say_address(void *burn)
{
	static void *before;

	if (before && before != burn)
		printf("# %p and %p: another address\n", before, burn);
	before = burn;
}

KEEP void call_closed(void (*burn)(uint64_t), uint64_t turns);
KEEP void call_closed(void (*burn)(uint64_t), uint64_t turns)
{
	burn(turns);
	AND_RETURN();
}

KEEP void open_burn_close(const char *name, const char *function, uint64_t turns);
KEEP void open_burn_close(const char *name, const char *function, uint64_t turns)
{
	void *library = open_library(name);
	void (*burn)(uint64_t) = (void (*)(uint64_t))dlsym(library, function);

	say_address((void *)burn);
	call_closed(burn, turns);
	dlclose(library);
}

KEEP void run_one(uint64_t turns);
KEEP void run_one(uint64_t turns)
{
	open_burn_close("one", "one_burn", turns);
	AND_RETURN();
}

KEEP void run_two(uint64_t turns);
KEEP void run_two(uint64_t turns)
{
	open_burn_close("two", "two_burn", turns);
	AND_RETURN();
}
#endif

const struct scenario library_scenarios[] = {
	{ "plt", run_plt, "{start};main;run_plt;lib_burn;lib_spin" },
	{ "stub", run_stub, "{start};main;run_stub;{stub}lib_nothing" },
#ifndef STATIC
	{ "one", run_one, "{start};main;run_one;open_burn_close;call_closed;one_burn;one_spin" },
	{ "two", run_two, "{start};main;run_two;open_burn_close;call_closed;two_burn;two_spin" },
#endif
	{ "vdso", run_vdso, "{start};main;run_vdso;{libc};{vdso}" },
	{ 0 }
};
