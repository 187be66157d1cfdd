#include "collect/runtime/frame_names.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

#include "core/format/recording.h"
#include "core/memory.h"

/* An address is in the middle of its 16 bytes, since readers of chains subtract one from return addresses before they
 * look them up. */
enum { STEP = 16, MIDDLE = 8, NAMES_MAX = 1 << 22 };

_Static_assert((uint64_t)NAMES_MAX *STEP <= FRAME_NAMES_BYTES, "all have an address in the mapping");

struct key {
	uint32_t name, file, line; /* file: number + 1; 0: none */
	uint16_t tier, is_method;
};

static struct key frame_names_key_of(const struct frame_names *n, size_t number)
{
	struct key key;

	memcpy(&key, intern_text(&n->keys, (uint32_t)number), sizeof(key));
	return key;
}

/* Returns false if the address was not assigned. */
static bool frame_names_find_key(const struct frame_names *n, uint64_t address, struct key *key)
{
	uint64_t number = (address - n->place->base) / STEP;

	if (address < n->place->base || number >= n->keys.count)
		return false;
	*key = frame_names_key_of(n, number);
	return true;
}

static uint32_t frame_names_number_of(struct intern *in, const void *bytes, size_t len, bool is_full)
{
	return is_full ? intern_find(in, bytes, len) : intern_add(in, bytes, len);
}

uint64_t frame_names_address(struct frame_names *n, const struct frame_name *name)
{
	bool is_full = n->keys.count >= NAMES_MAX;
	struct key key = { .line = name->line, .tier = (unsigned char)name->tier, .is_method = name->is_method };
	uint32_t number;

	key.name = frame_names_number_of(&n->texts, name->name, strlen(name->name), is_full);
	if (name->file)
		key.file = frame_names_number_of(&n->texts, name->file, strlen(name->file), is_full) + 1;
	number = frame_names_number_of(&n->keys, &key, sizeof(key), is_full);
	return number == UINT32_MAX ? 0 : n->place->base + (uint64_t)number * STEP + MIDDLE;
}

static void frame_names_spell_key(const struct frame_names *n, const struct key *key, struct str *to)
{
	str_add(to, intern_text(&n->texts, key->name), intern_len(&n->texts, key->name));
	if (key->tier)
		str_addf(to, "_[%c]", (char)key->tier);
}

void frame_names_spell(const struct frame_names *n, uint64_t address, struct str *to)
{
	struct key key;

	if (!frame_names_find_key(n, address, &key))
		return;
	frame_names_spell_key(n, &key, to);
}

bool frame_names_is_method(const struct frame_names *n, uint64_t address)
{
	struct key key;

	return frame_names_find_key(n, address, &key) && key.is_method;
}

static void frame_names_add_line(struct jit_code *code, struct jit_piece *p, const char *file, size_t len,
				 uint32_t line)
{
	code->lines = xgrow(code->lines, &code->line_cap, code->line_count + 1, sizeof(*code->lines));
	code->lines[code->line_count++] = (struct jit_line){
		.address = p->offset,
		.file = intern_add(&code->files, file, len),
		.line = line,
	};
	jit_code_add_source(code, p, code->line_count - 1);
}

static void frame_names_list(const struct frame_names *n, struct jit_code *code)
{
	struct str name = { 0 };

	for (size_t i = 0; i < n->keys.count; i++) {
		struct key key = frame_names_key_of(n, i);
		uint64_t start = n->place->base + i * STEP;
		struct jit_piece *p;

		str_clear(&name);
		frame_names_spell_key(n, &key, &name);
		p = jit_code_add(code, start, STEP, start, name.buf, name.len);
		if (p && key.file && key.line)
			frame_names_add_line(code, p, intern_text(&n->texts, key.file - 1),
					     intern_len(&n->texts, key.file - 1), key.line);
	}
	str_free(&name);
}

void frame_names_give(const struct frame_names *n, int pid, struct jit_files *files)
{
	struct jit_code code = { 0 };

	if (!n->keys.count)
		return;
	frame_names_list(n, &code);
	jit_files_add_code(files, pid, n->place->path, &code);
}

/* The mapping gets time 0, so that perf takes it in the order of the file: its true time is before that of records
 * already processed. */
void frame_names_tell(struct frame_names *n, int pid, uint64_t id, struct str *out)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, len, offset;
		uint32_t major, minor;
		uint64_t inode, generation;
		uint32_t protection, flags;
		char path[16];
		struct recording_trailer trailer;
	} record = {
		.header = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, sizeof(record) },
		.pid = (uint32_t)pid,
		.tid = (uint32_t)pid,
		.start = n->place->base,
		.len = FRAME_NAMES_BYTES,
		.protection = PROT_READ | PROT_EXEC,
		.flags = MAP_PRIVATE,
		.trailer = { .pid = (uint32_t)pid, .tid = (uint32_t)pid, .id = id },
	};

	if (n->is_told || !n->keys.count)
		return;
	memcpy(record.path, n->place->path, strlen(n->place->path));
	str_add(out, (const char *)&record, sizeof(record));
	n->is_told = true;
}

void frame_names_free(struct frame_names *n)
{
	if (!n)
		return;
	intern_free(&n->texts);
	intern_free(&n->keys);
	*n = (struct frame_names){ 0 };
}
