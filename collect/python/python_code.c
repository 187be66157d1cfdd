#include "collect/python/python_code.h"

#include <stdlib.h>
#include <string.h>

#include "collect/python/python_lines.h"
#include "collect/python/python_text.h"
#include "core/memory.h"
#include "core/str.h"
#include "core/utf8.h"

/* So much is kept of a process; then all is forgotten, and read again. */
enum { CODES_MAX = 1 << 18, BYTES_MAX = 64 << 20, LINES_MAX = 1 << 16 };

static void python_code_free(struct python_code *code)
{
	free(code->name);
	free(code->file);
	free(code->lines);
	*code = (struct python_code){ 0 };
}

/* ---- reading ---- */

/* Is this still the code that was copied? */
static bool is_same(const struct python_runtime *p, const struct python_frame *frame, uint32_t *line)
{
	const struct python_layout *l = &p->offsets.bpf;
	uint64_t name, hash;

	return python_is_a(p, frame->code, p->code_type) && remote_u64(&p->remote, frame->code + l->code_name, &name) &&
	       remote_u64(&p->remote, name + l->text_hash, &hash) &&
	       remote_u32(&p->remote, frame->code + l->code_line, line) && python_name_hash(hash, *line) == frame->name;
}

static void read_lines(const struct python_runtime *p, uint64_t address, struct python_code *code)
{
	uint64_t length;

	if (!remote_u64(&p->remote, address + p->offsets.bytes_length, &length) || !length || length > LINES_MAX)
		return;
	code->lines = xmalloc(length);
	code->lines_len = length;
	if (!remote_read(&p->remote, address + p->offsets.bytes_begin, code->lines, length))
		code->lines_len = 0;
}

static char *python_code_copy(const struct str *text)
{
	return xstrndup(str_text(text), text->len);
}

/* The code of every script is called "__main__.<module>": put its file in place of the module, "app.py:<module>". */
static void python_code_name_script(struct str *name, const char *file)
{
	const char *slash = strrchr(file, '/');

	if (!*file || strcmp(str_text(name), "__main__.<module>") != 0)
		return;
	str_clear(name);
	str_addf(name, "%s:<module>", slash ? slash + 1 : file);
}

/* "json.encoder.JSONEncoder.encode"; without a module "encode (/srv/app.py)"; of a script "app.py:<module>". */
static bool read_names(const struct python_runtime *p, const struct python_frame *frame, struct python_code *code)
{
	const struct python_offsets *o = &p->offsets;
	uint64_t qualname, file;
	struct str name = { 0 }, path = { 0 };
	bool has_file, has_module, done = false;

	if (!remote_u64(&p->remote, frame->code + o->code_qualname, &qualname) ||
	    !remote_u64(&p->remote, frame->code + o->code_file, &file))
		return false;
	has_file = python_text_add(p, file, &path);
	has_module = python_module_add(p, frame->globals, &name);
	if (has_module)
		str_puts(&name, ".");
	if (python_text_add(p, qualname, &name)) {
		if (!has_module && has_file)
			str_addf(&name, " (%s)", str_text(&path));
		python_code_name_script(&name, has_file ? str_text(&path) : "");
		code->name = python_code_copy(&name);
		code->file = has_file ? python_code_copy(&path) : NULL;
		done = true;
	}
	str_free(&name);
	str_free(&path);
	return done;
}

/* Between two looks at its name, the code may have become another one: then nothing is kept. */
static void python_code_read(const struct python_runtime *p, const struct python_frame *frame, struct python_code *code)
{
	uint64_t lines;

	if (is_same(p, frame, &code->first_line) && read_names(p, frame, code)) {
		if (remote_u64(&p->remote, frame->code + p->offsets.code_lines, &lines))
			read_lines(p, lines, code);
		if (is_same(p, frame, &code->first_line))
			return;
	}
	python_code_free(code);
}

/* ---- what was read ---- */

/* The code of a frame; it may not have been read yet. */
static struct python_code *python_code_at(struct python_codes *c, const struct python_frame *frame)
{
	uint32_t *number;

	if (c->count >= CODES_MAX || c->bytes > BYTES_MAX)
		python_codes_free(c);
	number = map_at(&c->numbers, frame->code, frame->name);
	if (!*number) {
		c->list = xgrow(c->list, &c->cap, c->count + 1, sizeof(*c->list));
		c->list[c->count++] = (struct python_code){ 0 };
		*number = (uint32_t)c->count;
	}
	return &c->list[*number - 1];
}

static void python_codes_count(struct python_codes *c, const struct python_code *code)
{
	c->bytes += code->lines_len + (code->name ? strlen(code->name) : 0) + (code->file ? strlen(code->file) : 0);
}

const struct python_code *python_code_of(struct python_codes *c, const struct python_runtime *p,
					 const struct python_frame *frame)
{
	struct python_code *code = python_code_at(c, frame);

	if (code->name)
		return code;
	python_code_read(p, frame, code);
	python_codes_count(c, code);
	return code;
}

/* ---- what was kept ---- */

static void add_kept(struct str *to, const char *text, uint32_t length, size_t room)
{
	for (size_t i = 0; i < length && i < room - 1; i++)
		utf8_add(to, (unsigned char)text[i]);
	if (length >= room)
		str_puts(to, "...");
}

const struct python_code *python_code_keep(struct python_codes *c, const struct python_frame *frame,
					   const struct python_texts *texts)
{
	struct python_code *code = python_code_at(c, frame);
	struct str name = { 0 }, file = { 0 };

	add_kept(&name, texts->module, texts->module_length, sizeof(texts->module));
	if (name.len)
		str_puts(&name, ".");
	add_kept(&name, texts->name, texts->name_length, sizeof(texts->name));
	add_kept(&file, texts->file, texts->file_length, sizeof(texts->file));
	if (!texts->module_length && file.len)
		str_addf(&name, " (%s)", str_text(&file));
	python_code_name_script(&name, texts->file_length < sizeof(texts->file) ? str_text(&file) : "");
	code->name = python_code_copy(&name);
	code->file = file.len && texts->file_length < sizeof(texts->file) ? python_code_copy(&file) : NULL;
	code->first_line = texts->line;
	str_free(&name);
	str_free(&file);
	python_codes_count(c, code);
	return code;
}

uint32_t python_code_line(const struct python_code *code, const struct python_offsets *o, uint32_t at)
{
	uint32_t line = 0;

	if (o->lines == PYTHON_LOCATIONS)
		at = at < o->code_code ? 0 : at - o->code_code;
	else if (o->lines == PYTHON_LINETABLE)
		at *= 2; /* it counts units of two bytes */
	if (code->lines_len)
		line = python_line(o->lines, code->lines, code->lines_len, code->first_line, at);
	return line ? line : code->first_line;
}

void python_codes_free(struct python_codes *c)
{
	for (size_t i = 0; i < c->count; i++)
		python_code_free(&c->list[i]);
	free(c->list);
	map_free(&c->numbers);
	*c = (struct python_codes){ 0 };
}
