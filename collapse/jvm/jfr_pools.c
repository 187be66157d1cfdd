#include "collapse/jvm/jfr_pools.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/jvm/java_text.h"
#include "core/format/folded.h"
#include "core/memory.h"

static const char *const pool_types[JFR_POOL_COUNT] = {
	[JFR_STACKS] = "jdk.types.StackTrace",     [JFR_METHODS] = "jdk.types.Method",
	[JFR_CLASSES] = "java.lang.Class",         [JFR_SYMBOLS] = "jdk.types.Symbol",
	[JFR_STRINGS] = "java.lang.String",        [JFR_THREADS] = "java.lang.Thread",
	[JFR_FRAME_TYPES] = "jdk.types.FrameType", [JFR_THREAD_STATES] = "jdk.types.ThreadState",
};

enum { STRING_DEPTH_MAX = 4 }; /* limit on strings in pools that refer to strings in other pools */

static const char unknown[] = "[unknown]";

/* --- checkpoints -------------------------------------------------------------------- */

void jfr_pools_begin(struct jfr_pools *p, struct jfr_types *types, bool wide, const uint8_t *end)
{
	jfr_pools_free(p);
	p->types = types;
	p->wide = wide;
	p->end = end;
	p->frame_type = jfr_type_named(types, "jdk.types.StackFrame");
	for (int i = 0; i < JFR_POOL_COUNT; i++)
		p->type[i] = jfr_type_named(types, pool_types[i]);
}

static int jfr_pools_of(const struct jfr_pools *p, uint32_t type)
{
	int pool = 0;

	while (pool < JFR_POOL_COUNT && p->type[pool] != type)
		pool++;
	return pool;
}

static void jfr_pools_keep(struct jfr_pools *p, int pool, uint64_t key, const uint8_t *at)
{
	uint32_t *place = map_at(&p->places, key, (uint32_t)pool);

	if (*place) {
		p->values[*place - 1] = at;
		return;
	}
	p->values = xgrow(p->values, &p->cap, p->count + 1, sizeof(*p->values));
	p->values[p->count] = at;
	*place = (uint32_t)++p->count;
}

static void read_pool(struct jfr_pools *p, struct jfr_input *in)
{
	uint32_t type = jfr_type_find(p->types, jfr_number(in, 8));
	uint64_t count = jfr_count(in);
	int pool = jfr_pools_of(p, type);

	if (in->bad || type == JFR_NO_TYPE || !jfr_type_ready(p->types, type)) {
		jfr_fail(in);
		return;
	}
	for (; count && !in->bad; count--) {
		uint64_t key = jfr_number(in, 8);
		const uint8_t *at = in->at;

		jfr_value_read(p->types, type, in, NULL);
		if (pool < JFR_POOL_COUNT && !in->bad)
			jfr_pools_keep(p, pool, key, at);
	}
}

bool jfr_pools_read(struct jfr_pools *p, struct jfr_input *in, int64_t *distance)
{
	jfr_number(in, 8); /* start */
	jfr_number(in, 8); /* duration */
	*distance = (int64_t)jfr_number(in, 8);
	jfr_big_endian(in, 1); /* flags */
	for (uint64_t count = jfr_number(in, 4); count && !in->bad; count--)
		read_pool(p, in);
	return !in->bad;
}

/* --- constants ---------------------------------------------------------------------- */

/* Find the place of the value; false: there is none. */
static bool jfr_pools_find(const struct jfr_pools *p, enum jfr_pool pool, uint64_t key, struct jfr_input *in)
{
	uint32_t place = map_get(&p->places, key, pool);

	if (!place)
		return false;
	*in = (struct jfr_input){ .at = p->values[place - 1], .end = p->end, .wide = p->wide };
	return true;
}

static bool jfr_pools_read_value(struct jfr_pools *p, enum jfr_pool pool, uint64_t key, struct jfr_value *values)
{
	struct jfr_input in;

	memset(values, 0, JFR_SLOT_COUNT * sizeof(*values));
	if (!jfr_pools_find(p, pool, key, &in))
		return false;
	jfr_value_read(p->types, p->type[pool], &in, values);
	return true;
}

/* Append the string at `at`, which may be in a pool. */
static void jfr_pools_add_string(struct jfr_pools *p, const uint8_t *at, struct str *out)
{
	struct jfr_input in = { .at = at, .end = p->end, .wide = p->wide };

	for (int depth = 0; in.at && in.at < in.end && *in.at == JFR_POOLED && depth < STRING_DEPTH_MAX; depth++) {
		in.at++;
		if (!jfr_pools_find(p, JFR_STRINGS, jfr_number(&in, 8), &in))
			return;
	}
	if (in.at)
		jfr_string_add(out, &in);
}

