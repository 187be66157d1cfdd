#include "web/site.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/intern.h"
#include "core/outfile.h"
#include "core/str.h"
#include "web/assets.h"
#include "web/html.h"
#include "web/index.h"
#include "web/run_links.h"
#include "web/run_page.h"
#include "web/thumbs.h"

enum { WHOLE_MAX = 1 << 20 }; /* bytes of charts.json, above which it is split by month */

static const char data_name[] = "charts.json";

/* May the file be replaced: is it missing, or one of ours, which contain mark? */
static int site_check(const struct site *site, int dir, const char *folder, const char *name, const char *mark)
{
	char start[1024];
	ssize_t len = site->force ? 0 : outfile_read_start(dir, name, start, sizeof(start));

	if (len < 0 && errno == ENOENT)
		return 0;
	if (len < 0 && errno != ELOOP && errno != EINVAL)
		return error("%s/%s%s: %s", site->name, folder, name, strerror(errno));
	if (!len || (len > 0 && memmem(start, (size_t)len, mark, strlen(mark))))
		return 0;
	return error("%s/%s%s %s: give %s--force to replace it", site->name, folder, name,
		     len > 0          ? "was not made by pyrograph"
		     : errno == ELOOP ? "is a symbolic link, which is not followed"
				      : "is not a regular file",
		     name == site->page ? "-o NAME, or " : "");
}

static int site_write_file(const struct site *site, int dir, const char *folder, const char *name, const char *bytes,
			   size_t len)
{
	struct str path = { 0 };
	int status;

	str_addf(&path, "%s/%s%s", site->name, folder, name);
	status = outfile_update(dir, name, path.buf, bytes, len);
	str_free(&path);
	return status;
}

/* The page's folder, made if it is missing. */
static int open_own(const struct site *site)
{
	int fd;

	if (mkdirat(site->dir, PICTURES_OWN, 0777) < 0 && errno != EEXIST)
		return error("%s/" PICTURES_OWN ": %s", site->name, strerror(errno));
	fd = openat(site->dir, PICTURES_OWN, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		error("%s/" PICTURES_OWN ": %s", site->name,
		      errno == ELOOP || errno == ENOTDIR ? "is not a directory of ours: nothing is written there"
							 : strerror(errno));
	return fd;
}

static int write_assets(const struct site *site, int own)
{
	const struct {
		const char *name, *mark;
		struct asset asset;
	} files[] = { { "index.css", "/* The page of pyrograph web", style_css_asset() },
		      { "index.js", "// The page of pyrograph web", index_js_asset() } };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (site_check(site, own, PICTURES_OWN "/", files[i].name, files[i].mark) < 0 ||
		    site_write_file(site, own, PICTURES_OWN "/", files[i].name, files[i].asset.bytes,
				    files[i].asset.len) < 0)
			return -1;
	}
	return 0;
}

/* One document for each month, and one that names them. */
static int write_months(const struct site *site, int own, const struct runs *runs, struct intern *wanted)
{
	struct str text = { 0 }, name = { 0 };
	int status = 0;

	for (size_t i = 0, end; !status && i < runs->count; i = end) {
		const char *base;

		end = data_month_end(runs, i);
		str_clear(&text);
		str_clear(&name);
		data_add_month(&name, runs, i);
		base = name.buf + sizeof(PICTURES_OWN);
		intern_add(wanted, base, strlen(base));
		data_write(&text, runs, i, end);
		status = site_write_file(site, own, PICTURES_OWN "/", base, text.buf, text.len);
	}
	str_clear(&text);
	data_write_months(&text, runs);
	if (!status)
		status = site_write_file(site, site->dir, "", data_name, text.buf, text.len);
	str_free(&text);
	str_free(&name);
	return status;
}

static int write_data(const struct site *site, int own, const struct runs *runs, struct intern *wanted)
{
	struct str text = { 0 };
	int status;

	data_write(&text, runs, 0, runs->count);
	status = text.len > WHOLE_MAX ? write_months(site, own, runs, wanted)
				      : site_write_file(site, site->dir, "", data_name, text.buf, text.len);
	str_free(&text);
	return status;
}

/* "t-0123456789abcdef.svg", "run-0123456789abcdef.html" and ".js", "charts-2026-11.json" */
static bool is_made(const char *name)
{
	size_t len = strlen(name);

	return (len == RUN_FILE_NAME - 1 && !memcmp(name, "run-", 4) && !strcmp(name + 20, ".html")) ||
	       (len == RUN_FILE_NAME - 3 && !memcmp(name, "run-", 4) && !strcmp(name + 20, ".js")) ||
	       (len == 22 && !memcmp(name, "t-", 2) && !strcmp(name + 18, ".svg")) ||
	       (len == 19 && !memcmp(name, "charts-", 7) && !strcmp(name + 14, ".json"));
}

/* Remove what an earlier page needed. */
static void remove_others(int own, const struct intern *wanted)
{
	int fd = openat(own, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	while (entries && (entry = readdir(entries))) {
		if (is_made(entry->d_name) && intern_find(wanted, entry->d_name, strlen(entry->d_name)) == UINT32_MAX)
			unlinkat(own, entry->d_name, 0);
	}
	if (entries)
		closedir(entries);
}

static int write_run_pages(const struct site *site, int own, const struct runs *runs, struct intern *wanted)
{
	struct str page = { 0 };
	char name[RUN_FILE_NAME];
	int status = 0;

	for (size_t i = 0; !status && i < runs->count; i++) {
		str_clear(&page);
		capture_page(name, runs->items[i].capture);
		run_page_write(&page, &runs->items[i], runs->rules, site->page);
		intern_add(wanted, name, strlen(name));
		status = site_write_file(site, own, PICTURES_OWN "/", name, page.buf, page.len);
	}
	str_free(&page);
	return status;
}

/* For each run whose charts ask for it, the script that lists the others. */
static int write_run_links(const struct site *site, int own, const struct runs *runs, struct intern *wanted)
{
	struct str text = { 0 };
	char name[RUN_FILE_NAME];
	int status = 0;

	for (size_t i = 0; !status && i < runs->count; i++) {
		const struct web_capture *c = runs->items[i].capture;

		if (!run_links_wanted(c))
			continue;
		str_clear(&text);
		run_file_name(name, c->members->key, ".js");
		run_links_write(&text, c);
		intern_add(wanted, name, strlen(name));
		status = site_write_file(site, own, PICTURES_OWN "/", name, text.buf, text.len);
	}
	str_free(&text);
	return status;
}

static int write_page(const struct site *site, const struct runs *runs)
{
	struct str page = { 0 };
	int status;

	index_write(&page, runs);
	status = site_write_file(site, site->dir, "", site->page, page.buf, page.len);
	str_free(&page);
	return status;
}

int site_write(const struct site *site, struct runs *runs, struct arena *text)
{
	struct intern wanted = { 0 };
	int own, status = -1;

	if (site_check(site, site->dir, "", site->page, PAGE_GENERATOR) < 0 ||
	    site_check(site, site->dir, "", data_name, DATA_MADE) < 0 || (own = open_own(site)) < 0)
		return -1;
	if (!write_assets(site, own)) {
		thumbs_make(runs, site->dir, own, &wanted, text);
		if (!write_run_pages(site, own, runs, &wanted) && !write_run_links(site, own, runs, &wanted) &&
		    !write_data(site, own, runs, &wanted) && !write_page(site, runs)) {
			remove_others(own, &wanted);
			status = 0;
		}
	}
	intern_free(&wanted);
	close(own);
	return status;
}
