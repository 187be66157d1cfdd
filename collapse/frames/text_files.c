#include "collapse/frames/text_files.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/sorted.h"

/* What stands for a name in names: only the hash of a long one, which would otherwise be stored a third time. */
struct files_name {
	const char *text;
	size_t len;
	uint64_t of_long[2]; /* hash and length */
};

static void text_files_set_name(struct files_name *n, const char *name, size_t len)
{
	enum { LONG = 1 << 16 };

	*n = (struct files_name){ .text = name, .len = len };
	if (len < LONG)
		return;
	n->of_long[0] = hash_bytes(name, len);
	n->of_long[1] = len;
	n->text = (const char *)n->of_long;
	n->len = sizeof(n->of_long);
}

void text_files_add(struct text_files *f, const char *name, size_t name_len, const char *path, size_t len)
{
	uint32_t number, file = intern_add(&f->paths, path, len), *place;
	struct files_name of;

	text_files_set_name(&of, name, name_len);
	number = intern_add(&f->names, of.text, of.len);
	place = map_at(&f->place_of, number, file);
	if (*place)
		return;
	f->items = xgrow(f->items, &f->cap, f->count + 1, sizeof(*f->items));
	f->items[f->count++] = (struct text_file){ .name = number, .path = file };
	*place = (uint32_t)f->count;
}

/* --- ends of paths ------------------------------------------------------------------ */

static bool text_files_is_separator(char c)
{
	return c == '/' || c == '\\';
}

/* The byte at this place from the end, as if each path began with a separator; -1: before that.  Separators are equal. */
static int byte_from_end(const struct text_files *f, uint32_t path, size_t i)
{
	size_t len = intern_len(&f->paths, path);
	char c = i < len ? intern_text(&f->paths, path)[len - 1 - i] : '/';

	return i > len ? -1 : text_files_is_separator(c) ? '/' : (unsigned char)c;
}

/* By name, then by the paths from their ends on: those that share the longest ends are neighbours. */
static int by_name_and_end(const void *a, const void *b, void *files)
{
	const struct text_file *x = a, *y = b;
	const struct text_files *f = files;
	int of_x = 0, of_y = 0;

	if (x->name != y->name)
		return ORDER(x->name, y->name);
	for (size_t i = 0; of_x == of_y && of_x >= 0; i++) {
		of_x = byte_from_end(f, x->path, i);
		of_y = byte_from_end(f, y->path, i);
	}
	return ORDER(of_x, of_y) ?: ORDER(x->path, y->path);
}

/* The length of the end of x that tells it from y: the parts of the path that both have, and one more. */
static uint32_t telling_end(const struct text_files *f, const struct text_file *x, const struct text_file *y)
{
	size_t len = intern_len(&f->paths, x->path), end = 0;

	while (end <= len && byte_from_end(f, x->path, end) == byte_from_end(f, y->path, end))
		end++;
	while (end < len && byte_from_end(f, x->path, end) != '/')
		end++;
	return (uint32_t)(end < len ? end : len);
}

/* The length of the last part of a path. */
static uint32_t text_files_last_part(const struct text_files *f, const struct text_file *x)
{
	size_t len = intern_len(&f->paths, x->path), end = len > 0;

	while (end < len && byte_from_end(f, x->path, end) != '/')
		end++;
	return (uint32_t)end;
}

static void text_files_tell_apart(const struct text_files *f, struct text_file *x, const struct text_file *from)
{
	uint32_t end = telling_end(f, x, from);

	x->several = true;
	x->shown = end > x->shown ? end : x->shown;
}

void text_files_choose(struct text_files *f)
{
	if (f->count)
		qsort_r(f->items, f->count, sizeof(*f->items), by_name_and_end, f);
	for (size_t i = 0; i < f->count; i++) {
		struct text_file *x = &f->items[i];

		x->shown = text_files_last_part(f, x);
		if (i && x[-1].name == x->name)
			text_files_tell_apart(f, x, x - 1);
		if (i + 1 < f->count && x[1].name == x->name)
			text_files_tell_apart(f, x, x + 1);
		*map_at(&f->place_of, x->name, x->path) = (uint32_t)i + 1;
	}
}

const struct text_file *text_files_find(const struct text_files *f, const char *name, size_t name_len, const char *path,
					size_t len)
{
	uint32_t place, file = intern_find(&f->paths, path, len);
	struct files_name of;

	text_files_set_name(&of, name, name_len);
	place = map_get(&f->place_of, intern_find(&f->names, of.text, of.len), file);
	return place ? &f->items[place - 1] : NULL;
}

bool text_files_in_name(const char *name, size_t name_len, const char *path, size_t len)
{
	const char *slash = len ? memrchr(path, '/', len) : NULL, *file = slash ? slash + 1 : path;

	len -= (size_t)(file - path);
	if (name_len && name[0] == '[') {
		name++;
		name_len--;
	}
	return len && name_len > len && !memcmp(name, file, len) && strchr("] +", name[len]);
}

void text_files_free(struct text_files *f)
{
	intern_free(&f->names);
	intern_free(&f->paths);
	free(f->items);
	map_free(&f->place_of);
	*f = (struct text_files){ 0 };
}
