/* Any bytes as the memory of an interpreter of Python: its layout, what its code is called, lines, names of threads.  The same
 * memory is repeated at all addresses, so that most pointers lead somewhere. */
#include <string.h>

#include "collect/python/python_code.h"
#include "collect/python/python_layout.h"
#include "collect/python/python_threads.h"
#include "tests/fuzz/input.h"

enum { RUNTIME = 0x10000, CODE_TYPE = 0x1000, TEXT_TYPE = 0x2000, DICT_TYPE = 0x3000, ADDRESS_BITS = 47, PLACES = 24 };

static bool read_input(const struct remote *r, uint64_t address, void *to, size_t len)
{
	const struct input *in = r->argument;
	uint8_t *bytes = to;
	size_t at, part;

	if (!in->size || address < RUNTIME || address >> ADDRESS_BITS)
		return false;
	at = (address - RUNTIME) % in->size;
	for (; len; len -= part, bytes += part, at = 0) {
		part = len < in->size - at ? len : in->size - at;
		memcpy(bytes, in->bytes + at, part);
	}
	return true;
}

static void check_code(const struct python_code *code, const struct python_runtime *p)
{
	must(!code->name || strlen(code->name) < 4 * 3 * PYTHON_FRAME_BYTES * 64);
	must(!code->lines_len || code->lines);
	for (uint32_t at = 0; at < 64; at++)
		python_code_line(code, &p->offsets, at * 7);
}

/* As BPF programs copy it. */
static struct python_frame frame_at(const struct python_runtime *p, uint64_t code, uint64_t globals)
{
	const struct python_layout *l = &p->offsets.bpf;
	struct python_frame frame = { .code = code, .globals = globals, .at = 20 };
	uint64_t name = 0, hash = 0;
	uint32_t line = 0;

	if (remote_u64(&p->remote, code + l->code_name, &name))
		remote_u64(&p->remote, name + l->text_hash, &hash);
	remote_u32(&p->remote, code + l->code_line, &line);
	frame.name = python_name_hash(hash, line);
	return frame;
}

static void ask_codes(const struct python_runtime *p, const struct input *memory)
{
	struct python_codes codes = { 0 };
	struct python_texts texts = { 0 };

	memcpy(&texts, memory->bytes, memory->size < sizeof(texts) ? memory->size : sizeof(texts));
	for (uint64_t i = 0; i < PLACES * PLACES; i++) {
		uint64_t step = 8 * (memory->size / 8 / PLACES);
		struct python_frame frame = frame_at(p, RUNTIME + i % PLACES * step, RUNTIME + i / PLACES * step);
		const struct python_code *code = python_code_of(&codes, p, &frame);

		check_code(code, p);
		if (!code->name)
			check_code(python_code_keep(&codes, &frame, &texts), p);
		if (i % PLACES == 0)
			python_codes_free(&codes); /* so that names are read with other globals, too */
	}
	python_codes_free(&codes);
}

static void ask_threads(const struct python_runtime *p)
{
	const struct runtime_thread *list;
	void *threads = p->offsets.thread_native ? python_threads_new(p) : NULL;
	size_t unread;

	for (int i = 0; i < 2 && threads; i++) {
		int count = python_thread_reader.read(threads, &list, &unread);

		for (int k = 0; k < count; k++)
			must(list[k].name && !strchr(list[k].name, '\n'));
	}
	if (threads)
		python_thread_reader.close(threads);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input memory = { bytes, size };
	struct python_runtime p = { .version = 0x309 + input_byte(&memory) % 8u,
				    .code_type = CODE_TYPE,
				    .text_type = TEXT_TYPE,
				    .dict_type = DICT_TYPE };

	p.remote = (struct remote){ .read = read_input, .argument = &memory };
	if (memory.size < 256)
		return 0;
	if (python_runtime_find_layout(&p, RUNTIME))
		return 0;
	ask_codes(&p, &memory);
	ask_threads(&p);
	return 0;
}
