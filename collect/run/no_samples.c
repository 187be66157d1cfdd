#include "collect/run/no_samples.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/procfs.h"
#include "core/amount.h"
#include "core/wallclock.h"

/* Are all of these processes stopped? */
static bool are_stopped(const struct pids *processes)
{
	for (size_t i = 0; i < processes->count; i++) {
		char state;
		pid_t parent;

		if (!read_stat(processes->list[i], &state, &parent) || state != 'T')
			return false;
	}
	return processes->count;
}

bool no_samples_why(const struct collection *c, struct str *out)
{
	const char *threads = c->opt.threads ? c->opt.threads : c->opt.selection.thread;
	const struct pids *processes = &c->targets.processes;

	if (command_is_hidden(&c->command)) {
		str_addf(out,
			 "you may not read %s, or it is set-user-ID: the kernel samples such programs only for root "
			 "(or make a copy that you may read)",
			 c->command.name);
	} else if (!c->whole_machine && !c->opt.command && are_stopped(processes)) {
		str_addf(out, "process %d%s stopped: kill -CONT resumes it", (int)processes->list[0],
			 processes->count > 1 ? ", like all others, is" : " is");
	} else if (threads) {
		str_addf(out, "no thread whose name matches '%s' used any CPU time: does one exist?", threads);
	} else if (c->opt.command && !c->opt.all && c->ns < NS_PER_SEC) {
		str_puts(out, "the command ended after ");
		duration_add(out, c->ns);
	}
	return out->len;
}
