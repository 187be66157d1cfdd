/* Any bytes as a jitdump, or as a perf map that grows while it is read, and is then written anew. */
#include "core/symbols/jit/jit_code.h"
#include "core/symbols/jit/jitdump.h"
#include "core/symbols/jit/perfmap.h"
#include "tests/fuzz/input.h"

static const struct patience for_ever;

enum { IS_MAP = 1, IS_WRITTEN_ANEW = 2, STEPS_SHIFT = 2, STEPS_MASK = 7, PLACES = 16, FEW_PIECES = 64 };

static void check_piece(const struct jit_code *code, const struct jit_piece *p, uint64_t file_size)
{
	must(p->size && p->start + p->size >= p->start && p->offset + p->size > p->offset);
	must(!file_size || p->offset + p->size <= file_size);
	struct jit_source source = p->lines ? code->sources[p->lines - 1] : (struct jit_source){ 0 };

	must((size_t)source.first + source.count <= code->line_count);
	for (uint32_t i = 0; i < source.count; i++)
		must(code->lines[source.first + i].address - p->offset <= p->size);
}

/* file_size: the size of a dump, which has the code of all pieces. */
static void check(const struct jit_code *code, uint64_t file_size)
{
	for (size_t i = 0; i < code->count; i++)
		check_piece(code, jit_code_piece(code, i), file_size);
	for (size_t i = 0; i < code->unwinding_count; i++) {
		const struct jit_unwinding *u = &code->unwinding[i];

		must(u->at <= code->bytes.len && u->len <= code->bytes.len - u->at);
	}
}

/* Pieces of a map that take turns at one place are told apart by their addresses in the module. */
static void check_settled(const struct jit_code *code)
{
	for (size_t i = 0; i < code->count && code->count <= FEW_PIECES; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct jit_piece *a = jit_code_piece(code, i), *b = jit_code_piece(code, k);

			must(!a->by_time || a->offset - b->offset >= b->size);
			must(!b->by_time || b->offset - a->offset >= a->size);
		}
	}
}

static int by_address(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void name_some(const struct jit_code *code)
{
	struct place wanted[PLACES] = { 0 };
	struct arena names = { 0 };

	for (size_t i = 0; i < PLACES; i++) {
		const struct jit_piece *p = code->count ? jit_code_piece(code, i % code->count) : NULL;

		wanted[i].address = p ? p->offset + i % p->size : i;
	}
	qsort(wanted, PLACES, sizeof(*wanted), by_address);
	jit_code_name(code, wanted, PLACES, &names);
	for (size_t i = 0; i < PLACES; i++)
		must(!wanted[i].name || wanted[i].address - wanted[i].start < wanted[i].size);
	arena_free(&names);
}

static void put_into_space(const struct jit_code *code)
{
	struct spaces spaces = { 0 };
	struct space *space;

	spaces_map_memory(&spaces, 1, 1, 0x1000, UINT64_C(1) << 46, 1);
	for (size_t i = 0; i < code->count; i++) {
		const struct jit_piece *p = jit_code_piece(code, i);

		spaces_code(&spaces, 1, jit_piece_since(p, i, &spaces, 1), p->start, p->size, p->offset, 2);
	}
	space = spaces_find(&spaces, 1, UINT64_MAX);
	for (size_t i = 0; i < code->count && i < FEW_PIECES; i++) {
		const struct mapping *m = space_lookup(space, jit_code_piece(code, i)->start, UINT64_MAX);

		must(m && m->start <= jit_code_piece(code, i)->start && m->end > jit_code_piece(code, i)->start);
	}
	spaces_free(&spaces);
}

static void read_dump(struct input in, unsigned steps)
{
	size_t size = in.size, step = size / (steps + 1) + 1;
	struct input part = input_part(&in, step);
	int fd = input_file(&part);
	struct jitdump dump = { 0 };
	struct jit_code code = { 0 };

	for (bool last = false; !last;) {
		last = !in.size;
		jitdump_read(&dump, fd, last, &for_ever, &code);
		part = input_part(&in, step);
		must(write(fd, part.bytes, part.size) == (ssize_t)part.size);
	}
	check(&code, size);
	name_some(&code);
	put_into_space(&code);
	jit_code_free(&code);
	close(fd);
}

static void read_map(struct input in, unsigned steps, bool anew)
{
	size_t step = in.size / (steps + 1) + 1;
	struct input part = input_part(&in, step);
	int fd = input_file(&part);
	struct perfmap map = { 0 };
	struct jit_code code = { 0 };

	for (uint64_t now_ns = 10; part.size; now_ns += 10) {
		perfmap_read(&map, fd, now_ns, &for_ever, &code);
		part = input_part(&in, step);
		if (anew)
			must(!ftruncate(fd, 0) && lseek(fd, 0, SEEK_SET) == 0);
		must(write(fd, part.bytes, part.size) == (ssize_t)part.size);
	}
	jit_code_settle(&code);
	check(&code, 0);
	check_settled(&code);
	name_some(&code);
	put_into_space(&code);
	jit_code_free(&code);
	close(fd);
}

/* The first byte says how to read. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in = { bytes, size };
	uint8_t how = input_byte(&in);
	unsigned steps = how >> STEPS_SHIFT & STEPS_MASK;

	if (how & IS_MAP)
		read_map(in, steps, how & IS_WRITTEN_ANEW);
	else
		read_dump(in, steps);
	return 0;
}
