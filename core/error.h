/* error: how programs talk to people on stderr.
 *
 * Every message is "program: text"; stdout is kept for the product. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <stdbool.h>

/* Name shown before each message, e.g. "pyrograph collapse". */
extern const char *program_name;

/* Set it to name, which must stay; or to that of the program that runs this one on
 * its behalf, which has put it into the environment under PROGRAM_CALLER.  To be
 * called before anything that starts other programs: it takes that out again. */
#define PROGRAM_CALLER "PYROGRAPH_CALLER"
void program_begin(const char *name);

/* Was it another program of ours that runs this one, and chose the names on the command line?  A user's name
 * may be a link; one that we chose must not be followed through one. */
bool program_is_called(void);

/* Silences warn() and inform(), not error() and die(). */
extern int quiet;

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* The run is pointless: print and exit 1. */
_Noreturn void die(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* The command line is wrong: print, point at --help, exit 2. */
_Noreturn void die_usage(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Print and return -1, so that callers can `return error("...")`. */
int error(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Something the user should know, though the work goes on. */
void warn(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* A summary or a result in passing; no prefix word. */
void inform(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
