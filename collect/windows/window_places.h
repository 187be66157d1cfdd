/* window_places: the places in files at which probes are set for the events of --between (between.h). */
#ifndef COLLECT_WINDOWS_WINDOW_PLACES_H
#define COLLECT_WINDOWS_WINDOW_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/windows/between.h"

struct window_place {
	char *path;         /* a path that opens the file now; of a tracepoint: its category */
	char *name;         /* of a tracepoint; else NULL */
	uint64_t offset;    /* in the file */
	uint64_t semaphore; /* of a USDT probe: its offset in the file; 0: it has none */
	bool returns;       /* where the function returns */
	uint32_t what;      /* enum window_event */
};

struct window_places { /* {0} is empty */
	struct window_place *list;
	size_t count, cap;
	int *fds; /* [fd_count] of files that paths are of */
	size_t fd_count, fd_cap;
};

/* Whose programs and libraries are meant. */
struct window_whose {
	const pid_t *processes; /* [count] */
	size_t count;
	const char *command; /* argv[0] of a program that is not running yet; NULL: none */
};

/* Find the places of both events.  Returns 0, or -1 after a message if there is no such file, function or probe. */
int window_places_find(struct window_places *p, const struct between *b, const struct window_whose *whose);

void window_places_free(struct window_places *p);

#endif
