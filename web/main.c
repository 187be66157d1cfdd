/* pyrograph-web: an index.html over a directory of pictures. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/open_files.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "core/str.h"
#include "web/captures.h"
#include "web/index.h"
#include "web/pictures.h"
#include "web/site.h"
#include "web/verdict.h"

/* ---- the rules of a directory ---- */

/* Rules are stored in a text file, so that they also apply when another program, such as report, makes the page again:
 *
 *     # pyrograph web: rules for the colours of runs, as --verdict has them
 *     offcpu.max>100ms:red */

#define VERDICT_FILE "verdicts.txt"

enum { FILE_MAX = 4096 };

static const char rules_head[] = "# pyrograph web: ";

/* Returns the length of the file, 0 when it is missing or is not ours. */
static size_t read_ours(int dir, char *bytes)
{
	ssize_t len = outfile_read_start(dir, VERDICT_FILE, bytes, FILE_MAX);
	size_t head_len = sizeof(rules_head) - 1;

	return len >= (ssize_t)head_len && !memcmp(bytes, rules_head, head_len) ? (size_t)len : 0;
}

/* Add the rules of the file in dir, the directory called name in messages; they live in text.  Lines that are not rules
 * are skipped, with a warning.  Links, and files that are not ours, are left alone. */
static void verdict_file_read(struct verdicts *rules, struct arena *text, int dir, const char *name)
{
	char bytes[FILE_MAX];
	size_t len = read_ours(dir, bytes), bad = 0;
	const char *why = NULL;

	for (size_t at = 0, line_len; at < len; at += line_len + 1) {
		const char *end = memchr(bytes + at, '\n', len - at), *wrong;

		line_len = end ? (size_t)(end - bytes) - at : len - at;
		if (!line_len || bytes[at] == '#')
			continue;
		wrong = end && !memchr(bytes + at, '\0', line_len)
				? verdicts_try(rules, arena_strdup(text, bytes + at, line_len))
				: "not a whole line of text";
		bad += wrong != NULL;
		why = wrong ? wrong : why;
	}
	if (bad)
		warn("%s/" VERDICT_FILE ": skipped %zu line%s: %s", name, bad, bad == 1 ? "" : "s", why);
}

/* Write the rules; a file that we did not write is left alone unless force.  Returns 0, or -1 after a message. */
static int verdict_file_write(const struct verdicts *rules, int dir, const char *name, bool force)
{
	char bytes[FILE_MAX];
	struct str text = { 0 }, path = { 0 };
	int status = 0;

	str_addf(&path, "%s/" VERDICT_FILE, name);
	str_puts(&text, rules_head);
	str_puts(&text, "rules for the colours of runs, as --verdict has them\n");
	for (size_t i = 0; i < rules->count; i++)
		str_addf(&text, "%.*s:%s\n", (int)rules->rules[i].text_len, rules->rules[i].text,
			 rules->rules[i].colour);
	if (!force && !read_ours(dir, bytes) &&
	    (outfile_read_start(dir, VERDICT_FILE, bytes, 1) >= 0 || errno != ENOENT))
		status = error("%s was not made by pyrograph: give --force to replace it", path.buf);
	else
		status = outfile_update(dir, VERDICT_FILE, path.buf, text.buf, text.len);
	str_free(&text);
	str_free(&path);
	return status;
}

/* --- removes scripts of former versions that no chart refers to any more --- */

/* Chart-scripts/flame-0123456789abcdef.js      the chart, and the hash of the file's bytes
 *
 * Reports write them; each version of pyrograph adds its own, and old charts keep theirs. */

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

/* Is there a newer script for the same chart? */
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

/* Remove old scripts from the folder chart-scripts of dir.  A file is removed if it belongs to our user, has the name
 * and the bytes of a script of ours, and no picture refers to it.  The newest script of each chart stays, because a
 * report that is being drawn may refer to it.  Nothing is removed if some pictures could not be looked at.  Links are
 * not followed.  Returns how many were removed. */
static size_t old_scripts_remove(const struct pictures *all, int dir)
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

/* --- the command --- */

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

/* Rules from the command line are stored for the next time; without stored rules, losses are shown as usual. */
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

/* Make the page alone: it refers to files that the directory has from an earlier run, or that are missing. */
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
