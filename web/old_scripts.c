#include "web/old_scripts.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/outfile.h"

enum { SCRIPT_BYTES_MAX = 4 << 20, HASH_DIGITS = 16, NAME_MAX_LEN = 64 };

struct script {
	char name[NAME_MAX_LEN];
	size_t chart_len; /* of "flame" */
	uint64_t mtime_ns;
};

struct folder {
	int fd;
	struct script *scripts;
	size_t count, cap;
};

/* ---- which are ours ----------------------------------------------------------------- */

/* "flame-0123456789abcdef.js": the length of "flame", or 0. */
static size_t chart_len(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz");

	if (!len || len + 1 + HASH_DIGITS + 3 >= NAME_MAX_LEN || name[len] != '-' ||
	    strspn(name + len + 1, "0123456789abcdef") != HASH_DIGITS ||
	    strcmp(name + len + 1 + HASH_DIGITS, ".js") != 0)
		return 0;
	return len;
}

/* Does the file begin as a script does, and has its name the hash of its bytes? */
static bool old_scripts_is_ours(int dir, const struct script *s)
{
	static const char mark[] = "/* pyrograph render: the script of the ";
	char *bytes = xmalloc(SCRIPT_BYTES_MAX), hash[HASH_DIGITS + 1];
	ssize_t len = outfile_read_start(dir, s->name, bytes, SCRIPT_BYTES_MAX);
	bool ours = len >= (ssize_t)sizeof(mark) && len < SCRIPT_BYTES_MAX && !memcmp(bytes, mark, sizeof(mark) - 1);

	if (ours) {
		snprintf(hash, sizeof(hash), "%016" PRIx64, hash_bytes(bytes, (size_t)len));
		ours = !memcmp(s->name + s->chart_len + 1, hash, HASH_DIGITS);
	}
	free(bytes);
	return ours;
}

static void find_scripts(struct folder *f)
{
	int copy = dup(f->fd);
	DIR *entries = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;
	struct stat st;

	while (entries && (entry = readdir(entries))) {
		struct script s = { .chart_len = chart_len(entry->d_name) };

		if (!s.chart_len || fstatat(f->fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode) ||
		    st.st_uid != geteuid())
			continue;
		memcpy(s.name, entry->d_name, strlen(entry->d_name) + 1);
		s.mtime_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
		f->scripts = xgrow(f->scripts, &f->cap, f->count + 1, sizeof(*f->scripts));
		f->scripts[f->count++] = s;
	}
	if (entries)
		closedir(entries);
}

/* ---- which are needed --------------------------------------------------------------- */

static bool are_all_known(const struct pictures *all)
{
	for (size_t i = 0; i < all->count; i++) {
		if (all->items[i].problem || all->items[i].type == PICTURE_SVGZ)
			return false;
	}
	return !all->links_away;
}

static bool is_referred_to(const struct pictures *all, const struct script *s)
{
	for (size_t i = 0; i < all->count; i++) {
		if (all->items[i].script && strstr(all->items[i].script, s->name))
			return true;
	}
	return false;
}

/* Is there a newer one for the same chart? */
static bool is_former(const struct folder *f, const struct script *s)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct script *other = &f->scripts[i];

		if (other->chart_len == s->chart_len && !memcmp(other->name, s->name, s->chart_len) &&
		    other->mtime_ns > s->mtime_ns)
			return true;
	}
	return false;
}

size_t old_scripts_remove(const struct pictures *all, int dir)
{
	struct folder f = { .fd = openat(dir, "chart-scripts", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) };
	size_t removed = 0;

	if (f.fd < 0)
		return 0;
	if (are_all_known(all))
		find_scripts(&f);
	for (size_t i = 0; i < f.count; i++) {
		const struct script *s = &f.scripts[i];

		if (is_former(&f, s) && !is_referred_to(all, s) && old_scripts_is_ours(f.fd, s))
			removed += !unlinkat(f.fd, s->name, 0);
	}
	free(f.scripts);
	close(f.fd);
	return removed;
}
