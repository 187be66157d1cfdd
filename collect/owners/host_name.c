#include "collect/owners/host_name.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/symbols/space/process_root.h"

struct host_name_asked { /* a thread that enters a namespace, and never has to come back */
	int ns;
	struct utsname names;
	bool known;
};

static void *host_name_enter(void *argument)
{
	struct host_name_asked *a = argument;

	a->known = !setns(a->ns, CLONE_NEWUTS) && !uname(&a->names);
	return NULL;
}

static bool host_name_is_ours(int ns)
{
	struct stat own, other;

	return stat("/proc/self/ns/uts", &own) || fstat(ns, &other) || own.st_ino == other.st_ino;
}

/* What engines write into a container, for those who may not enter its namespace. */
static void host_name_of_file(int pid, struct str *out)
{
	char text[sizeof(((struct utsname *)0)->nodename)];
	int fd = process_root_open(pid, "/etc/hostname");
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n > 0) {
		text[n] = '\0';
		str_add(out, text, strcspn(text, "\n"));
	}
	if (fd >= 0)
		close(fd);
}

bool host_name_add(int pid, struct str *out)
{
	struct host_name_asked asked = { 0 };
	size_t before = out->len;
	pthread_t thread;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/uts", pid);
	asked.ns = open(path, O_RDONLY | O_CLOEXEC);
	if (asked.ns < 0)
		return false;
	if (!host_name_is_ours(asked.ns) && !pthread_create(&thread, NULL, host_name_enter, &asked)) {
		pthread_join(thread, NULL);
		if (asked.known)
			str_puts(out, asked.names.nodename);
		else
			host_name_of_file(pid, out);
	}
	close(asked.ns);
	return out->len > before;
}
