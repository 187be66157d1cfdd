#include "collapse/output/tables.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/symbols/elf/elf_file.h"

void tables_begin(struct location_tables *t, const struct product *p)
{
	*t = (struct location_tables){ 0 };
	line_view_begin(&t->view, p);
	t->of_text = xcalloc(p->texts->count + 1, sizeof(*t->of_text));
}

void tables_end(struct location_tables *t)
{
	line_view_end(&t->view);
	free(t->of_name);
	map_free(&t->by_function);
	free(t->functions);
	map_free(&t->by_module);
	free((void *)t->modules);
	free(t->plain);
	free(t->of_text);
	intern_free(&t->locations);
	free(t->stack);
	free(t->ends);
	*t = (struct location_tables){ 0 };
}

/* Make room for item i, and clear the new items. */
static void *grow_zeroed(void *array, size_t *cap, size_t i, size_t size)
{
	size_t before = *cap;

	array = xgrow(array, cap, i + 1, size);
	if (*cap > before)
		memset((char *)array + before * size, 0, (*cap - before) * size);
	return array;
}

/* ---- functions ------------------------------------------------------------------- */

/* Split "main:prog.c:12_[k]" into "main", "prog.c" and the line.  The line may be missing ("main:prog.c"), or both file
 * and line ("main"). */
static bool split_source(const char *name, size_t len, size_t *name_len, size_t *file_len, uint32_t *line)
{
	size_t end = len, digits;
	const char *colon;

	*line = 0;
	if (len > 4 && !memcmp(name + len - 4, "_[", 2) && name[len - 1] == ']')
		end -= 4;
	for (digits = end; digits && isdigit((unsigned char)name[digits - 1]); digits--)
		;
	if (digits > 1 && digits < end && end - digits < 10 && name[digits - 1] == ':') {
		for (size_t i = digits; i < end; i++)
			*line = *line * 10 + (uint32_t)(name[i] - '0');
		end = digits - 1;
	}
	colon = memrchr(name, ':', end);
	if (!colon || colon == name || colon[-1] == ':' || !memchr(colon, '.', (size_t)(name + end - colon)))
		return false;
	*name_len = (size_t)(colon - name);
	*file_len = end - *name_len - 1;
	return true;
}

static uint32_t function_number(struct location_tables *t, uint32_t name, uint32_t file)
{
	uint32_t *number = map_at(&t->by_function, name, file);

	if (*number)
		return *number;
	t->functions = xgrow(t->functions, &t->function_cap, t->function_count + 1, sizeof(*t->functions));
	t->functions[t->function_count++] = (struct table_function){ name, file };
	return *number = (uint32_t)t->function_count;
}

static struct table_line output_tables_make_line(struct location_tables *t, uint32_t name)
{
	size_t len = view_len(&t->view, name), name_len, file_len;
	struct str text = { 0 };
	struct table_line line = { 0 };
	uint32_t own, file;

	str_add(&text, view_text(&t->view, name), len); /* intern_add() may move it */
	if (!t->view.product->source_lines || !split_source(text.buf, len, &name_len, &file_len, &line.line))
		own = name, file = line.line = 0;
	else
		own = intern_add(&t->view.strings, text.buf, name_len),
		file = intern_add(&t->view.strings, text.buf + name_len + 1, file_len);
	line.function = function_number(t, own, file);
	str_free(&text);
	return line;
}

static struct table_line output_tables_line_of(struct location_tables *t, uint32_t name)
{
	t->of_name = grow_zeroed(t->of_name, &t->of_name_cap, name, sizeof(*t->of_name));
	if (!t->of_name[name].function)
		t->of_name[name] = output_tables_make_line(t, name);
	return t->of_name[name];
}

/* ---- locations ------------------------------------------------------------------- */

static uint32_t module_number(struct location_tables *t, const struct module *module)
{
	uint32_t *number;

	if (!module)
		return 0;
	number = map_at(&t->by_module, (uint64_t)(uintptr_t)module, 0);
	if (*number)
		return *number;
	t->modules = xgrow(t->modules, &t->module_cap, t->module_count + 1, sizeof(*t->modules));
	t->modules[t->module_count++] = module;
	return *number = (uint32_t)t->module_count;
}

/* The location of frames[0..count), each inlined into the one before it. */
static uint32_t location_of(struct location_tables *t, const struct view_frame *frames, size_t count)
{
	uint32_t key[1 + 2 * TABLE_DEPTH_MAX], name = frames->name;

	if (count == 1 && frames->text == name && name < t->plain_cap && t->plain[name])
		return t->plain[name];
	key[0] = module_number(t, frames->module);
	for (size_t i = 0; i < count; i++) {
		struct table_line line = output_tables_line_of(t, frames[count - 1 - i].name);

		key[1 + 2 * i] = line.function;
		key[2 + 2 * i] = line.line;
	}
	key[0] = intern_add(&t->locations, (const char *)key, (1 + 2 * count) * sizeof(*key)) + 1;
	if (count == 1 && frames->text == name) {
		t->plain = grow_zeroed(t->plain, &t->plain_cap, name, sizeof(*t->plain));
		t->plain[name] = key[0];
	}
	return key[0];
}

/* How many locations this line shares with the line before.  A location with the same frames is not shared if the
 * functions inlined into it differ. */
static size_t same_locations(const struct location_tables *t)
{
	const struct line_view *v = &t->view;
	size_t count = t->stack_count;

	while (count && (t->ends[count - 1] > v->same_frames ||
			 (t->ends[count - 1] < v->frame_count && v->frames[t->ends[count - 1]].inlined) ||
			 t->ends[count - 1] == t->last_frames))
		count--;
	return count;
}

