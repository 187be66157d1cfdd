/* Any bytes as the input of a walk: registers, a copy of the stack, and call frame information (either a whole
 * .eh_frame, or the instructions in a valid one); as DWARF expressions; as machine code. */
#include <dwarf.h>
#include <linux/perf_event.h>
#include <string.h>

#include "core/memory.h"
#include "core/unwind/expression.h"
#include "core/unwind/instructions.h"
#include "core/unwind/unwinder.h"
#include "tests/fuzz/input.h"

enum { ON_AARCH64 = 1, IS_CUT = 2, WHAT_SHIFT = 2, WHAT_MASK = 3 }; /* of the first byte */
enum { RAW_TABLE, INSTRUCTIONS, EXPRESSION, CODE };

enum {
	REGISTERS = 33,
	WORDS = 128,
	PROGRAM_MAX = 250,
	OPS_MAX = 64,
	JIT = 0x9000000,
	JIT_SIZE = 0x100,
	EH_FRAME = 0x1000,
	STACK = 0x7ffc0000,
};

/* ---- call frame information --------------------------------------------------------- */

struct table {
	uint8_t bytes[1024];
	size_t len;
};

static void put(struct table *t, const void *from, size_t len)
{
	memcpy(t->bytes + t->len, from, len);
	t->len += len;
}

static void put_number(struct table *t, uint32_t number)
{
	put(t, &number, sizeof(number));
}

/* Begin an entry; returns where it is. */
static size_t begin_entry(struct table *t)
{
	size_t at = t->len;

	put_number(t, 0);
	return at;
}

static void end_entry(struct table *t, size_t at)
{
	uint32_t len;

	while (t->len % 8)
		t->bytes[t->len++] = DW_CFA_nop;
	len = (uint32_t)(t->len - at - 4);
	memcpy(t->bytes + at, &len, sizeof(len));
}

/* A common entry, and one entry for all the code, with instructions from the input. */
static void put_instructions(struct table *t, struct input *in, bool arm)
{
	static const char kinds[][4] = { "zR", "zRS" };
	uint8_t first = input_byte(in), second = input_byte(in);
	const char *kind = kinds[first & 1];
	const uint8_t version = 1, head[] = { arm ? 4 : 1, 0x78, arm ? 30 : 16, 1, DW_EH_PE_udata4 };
	struct input begin = input_part(in, first >> 1),
		     rest = input_part(in, second < PROGRAM_MAX ? second : PROGRAM_MAX);
	size_t at = begin_entry(t);

	put_number(t, 0);
	put(t, &version, 1);
	put(t, kind, strlen(kind) + 1);
	put(t, head, sizeof(head));
	put(t, begin.bytes, begin.size);
	end_entry(t, at);
	at = begin_entry(t);
	put_number(t, (uint32_t)at + 4);
	put_number(t, 0);
	put_number(t, JIT_SIZE);
	t->bytes[t->len++] = 0;
	put(t, rest.bytes, rest.size);
	end_entry(t, at);
}

/* ---- walks ---------------------------------------------------------------------------- */

/* Most numbers lead somewhere: to the code, or to the stack. */
static uint64_t number_of(uint8_t byte)
{
	return byte < 128 ? JIT + 2 * (uint64_t)byte : byte < 254 ? STACK + 8 * (uint64_t)(byte - 136) : byte - 254;
}

static void walk_twice(struct unwinder *u, const struct unwind_sample *s)
{
	static uint64_t first[UNWIND_MAX], again[UNWIND_MAX];
	enum unwind_end end, end_again;
	uint32_t stopped, stopped_again;
	size_t n = unwind(u, s, first, &end, &stopped);

	must(n <= UNWIND_MAX && end < UNWIND_ENDS && (n || end == UNWIND_NO_REGISTERS));
	must(unwind(u, s, again, &end_again, &stopped_again) == n);
	must(end == end_again && stopped == stopped_again && !memcmp(first, again, n * sizeof(*first)));
}

