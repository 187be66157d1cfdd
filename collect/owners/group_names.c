#include "collect/owners/group_names.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/owners/host_name.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/symbols/space/process_root.h"

enum { NAME_MOST = 253, FILE_MOST = 4 << 20 }; /* maximum bytes of a name in Kubernetes, and of a file that is read */

/* ---- from the path ---------------------------------------------------------------- */

/* The place after the last '/' before end, or the begin of the path. */
static const char *group_component(const char *path, const char *end)
{
	while (end > path && end[-1] != '/')
		end--;
	return end;
}

static size_t group_hex_run(const char *at, const char *end)
{
	const char *begin = at;

	while (at < end && isxdigit((unsigned char)*at))
		at++;
	return (size_t)(at - begin);
}

/* "libpod-5f..e1.scope" */
static const char *group_id_in(const char *begin, const char *end)
{
	for (const char *at = begin; at < end; at++) {
		size_t len = group_hex_run(at, end);

		if (len == CONTAINER_ID_LEN)
			return at;
		at += len;
		if (at >= end)
			break;
	}
	return NULL;
}

/* "ba3e8b5f0c8e4c0fa2dd1a5e1d9c5a3f-1234567890" of Fargate: 32 digits, and a number */
static size_t group_task_in(const char *begin, const char *end)
{
	const char *at = begin + group_hex_run(begin, end);

	if (at - begin != 32 || at == end || *at++ != '-' || at == end)
		return 0;
	while (at < end && isdigit((unsigned char)*at))
		at++;
	return at == end ? (size_t)(end - begin) : 0;
}

static bool group_is(const char *begin, const char *end, const char *text)
{
	return (size_t)(end - begin) == strlen(text) && !memcmp(begin, text, strlen(text));
}

/* "machine-web.scope", "lxc.payload.web", below "lxc": "web" */
static size_t group_machine_in(const char *path, const char *begin, const char *end, const char **id)
{
	static const struct {
		const char *before, *after;
	} kinds[] = { { "machine-", ".scope" }, { "systemd-nspawn@", ".service" }, { "lxc.payload.", "" } };
	const char *above = begin > path ? group_component(path, begin - 1) : begin;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t before = strlen(kinds[i].before), after = strlen(kinds[i].after);

		if ((size_t)(end - begin) <= before + after || memcmp(begin, kinds[i].before, before) != 0 ||
		    memcmp(end - after, kinds[i].after, after) != 0)
			continue;
		*id = begin + before;
		return (size_t)(end - begin) - before - after;
	}
	if (begin == path || end == begin ||
	    (!group_is(above, begin - 1, "lxc") && !group_is(above, begin - 1, "lxc.payload")))
		return 0;
	*id = begin;
	return (size_t)(end - begin);
}

size_t group_container_id(const char *path, const char **id)
{
	const char *begin;

	for (const char *end = path + strlen(path); end > path; end = begin > path ? begin - 1 : path) {
		size_t len;

		begin = group_component(path, end);
		*id = group_id_in(begin, end);
		if (*id)
			return CONTAINER_ID_LEN;
		*id = begin;
		len = group_task_in(begin, end);
		if (len)
			return len;
		len = group_machine_in(path, begin, end, id);
		if (len)
			return len;
	}
	return 0;
}

/* "kubepods-burstable-pod1f2e0000_aaaa_bbbb_cccc_000000000001.slice", "/kubepods/pod1f2e0000-aaaa-...": at: after "pod" */
static bool group_uid_at(const char *at, char uid[POD_UID_LEN + 1])
{
	for (int i = 0; i < POD_UID_LEN; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? at[i] != '-' && at[i] != '_' : !isxdigit((unsigned char)at[i]))
			return false;
		uid[i] = dash ? '-' : at[i];
	}
	uid[POD_UID_LEN] = '\0';
	return true;
}