static void jfr_pools_add_symbol(struct jfr_pools *p, uint64_t key, struct str *out)
{
	struct jfr_value values[JFR_SLOT_COUNT];

	if (jfr_pools_read_value(p, JFR_SYMBOLS, key, values))
		jfr_pools_add_string(p, values[JFR_string].at, out);
}

/* "[[Ljava/lang/String;" -> "java.lang.String[][]", "[B" -> "byte[]" */
static void add_array(struct str *out, char *name, size_t len)
{
	static const char *const types[][2] = {
		{ "B", "byte" }, { "C", "char" }, { "D", "double" }, { "F", "float" },
		{ "I", "int" },  { "J", "long" }, { "S", "short" },  { "Z", "boolean" }
	};
	size_t depth = strspn(name, "["), row = 0, rows = sizeof(types) / sizeof(*types);

	name += depth;
	len -= depth;
	while (row < rows && strcmp(types[row][0], name) != 0)
		row++;
	if (row < rows)
		str_puts(out, types[row][1]);
	else if (len > 2 && name[0] == 'L' && name[len - 1] == ';')
		str_add(out, name + 1, len - 2);
	else
		str_add(out, name, len);
	while (depth--)
		str_puts(out, "[]");
}

/* Append "java.lang.String"; the slash before the number of a hidden class stays. */
static void jfr_pools_add_class(struct jfr_pools *p, uint64_t key, struct str *out)
{
	struct jfr_value values[JFR_SLOT_COUNT];
	struct str name = { 0 };

	if (!jfr_pools_read_value(p, JFR_CLASSES, key, values))
		return;
	jfr_pools_add_symbol(p, values[JFR_name].number, &name);
	for (char *c = name.buf; c && *c; c++) {
		if (*c == '/' && !is_digit(c[1]))
			*c = '.';
	}
	if (name.len && name.buf[0] == '[')
		add_array(out, name.buf, name.len);
	else
		str_add(out, str_text(&name), name.len);
	str_free(&name);
}

/* --- stacks ------------------------------------------------------------------------- */

/* Append "com.example.App.handle"; native frames of async-profiler have no class. */
static void add_method(struct jfr_pools *p, uint64_t key, struct str *out)
{
	struct jfr_value values[JFR_SLOT_COUNT];
	size_t before = out->len;

	if (jfr_pools_read_value(p, JFR_METHODS, key, values)) {
		jfr_pools_add_class(p, values[JFR_type].number, out);
		if (out->len > before)
			str_addc(out, '.');
		jfr_pools_add_symbol(p, values[JFR_name].number, out);
	}
	if (out->len == before)
		str_puts(out, unknown);
}

/* What a frame's type, such as "JIT compiled", says about its code. */
static enum text_kind jfr_pools_kind_of(struct jfr_pools *p, uint64_t key)
{
	static const struct {
		const char *word;
		enum text_kind kind;
	} kinds[] = {
		{ "Interpreted", TEXT_INTERPRETED }, { "JIT compiled", TEXT_JIT }, { "C1 compiled", TEXT_QUICK },
		{ "Inlined", TEXT_INLINED },         { "Kernel", TEXT_KERNEL },
	};
	struct jfr_value values[JFR_SLOT_COUNT];
	enum text_kind kind = TEXT_PLAIN;

	if (!jfr_pools_read_value(p, JFR_FRAME_TYPES, key, values))
		return kind;
	str_clear(&p->text);
	jfr_pools_add_string(p, values[JFR_description].at, &p->text);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strcmp(str_text(&p->text), kinds[i].word))
			kind = kinds[i].kind;
	}
	return kind;
}

static uint32_t jfr_pools_read_frame(struct jfr_pools *p, struct text_stacks *s, const struct jfr_value *values)
{
	uint64_t line = s->setup->lines ? values[JFR_lineNumber].number & UINT32_MAX : 0;
	uint64_t type = values[JFR_type].number;
	bool cached = !line && type < UINT32_MAX;
	uint32_t *known = cached ? map_at(&p->methods, values[JFR_method].number, (uint32_t)type) : NULL, frame;
	enum text_kind kind;

	if (cached && *known)
		return *known - 1;
	kind = jfr_pools_kind_of(p, type);
	str_clear(&p->text);
	add_method(p, values[JFR_method].number, &p->text);
	if (line && line <= INT32_MAX)
		str_addf(&p->text, ":%llu", (unsigned long long)line);
	frame = text_frame(s, kind, p->text.buf, p->text.len);
	if (cached)
		*known = frame + 1;
	return frame;
}

