#include "collapse/frames/frame_files.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame.h"
#include "core/memory.h"
#include "core/symbols/space/places.h"

/* --- files -------------------------------------------------------------------------- */

/* "/tmp/jitted-123-4.so": perf inject --jit writes a file for each function that a JIT compiled. */
static bool is_of_a_jit(const struct module *m)
{
	const char *slash = strrchr(m->path, '/');

	return m->kind == MODULE_JIT || (slash && !strncmp(slash + 1, "jitted-", strlen("jitted-")));
}

/* The length of the path without " (deleted)": the path names the same file, even if that was replaced. */
static size_t frame_files_path_len(const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(path), end = strlen(deleted);

	return len > end && !strcmp(path + len - end, deleted) ? len - end : len;
}

static uint32_t file_of_path(struct frame_files *f, const char *path, size_t len, uint32_t module)
{
	size_t before = f->files.count;
	uint32_t file = intern_add(&f->files, path, len);

	f->module_of = xgrow(f->module_of, &f->file_cap, (size_t)file + 1, sizeof(*f->module_of));
	if (file == before)
		f->module_of[file] = module;
	else if (f->module_of[file] != module)
		f->module_of[file] = PLACE_NO_MODULE;
	return file;
}

void frame_files_start(struct frame_files *f, struct intern *texts, const struct modules *modules,
		       enum text_files_when when)
{
	if (f->texts)
		return;
	f->texts = texts;
	f->modules = modules;
	f->when = when;
	f->of_module = xcalloc(modules->count + 1, sizeof(*f->of_module));
}

uint32_t frame_files_of(struct frame_files *f, uint32_t module)
{
	const struct module *m = module < f->modules->count ? &f->modules->items[module] : NULL;
	uint32_t *known = &f->of_module[m ? module : f->modules->count];

	if (f->when == FILES_NEVER)
		return 0;
	if (!*known && (!m || is_of_a_jit(m)))
		*known = file_of_path(f, "", 0, PLACE_NO_MODULE) + 1;
	else if (!*known)
		*known = file_of_path(f, m->path, frame_files_path_len(m->path), module) + 1;
	return *known - 1;
}

/* --- numbers ------------------------------------------------------------------------ */

static struct frame_function *function_at(struct frame_files *f, uint32_t number)
{
	size_t before = f->cap;

	if (number >= before) {
		f->items = xgrow(f->items, &f->cap, (size_t)number + 1, sizeof(*f->items));
		memset(f->items + before, 0, (f->cap - before) * sizeof(*f->items));
	}
	return &f->items[number];
}

/* NULL: it is another text. */
static const struct frame_function *known_function(const struct frame_files *f, uint32_t number)
{
	return number < f->cap && f->items[number].file ? &f->items[number] : NULL;
}

static uint32_t add_another(struct frame_files *f, uint32_t text, uint32_t file)
{
	uint32_t number;

	str_clear(&f->name);
	str_add(&f->name, intern_text(f->texts, text), intern_len(f->texts, text));
	str_addc(&f->name, FUNCTION_FILE);
	str_add(&f->name, intern_text(&f->files, file), intern_len(&f->files, file));
	number = intern_add(f->texts, f->name.buf, f->name.len);
	*function_at(f, number) = (struct frame_function){ .text = text, .file = file + 1 };
	f->several = true;
	return number;
}

/* Does the frame belong to the entry code of a program, or of its dynamic linker?  Every recording of a program's start
 * has both as siblings, and telling them apart is of no use. */
static bool frame_files_is_entry(const struct frame_files *f, uint32_t text)
{
	const char *name = intern_text(f->texts, text);

	return frame_bare_len(name, intern_len(f->texts, text)) == strlen("_start") &&
	       !strncmp(name, "_start", strlen("_start"));
}

uint32_t frame_files_add(struct frame_files *f, uint32_t text, uint32_t file)
{
	struct frame_function *first;
	uint32_t *known;

	if (f->when == FILES_NEVER || (f->when == FILES_NEEDED && frame_files_is_entry(f, text)))
		return text;
	first = function_at(f, text);
	if (!first->file)
		*first = (struct frame_function){ .text = text, .file = file + 1 };
	if (first->file == file + 1)
		return text;
	known = map_at(&f->numbers, text, file);
	if (!*known)
		*known = add_another(f, text, file) + 1;
	return *known - 1;
}