static void walk(struct input *in, uint8_t how, const struct input *table)
{
	enum unwind_machine machine = how & ON_AARCH64 ? UNWIND_AARCH64 : UNWIND_X86_64;
	uint64_t registers[REGISTERS], *stack;
	struct modules modules = { 0 };
	struct spaces spaces = { 0 };
	struct unwinder *u = unwinder_new(&modules, machine);
	struct unwind_sample s = {
		.abi = PERF_SAMPLE_REGS_ABI_64,
		.regs_mask = how & ON_AARCH64 ? 0x1ffffffff : 0xff01ff,
		.regs = (const uint8_t *)registers,
		.time_ns = 2,
	};
	uint32_t jit;

	modules_init(&modules);
	jit = modules_add_jit(&modules, "/tmp/perf-1.map", 1);
	spaces_map_memory(&spaces, 1, 1, JIT, JIT_SIZE, jit);
	spaces_code(&spaces, 1, 1, JIT, JIT_SIZE, 0, jit);
	s.space = spaces_find(&spaces, 1, 2);
	unwinder_add_jit(u, jit, 0, JIT_SIZE, table->bytes, table->size, EH_FRAME);
	for (size_t i = 0; i < REGISTERS; i++)
		registers[i] = number_of(input_byte(in));
	s.stack_len = in->size < WORDS ? in->size : WORDS;
	stack = xmalloc((s.stack_len + 1) * sizeof(*stack));
	s.stack = (const uint8_t *)(stack + 1);
	for (size_t i = 0; i < s.stack_len; i++)
		stack[i + 1] = number_of(in->bytes[i]);
	s.stack_len *= sizeof(*stack);
	s.stack_wanted = how & IS_CUT ? s.stack_len : s.stack_len + 8;
	walk_twice(u, &s);
	free(stack);
	unwinder_free(u);
	spaces_free(&spaces);
	modules_free(&modules);
}

static void walk_by_table(struct input *in, uint8_t how)
{
	struct table made = { 0 };
	struct input table;

	if ((how >> WHAT_SHIFT & WHAT_MASK) == RAW_TABLE) {
		table = input_part(in, input_byte(in));
	} else {
		put_instructions(&made, in, how & ON_AARCH64);
		table = (struct input){ made.bytes, made.len };
	}
	walk(in, how, &table);
}

/* ---- parts of it ------------------------------------------------------------------------ */

static void run_expression(struct input *in, bool has_cfa)
{
	Dwarf_Op ops[OPS_MAX] = { 0 };
	uint64_t words[4], cfa = STACK + 16, value;
	struct stack_copy stack = { .bytes = (const uint8_t *)words, .start = STACK, .len = sizeof(words) };
	struct registers registers = { .known = 0 };
	enum expression_kind kind;
	size_t count = 0;

	for (unsigned i = 0; i < 4; i++) {
		words[i] = number_of(input_byte(in));
		register_set(&registers, i * 8, number_of(input_byte(in)));
	}
	for (; in->size && count < OPS_MAX; count++) {
		ops[count].atom = input_byte(in);
		ops[count].number = (uint64_t)(int64_t)(int8_t)input_byte(in);
		ops[count].number2 = (uint64_t)(int64_t)(int8_t)input_byte(in);
		ops[count].offset = input_byte(in);
	}
	expression_run(ops, count, &registers, &stack, has_cfa ? &cfa : NULL, &value, &kind);
}

/* A copy of just that many bytes. */
static uint8_t *copy_part(struct input *in, size_t len)
{
	struct input part = input_part(in, len);
	uint8_t *copy = xcalloc(1, len + !len);

	if (part.size)
		memcpy(copy, part.bytes, part.size);
	return copy;
}

static void read_code(struct input in, enum unwind_machine machine)
{
	uint8_t *signal_return = copy_part(&in, SIGNAL_RETURN_BYTES), *call = copy_part(&in, CALL_BYTES);
	uint8_t *returns = copy_part(&in, RETURN_BYTES), *rest;
	size_t len = in.size;
	int32_t distance;
	uint64_t size;

	rest = copy_part(&in, len);
	code_returns_from_signal(signal_return, machine);
	code_ends_with_call(call, &distance);
	code_returns(returns, &size);
	code_sets_frame_pointer(rest, len, machine);
	free(signal_return);
	free(call);
	free(returns);
	free(rest);
}

/* The first byte says what the other bytes are. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in = { bytes, size };
	uint8_t how = input_byte(&in);

	switch (how >> WHAT_SHIFT & WHAT_MASK) {
	case EXPRESSION: run_expression(&in, how & IS_CUT); break;
	case CODE: read_code(in, how & ON_AARCH64 ? UNWIND_AARCH64 : UNWIND_X86_64); break;
	default: walk_by_table(&in, how);
	}
	return 0;
}
