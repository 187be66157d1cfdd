#include "collect/owners/group_names.h"

#include <ctype.h>
#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/procfs.h"
#include "core/json.h"

enum { NAME_MOST = 253, FILE_MOST = 4 << 20 }; /* maximum bytes of a name in Kubernetes, and of a file that is read */

struct names_found {
	struct str container, pod, space;
};

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

/* "machine-web.scope", "lxc.payload.web", below "lxc": "web" */
static size_t group_machine_in(const char *begin, const char *end, const char **id)
{
	static const char *const before[] = { "machine-", "lxc.payload.", "systemd-nspawn@" };
	static const char *const after[] = { ".scope", ".service" };

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
		size_t len = strlen(before[i]);

		if ((size_t)(end - begin) <= len || memcmp(begin, before[i], len) != 0)
			continue;
		*id = begin + len;
		for (size_t k = 0; k < sizeof(after) / sizeof(*after); k++) {
			size_t cut = strlen(after[k]);

			if ((size_t)(end - *id) > cut && !memcmp(end - cut, after[k], cut))
				end -= cut;
		}
		return (size_t)(end - *id);
	}
	return 0;
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
		len = group_machine_in(begin, end, id);
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

bool group_pod_uid(const char *path, char uid[POD_UID_LEN + 1])
{
	for (const char *at = path; (at = strstr(at, "pod")); at++) {
		if (strstr(path, "kube") && (group_uid_at(at + 3, uid) || group_static_uid_at(at + 3, uid)))
			return true;
	}
	return false;
}

/* ---- from files ------------------------------------------------------------------- */

static void names_set(struct str *name, const char *text, size_t len)
{
	if (!name->len && len && len <= NAME_MOST)
		str_add(name, text, len);
}

/* POD_NAMESPACE_CONTAINER-ID.log: none of the names has a '_' */
static void names_of_log(struct names_found *n, const char *file, size_t id_len)
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
static void names_of_log_directory(struct names_found *n, const char *file)
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

static void names_of_kubernetes(struct names_found *n, const char *root, const char *id, const char *uid)
{
	struct str name = { 0 };

	if (*id && names_find_entry(root, "/var/log/containers", id, &name))
		names_of_log(n, name.buf, strlen(id));
	str_clear(&name);
	if (*uid && !n->pod.len && names_find_entry(root, "/var/log/pods", uid, &name))
		names_of_log_directory(n, name.buf);
	str_free(&name);
}

static bool names_read(const char *path, struct str *text)
{
	struct stat info;

	str_clear(text);
	return !stat(path, &info) && S_ISREG(info.st_mode) && info.st_size <= FILE_MOST && !read_whole(path, text) &&
	       text->len;
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
static void names_of_annotations(struct names_found *n, struct json config)
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

static void names_of_configs(struct names_found *n, const char *root, const char *id)
{
	static const char tasks[] = "/run/containerd/io.containerd.runtime.v2.task";
	struct str path = { 0 }, text = { 0 };
	const struct dirent *entry;
	DIR *dir;

	str_addf(&path, "%s/var/lib/docker/containers/%s/config.v2.json", root, id);
	if (names_read(path.buf, &text))
		names_take_member(&n->container, json_make(text.buf, text.len), "Name");
	str_clear(&path);
	str_addf(&path, "%s/run/containers/storage/overlay-containers/%s/userdata/config.json", root, id);
	if (names_read(path.buf, &text))
		names_of_annotations(n, json_make(text.buf, text.len));
	str_clear(&path);
	str_addf(&path, "%s%s", root, tasks);
	dir = opendir(path.buf);
	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		str_clear(&path);
		str_addf(&path, "%s%s/%s/%s/config.json", root, tasks, entry->d_name, id);
		if (names_read(path.buf, &text))
			names_of_annotations(n, json_make(text.buf, text.len));
	}
	if (dir)
		closedir(dir);
	str_free(&path);
	str_free(&text);
}

/* [{"id": "5f..", "names": ["web"], ...}, ...] */
static void names_of_podman(struct names_found *n, const char *root, const char *home, const char *id)
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
static void names_of_users_podman(struct names_found *n, const char *root, int pid, const char *id)
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
	str_free(&home);
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

void group_names_add(const char *root, const char *path, int pid, uint32_t number, struct str *out)
{
	struct names_found n = { 0 };
	const char *at;
	size_t len = group_container_id(path, &at);
	char uid[POD_UID_LEN + 1] = "", id[CONTAINER_ID_LEN + 1] = "";
	bool is_pod = group_pod_uid(path, uid);

	if (len == CONTAINER_ID_LEN)
		memcpy(id, at, len);
	if (is_pod)
		names_of_kubernetes(&n, root, id, uid);
	if (*id && (!n.container.len || (is_pod && !n.pod.len))) {
		names_of_configs(&n, root, id);
		names_of_podman(&n, root, "/var/lib/containers", id);
		if (!n.container.len)
			names_of_users_podman(&n, root, pid, id);
	}
	if (len) {
		str_addf(out, "container %u", number);
		names_add_word(out, at, len);
		names_add_word(out, *id ? str_text(&n.container) : at, *id ? n.container.len : len);
		str_addc(out, '\n');
	}
	if (is_pod) {
		str_addf(out, "pod %u", number);
		names_add_word(out, uid, strlen(uid));
		names_add_word(out, str_text(&n.space), n.space.len);
		names_add_word(out, str_text(&n.pod), n.pod.len);
		str_addc(out, '\n');
	}
	str_free(&n.container);
	str_free(&n.pod);
	str_free(&n.space);
}
