#include "collect/machine/denial.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/procfs.h"

enum { REASON_MOST = 400 };

static char reason[REASON_MOST];

/* Append the file's first line. */
static bool denial_read(const char *root, const char *path, struct str *line)
{
	struct str whole = { 0 };

	str_addf(&whole, "%s%s", root, path);
	str_clear(line);
	if (read_whole(whole.buf, line))
		str_clear(line);
	str_free(&whole);
	return line->len;
}

/* The initial namespace has one line, "0 0 4294967295" (user_namespaces(7)). */
static bool denial_is_user_namespace(const char *root)
{
	unsigned long long inside, outside, count;
	struct str text = { 0 };
	bool is = denial_read(root, "/proc/self/uid_map", &text) &&
		  (sscanf(text.buf, "%llu %llu %llu", &inside, &outside, &count) != 3 || inside || outside ||
		   count != UINT32_MAX);

	str_free(&text);
	return is;
}

/* "none integrity [confidentiality]"; integrity alone allows to read kernel memory (security/lockdown/lockdown.c). */
const char *denial_of_kernel_memory(const char *root)
{
	struct str text = { 0 };
	bool is = denial_read(root, "/sys/kernel/security/lockdown", &text) && strstr(text.buf, "[confidentiality]");

	str_free(&text);
	return is ? "kernel lockdown is at confidentiality, which denies reading kernel memory: boot with "
		    "lockdown=integrity, which allows it"
		  : NULL;
}

static bool denial_has_filter(const char *root)
{
	struct str text = { 0 };
	bool has = denial_read(root, "/proc/self/status", &text) && strstr(text.buf, "\nSeccomp:\t2");

	str_free(&text);
	return has;
}

/* The label under which a security module confines us: "docker-default (enforce)",
 * "system_u:system_r:container_t:s0:c1,c2"; empty: none. */
static void denial_label(const char *root, struct str *label)
{
	size_t len = 0;

	if (denial_read(root, "/proc/self/attr/current", label))
		len = strspn(label->buf, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:,/() ");
	label->len = len;
	if (len)
		label->buf[len] = '\0';
	if (!strcmp(str_text(label), "unconfined"))
		str_clear(label);
}

static void denial_of_module(const char *root, char text[REASON_MOST])
{
	struct str enforce = { 0 }, label = { 0 };
	bool selinux = denial_read(root, "/sys/fs/selinux/enforce", &enforce) && enforce.buf[0] == '1';

	denial_label(root, &label);
	if (selinux)
		snprintf(text, REASON_MOST,
			 "SELinux may deny it to %.120s: ausearch -m avc -ts recent shows whether, and audit2allow -M "
			 "makes "
			 "a module that allows it",
			 label.len ? label.buf : "this process");
	else if (label.len)
		snprintf(text, REASON_MOST,
			 "AppArmor may deny it to the profile %.120s: dmesg shows whether; for a container, "
			 "--security-opt "
			 "apparmor=unconfined",
			 label.buf);
	else
		snprintf(text, REASON_MOST, "a security module or a sandbox denies it");
	str_free(&enforce);
	str_free(&label);
}

const char *denial_reason(const char *root)
{
	if (denial_is_user_namespace(root))
		return "capabilities do not count in a user namespace, in which this is: run it outside, in a "
		       "container as "
		       "root of the machine (sudo podman)";
	if (denial_of_kernel_memory(root))
		return denial_of_kernel_memory(root);
	if (denial_has_filter(root))
		return "a seccomp filter is in force, such as a container engine's default profile, and denies it: "
		       "start "
		       "the container with a profile that allows perf_event_open and bpf (docs/containers.md)";
	denial_of_module(root, reason);
	return reason;
}

/* With hidepid=1, others' directories in /proc are there, but may not be entered; with 2, they are not there (proc(5)). */
const char *denial_of_processes(const char *root)
{
	struct str path = { 0 };
	int dir, file = -1;

	str_addf(&path, "%s/proc/1", root);
	dir = open(path.buf, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir >= 0)
		file = openat(dir, "stat", O_RDONLY | O_CLOEXEC);
	if (dir >= 0)
		close(dir);
	if (file >= 0)
		close(file);
	str_free(&path);
	return file >= 0 ? NULL
			 : "/proc is mounted with hidepid, which hides others' processes: run it as root, or grant "
			   "cap_sys_ptrace";
}
