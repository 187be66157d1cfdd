/* pyrograph-web: an index.html over a directory of pictures. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "web/captures.h"
#include "web/index.h"
#include "web/pictures.h"

static const char *output = "index.html";
static bool force;

static const struct opt opts[] = { { 'o', "output", "NAME", "name of the page, in DIR [index.html]; - is stdout",
				     .text = &output },
				   { 'f', "force", NULL, "replace a file that pyrograph did not make", .flag = &force },
				   { 0 } };

static const struct manual manual = {
	.usage = "[options] DIR",
	.about = "Writes an index page of all pictures and recordings below DIR, for any web\n"
		 "server or to open as a file.  Symbolic links are not followed.",
	.examples = "  pyrograph web charts/              writes charts/index.html\n"
		    "  pyrograph web -o all.html charts/  writes charts/all.html\n",
};

/* May the file be replaced: is it missing, or one of our pages? */
static int check_page(int dir, const char *path)
{
	char start[1024];
	ssize_t len = outfile_read_start(dir, output, start, sizeof(start));

	if (len < 0 && errno == ENOENT)
		return 0;
	if (len < 0 && errno != ELOOP && errno != EINVAL)
		return error("%s: %s", path, strerror(errno));
	if (!len || (len > 0 && memmem(start, (size_t)len, PAGE_GENERATOR, strlen(PAGE_GENERATOR))))
		return 0;
	return error("%s %s: give -o NAME, or --force to replace it", path,
		     len > 0          ? "was not made by pyrograph"
		     : errno == ELOOP ? "is a symbolic link, which is not followed"
				      : "is not a regular file");
}

/* dir: -1 for stdout. */
static int write_page(int dir, const char *path, const struct str *page)
{
	struct outfile out;

	if ((dir < 0 ? outfile_open(&out, path) : outfile_open_own(&out, dir, output, path)) < 0)
		return -1;
	fwrite(page->buf, 1, page->len, out.file);
	return outfile_commit(&out);
}

static int make_page(const char *dir, int dir_fd, const char *path)
{
	struct pictures pictures = { 0 };
	struct captures captures = { 0 };
	struct str page = { 0 };
	int status = -1;

	if (pictures_scan(&pictures, dir) < 0)
		goto out;
	if (pictures.links)
		warn("%s: %zu symbolic link%s not followed", dir, pictures.links, pictures.links == 1 ? "" : "s");
	captures_make(&captures, &pictures);
	index_write(&page, &captures);
	if (write_page(dir_fd, path, &page) < 0)
		goto out;
	inform("%s: %zu file%s of %zu recording%s", path, pictures.count, pictures.count == 1 ? "" : "s",
	       captures.count, captures.count == 1 ? "" : "s");
	status = 0;
out:
	str_free(&page);
	captures_free(&captures);
	pictures_free(&pictures);
	return status;
}

/* "charts/cpu.svg" -> "charts", "cpu.svg" -> "." */
static int refuse_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	int len = slash ? (int)(slash - path) : 0;

	return error("%s: is a file; give the directory that it is in: "
		     "pyrograph web %.*s",
		     path, len ? len : 1,
		     len     ? path
		     : slash ? "/"
			     : ".");
}

static bool is_file(const char *path)
{
	struct stat info;

	return !stat(path, &info) && !S_ISDIR(info.st_mode);
}

/* The page goes into the directory that dir is now, even if its name leads elsewhere later. */
static int page_in(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status = -1;
	struct str path = { 0 };

	if (fd < 0)
		return error("%s: %s", dir, strerror(errno));
	str_addf(&path, "%s/%s", dir, output);
	if (force || !check_page(fd, path.buf))
		status = make_page(dir, fd, path.buf);
	str_free(&path);
	close(fd);
	return status;
}

int main(int argc, char **argv)
{
	program_begin("pyrograph web");
	argc = opts_parse(opts, &manual, argc, argv);
	if (argc != 1)
		die_usage(argc ? "more than one directory given" : "no directory given");
	if (strchr(output, '/') || !*output || !strcmp(output, ".") || !strcmp(output, ".."))
		die_usage("--output needs a name without '/': the page goes into DIR");
	if (!*argv[0])
		die_usage("which directory?");
	if (is_file(argv[0]))
		return -refuse_file(argv[0]);
	return (strcmp(output, "-") ? page_in(argv[0]) : make_page(argv[0], -1, "-")) < 0;
}