/* ---- lines whose texts are all known ---------------------------------------------- */

/* What is known of a text that is not a location of its own: it is a frame without a location, or inlined. */
enum known_text { KNOWN_INLINED = UINT32_MAX, KNOWN_FRAME = UINT32_MAX - 1 };

/* ... or 0: nothing is. */
static uint32_t known_of(struct location_tables *t, uint32_t text)
{
	const struct view_frame *frame = &t->view.of_text[text];

	if (!t->of_text[text] && frame->text && frame->text != VIEW_SEVERAL_FRAMES)
		t->of_text[text] = frame->inlined ? KNOWN_INLINED : KNOWN_FRAME;
	return t->of_text[text];
}

/* The location of texts[0..count), each inlined into the one before it. */
static uint32_t location_of_texts(struct location_tables *t, const uint32_t *texts, size_t count)
{
	struct view_frame frames[TABLE_DEPTH_MAX];
	uint32_t *known = &t->of_text[texts[0]];

	if (count == 1 && *known < KNOWN_FRAME)
		return *known;
	for (size_t i = 0; i < count; i++)
		frames[i] = t->view.of_text[texts[i]];
	if (count > 1 || frames->inlined)
		return location_of(t, frames, count);
	return *known = location_of(t, frames, 1);
}

/* How many first texts the line shares with the line before, if all its texts are known. */
static uint32_t output_tables_same_texts(const struct location_tables *t, const struct fold_line *line)
{
	uint32_t same = 1;

	while (t->is_known_stack && same < t->last->count && same < line->count &&
	       t->last->texts[same] == line->texts[same])
		same++;
	return same;
}

/* Set the stack of a line that has the roots of the line before, and only known texts.  Returns false for any other
 * line, and leaves the stack as it was. */
static bool set_known_stack(struct location_tables *t, const struct fold_line *line)
{
	uint32_t same, start, end;

	if (t->view.root_frames || line->count < 2 || !line_view_has_roots(&t->view, line) ||
	    known_of(t, line->texts[1]) == KNOWN_INLINED) /* into nothing */
		return false;
	same = output_tables_same_texts(t, line);
	for (uint32_t i = same; i < line->count; i++) {
		if (!known_of(t, line->texts[i]))
			return false;
	}
	t->stack = xgrow(t->stack, &t->stack_cap, line->count, sizeof(*t->stack));
	t->ends = xgrow(t->ends, &t->end_cap, line->count, sizeof(*t->ends));
	if (!t->is_known_stack)
		t->stack_count = 0;
	while (t->stack_count && t->ends[t->stack_count - 1] >= same) /* the last shared location may have more or fewer
								       * functions inlined into it */
		t->stack_count--;
	for (start = t->stack_count ? t->ends[t->stack_count - 1] : 1; start < line->count; start = end) {
		end = start + 1;
		while (end < line->count && t->of_text[line->texts[end]] == KNOWN_INLINED &&
		       end - start < TABLE_DEPTH_MAX)
			end++;
		t->ends[t->stack_count] = end;
		t->stack[t->stack_count++] = location_of_texts(t, line->texts + start, end - start);
	}
	return true;
}

void tables_line(struct location_tables *t, const struct fold_line *line)
{
	const struct line_view *v = &t->view;
	size_t start, end;

	if (t->last == line)
		return;
	if (set_known_stack(t, line)) {
		t->is_known_stack = true;
		t->last = line;
		return;
	}
	if (t->is_known_stack) /* the stack is not that of the view's last line */
		t->stack_count = 0;
	t->is_known_stack = false;
	line_view_of(&t->view, line);
	t->stack = xgrow(t->stack, &t->stack_cap, v->frame_count + 1, sizeof(*t->stack));
	t->ends = xgrow(t->ends, &t->end_cap, v->frame_count + 1, sizeof(*t->ends));
	t->stack_count = same_locations(t);
	start = t->stack_count ? t->ends[t->stack_count - 1] : 0;
	for (; start < v->frame_count; start = end) {
		end = start + 1;
		while (end < v->frame_count && v->frames[end].inlined && end - start < TABLE_DEPTH_MAX)
			end++;
		t->ends[t->stack_count] = (uint32_t)end;
		t->stack[t->stack_count++] = end - start == 1 && v->frames[start].name < t->plain_cap &&
							     t->plain[v->frames[start].name] &&
							     !v->frames[start].inlined
						     ? t->plain[v->frames[start].name]
						     : location_of(t, &v->frames[start], end - start);
	}
	t->last_frames = v->frame_count;
	t->last = line;
}

const char *tables_build_id(struct location_tables *t, const struct module *module)
{
	const struct build_ids *ids = t->view.product->build_ids;
	uint8_t id[BUILD_ID_MAX];
	size_t len;

	if (is_build_id(module->id))
		return module->id;
	len = ids && module->kind != MODULE_JIT ? build_ids_find(ids, module->path, strlen(module->path), id) : 0;
	for (size_t i = 0; i < len; i++)
		snprintf(t->build_id + 2 * i, 3, "%02x", id[i]);
	return len ? t->build_id : NULL;
}

size_t tables_location(const struct location_tables *t, size_t i, uint32_t *module,
		       struct table_line lines[TABLE_DEPTH_MAX])
{
	const char *key = intern_text(&t->locations, (uint32_t)i);
	size_t len = intern_len(&t->locations, (uint32_t)i) - sizeof(*module);

	memcpy(module, key, sizeof(*module));
	memcpy(lines, key + sizeof(*module), len);
	return len / sizeof(*lines);
}