/* Static pods have 32 hex digits. */
static bool group_static_uid_at(const char *at, char uid[POD_UID_LEN + 1])
{
	if (group_hex_run(at, at + strlen(at)) != 32)
		return false;
	memcpy(uid, at, 32);
	uid[32] = '\0';
	return true;
}

/* In a container with a view of its own, paths begin at its group: "/../../pod1f2e0000-aaaa-..". */
bool group_pod_uid(const char *path, char uid[POD_UID_LEN + 1])
{
	bool of_kubelet = strstr(path, "kube");

	for (const char *at = path; (at = strstr(at, "pod")); at++) {
		bool whole = at == path || at[-1] == '/';

		if (((of_kubelet || whole) && group_uid_at(at + 3, uid)) ||
		    (of_kubelet && group_static_uid_at(at + 3, uid)))
			return true;
	}
	uid[0] = '\0';
	return false;
}

/* ---- from files ------------------------------------------------------------------- */

static void names_set(struct str *name, const char *text, size_t len)
{
	if (!name->len && len && len <= NAME_MOST)
		str_add(name, text, len);
}

/* POD_NAMESPACE_CONTAINER-ID.log: none of the names has a '_' */
static void names_of_log(struct group_owner *n, const char *file, size_t id_len)
{
	const char *space = strchr(file, '_'), *container = space ? strchr(space + 1, '_') : NULL;
	size_t len = strlen(file), tail = id_len + strlen("-.log");

	if (!container || (size_t)(container + 1 - file) + tail >= len)
		return;
	names_set(&n->pod, file, (size_t)(space - file));
	names_set(&n->space, space + 1, (size_t)(container - space - 1));
	names_set(&n->container, container + 1, (size_t)(file + len - tail - container - 1));
}

/* NAMESPACE_POD_UID */
static void names_of_log_directory(struct group_owner *n, const char *file)
{
	const char *pod = strchr(file, '_'), *uid = pod ? strchr(pod + 1, '_') : NULL;

	if (!uid)
		return;
	names_set(&n->space, file, (size_t)(pod - file));
	names_set(&n->pod, pod + 1, (size_t)(uid - pod - 1));
}

/* The first entry of a directory whose name has text in it. */
static bool names_find_entry(const char *root, const char *directory, const char *text, struct str *name)
{
	struct str path = { 0 };
	const struct dirent *entry;
	bool found = false;
	DIR *dir;

	str_addf(&path, "%s%s", root, directory);
	dir = opendir(str_text(&path));
	while (dir && !found && (entry = readdir(dir))) {
		found = strstr(entry->d_name, text);
		if (found)
			str_puts(name, entry->d_name);
	}
	if (dir)
		closedir(dir);
	str_free(&path);
	return found;
}

static void names_of_kubernetes(struct group_owner *n, const char *root, const char *id, const char *uid)
{
	struct str name = { 0 };

	if (*id && names_find_entry(root, "/var/log/containers", id, &name))
		names_of_log(n, name.buf, strlen(id));
	str_clear(&name);
	if (*uid && !n->pod.len && names_find_entry(root, "/var/log/pods", uid, &name))
		names_of_log_directory(n, name.buf);
	str_free(&name);
}

/* Links in a container lead to its own files.  "/proc/17/root/var/lib/docker/..." */
static int names_open(const char *path)
{
	int pid = 0, len = 0;

	if (sscanf(path, "/proc/%d/root%n", &pid, &len) == 1 && len && path[len] == '/')
		return process_root_open(pid, path + len);
	return process_root_open(0, path);
}

/* A user's own directories may hold anything: a pipe, a device, an endless file. */
static bool names_read(const char *path, struct str *text)
{
	int fd = names_open(path);
	struct stat info;
	ssize_t n = 0;

	str_clear(text);
	if (fd < 0)
		return false;
	if (!fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_size <= FILE_MOST) {
		str_reserve(text, (size_t)info.st_size);
		n = read(fd, text->buf, (size_t)info.st_size);
		text->len = n > 0 ? (size_t)n : 0;
		text->buf[text->len] = '\0';
	}
	close(fd);
	return n > 0;
}

