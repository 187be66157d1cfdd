#include "report/directory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/str.h"

int directory_make(const char *path, int *made)
{
	struct str part = { 0 };
	struct stat info;
	int err = 0;

	*made = 0;
	if (outdir_check(path) < 0)
		return -1;
	for (const char *end = path; *end && !err;) {
		end += strspn(end, "/");
		end += strcspn(end, "/");
		str_clear(&part);
		str_add(&part, path, (size_t)(end - path));
		if (!mkdir(part.buf, 0777))
			++*made;
		else if (errno != EEXIST && errno != EISDIR)
			err = errno;
	}
	str_free(&part);
	if (err)
		return error("%s: %s", path, strerror(err));
	if (!stat(path, &info) && !S_ISDIR(info.st_mode))
		return error("%s: is a file; -o needs a directory for the charts", path);
	return 0;
}

/* "a/b/" -> "a"; false when there is no parent. */
static bool cut_last(char *path)
{
	size_t len = strlen(path);
	char *slash;

	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
	slash = strrchr(path, '/');
	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

void directory_unmake(const char *path, int made)
{
	char *part = xstrdup(path);

	while (made > 0) {
		if (!rmdir(part))
			made--;
		else if (errno != ENOENT && errno != ENAMETOOLONG)
			break; /* else it was not made, but its parent was */
		if (!cut_last(part))
			break;
	}
	free(part);
}
