#include "collapse/output/firefox_tables.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"

static const struct {
	const char *name, *colour;
} categories[] = {
	[FIREFOX_OTHER] = { "Other", "grey" },     [FIREFOX_USER] = { "User", "yellow" },
	[FIREFOX_KERNEL] = { "Kernel", "orange" }, [FIREFOX_JIT] = { "JIT", "green" },
	[FIREFOX_SPAN] = { "Spans", "blue" },
};

enum { CATEGORIES = sizeof(categories) / sizeof(*categories) };

struct writing {
	const struct firefox_tables *t;
	const struct line_view *v;
	struct json_stream *json;
};

static uint32_t firefox_tables_frame_number(struct firefox_tables *t, const struct view_frame *f)
{
	uint32_t *number = map_at(&t->frame_numbers, f->name, f->inlined);

	if (!*number) {
		t->frames = xgrow(t->frames, &t->frame_cap, t->frame_count + 1, sizeof(*t->frames));
		t->frames[t->frame_count++] = (struct firefox_frame){ f->name, f->inlined };
		*number = (uint32_t)t->frame_count;
	}
	return *number - 1;
}

uint32_t firefox_add_frame(struct firefox_tables *t, uint32_t prefix, const struct view_frame *view)
{
	uint32_t frame = firefox_tables_frame_number(t, view);
	uint32_t *number = map_at(&t->stack_numbers, prefix, frame);

	if (!*number) {
		t->stacks = xgrow(t->stacks, &t->stack_cap, t->stack_count + 1, sizeof(*t->stacks));
		t->stacks[t->stack_count++] = (struct firefox_stack){ frame, prefix };
		*number = (uint32_t)t->stack_count;
	}
	return *number;
}

void firefox_same(struct json_stream *j, const char *key, const char *json, size_t count)
{
	json_array(j, key);
	for (size_t i = 0; i < count; i++)
		json_raw(j, NULL, json);
	json_close(j, ']');
}

static enum firefox_category category_of(const struct line_view *v, const struct firefox_frame *f)
{
	static const struct {
		const char *ending;
		enum firefox_category category;
	} endings[] = {
		{ FOLDED_KERNEL_FRAME, FIREFOX_KERNEL }, { FOLDED_JIT_FRAME, FIREFOX_JIT },
		{ FOLDED_QUICK_FRAME, FIREFOX_JIT },     { FOLDED_INTERPRETED_FRAME, FIREFOX_JIT },
		{ FOLDED_WAKER_FRAME, FIREFOX_OTHER },
	};
	const char *name = view_text(v, f->name);
	size_t len = view_len(v, f->name);

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t n = strlen(endings[i].ending);

		if (len > n && !memcmp(name + len - n, endings[i].ending, n))
			return endings[i].category;
	}
	return name[0] == '[' ? FIREFOX_OTHER : FIREFOX_USER;
}

static void add_stack_table(struct writing *w)
{
	json_object(w->json, "stackTable");
	json_number(w->json, "length", w->t->stack_count);
	json_array(w->json, "frame");
	for (size_t i = 0; i < w->t->stack_count; i++)
		json_number(w->json, NULL, w->t->stacks[i].frame);
	json_close(w->json, ']');
	json_array(w->json, "prefix");
	for (size_t i = 0; i < w->t->stack_count; i++) {
		if (w->t->stacks[i].prefix)
			json_number(w->json, NULL, w->t->stacks[i].prefix - 1);
		else
			json_raw(w->json, NULL, "null");
	}
	json_close(w->json, ']');
	json_close(w->json, '}');
}

static void add_frame_table(struct writing *w)
{
	size_t count = w->t->frame_count;

	json_object(w->json, "frameTable");
	json_number(w->json, "length", count);
	firefox_same(w->json, "address", "-1", count);
	json_array(w->json, "inlineDepth");
	for (size_t i = 0; i < count; i++)
		json_number(w->json, NULL, w->t->frames[i].inlined);
	json_close(w->json, ']');
	json_array(w->json, "category");
	for (size_t i = 0; i < count; i++)
		json_number(w->json, NULL, category_of(w->v, &w->t->frames[i]));
	json_close(w->json, ']');
	firefox_same(w->json, "subcategory", "0", count);
	json_array(w->json, "func");
	for (size_t i = 0; i < count; i++)
		json_number(w->json, NULL, i);
	json_close(w->json, ']');
	firefox_same(w->json, "nativeSymbol", "null", count);
	firefox_same(w->json, "innerWindowID", "null", count);
	firefox_same(w->json, "line", "null", count);
	firefox_same(w->json, "column", "null", count);
	json_close(w->json, '}');
}

static void add_func_table(struct writing *w)
{
	size_t count = w->t->frame_count;

	json_object(w->json, "funcTable");
	json_number(w->json, "length", count);
	json_array(w->json, "name");
	for (size_t i = 0; i < count; i++)
		json_number(w->json, NULL, w->t->frames[i].name);
	json_close(w->json, ']');
	firefox_same(w->json, "isJS", "false", count);
	firefox_same(w->json, "relevantForJS", "false", count);
	firefox_same(w->json, "resource", "-1", count);
	firefox_same(w->json, "source", "null", count);
	firefox_same(w->json, "lineNumber", "null", count);
	firefox_same(w->json, "columnNumber", "null", count);
	json_close(w->json, '}');
}

/* A table of this format that we have no rows for. */
static void add_empty(struct writing *w, const char *key, const char *const *columns)
{
	json_object(w->json, key);
	json_number(w->json, "length", 0);
	for (; *columns; columns++)
		firefox_same(w->json, *columns, "", 0);
	json_close(w->json, '}');
}

void firefox_tables_write(const struct firefox_tables *t, const struct line_view *v, struct json_stream *json)
{
	struct writing all = { t, v, json }, *w = &all;

	json_object(w->json, "shared");
	add_stack_table(w);
	add_frame_table(w);
	add_func_table(w);
	add_empty(w, "resourceTable", (const char *const[]){ "lib", "name", "host", "type", NULL });
	add_empty(w, "nativeSymbols", (const char *const[]){ "libIndex", "address", "name", "functionSize", NULL });
	add_empty(w, "sources", (const char *const[]){ "uuid", "filename", NULL });
	json_array(w->json, "stringArray");
	for (uint32_t i = 0; i < w->v->strings.count; i++)
		json_sized(w->json, NULL, view_text(w->v, i), view_len(w->v, i));
	json_close(w->json, ']');
	json_close(w->json, '}');
}

void firefox_categories(struct json_stream *json)
{
	json_array(json, "categories");
	for (size_t i = 0; i < CATEGORIES; i++) {
		json_object(json, NULL);
		json_string(json, "name", categories[i].name);
		json_string(json, "color", categories[i].colour);
		json_array(json, "subcategories");
		json_string(json, NULL, "Other");
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
}

void firefox_tables_free(struct firefox_tables *t)
{
	map_free(&t->frame_numbers);
	map_free(&t->stack_numbers);
	free(t->frames);
	free(t->stacks);
	*t = (struct firefox_tables){ 0 };
}
