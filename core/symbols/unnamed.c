#include "core/symbols/unnamed.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "core/utf8.h"

/* --- what provides names for a file of the distribution: a package, or its debuginfod server --- */

static const char lists[] = "/var/lib/dpkg/info";

static const struct {
	const char *id, *url; /* id: the beginning of ID= */
} servers[] = {
	{ "debian", "https://debuginfod.debian.net" },        { "ubuntu", "https://debuginfod.ubuntu.com" },
	{ "fedora", "https://debuginfod.fedoraproject.org" }, { "centos", "https://debuginfod.centos.org" },
	{ "arch", "https://debuginfod.archlinux.org" },       { "opensuse", "https://debuginfod.opensuse.org" },
};

/* Read a list whole.  Returns false if it is not a file, or empty. */
static bool read_list(int directory, const char *name, struct str *out)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	ssize_t n = 0;

	str_clear(out);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size) {
		str_reserve(out, (size_t)st.st_size);
		while ((n = read(fd, out->buf + out->len, (size_t)st.st_size - out->len)) > 0)
			out->len += (size_t)n;
	}
	if (fd >= 0)
		close(fd);
	return out->len && !n;
}

/* The path before /bin, /sbin and /lib became links. */
static const char *debug_package_old_path(const char *path)
{
	static const char *const moved[] = { "/usr/lib", "/usr/bin/", "/usr/sbin/" };

	for (size_t i = 0; i < sizeof(moved) / sizeof(*moved); i++) {
		if (!strncmp(path, moved[i], strlen(moved[i])))
			return path + strlen("/usr");
	}
	return path;
}

/* Does the list have a line that is this path, or, in older lists, the path without /usr? */
static bool debug_package_has_path(const struct str *list, const char *path)
{
	const char *end = list->buf + list->len, *old = debug_package_old_path(path), *at = list->buf;
	size_t len = strlen(old), before = (size_t)(old - path);

	while ((at = memmem(at, (size_t)(end - at), old, len))) {
		const char *start = at;

		if ((size_t)(at - list->buf) >= before && !memcmp(at - before, path, before))
			start -= before;
		if ((start == list->buf || start[-1] == '\n') && at + len < end && at[len] == '\n')
			return true;
		at++;
	}
	return false;
}

/* "liblzma5:amd64.list" */
static void add_package(struct str *out, const char *list)
{
	size_t len = strcspn(list, ":");

	if (!list[len]) /* no architecture */
		len -= strlen(".list");
	str_add(out, list, len);
	str_puts(out, len == strlen("libc6") && !memcmp(list, "libc6", len) ? "-dbg" : "-dbgsym");
}

void debug_packages_find(const char *const *paths, size_t count, struct str *packages)
{
	DIR *directory = count ? opendir(lists) : NULL;
	struct str list = { 0 };
	struct dirent *entry;
	size_t left = count;

	while (left && directory && (entry = readdir(directory))) {
		size_t len = strlen(entry->d_name);

		if (len < 6 || strcmp(entry->d_name + len - 5, ".list") != 0 ||
		    !read_list(dirfd(directory), entry->d_name, &list))
			continue;
		for (size_t i = 0; i < count; i++) {
			if (packages[i].len || !debug_package_has_path(&list, paths[i]))
				continue;
			add_package(&packages[i], entry->d_name);
			left--;
		}
	}
	if (directory)
		closedir(directory);
	str_free(&list);
}

/* The value for DEBUGINFOD_URLS here, by /etc/os-release. */
static const char *debug_package_server(void)
{
	const char *url = "https://debuginfod.elfutils.org", *id;
	int fd = open("/etc/os-release", O_RDONLY | O_CLOEXEC);
	char text[4096] = "\n";
	ssize_t len = fd < 0 ? -1 : read(fd, text + 1, sizeof(text) - 2);

	if (fd >= 0)
		close(fd);
	id = len > 0 ? strstr(text, "\nID=") : NULL;
	if (!id)
		return url;
	id += 4 + (id[4] == '"');
	for (size_t i = 0; i < sizeof(servers) / sizeof(*servers); i++) {
		if (!strncmp(id, servers[i].id, strlen(servers[i].id)))
			url = servers[i].url;
	}
	return url;
}

/* --- what is said --- */

enum { RARE = 20, SHOWN = 3 /* files */ };

/* Take the file with most samples; returns NULL if none is left. */
static const struct module *take_worst(const struct modules *modules, uint64_t *by_module)
{
	size_t worst = 0;

	for (size_t i = 0; i < modules->count; i++)
		worst = by_module[i] > by_module[worst] ? i : worst;
	if (!modules->count || !by_module[worst])
		return NULL;
	by_module[worst] = 0;
	return &modules->items[worst];
}

/* A compiler's cc1 of two versions has one name. */
static bool unnamed_has_name(const struct module *const *shown, size_t count, const struct module *m)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(module_name(shown[i]), module_name(m)))
			return true;
	}
	return false;
}

/* Append the names of the worst files, and of the packages that have their names. */
static void unnamed_add_files(struct str *files, struct str *packages, const struct modules *modules,
			      uint64_t *by_module)
{
	struct str found[SHOWN] = { 0 };
	const struct module *shown[SHOWN], *m;
	const char *paths[SHOWN];
	size_t count = 0;

	while (count < SHOWN && (m = take_worst(modules, by_module))) {
		if (!unnamed_has_name(shown, count, m)) {
			str_puts(files, count ? ", " : "");
			printable_add(files, module_name(m), strlen(module_name(m)));
		}
		shown[count] = m;
		paths[count++] = m->path;
	}
	debug_packages_find(paths, count, found);
	for (size_t i = 0; i < count; i++) {
		if (found[i].len && !strstr(str_text(packages), str_text(&found[i])))
			str_addf(packages, "%s%s", packages->len ? " " : "", str_text(&found[i]));
		str_free(&found[i]);
	}
}

bool unnamed_line(struct str *out, const struct modules *modules, uint64_t *by_module, uint64_t all)
{
	struct str files = { 0 }, packages = { 0 };
	uint64_t unnamed = 0;

	for (size_t i = 0; i < modules->count; i++)
		unnamed += by_module[i];
	if (!unnamed || unnamed * RARE < all)
		return false;
	unnamed_add_files(&files, &packages, modules, by_module);
	str_addf(out,
		 "%.0f %% of the samples are in functions without a name, of %s: install %s, or set DEBUGINFOD_URLS=%s",
		 100.0 * (double)unnamed / (double)all, str_text(&files),
		 packages.len ? str_text(&packages) : "debug packages", debug_package_server());
	str_free(&files);
	str_free(&packages);
	return true;
}
