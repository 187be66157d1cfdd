#include "collect/jvm/codelets.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { QUEUE_MAX = 4 << 20, CODELETS_MAX = 4096, DESCRIPTION_MAX = 96 };

struct codelet_layout {
	int64_t size, description, header;
};

/* Finds "push %rbp; mov %rsp, %rbp", in either encoding, in a codelet. */
static uint64_t codelets_find_frame(const uint8_t *code, const struct codelet *c)
{
	for (uint64_t i = 0; i + 4 <= c->end - c->start; i++) {
		if (!memcmp(code + i, "\x55\x48\x8b\xec", 4) || !memcmp(code + i, "\x55\x48\x89\xe5", 4))
			return c->start + i;
	}
	return c->end;
}

/* "method entry point (kind = zerolocals)", "return entry points", "invoke return entry points",
 * "deoptimized return entry points", "invoke" ... */
static enum codelet_kind codelets_kind_of(const char *description)
{
	if (strstr(description, "return entry points"))
		return CODELET_RETURNS;
	return !strncmp(description, "method entry point", 18) ? CODELET_ENTRY : CODELET_BYTECODE;
}

static void codelets_add(struct codelets *c, size_t *cap, const struct jvm *jvm, struct codelet codelet,
			 const uint8_t *code, const struct codelet_layout *layout)
{
	char description[DESCRIPTION_MAX];
	uint64_t at;

	memcpy(&at, code + layout->description, 8);
	remote_text(&jvm->remote, at, description, sizeof(description));
	codelet.kind = codelets_kind_of(description);
	if (codelet.kind == CODELET_ENTRY)
		codelet.frame = codelets_find_frame(code, &codelet);
	c->items = xgrow(c->items, cap, c->count + 1, sizeof(*c->items));
	c->items[c->count++] = codelet;
}

/* Split the buffer: codelets are consecutive, and each begins with its size. */
static bool codelets_split(struct codelets *c, const struct jvm *jvm, uint64_t start, const uint8_t *code, uint32_t len,
			   const struct codelet_layout *layout)
{
	size_t cap = 0;
	int32_t size;

	for (uint32_t at = 0; at < len; at += (uint32_t)size) {
		if (len - at < layout->header || c->count >= CODELETS_MAX)
			return false;
		memcpy(&size, code + at + layout->size, 4);
		if (size < layout->header || (uint32_t)size > len - at)
			return false;
		codelets_add(c, &cap, jvm, (struct codelet){ .start = start + at, .end = start + at + (uint32_t)size },
			     code + at, layout);
	}
	return c->count > 0;
}

int codelets_read(struct codelets *c, const struct jvm *jvm, const char **why)
{
	const struct vm_tables *t = jvm->tables;
	struct codelet_layout layout = { vm_offset(t, "InterpreterCodelet", "_size"),
					 vm_offset(t, "InterpreterCodelet", "_description"),
					 (int64_t)vm_size(t, "InterpreterCodelet") };
	int64_t buffer_at = vm_offset(t, "StubQueue", "_stub_buffer"), end_at = vm_offset(t, "StubQueue", "_queue_end");
	uint64_t at = vm_static(t, "AbstractInterpreter", "_code"), queue, start;
	uint32_t len;
	uint8_t *code;
	bool ok;

	*c = (struct codelets){ 0 };
	*why = "the interpreter's code is not described";
	if (!at || buffer_at < 0 || end_at < 0 || layout.size < 0 || layout.description < 0 ||
	    layout.size + 4 > layout.header || layout.description + 8 > layout.header || layout.header > 256)
		return -1;
	*why = "the interpreter's code could not be read";
	if (!remote_u64(&jvm->remote, at, &queue) || !remote_u64(&jvm->remote, queue + (uint64_t)buffer_at, &start) ||
	    !remote_u32(&jvm->remote, queue + (uint64_t)end_at, &len) || !len || len > QUEUE_MAX)
		return -1;
	code = xmalloc(len);
	ok = remote_read(&jvm->remote, start, code, len) && codelets_split(c, jvm, start, code, len, &layout);
	free(code);
	if (!ok)
		codelets_free(c);
	return ok ? 0 : -1;
}

const struct codelet *codelet_find(const struct codelets *c, uint64_t pc)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pc < c->items[middle].start)
			high = middle;
		else if (pc >= c->items[middle].end)
			low = middle + 1;
		else
			return &c->items[middle];
	}
	return NULL;
}

void codelets_free(struct codelets *c)
{
	free(c->items);
	*c = (struct codelets){ 0 };
}
