#include "collect/jvm/code_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/str.h"

/* More than any JVM has (JDK 8 to 28: fewer than 300 codelets and 1,000 routines): stops endless lists. */
enum { PIECES_MAX = 8192, CODE_ALIGNMENT_MAX = 64 };

static void code_pieces_add(struct code_pieces *p, enum code_kind kind, uint64_t start, uint64_t end, const char *name)
{
	p->list = xgrow(p->list, &p->cap, p->count + 1, sizeof(*p->list));
	p->list[p->count++] = (struct code_blob){
		.kind = kind,
		.start = start,
		.end = end,
		.code_begin = start,
		.code_end = end,
		.name = name,
	};
}

/* ---- the interpreter ---------------------------------------------------------------------- */

struct found_codelets {
	const struct jvm *jvm;
	uint64_t header; /* address of the codelet's header; its code follows */
	int64_t size_at, name_at;
	struct code_names *names;
	uint64_t alignment; /* alignment of the code, as far as known */
};

static uint64_t align(uint64_t address, uint64_t alignment)
{
	return (address + alignment - 1) / alignment * alignment;
}

/* Code is aligned to a number that is compiled into the JVM.  The gap between a header and its code was never
 * written: if the gap has data, the alignment is smaller. */
static void learn_alignment(struct found_codelets *c, uint64_t at)
{
	static const uint8_t nothing[CODE_ALIGNMENT_MAX];
	uint8_t bytes[CODE_ALIGNMENT_MAX];

	if (!remote_read(&c->jvm->remote, at + c->header, bytes, sizeof(bytes)))
		return;
	while (c->alignment > 8 && memcmp(bytes, nothing, align(at + c->header, c->alignment) - (at + c->header)) != 0)
		c->alignment /= 2;
}

/* Returns the size of the codelet, or 0 when it makes no sense. */
static uint32_t add_codelet(struct code_pieces *p, struct found_codelets *c, uint64_t at, uint64_t end)
{
	const struct remote *r = &c->jvm->remote;
	char name[CODE_NAME_MAX];
	uint32_t size;
	uint64_t text;

	if (!remote_u32(r, at + (uint64_t)c->size_at, &size) || size < c->header || size % 8 || size > end - at ||
	    !remote_u64(r, at + (uint64_t)c->name_at, &text))
		return 0;
	if (!code_name_read(r, text, name))
		strcpy(name, "Interpreter");
	code_pieces_add(p, CODE_INTERPRETER, at, at + size, code_names_keep(c->names, name));
	learn_alignment(c, at);
	return size;
}

static void find_code(struct code_pieces *p, const struct found_codelets *c)
{
	for (size_t i = 0; i < p->count; i++) {
		struct code_blob *b = &p->list[i];

		b->code_begin = align(b->start + c->header, c->alignment);
		if (b->code_begin > b->end)
			b->code_begin = b->end;
	}
}

/* AbstractInterpreter::_code is a StubQueue: consecutive codelets in one buffer. */
static void read_interpreter(struct code_pieces *p, const struct jvm *jvm, uint64_t low, uint64_t high,
			     struct code_names *names)
{
	const struct vm_tables *t = jvm->tables;
	struct found_codelets c = { jvm,
				    vm_size(t, "InterpreterCodelet"),
				    vm_offset(t, "InterpreterCodelet", "_size"),
				    vm_offset(t, "InterpreterCodelet", "_description"),
				    names,
				    CODE_ALIGNMENT_MAX };
	int64_t buffer_at = vm_offset(t, "StubQueue", "_stub_buffer"), end_at = vm_offset(t, "StubQueue", "_queue_end");
	uint64_t queue, buffer;
	uint32_t len, size;

	if (!c.header || c.size_at < 0 || c.name_at < 0 || buffer_at < 0 || end_at < 0 ||
	    !remote_u64(&jvm->remote, vm_static(t, "AbstractInterpreter", "_code"), &queue) || !queue ||
	    !remote_u64(&jvm->remote, queue + (uint64_t)buffer_at, &buffer) || buffer < low || buffer >= high ||
	    !remote_u32(&jvm->remote, queue + (uint64_t)end_at, &len) || len > high - buffer)
		return;
	p->interpreter = buffer;
	p->interpreter_end = buffer + len;
	for (uint64_t at = buffer; at < buffer + len && p->count < PIECES_MAX; at += size) {
		size = add_codelet(p, &c, at, buffer + len);
		if (!size)
			break;
	}
	find_code(p, &c);
}

/* ---- stubs ---------------------------------------------------------------------------------- */

