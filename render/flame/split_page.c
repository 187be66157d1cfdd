#include "render/flame/split_page.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/sorted.h"
#include "render/drawing/heading.h"
#include "render/drawing/page.h"
#include "render/flame/flame.h"

#define GENERATOR "<meta name=\"generator\" content=\"pyrograph render\"/>"
#define WEB_GENERATOR "<meta name=\"generator\" content=\"pyrograph web\""

/* A page is as wide as necessary, so nothing is cut. */
enum { PAGE_WIDTH_CPX = INT32_MAX };

struct split_row *split_page_add(struct split_page *p, const char *name, size_t len, const char *file, uint64_t value)
{
	p->rows = xgrow(p->rows, &p->cap, p->count + 1, sizeof(*p->rows));
	p->rows[p->count] = (struct split_row){
		.name = xstrndup(name, len),
		.file = xstrdup(file),
		.name_len = len,
		.value = value,
	};
	return &p->rows[p->count++];
}

static int split_page_by_value(const void *a, const void *b)
{
	const struct split_row *x = a, *y = b;

	return ORDER(x->is_rest, y->is_rest) ?: ORDER(y->value, x->value) ?: strcmp(x->file, y->file);
}

/* ---- parts ---------------------------------------------------------------- */

/* The sum of all values: "12 samples", or of two columns "before 5 samples, after 7 samples". */
static void split_page_add_total(struct str *out, const struct split_about *about)
{
	if (!about->compared) {
		value_add(out, about->total, about->unit);
		return;
	}
	for (size_t i = 0; i < SPLIT_SIDES; i++) {
		str_addf(out, "%s%s ", i ? ", " : "", about->sides[i].name);
		value_add(out, about->sides[i].total, about->unit);
	}
}

static void split_page_add_files(struct heading *h, const struct font *font, const struct split_about *about)
{
	struct str total = { 0 };

	for (size_t i = 0; i < SPLIT_SIDES; i++) {
		const struct split_side *side = &about->sides[i];

		str_clear(&total);
		value_add(&total, side->total, about->unit);
		heading_add_origin(h, font, PAGE_WIDTH_CPX, side->file, total.buf, side->source);
	}
	str_free(&total);
}

/* Append the lines above the pictures as text, without the title, which is the h1. */
static void split_page_add_origin(struct str *page, const struct split_about *about)
{
	struct font font = font_make("sans-serif", 12);
	bool files = about->compared && about->sides[0].file;
	struct heading heading;
	struct str total = { 0 };

	split_page_add_total(&total, about);
	heading_make(&heading, &font, PAGE_WIDTH_CPX,
		     &(struct heading_words){ .title = about->title, .headline = about->headline }, total.buf,
		     files ? NULL : about->source);
	if (files)
		split_page_add_files(&heading, &font, about);
	heading_add_text(&heading, TEXT_NOTE, &font, PAGE_WIDTH_CPX, about->left_out);
	for (size_t i = 1; i < heading.count; i++) {
		const struct heading_line *line = &heading.lines[i];

		str_addf(page, "<p class=\"%s\">", canvas_style(&font, line->role).class);
		xml_add(page, str_text(&line->text), line->text.len);
		str_puts(page, "</p>\n");
	}
	heading_free(&heading);
	str_free(&total);
}

static void split_page_add_head(struct str *page, const struct split_about *about)
{
	struct asset css = browser_file("flame/split.css");

	str_puts(page, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
		       "<head>\n<meta charset=\"utf-8\"/>\n" GENERATOR "\n<meta name=\"viewport\" "
		       "content=\"width=device-width\"/>\n<link rel=\"icon\" href=\"data:,\"/>\n<title>");
	xml_puts(page, about->title);
	str_puts(page, "</title>\n<style>\n");
	str_add(page, css.bytes, css.len);
	str_puts(page, "</style>\n</head>\n<body>\n<main>\n<h1>");
	xml_puts(page, about->title);
	str_puts(page, "</h1>\n");
	split_page_add_origin(page, about);
	str_puts(page, "<table>\n<thead><tr><th scope=\"col\">");
	xml_puts(page, about->dimension);
	str_puts(page, "</th>");
	for (size_t i = 0; i < (about->compared ? SPLIT_SIDES : 1); i++) {
		str_puts(page, "<th scope=\"col\" class=\"number\">");
		xml_puts(page, about->compared ? about->sides[i].name : "value");
		str_puts(page, "</th><th scope=\"col\" class=\"number\">share</th>");
	}
	str_puts(page, "<th scope=\"col\">picture</th></tr></thead>\n<tbody>\n");
}

static void split_page_add_amount(struct str *page, uint64_t value, uint64_t total, const struct unit *unit)
{
	str_puts(page, "<td class=\"number\">");
	value_add(page, value, unit);
	str_puts(page, "</td><td class=\"number\">");
	percentage_add(page, value, total);
	str_puts(page, "</td>");
}

static void add_row_amounts(struct str *page, const struct split_row *row, const struct split_about *about)
{
	if (!about->compared)
		split_page_add_amount(page, row->value, about->total, about->unit);
	for (size_t i = 0; about->compared && i < SPLIT_SIDES; i++)
		split_page_add_amount(page, row->sides[i], about->sides[i].total, about->unit);
}

