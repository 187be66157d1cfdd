#include "collect/run/target_end.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/recording/refusal.h"
#include "core/error.h"

/* Returns whether the process lives.  *status becomes -1, after a message, if its end would not be noticed. */
static bool target_end_add(struct collection *c, pid_t id, bool thread, int *status)
{
	int fd = target_watch(id, thread);

	if (fd >= 0)
		session_add_end(&c->session, fd);
	else if (errno != ESRCH && errno != EINVAL && !*status)
		*status = error("cannot watch for the end of %d: %s", (int)id, refusal_limit(errno) ?: strerror(errno));
	return fd >= 0;
}

/* Watch a process that a target started, unless it has ended. */
static bool target_end_add_child(struct collection *c, pid_t pid)
{
	struct pollfd end = { .fd = target_watch(pid, false), .events = POLLIN };

	if (end.fd < 0)
		return false;
	if (poll(&end, 1, 0)) { /* a zombie */
		close(end.fd);
		return false;
	}
	session_add_end(&c->session, end.fd);
	return true;
}

/* All processes that were watched have ended: watch those that they started. */
static bool target_end_find_children(void *collection)
{
	struct collection *c = collection;
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	bool any = false;

	while (dir && (entry = readdir(dir))) {
		long pid = strtol(entry->d_name, NULL, 10);

		if (pid > 0 && c->is_target((uint32_t)pid))
			any |= target_end_add_child(c, (pid_t)pid);
	}
	if (dir)
		closedir(dir);
	return any;
}

bool target_end_is_known(const struct collection *c)
{
	return c->is_target && !c->opt.selection.tids.count && !c->opt.selection.thread;
}

static int target_end_watch_all(struct collection *c, bool threads)
{
	bool living = false;
	int status = 0;

	for (size_t i = 0; threads && i < c->targets.count; i++)
		living |= target_end_add(c, c->targets.list[i].tid, true, &status);
	for (size_t i = 0; !threads && i < c->targets.processes.count; i++)
		living |= target_end_add(c, c->targets.processes.list[i], false, &status);
	if (!living)
		session_set_duration(&c->session, 0);
	return status;
}

int target_end_watch(struct collection *c)
{
	const struct collect_options *o = &c->opt;
	bool threads = o->selection.tids.count || o->selection.thread;
	int status = 0;

	if (o->command) {
		target_end_add(c, c->command.pid, false, &status);
	} else if (!selection_given(&o->selection) || (o->selection.belongs && c->add_targets && !o->until_exit)) {
		return 0;
	} else if (!o->until_exit && c->sampler.leader_count) {
		for (size_t i = 0; i < c->sampler.leader_count; i++)
			session_add_hangup(&c->session, c->sampler.leaders[i]);
	} else if (o->until_exit || !c->whole_machine) {
		if (!o->until_exit && target_end_is_known(c))
			session_find_more(&c->session, target_end_find_children, c);
		status = target_end_watch_all(c, threads);
	}
	return status;
}