uint32_t frame_files_bare(struct frame_files *f, uint32_t number)
{
	const struct frame_function *function = known_function(f, number);
	uint32_t text = function ? function->text : number, file = function ? function->file : 0;
	size_t len = intern_len(f->texts, text), bare = frame_bare_len(intern_text(f->texts, text), len);

	if (bare == len)
		return number;
	str_clear(&f->name);
	str_add(&f->name, intern_text(f->texts, text), bare); /* adding a text moves texts */
	text = intern_add(f->texts, f->name.buf, f->name.len);
	return file ? frame_files_add(f, text, file - 1) : text;
}

/* --- what is shown ------------------------------------------------------------------ */

static void show_file_of(struct frame_files *f, const struct frame_function *function)
{
	const char *text = intern_text(f->texts, function->text), *path = intern_text(&f->files, function->file - 1);

	text_files_add(&f->told, text, frame_bare_len(text, intern_len(f->texts, function->text)), path,
		       intern_len(&f->files, function->file - 1));
}

void frame_files_tell_apart(struct frame_files *f, uint32_t a, uint32_t b)
{
	const struct frame_function *x = known_function(f, a), *y = known_function(f, b);

	if (!x || !y || x->text != y->text || x->file == y->file)
		return;
	show_file_of(f, x);
	show_file_of(f, y);
}

/* How many bytes at the end of its file's path a function shows.  "[vdso]" also tells functions apart, without being a
 * path. */
static size_t shown_end(const struct frame_files *f, const struct frame_function *function)
{
	const char *text = intern_text(f->texts, function->text), *path = intern_text(&f->files, function->file - 1);
	size_t bare = frame_bare_len(text, intern_len(f->texts, function->text)),
	       len = intern_len(&f->files, function->file - 1);
	const struct text_file *told = text_files_find(&f->told, text, bare, path, len);

	if (!told)
		return 0;
	if (f->when == FILES_NEEDED)
		return told->shown;
	if (path[0] == '[' || (!told->several && f->when == FILES_ALWAYS && text_files_in_name(text, bare, path, len)))
		return 0;
	return f->when == FILES_FULL ? len : told->shown;
}

/* "read_[k]": "read (libfoo.so)_[k]" */
static uint32_t make_shown(struct frame_files *f, const struct frame_function *function)
{
	size_t end = shown_end(f, function), len = intern_len(&f->files, function->file - 1),
	       all = intern_len(f->texts, function->text);
	const char *text = intern_text(f->texts, function->text), *path = intern_text(&f->files, function->file - 1);
	size_t bare = frame_bare_len(text, all);
	struct str name = { 0 };

	if (!end)
		return function->text;
	str_add(&name, text, bare);
	str_puts(&name, " (");
	str_add(&name, path + len - end, end);
	str_addc(&name, ')');
	str_clear(&f->name);
	frame_add(&f->name, name.buf, name.len);
	str_add(&f->name, text + bare, all - bare);
	str_free(&name);
	return intern_add(f->texts, f->name.buf, f->name.len);
}

void frame_files_choose(struct frame_files *f)
{
	bool all = f->when == FILES_ALWAYS || f->when == FILES_FULL;
	size_t count = f->texts->count;

	for (uint32_t i = 0; all && i < f->cap; i++) {
		if (f->items[i].file)
			show_file_of(f, &f->items[i]);
	}
	text_files_choose(&f->told);
	f->shown = xgrow(f->shown, &f->shown_cap, count, sizeof(*f->shown));
	for (uint32_t i = 0; i < count; i++) {
		const struct frame_function *function = known_function(f, i);

		f->shown[i] = !function ? i : f->told.count ? make_shown(f, function) : function->text;
		if (function && f->shown[i] != function->text)
			*map_at(&f->file_of, f->shown[i], 0) = function->file;
	}
}

const struct module *frame_files_module(const struct frame_files *f, uint32_t shown)
{
	uint32_t file = map_get(&f->file_of, shown, 0), module = file ? f->module_of[file - 1] : PLACE_NO_MODULE;

	return f->modules && module < f->modules->count ? &f->modules->items[module] : NULL;
}

void frame_files_free(struct frame_files *f)
{
	intern_free(&f->files);
	free(f->of_module);
	free(f->module_of);
	free(f->items);
	map_free(&f->numbers);
	free(f->shown);
	map_free(&f->file_of);
	text_files_free(&f->told);
	str_free(&f->name);
	*f = (struct frame_files){ 0 };
}