/* A file's name consists of [A-Za-z0-9._-] (split_name_add()), so it is a valid URL. */
static void split_page_add_row(struct str *page, const struct split_row *row, const struct split_about *about)
{
	str_addf(page, "<tr><th scope=\"row\"><a href=\"%s\">", row->file);
	if (row->name_len)
		xml_add(page, row->name, row->name_len);
	else
		str_puts(page, "(no name)");
	str_puts(page, "</a></th>");
	add_row_amounts(page, row, about);
	/* The name is the same link, for those who use keys or cannot see the picture. */
	str_addf(page, "<td><a%s href=\"%s\">", about->format->in_pages ? " tabindex=\"-1\" aria-hidden=\"true\"" : "",
		 row->file);
	if (about->format->in_pages)
		str_addf(page, "<img src=\"%s\" alt=\"\" loading=\"lazy\"/>", row->file);
	else
		str_puts(page, about->format->name);
	str_puts(page, "</a></td></tr>\n");
}

static void add_foot(struct str *page, const struct split_page *p, const struct split_about *about)
{
	struct split_row all = { .value = about->total, .sides = { about->sides[0].total, about->sides[1].total } };

	str_puts(page, "</tbody>\n<tfoot><tr><th scope=\"row\">");
	number_add(page, p->count);
	str_puts(page, p->count == 1 ? " picture</th>" : " pictures</th>");
	add_row_amounts(page, &all, about);
	str_puts(page, "<td></td></tr></tfoot>\n</table>\n</main>\n</body>\n</html>\n");
}

/* ---- the file -------------------------------------------------------------- */

enum whose { NOBODYS, OURS, WEBS, SOMEBODYS };

/* Which program wrote the file with this name, judging by its first bytes? */
static enum whose whose_file(int dir, const char *name)
{
	char start[1024];
	ssize_t len = outfile_read_start(dir, name, start, sizeof(start));

	if (len < 0)
		return errno == ENOENT ? NOBODYS : SOMEBODYS;
	if (!len || memmem(start, (size_t)len, GENERATOR, strlen(GENERATOR)) ||
	    memmem(start, (size_t)len, PAGE_SCRIPT_HEAD, strlen(PAGE_SCRIPT_HEAD)))
		return OURS;
	return memmem(start, (size_t)len, WEB_GENERATOR, strlen(WEB_GENERATOR)) ? WEBS : SOMEBODYS;
}

static int check_file(int dir_fd, const char *dir, const char *name)
{
	if (whose_file(dir_fd, name) == SOMEBODYS)
		return error("%s/%s was not written by --split: nothing written; remove it, or give another "
			     "directory",
			     dir, name);
	return 0;
}

int split_page_check(int dir_fd, const char *dir, bool with_script)
{
	if (check_file(dir_fd, dir, "index.html") < 0)
		return -1;
	return with_script ? check_file(dir_fd, dir, SPLIT_SCRIPT) : 0;
}

static int split_page_write_file(int dir_fd, const char *dir, const char *name, const struct str *text)
{
	struct str path = { 0 };
	int status;

	str_addf(&path, "%s/%s", dir, name);
	status = outfile_update(dir_fd, name, path.buf, text->buf, text->len);
	str_free(&path);
	return status;
}

int split_script_write(int dir_fd, const char *dir)
{
	struct str text = { 0 };
	int status;

	page_script_file(&flame_page, &text);
	status = split_page_write_file(dir_fd, dir, SPLIT_SCRIPT, &text);
	str_free(&text);
	return status;
}

int split_page_write(struct split_page *p, int dir_fd, const char *dir, const struct split_about *about)
{
	struct str page = { 0 };
	int status;

	if (whose_file(dir_fd, "index.html") == WEBS) {
		warn("%s/index.html was written by pyrograph web: kept", dir);
		return 0;
	}
	if (p->count)
		qsort(p->rows, p->count, sizeof(*p->rows), split_page_by_value);
	split_page_add_head(&page, about);
	for (size_t i = 0; i < p->count; i++)
		split_page_add_row(&page, &p->rows[i], about);
	add_foot(&page, p, about);
	status = split_page_write_file(dir_fd, dir, "index.html", &page);
	str_free(&page);
	return status;
}

void split_page_free(struct split_page *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++) {
		free(p->rows[i].name);
		free(p->rows[i].file);
	}
	free(p->rows);
	*p = (struct split_page){ 0 };
}

/* ---- names of files ---- */

enum { NAME_MAX_BYTES = 100 };

static bool is_safe(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
	       c == '_';
}

static void add_safe(struct str *out, const char *name, size_t len)
{
	if (len > NAME_MAX_BYTES)
		len = NAME_MAX_BYTES;
	for (size_t i = 0; i < len; i++)
		str_addc(out, is_safe(name[i]) && (i || (name[0] != '.' && name[0] != '-')) ? name[i] : '_');
	if (!len)
		str_puts(out, "unnamed");
}

/* Take name; false if it is already taken. */
static bool split_take(struct split_names *names, const struct str *name)
{
	size_t before = names->taken.count;
	struct str lower = { 0 };

	for (size_t i = 0; i < name->len; i++)
		str_addc(&lower, (char)tolower((unsigned char)name->buf[i]));
	intern_add(&names->taken, lower.buf, lower.len);
	str_free(&lower);
	return names->taken.count > before;
}

void split_name_add(struct str *out, struct split_names *names, const char *name, size_t len, const char *suffix)
{
	struct str safe = { 0 }, numbered = { 0 };

	add_safe(&safe, name, len);
	str_add(&numbered, safe.buf, safe.len);
	for (unsigned number = 2; !split_take(names, &numbered); number++) {
		str_clear(&numbered);
		str_addf(&numbered, "%s-%u", safe.buf, number);
	}
	str_add(out, numbered.buf, numbered.len);
	str_puts(out, suffix);
	str_free(&safe);
	str_free(&numbered);
}

void split_names_free(struct split_names *names)
{
	if (names)
		intern_free(&names->taken);
}