/* The tables do not describe StubCodeDesc: a list of { next, group, name, (a number, 8 only,) begin, end }. begin
 * and end are recognised by their values: the first two that are in the code cache. */
enum { NEXT, GROUP, STUB_NAME, DESC_WORDS = 6 };

static bool is_range(const uint64_t *words, uint64_t low, uint64_t high)
{
	return words[0] >= low && words[0] <= words[1] && words[1] < high;
}

static int find_begin(const uint64_t *desc, uint64_t low, uint64_t high)
{
	for (int i = STUB_NAME + 1; i + 1 < DESC_WORDS; i++) {
		if (is_range(desc + i, low, high))
			return i;
	}
	return 0;
}

static void add_stub(struct code_pieces *p, const struct jvm *jvm, const uint64_t *desc, const uint64_t *range,
		     struct code_names *names)
{
	char group[CODE_NAME_MAX], name[CODE_NAME_MAX];
	struct str text = { 0 };

	if (!code_name_read(&jvm->remote, desc[GROUP], group) || !code_name_read(&jvm->remote, desc[STUB_NAME], name))
		return;
	str_addf(&text, "%s::%s", group, name);
	code_pieces_add(p, CODE_STUB, range[0], range[1], code_names_keep(names, text.buf));
	str_free(&text);
}

static void read_stubs(struct code_pieces *p, const struct jvm *jvm, uint64_t low, uint64_t high,
		       struct code_names *names)
{
	uint64_t desc[DESC_WORDS], next = p->newest_stub;
	int begin = 0, found;

	for (size_t i = 0; next && i < PIECES_MAX; i++, next = desc[NEXT]) {
		if (!remote_read(&jvm->remote, next, desc, sizeof(desc)))
			return;
		found = find_begin(desc, low, high);
		if (!begin)
			begin = found;
		if (found && found == begin && desc[begin] < desc[begin + 1])
			add_stub(p, jvm, desc, desc + begin, names);
	}
}

/* The call stub, by which C++ calls Java: only its return address is in the tables. */
static void mark_call_stub(struct code_pieces *p, const struct jvm *jvm, uint64_t low, uint64_t high)
{
	uint64_t back = 0;

	if (!remote_u64(&jvm->remote, vm_static(jvm->tables, "StubRoutines", "_call_stub_return_address"), &back) ||
	    back <= low || back >= high)
		return;
	for (size_t i = 0; i < p->count; i++) {
		if (p->list[i].start < back && back < p->list[i].end) {
			p->list[i].kind = CODE_CALL_STUB;
			return;
		}
	}
	code_pieces_add(p, CODE_CALL_STUB, back - 1, back + 1, "StubRoutines::call_stub");
}

/* ---------------------------------------------------------------------------------------------- */

SORT_BY(code_pieces_by_start, struct code_blob, start);

/* Sorts the pieces; drops the later one of two that overlap. */
static void put_in_order(struct code_pieces *p)
{
	size_t kept = 0;

	if (p->count)
		qsort(p->list, p->count, sizeof(*p->list), code_pieces_by_start);
	for (size_t i = 0; i < p->count; i++) {
		if (!kept || p->list[i].start >= p->list[kept - 1].end)
			p->list[kept++] = p->list[i];
	}
	p->count = kept;
}

static uint64_t find_stub_list(const struct jvm *jvm)
{
	struct libjvm_symbol symbol = { .name = "_ZN12StubCodeDesc5_listE" };

	libjvm_symbols(&jvm->lib, &symbol, 1);
	return symbol.address;
}

void code_pieces_read(struct code_pieces *p, const struct jvm *jvm, uint64_t low, uint64_t high,
		      struct code_names *names)
{
	uint64_t newest = 0;

	if (p->stub_list == 1)
		p->stub_list = find_stub_list(jvm);
	if (p->stub_list && !remote_u64(&jvm->remote, p->stub_list, &newest))
		newest = p->newest_stub;
	if (p->interpreter && newest == p->newest_stub)
		return;
	p->count = 0;
	p->newest_stub = newest;
	read_interpreter(p, jvm, low, high, names);
	read_stubs(p, jvm, low, high, names);
	mark_call_stub(p, jvm, low, high);
	put_in_order(p);
}

const struct code_blob *code_pieces_find(const struct code_pieces *p, uint64_t pc)
{
	size_t low = FIRST_NOT(i, p->count, p->list[i].end <= pc);

	return low < p->count && p->list[low].start <= pc ? &p->list[low] : NULL;
}

void code_pieces_free(struct code_pieces *p)
{
	free(p->list);
	*p = (struct code_pieces){ 0 };
}
