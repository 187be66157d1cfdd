/* How much of a path tells functions of the same name apart (collapse/frames/text_files.h). */
#include "collapse/frames/text_files.h"
#include "tests/unit/check.h"

/* name and path, the shown part, and whether the name is also in other files */
static const struct {
	const char *name, *path, *shown;
	bool several;
} rows[] = {
	{ "parse", "/app/node_modules/qs/lib/parse.js", "qs/lib/parse.js", true },
	{ "parse", "/app/node_modules/url/lib/parse.js", "url/lib/parse.js", true },
	{ "parse", "/app/query.js", "query.js", true },
	{ "read", "/app/read.js", "read.js", false },
	{ "bare", "a.c", "a.c", false },
	{ "end", "a/b.c", "a/b.c", true },     /* the end of the next one, whole */
	{ "end", "q/a/b.c", "q/a/b.c", true }, /* one more than they share */
	{ "end", "xa/b.c", "xa/b.c", true },   /* parts are whole */
	{ "root", "/a/b.c", "/a/b.c", true },
	{ "root", "a/b.c", "a/b.c", true },
	{ "windows", "C:\\x\\m.py", "x\\m.py", true },
	{ "windows", "C:\\y\\m.py", "y\\m.py", true },
	{ "native", "", "", true }, /* no file */
	{ "native", "/lib/m.js", "m.js", true },
	{ "none", "", "", false },
	{ "slash", "/a/", "a/", false },
	{ "middle", "/1/a/z.c", "1/a/z.c", true },
	{ "middle", "/2/a/z.c", "2/a/z.c", true },
	{ "middle", "/2/b/z.c", "b/z.c", true },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

/* The same whatever the order. */
static void check_from(size_t first, size_t step)
{
	struct text_files files = { 0 };

	for (size_t n = 0; n < 2 * ROWS; n++) { /* each twice */
		size_t i = (first + n * step) % ROWS;

		text_files_add(&files, rows[i].name, strlen(rows[i].name), rows[i].path, strlen(rows[i].path));
	}
	text_files_choose(&files);
	CHECK(!text_files_find(&files, "read", 4, "/app/query.js", 13) && !text_files_find(&files, "no", 2, "", 0));
	for (size_t i = 0; i < ROWS; i++) {
		size_t len = strlen(rows[i].path);
		const struct text_file *file =
			text_files_find(&files, rows[i].name, strlen(rows[i].name), rows[i].path, len);

		CHECK_TEXT(rows[i].path + len - file->shown, rows[i].shown);
		CHECK(file->several == rows[i].several);
	}
	text_files_free(&files);
}

int main(void)
{
	check_from(0, 1);
	check_from(5, ROWS - 1);
	check_from(3, 2);
	return check_done();
}
