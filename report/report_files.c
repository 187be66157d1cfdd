#include "report/report_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/str.h"

static void report_files_add_name(struct str *out)
{
	char host[65] = "", when[32];
	time_t now = time(NULL);
	struct tm utc;

	gethostname(host, sizeof(host) - 1);
	for (char *c = host; *c; c++) {
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_", *c))
			*c = '_';
	}
	if (host[0] == '.' || host[0] == '-')
		host[0] = '_';
	gmtime_r(&now, &utc);
	strftime(when, sizeof(when), "%Y-%m-%dT%H%M%SZ", &utc);
	str_addf(out, "%s-%s", *host ? host : "host", when);
}

const char *report_file(struct report_files *f, const char *suffix)
{
	struct str path = { 0 };
	const char *copy;

	str_addf(&path, "%s/%s%s", f->dir, f->name, suffix);
	copy = arena_strdup(&f->text, path.buf, path.len);
	str_free(&path);
	return copy;
}

/* Create the file data to reserve the name.  Returns 1, 0 when the name is taken,
 * -1 after a message. */
static int report_files_reserve(struct report_files *f)
{
	f->data_fd = open(f->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (f->data_fd >= 0)
		return 1;
	return errno == EEXIST ? 0 : error("%s: cannot create: %s", f->data, strerror(errno));
}

bool report_files_recorded(struct report_files *f)
{
	struct stat reserved, recording;

	if (!fstat(f->data_fd, &reserved) && reserved.st_nlink && !reserved.st_size)
		unlink(f->data);
	close(f->data_fd);
	return !stat(f->data, &recording) && recording.st_size;
}

/* A number distinguishes two reports of the same second. */
int report_files_choose(struct report_files *f, const char *dir)
{
	struct str name = { 0 };
	int reserved;
	size_t len;

	report_files_add_name(&name);
	len = name.len;
	f->dir = dir;
	for (int n = 2;; n++) {
		f->name = arena_strdup(&f->text, name.buf, name.len);
		f->data = report_file(f, ".data");
		reserved = report_files_reserve(f);
		if (reserved)
			break;
		name.len = len;
		str_addf(&name, "-%d", n);
	}
	str_free(&name);
	return reserved < 0 ? -1 : 0;
}

void report_files_free(struct report_files *f)
{
	arena_free(&f->text);
	*f = (struct report_files){ 0 };
}

/* ---- the directory ---- */

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
	if (err == ENOENT) /* its parents are there, or have just been made */
		return error("%s: no directory can be made there; -o needs another place for the charts", path);
	if (err)
		return error("%s: the directory for the charts cannot be made: %s; -o makes it elsewhere", path,
			     strerror(err));
	if (!stat(path, &info) && !S_ISDIR(info.st_mode))
		return error("%s: is a file; -o needs a directory for the charts", path);
	return 0;
}

/* "a/b/" -> "a"; false when there is no parent. */
static bool directory_cut_last(char *path)
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
			break; /* ENOENT: only the parent was made */
		if (!directory_cut_last(part))
			break;
	}
	free(part);
}