static void names_take_member(struct str *name, struct json object, const char *key)
{
	struct str text = { 0 };

	if (json_text(json_member(object, key), &text))
		names_set(name, str_text(&text) + (text.len && *text.buf == '/'),
			  text.len - (text.len && *text.buf == '/'));
	str_free(&text);
}

/* Reads what containerd, nerdctl and CRI-O note beside a container. */
static void names_of_annotations(struct group_owner *n, struct json config)
{
	static const char *const containers[] = { "io.kubernetes.cri.container-name", "io.kubernetes.container.name",
						  "nerdctl/name" };
	static const char *const pods[] = { "io.kubernetes.cri.sandbox-name", "io.kubernetes.pod.name" };
	static const char *const spaces[] = { "io.kubernetes.cri.sandbox-namespace", "io.kubernetes.pod.namespace" };
	struct json annotations = json_member(config, "annotations");

	for (size_t i = 0; i < sizeof(containers) / sizeof(*containers); i++)
		names_take_member(&n->container, annotations, containers[i]);
	for (size_t i = 0; i < sizeof(pods) / sizeof(*pods); i++) {
		names_take_member(&n->pod, annotations, pods[i]);
		names_take_member(&n->space, annotations, spaces[i]);
	}
}

/* Where the engines keep them, those of distributions of Kubernetes and of snaps among them. */
static const char *const docker_homes[] = { "/var/lib/docker", "/var/snap/docker/common/var-lib-docker" };
static const char *const containerd_homes[] = { "/run/containerd", "/run/k3s/containerd", "/run/k0s/containerd",
						"/var/snap/microk8s/common/run/containerd" };

static void names_of_docker(struct group_owner *n, const char *root, const char *home, const char *id)
{
	struct str path = { 0 }, text = { 0 };

	str_addf(&path, "%s%s/containers/%s/config.v2.json", root, home, id);
	if (names_read(path.buf, &text))
		names_take_member(&n->container, json_make(text.buf, text.len), "Name");
	str_free(&path);
	str_free(&text);
}

/* {"data-root": "/srv/docker"} */
static void names_of_docker_elsewhere(struct group_owner *n, const char *root, const char *id)
{
	struct str path = { 0 }, text = { 0 }, home = { 0 };

	str_addf(&path, "%s/etc/docker/daemon.json", root);
	if (names_read(path.buf, &text) && json_text(json_member(json_make(text.buf, text.len), "data-root"), &home) &&
	    *str_text(&home) == '/')
		names_of_docker(n, root, home.buf, id);
	str_free(&path);
	str_free(&text);
	str_free(&home);
}

static void names_of_config(struct group_owner *n, const char *path)
{
	struct str text = { 0 };

	if (names_read(path, &text))
		names_of_annotations(n, json_make(text.buf, text.len));
	str_free(&text);
}

static void names_of_containerd(struct group_owner *n, const char *root, const char *home, const char *id)
{
	struct str tasks = { 0 }, path = { 0 };
	const struct dirent *entry;
	DIR *dir;

	str_addf(&tasks, "%s%s/io.containerd.runtime.v2.task", root, home);
	dir = opendir(tasks.buf);
	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		str_clear(&path);
		str_addf(&path, "%s/%s/%s/config.json", tasks.buf, entry->d_name, id);
		names_of_config(n, path.buf);
	}
	if (dir)
		closedir(dir);
	str_free(&path);
	str_free(&tasks);
}

static void names_of_crio(struct group_owner *n, const char *root, const char *id)
{
	struct str path = { 0 };

	str_addf(&path, "%s/run/containers/storage/overlay-containers/%s/userdata/config.json", root, id);
	names_of_config(n, path.buf);
	str_free(&path);
}

