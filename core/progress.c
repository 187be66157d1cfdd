#include "core/progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "core/wallclock.h"

enum { MIN_GAP_MS = 100 };

static bool shown;

static bool is_terminal(void)
{
	static int known = -1;

	if (known < 0)
		known = isatty(STDERR_FILENO);
	return known;
}

void progress(const char *fmt, ...)
{
	static uint64_t last_ms;
	va_list args;

	if (quiet || !is_terminal() || clock_ns(CLOCK_MONOTONIC) / 1000000 - last_ms < MIN_GAP_MS)
		return;
	last_ms = clock_ns(CLOCK_MONOTONIC) / 1000000;
	shown = true;
	fputs("\r", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputs("\033[K", stderr);
	fflush(stderr);
}

void progress_clear(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}
