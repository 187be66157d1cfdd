/* command: a program that we start and watch.  It waits, forked but not yet executed, until everything is ready to see
 * its first instruction. */
#ifndef COLLECT_MACHINE_COMMAND_H
#define COLLECT_MACHINE_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "collect/machine/rights.h"
#include "core/str.h"

struct command { /* {0}: there is no command */
	pid_t pid;
	int gate;   /* a pipe; closing it without writing ends the child */
	int report; /* receives the errno of a failed exec */
	const char *name;
	bool ended;    /* and was waited for: status is valid */
	bool reported; /* how it ended, or why it did not start */
	int status;    /* exit status, as from waitpid() */
};

/* Fork a child that will become argv.  It gets the signal mask and the
 * limits that we had before we changed ours.  Returns 0, or -1 after a message. */
int command_prepare(struct command *c, char **argv, const sigset_t *mask, const struct limits *limits);

/* Let the child run.  Returns 0, or -1 after a message: not found, not executable. */
int command_start(struct command *c);

/* Reap the command if it has ended; returns whether it has.  Its CPU time is final only now, but /proc has no entry for
 * it any more. */
bool command_reap(struct command *c);

/* The CPU time, in ns, of all commands that were reaped, with their own children.  getrusage(2) counts it as our
 * children's. */
uint64_t commands_cpu_ns(void);

/* CPU time in ns. */
uint64_t rusage_cpu_ns(const struct rusage *used);

/* End the command if it still runs (SIGTERM), wait a moment, and report how it ended. */
void command_finish(struct command *c);

/* Append the file that execvp() would run for name; returns false if there is none. */
bool command_find(const char *name, struct str *path);

/* Is the command's program unreadable for us, or set-user-ID?  The kernel gives us no samples of such a program. */
bool command_is_hidden(const struct command *c);

/* End a command that was prepared but not started; accepts {0}. */
void command_abandon(struct command *c);

#endif
