#include "core/error.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/utf8.h"

const char *program_name = "pyrograph";
int quiet;

static char caller[64];
static int details = STDERR_FILENO; /* where detail() writes */

bool program_is_called(void)
{
	return *caller;
}

/* If stdin, stdout or stderr is closed, the next file that is opened would get its number, and output to stdout or
 * stderr would go into that file.  The file that is opened instead can be neither read nor written, and other programs
 * get it closed. */
static void fill_standard_files(void)
{
	int fd;

	do
		fd = open("/", O_PATH | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* Programs that this one starts do not inherit this file either. */
static void take_details(const char *given)
{
	int fd = given && *caller ? atoi(given) : -1;

	unsetenv(PROGRAM_DETAILS);
	if (fd > STDERR_FILENO && fcntl(fd, F_SETFD, FD_CLOEXEC) >= 0)
		details = fd;
}

void program_begin(const char *name)
{
	const char *given = getenv(PROGRAM_CALLER);

	fill_standard_files();
	if (given) {
		snprintf(caller, sizeof(caller), "%s", given);
		unsetenv(PROGRAM_CALLER);
	}
	program_name = *caller ? caller : name;
	take_details(getenv(PROGRAM_DETAILS));
}

/* One write per message, so that messages of parallel stages do not mix. */
static void error_say(int fd, const char *kind, const char *fmt, va_list args)
{
	char text[4096];
	int n = vsnprintf(text, sizeof(text), fmt, args);

	if (n < 0)
		return;
	text[printable_clean(text, strlen(text), "\n\t")] = '\0'; /* names from data must not control the terminal */
	if (fd == STDERR_FILENO)
		fprintf(stderr, "%s: %s%s\n", program_name, kind, text);
	else
		dprintf(fd, "%s\n", text);
}

void die(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	error_say(STDERR_FILENO, "", fmt, args);
	va_end(args);
	exit(1);
}

void die_usage(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	error_say(STDERR_FILENO, "", fmt, args);
	va_end(args);
	fprintf(stderr, "Try '%s --help'.\n", program_name);
	exit(2);
}

int error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	error_say(STDERR_FILENO, "", fmt, args);
	va_end(args);
	return -1;
}

void warn(const char *fmt, ...)
{
	va_list args;

	if (quiet)
		return;
	va_start(args, fmt);
	error_say(STDERR_FILENO, "warning: ", fmt, args);
	va_end(args);
}

void inform(const char *fmt, ...)
{
	va_list args;

	if (quiet)
		return;
	va_start(args, fmt);
	error_say(STDERR_FILENO, "", fmt, args);
	va_end(args);
}

void detail(const char *fmt, ...)
{
	va_list args;

	if (quiet)
		return;
	va_start(args, fmt);
	error_say(details, "", fmt, args);
	va_end(args);
}