/* [{"id": "5f..", "names": ["web"], ...}, ...] */
static void names_of_podman(struct group_owner *n, const char *root, const char *home, const char *id)
{
	struct str path = { 0 }, text = { 0 };
	struct json rest, item, names;

	str_addf(&path, "%s%s/storage/overlay-containers/containers.json", root, home);
	if (names_read(path.buf, &text)) {
		rest = json_make(text.buf, text.len);
		while (json_next_item(&rest, &item)) {
			if (!json_is(json_member(item, "id"), id))
				continue;
			names = json_member(item, "names");
			str_clear(&path);
			if (json_next_item(&names, &item) && json_text(item, &path))
				names_set(&n->container, path.buf, path.len);
			break;
		}
	}
	str_free(&path);
	str_free(&text);
}

/* Finds the name of a container that a user without rights runs. */
static void names_of_user(struct group_owner *n, const char *root, int pid, const char *id)
{
	char proc[32];
	struct stat info;
	const struct passwd *user;
	struct str home = { 0 };

	snprintf(proc, sizeof(proc), "/proc/%d", pid);
	user = stat(proc, &info) ? NULL : getpwuid(info.st_uid);
	if (!user)
		return;
	str_addf(&home, "%s/.local/share/containers", user->pw_dir);
	names_of_podman(n, root, home.buf, id);
	str_clear(&home);
	str_addf(&home, "%s/.local/share/docker", user->pw_dir);
	names_of_docker(n, root, home.buf, id);
	str_free(&home);
}

static void names_of_engines(struct group_owner *n, const char *root, int pid, const char *id)
{
	for (size_t i = 0; i < sizeof(docker_homes) / sizeof(*docker_homes); i++)
		names_of_docker(n, root, docker_homes[i], id);
	names_of_docker_elsewhere(n, root, id);
	names_of_crio(n, root, id);
	for (size_t i = 0; i < sizeof(containerd_homes) / sizeof(*containerd_homes); i++)
		names_of_containerd(n, root, containerd_homes[i], id);
	names_of_podman(n, root, "/var/lib/containers", id);
	if (!n->container.len)
		names_of_user(n, root, pid, id);
}

static bool names_are_known(const struct group_owner *n, bool is_pod)
{
	return n->container.len && (!is_pod || n->pod.len);
}

static void names_of_machine(struct group_owner *n, const char *root, int pid, const char *id, const char *uid)
{
	if (*uid)
		names_of_kubernetes(n, root, id, uid);
	if (*id && !names_are_known(n, *uid))
		names_of_engines(n, root, pid, id);
}

/* ---- in a container ----------------------------------------------------------------- */

/* An engine that is in a container itself keeps the names there. */
static bool group_is_nested(const char *path)
{
	const char *id, *outer;
	size_t len = group_container_id(path, &id);
	char *above;
	bool is;

	if (len != CONTAINER_ID_LEN)
		return false;
	above = xstrndup(path, (size_t)(group_component(path, id) - path));
	is = group_container_id(above, &outer) != 0;
	free(above);
	return is;
}

static bool names_root_of(int pid, struct stat *info)
{
	char root[32];

	snprintf(root, sizeof(root), "/proc/%d/root/", pid);
	return !stat(root, info);
}

