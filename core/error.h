/* error: messages to the user on stderr.
 *
 * Every message is "program: text"; stdout is kept for the product. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <stdbool.h>

/* Name shown before each message, e.g. "pyrograph collapse". */
extern const char *program_name;

/* Set program_name to name, which must outlive the program; or, if another program runs this one on its behalf, to that
 * program's name, found in the environment as PROGRAM_CALLER.  Call it before anything that starts other programs,
 * since it removes the variable; and before any file is opened, since it ensures that none becomes stdin, stdout or
 * stderr. */
#define PROGRAM_CALLER "PYROGRAPH_CALLER"
void program_begin(const char *name);

/* Did another program of ours start this one, and choose the names on the command line?  A name that a user
 * gives may be a link; links are not followed for names that we chose. */
bool program_is_called(void);

/* Silences warn() and inform(), but not error() and die(). */
extern int quiet;

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* The most messages of one kind that are printed one by one, for kinds that can be as many as there are lines of input.
 * Further ones are only counted. */
enum { MESSAGES_MAX = 10 };

/* There is no point in going on: print and exit 1. */
_Noreturn void die(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* The command line is wrong: print, refer to --help, exit 2. */
_Noreturn void die_usage(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Print and return -1, so that callers can `return error("...")`. */
int error(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Something the user should know; the program goes on. */
void warn(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* A summary or an interim result; printed without "warning:". */
void inform(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Details that only some users want: like inform(), but if another program of ours called this one, that program may
 * collect them, in order to print the important ones after its own messages.  PROGRAM_DETAILS in the environment is the
 * number of the open file that gets it. */
#define PROGRAM_DETAILS "PYROGRAPH_DETAILS"
void detail(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
