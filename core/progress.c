#include "core/progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { MIN_GAP_MS = 100 };

static bool shown;

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

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

	if (quiet || !is_terminal() || now_ms() - last_ms < MIN_GAP_MS)
		return;
	last_ms = now_ms();
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
