#include "collect/owners/group_limit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/procfs.h"

struct cpu_limit { /* quota_us 0: none */
	uint64_t quota_us, period_us;
};

static bool limit_read(const char *directory, const char *file, struct str *text)
{
	struct str path = { 0 };
	bool read;

	str_clear(text);
	str_addf(&path, "%s/%s", directory, file);
	read = !read_whole(path.buf, text) && text->len;
	str_free(&path);
	return read;
}

/* cpu.max is "50000 100000" or "max 100000"; cpu.cfs_quota_us is 50000 or -1. */
static struct cpu_limit limit_of(const char *directory)
{
	struct cpu_limit limit = { 0 };
	struct str text = { 0 };
	char *end;

	if (limit_read(directory, "cpu.max", &text) && *text.buf != 'm') {
		limit.quota_us = strtoull(text.buf, &end, 10);
		limit.period_us = strtoull(end, NULL, 10);
	} else if (limit_read(directory, "cpu.cfs_quota_us", &text) && *text.buf != '-') {
		limit.quota_us = strtoull(text.buf, NULL, 10);
		limit.period_us = limit_read(directory, "cpu.cfs_period_us", &text) ? strtoull(text.buf, NULL, 10) : 0;
	}
	str_free(&text);
	return limit.quota_us && limit.period_us ? limit : (struct cpu_limit){ 0 };
}

static bool limit_is_tighter(const struct cpu_limit *a, const struct cpu_limit *b)
{
	return a->quota_us && (!b->quota_us ||
			       (double)a->quota_us / (double)a->period_us < (double)b->quota_us / (double)b->period_us);
}

/* The limits of the group at root + path, and of those above it. */
static void limit_look(const char *root, const char *path, size_t len, struct cpu_limit *tightest)
{
	struct str directory = { 0 };
	size_t root_len = strlen(root);

	if (strstr(path, "/..")) /* outside of what we can see */
		return;
	str_addf(&directory, "%s%.*s", root, (int)len, path);
	while (directory.len > root_len) {
		struct cpu_limit limit = limit_of(directory.buf);

		if (limit_is_tighter(&limit, tightest))
			*tightest = limit;
		while (directory.len > root_len && directory.buf[directory.len - 1] != '/')
			directory.len--;
		directory.len -= directory.len > root_len;
		directory.buf[directory.len] = '\0';
	}
	str_free(&directory);
}

bool group_limits_cpu(const char *controllers, size_t len)
{
	while (len) {
		const char *comma = memchr(controllers, ',', len);
		size_t n = comma ? (size_t)(comma - controllers) : len;

		if (n == 3 && !memcmp(controllers, "cpu", 3))
			return true;
		n += comma != NULL;
		controllers += n;
		len -= n;
	}
	return false;
}

void group_limit_add(const char *groups, const char *mounts, uint32_t number, struct str *out)
{
	struct cpu_limit tightest = { 0 };
	struct str root = { 0 };

	for (const char *line = groups; *line;) {
		size_t len = strcspn(line, "\n");
		const char *controllers = memchr(line, ':', len);
		const char *path =
			controllers ? memchr(controllers + 1, ':', (size_t)(line + len - controllers - 1)) : NULL;

		if (path && path == controllers + 1) {
			limit_look(mounts, path + 1, (size_t)(line + len - path - 1), &tightest);
			str_clear(&root);
			str_addf(&root, "%s/unified", mounts);
			limit_look(root.buf, path + 1, (size_t)(line + len - path - 1), &tightest);
		} else if (path && group_limits_cpu(controllers + 1, (size_t)(path - controllers - 1))) {
			str_clear(&root);
			str_addf(&root, "%s/%.*s", mounts, (int)(path - controllers - 1), controllers + 1);
			limit_look(root.buf, path + 1, (size_t)(line + len - path - 1), &tightest);
		}
		line += len + (line[len] == '\n');
	}
	if (tightest.quota_us)
		str_addf(out, "limit %u %" PRIu64 " %" PRIu64 "\n", number, tightest.quota_us, tightest.period_us);
	str_free(&root);
}