static int names_parent(int pid)
{
	char path[32], text[512];
	const char *end;
	int parent = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	end = strrchr(text, ')'); /* a name may have one, too */
	return end && sscanf(end, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* The engine, or its shim, is the first of the process's ancestors with another root. */
static int names_engine(int pid)
{
	enum { ANCESTORS_MOST = 64 };
	struct stat own, other;

	if (!names_root_of(pid, &own))
		return 0;
	for (int i = 0; i < ANCESTORS_MOST && pid > 1; i++) {
		pid = names_parent(pid);
		if (pid > 0 && names_root_of(pid, &other) && (other.st_dev != own.st_dev || other.st_ino != own.st_ino))
			return pid;
	}
	return 0;
}

static void names_of_nested(struct group_owner *n, int pid, const char *id, const char *uid)
{
	int engine = names_engine(pid);
	char root[32];

	if (!engine)
		return;
	snprintf(root, sizeof(root), "/proc/%d/root", engine);
	names_of_machine(n, root, pid, id, uid);
}

/* Engines set the host name to the begin of the id unless they are told another one. */
static void names_of_host(struct group_owner *n, int pid, const char *id, bool is_pod)
{
	struct str host = { 0 };

	if (!host_name_add(pid, &host) || (*id && !strncmp(id, host.buf, host.len)))
		str_clear(&host);
	names_set(is_pod ? &n->pod : &n->container, str_text(&host), host.len);
	str_free(&host);
}

/* ---- the lines -------------------------------------------------------------------- */

/* Cleans foreign text, in which a blank or a newline would begin another field or line. */
static void names_add_word(struct str *out, const char *text, size_t len)
{
	str_addc(out, ' ');
	for (size_t i = 0; i < len; i++)
		str_addc(out, isgraph((unsigned char)text[i]) ? text[i] : '?');
	if (!len)
		str_addc(out, '-');
}

/* "qemu\x2d1": systemd's names of units (systemd.unit(5)) */
static void names_unescape(const char *text, size_t len, struct str *out)
{
	for (size_t i = 0; i < len; i++) {
		char digits[3] = { 0 };

		if (len - i >= 4 && text[i] == '\\' && text[i + 1] == 'x' &&
		    group_hex_run(text + i + 2, text + i + 4) == 2) {
			memcpy(digits, text + i + 2, 2);
			str_addc(out, (char)strtol(digits, NULL, 16));
			i += 3;
		} else {
			str_addc(out, text[i]);
		}
	}
}

void group_owner_find(const char *root, const char *path, int pid, struct group_owner *n)
{
	const char *at;
	size_t len = group_container_id(path, &at);
	char uid[POD_UID_LEN + 1] = "", id[CONTAINER_ID_LEN + 1] = "";
	bool is_pod = group_pod_uid(path, uid), is_machine = len && len != CONTAINER_ID_LEN;

	names_unescape(at, len, &n->container_id);
	str_puts(&n->pod_uid, uid);
	if (len == CONTAINER_ID_LEN)
		memcpy(id, at, len);
	names_of_machine(n, root, pid, id, uid);
	if (!names_are_known(n, is_pod) && group_is_nested(path))
		names_of_nested(n, pid, id, uid);
	if (is_machine && !group_task_in(at, at + len))
		names_set(&n->container, n->container_id.buf, n->container_id.len);
	if (is_pod ? !n->pod.len : len && !n->container.len)
		names_of_host(n, pid, str_text(&n->container_id), is_pod);
}

void group_owner_free(struct group_owner *n)
{
	str_free(&n->container_id);
	str_free(&n->container);
	str_free(&n->pod_uid);
	str_free(&n->pod);
	str_free(&n->space);
}

void group_names_add(const char *root, const char *path, int pid, uint32_t number, struct str *out)
{
	struct group_owner n = { 0 };

	group_owner_find(root, path, pid, &n);
	if (n.container_id.len) {
		str_addf(out, "container %u", number);
		names_add_word(out, n.container_id.buf, n.container_id.len);
		names_add_word(out, str_text(&n.container), n.container.len);
		str_addc(out, '\n');
	}
	if (n.pod_uid.len) {
		str_addf(out, "pod %u", number);
		names_add_word(out, n.pod_uid.buf, n.pod_uid.len);
		names_add_word(out, str_text(&n.space), n.space.len);
		names_add_word(out, str_text(&n.pod), n.pod.len);
		str_addc(out, '\n');
	}
	group_owner_free(&n);
}

const char *group_names_root(void)
{
	struct stat own, first;

	return !stat("/", &own) && !stat("/proc/1/root/", &first) &&
			       (own.st_dev != first.st_dev || own.st_ino != first.st_ino)
		       ? "/proc/1/root"
		       : "";
}
