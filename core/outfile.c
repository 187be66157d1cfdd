#include "core/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/str.h"

static mode_t new_file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int open_temporary(struct outfile *out, const char *path)
{
	struct str name = {0};
	int fd;

	str_addf(&name, "%s.XXXXXX", path);
	fd = mkstemp(name.buf);
	if (fd < 0) {
		str_free(&name);
		return error("%s: %s", path, strerror(errno));
	}
	if (fchmod(fd, new_file_mode()) < 0)
		warn("%s: %s", path, strerror(errno));
	out->temporary = name.buf;
	out->file = fdopen(fd, "w");
	return 0;
}

int outfile_open(struct outfile *out, const char *path)
{
	struct stat st;

	*out = (struct outfile){ .path = path };
	if (!path || !strcmp(path, "-")) {
		out->path = "stdout";
		out->file = stdout;
		return 0;
	}
	if (stat(path, &st) || S_ISREG(st.st_mode))
		return open_temporary(out, path);
	out->file = fopen(path, "we"); /* a device or a pipe cannot be renamed over */
	if (!out->file)
		return error("%s: %s", path, strerror(errno));
	return 0;
}

int outfile_commit(struct outfile *out)
{
	int status = ferror(out->file) ? -1 : 0;

	if (!status)
		errno = 0; /* else it still says what went wrong */
	if (out->file == stdout ? fflush(stdout) : fclose(out->file))
		status = -1;
	out->file = NULL;
	if (status < 0)
		error("%s: could not write: %s", out->path, strerror(errno ? errno : EIO));
	else if (out->temporary && (status = rename(out->temporary, out->path)) < 0)
		error("%s: %s", out->path, strerror(errno));
	if (status < 0)
		outfile_abandon(out);
	free(out->temporary);
	out->temporary = NULL;
	return status;
}

void outfile_abandon(struct outfile *out)
{
	if (!out)
		return;
	if (out->file && out->file != stdout)
		fclose(out->file);
	if (out->temporary)
		unlink(out->temporary);
	free(out->temporary);
	*out = (struct outfile){0};
}

int flush_stdout(void)
{
	struct outfile out = { .file = stdout, .path = "stdout" };

	return outfile_commit(&out);
}
