/* pyrograph-web: an index.html over a directory of pictures. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/open_files.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "web/captures.h"
#include "web/index.h"
#include "web/pictures.h"
#include "web/old_scripts.h"
#include "web/site.h"
#include "web/verdict_file.h"

static const char *output = "index.html";
static bool force;
static struct text_list given;

static const struct opt opts[] = {
	{ 'o', "output", "NAME", "name of the page, in DIR [index.html]; - is stdout", .text = &output },
	{ 0, "verdict", "RULE", "colour runs, and keep it: 'offcpu.max>100ms:red'", .list = &given },
	{ 'f', "force", NULL, "replace a file that pyrograph did not make", .flag = &force },
	{ 0 }
};

static const struct manual manual = {
	.usage = "[options] DIR",
	.about = "Writes an index page of all pictures and recordings below DIR, for any web\n"
		 "server or to open as a file.  Symbolic links are not followed.",
	.examples = "  pyrograph web charts/              writes charts/index.html\n"
		    "  pyrograph web -o all.html charts/  writes charts/all.html\n"
		    "  pyrograph web --verdict 'lost>1%:grey' --verdict 'max>100ms:red' charts/\n",
};

static void add_given(struct verdicts *rules)
{
	for (size_t i = 0; i < given.count; i++) {
		const char *wrong = verdicts_try(rules, given.items[i]);

		if (wrong)
			die_usage("--verdict '%s': %s, as in 'offcpu.max>100ms:red' or 'lost>1%%:grey'", given.items[i],
				  wrong);
	}
}

/* Rules that are given are kept for the next time; losses show as such unless the directory has other rules. */
static int choose_rules(struct verdicts *rules, struct arena *text, int dir, const char *name)
{
	if (given.count && strcmp(output, "-"))
		return verdict_file_write(rules, dir, name, force);
	if (!given.count)
		verdict_file_read(rules, text, dir, name);
	if (!rules->count)
		verdicts_try(rules, "lost>1%:grey");
	return 0;
}

static struct runs make_runs(const struct captures *captures, const struct verdicts *rules)
{
	struct runs runs = { .rules = rules, .count = captures->count };

	runs.items = xcalloc(captures->count + 1, sizeof(*runs.items));
	for (size_t i = 0; i < captures->count; i++) {
		struct web_run *run = &runs.items[i];

		run->capture = &captures->items[i];
		run->figures = figures_make(run->capture);
		run->verdict = verdicts_judge(rules, run->capture, &run->figures);
	}
	return runs;
}

/* The page alone: it refers to files that the directory has from an earlier run, or not. */
static int print_page(const struct runs *runs)
{
	struct str page = { 0 };
	struct outfile out;
	int status = outfile_open(&out, output);

	if (!status) {
		index_write(&page, runs);
		fwrite(page.buf, 1, page.len, out.file);
		status = outfile_commit(&out);
	}
	str_free(&page);
	return status;
}

/* The page goes into the directory that dir is now, even if its name leads elsewhere later. */
static int page_in(const char *dir, struct verdicts *rules)
{
	struct site site = { .name = dir, .page = output, .force = force };
	struct pictures pictures = { 0 };
	struct captures captures = { 0 };
	struct runs runs = { 0 };
	bool printed = !strcmp(output, "-");
	size_t former;
	int status = -1;

	if (!printed && outdir_check(dir) < 0)
		return -1;
	site.dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (site.dir < 0)
		return error("%s: %s", dir, strerror(errno));
	if (choose_rules(rules, &pictures.text, site.dir, dir) < 0 || pictures_scan(&pictures, site.dir, dir) < 0)
		goto out;
	if (pictures.links)
		warn("%s: %zu symbolic link%s not followed", dir, pictures.links, pictures.links == 1 ? "" : "s");
	captures_make(&captures, &pictures);
	runs = make_runs(&captures, rules);
	if ((printed ? print_page(&runs) : site_write(&site, &runs, &captures.text)) < 0)
		goto out;
	former = printed ? 0 : old_scripts_remove(&pictures, site.dir);
	if (former)
		inform("%s/chart-scripts: removed %zu script%s of former versions, to which no chart refers", dir,
		       former, former == 1 ? "" : "s");
	inform("%s%s%s: %zu file%s of %zu run%s", printed ? "" : dir, printed ? "" : "/", output, pictures.count,
	       pictures.count == 1 ? "" : "s", runs.count, runs.count == 1 ? "" : "s");
	status = 0;
out:
	free(runs.items);
	captures_free(&captures);
	pictures_free(&pictures);
	close(site.dir);
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

int main(int argc, char **argv)
{
	struct verdicts rules = { 0 };

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
	add_given(&rules);
	return page_in(argv[0], &rules) < 0 || open_files_tell() < 0;
}