static void read_frames(struct jfr_pools *p, struct text_stacks *s, const struct jfr_value *stack,
			struct java_stack *frames)
{
	struct jfr_input in = { .at = stack[JFR_frames].at, .end = p->end, .wide = p->wide };
	struct jfr_value values[JFR_SLOT_COUNT];

	if (!in.at || p->frame_type == JFR_NO_TYPE || !jfr_type_ready(p->types, p->frame_type) ||
	    !p->types->items[p->frame_type].op_count)
		return;
	memset(values, 0, sizeof(values));
	for (uint64_t i = 0; i < stack[JFR_frames].number; i++) {
		jfr_value_read(p->types, p->frame_type, &in, values);
		if (in.bad)
			return;
		java_stack_add(frames, jfr_pools_read_frame(p, s, values));
	}
}

static uint32_t plain_frame(struct text_stacks *s, const char *text)
{
	return text_frame(s, TEXT_PLAIN, text, strlen(text));
}

uint32_t jfr_stack(struct jfr_pools *p, struct text_stacks *s, uint64_t key, uint64_t class_key)
{
	uint32_t *known = class_key < UINT32_MAX ? map_at(&p->stacks, key, (uint32_t)class_key) : NULL, number;
	struct jfr_value values[JFR_SLOT_COUNT];
	struct java_stack frames = { 0 };

	if (known && *known)
		return *known - 1;
	if (class_key) {
		str_clear(&p->text);
		jfr_pools_add_class(p, class_key, &p->text);
		java_stack_add(&frames, plain_frame(s, p->text.len ? p->text.buf : unknown));
	}
	if (jfr_pools_read_value(p, JFR_STACKS, key, values))
		read_frames(p, s, values, &frames);
	if (frames.count == (class_key != 0))
		java_stack_add(&frames, plain_frame(s, unknown));
	if (values[JFR_truncated].number)
		java_stack_add(&frames, plain_frame(s, FOLDED_TRUNCATED_FRAME));
	number = java_stack_number(s, &frames);
	if (known)
		*known = number + 1;
	java_stack_free(&frames);
	return number;
}

/* --- threads ------------------------------------------------------------------------ */

void jfr_thread(struct jfr_pools *p, struct text_stacks *s, uint64_t key, struct text_labels *labels)
{
	struct jfr_value values[JFR_SLOT_COUNT];

	if (!jfr_pools_read_value(p, JFR_THREADS, key, values))
		return;
	if (values[JFR_osThreadId].number && values[JFR_osThreadId].number <= JAVA_TID_LIMIT)
		labels->tid = (int32_t)values[JFR_osThreadId].number;
	else
		labels->tid = java_no_tid(values[JFR_javaThreadId].number);
	str_clear(&p->text);
	jfr_pools_add_string(p, values[JFR_javaName].at, &p->text);
	if (!p->text.len)
		jfr_pools_add_string(p, values[JFR_osName].at, &p->text);
	if (!p->text.len && values[JFR_javaThreadId].number)
		str_addf(&p->text, "virtual thread #%llu", (unsigned long long)values[JFR_javaThreadId].number);
	if (p->text.len)
		labels->comm = text_name(s, p->text.buf, p->text.len);
}

uint32_t jfr_state(struct jfr_pools *p, struct text_stacks *s, uint64_t key)
{
	struct jfr_value values[JFR_SLOT_COUNT];
	const char *word;

	if (!jfr_pools_read_value(p, JFR_THREAD_STATES, key, values))
		return TEXT_NO_NAME;
	str_clear(&p->text);
	jfr_pools_add_string(p, values[JFR_name].at, &p->text);
	word = str_text(&p->text);
	word += !strncmp(word, "STATE_", strlen("STATE_")) ? strlen("STATE_") : 0;
	return *word ? text_name(s, word, strlen(word)) : TEXT_NO_NAME;
}

void jfr_pools_free(struct jfr_pools *p)
{
	map_free(&p->places);
	map_free(&p->methods);
	map_free(&p->stacks);
	free(p->values);
	str_free(&p->text);
	*p = (struct jfr_pools){ 0 };
}
