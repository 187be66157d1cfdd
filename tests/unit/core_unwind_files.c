/* Sources of tables: a JIT, many files, damaged files. */
#include <dirent.h>

#include "tests/unit/unwind_made.h"

/* ---- what a JIT says ------------------------------------------------------------------ */

static void try_jit(const char *path)
{
	struct bytes tables = x86_tables(0x5000, 0x100);
	struct made m;

	made_x86(&m, path, true);
	unwinder_add_jit(m.unwinder, m.jit, 0x100, 0x40, tables.at, tables.len, 0x5000);
	m.regs[IP] = JIT + 0x100; /* before its push, where frame pointers would miss the caller */
	m.regs[BP] = STACK + 0x10;
	m.stack[0] = MAPPED + 0x10;
	m.stack[2] = 0;
	m.stack[3] = MAPPED + 0x210;
	CHECK(gives(&m, WORDS, (uint64_t[]){ JIT + 0x100, MAPPED + 0x10, MAPPED + 0x210, 0 }, UNWIND_COMPLETE));

	/* Any bytes do no harm. */
	for (unsigned i = 0; i < 2000; i++) {
		struct bytes broken = tables;

		broken.at[i * 7 % tables.len] ^= (uint8_t)(i * 2654435761u >> 24);
		unwinder_add_jit(m.unwinder, m.jit, 0x200 + i, 1, broken.at, i % 50 ? tables.len : i / 50,
				 0x5000 + 0x100 + i);
		m.regs[IP] = JIT + 0x200 + i;
		walk(&m, WORDS);
	}
	CHECK(m.end < UNWIND_ENDS);
	made_free(&m);
}

/* ---- more files than stay open --------------------------------------------------------- */

enum { FILES = 70 };

static size_t count_open_files(void)
{
	DIR *open_files = opendir("/proc/self/fd");
	size_t count = 0;

	while (open_files && readdir(open_files))
		count++;
	if (open_files)
		closedir(open_files);
	return count;
}

/* Walk a stack with a frame in each file, twice, with other addresses each time. */
static void try_many_files(const char *base)
{
	struct bytes tables = x86_tables(EH_FRAME_ADDRESS, ADDRESS);
	struct file file = make_file(EM_X86_64, tables.at, tables.len);
	static uint64_t stack[2 * FILES + 2];
	struct unwind_sample s;
	size_t before = count_open_files();
	struct made m;
	char path[64];

	made_init(&m, UNWIND_X86_64, &file, base);
	for (uint64_t i = 0; i < FILES; i++) {
		FILE *out;

		snprintf(path, sizeof(path), "%s.%d", base, (int)i);
		out = fopen(path, "w");
		if (!out || fwrite(&file, sizeof(file), 1, out) != 1 || fclose(out))
			break;
		spaces_map(&m.spaces, 1, 1, MAPPED + (i + 1) * 0x10000, TEXT_SIZE, TEXT,
			   modules_add(&m.modules, MODULE_ELF, path, "-", 0));
	}
	s = (struct unwind_sample){ .abi = PERF_SAMPLE_REGS_ABI_64,
				    .regs = (const uint8_t *)m.regs,
				    .regs_mask = 0xff01ff,
				    .stack = (const uint8_t *)stack,
				    .stack_len = sizeof(stack),
				    .stack_wanted = sizeof(stack),
				    .space = m.space,
				    .time_ns = 2 };
	m.regs[X86_SP] = STACK;
	m.regs[BP] = STACK;
	m.regs[IP] = MAPPED + 0x10;
	for (uint64_t round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < FILES; i++) {
			stack[2 * i] = STACK + 16 * (i + 1);
			stack[2 * i + 1] = MAPPED + (i + 1) * 0x10000 + 0x20 + round;
		}
		stack[2 * FILES + 1] = MAPPED + 0x210;
		CHECK(unwind(m.unwinder, &s, m.chain, &m.end, &m.stopped) == FILES + 2);
		CHECK(m.end == UNWIND_COMPLETE && m.chain[FILES] == stack[2 * FILES - 1]);
	}
	CHECK(count_open_files() < before + FILES);
	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s.%d", base, i);
		unlink(path);
	}
	made_free(&m);
}

/* ---- damaged files -------------------------------------------------------------------- */

static void try_damaged(const char *path)
{
	struct bytes tables = x86_tables(EH_FRAME_ADDRESS, ADDRESS);
	const struct file good = make_file(EM_X86_64, tables.at, tables.len);
	uint64_t state = 1;
	size_t complete = 0, other = 0;
	struct made m;

	for (int i = 0; i < 500; i++) {
		struct file bad = good;
		FILE *out = fopen(path, "w");

		for (int k = 0; k < 8; k++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			((uint8_t *)&bad)[(state >> 33) % 520] = (uint8_t)(state >> 24);
		}
		if (!out || fwrite(&bad, sizeof(bad), 1, out) != 1 || fclose(out))
			break;
		made_init(&m, UNWIND_X86_64, NULL, path);
		m.regs[X86_SP] = STACK;
		m.regs[IP] = MAPPED + 0x10;
		m.regs[BP] = STACK + 0x10;
		m.stack[2] = 12345; /* there is no frame pointer, so only the tables lead to a good end */
		m.stack[3] = MAPPED + 0x210;
		walk(&m, WORDS);
		complete += m.end == UNWIND_COMPLETE;
		other += m.end != UNWIND_COMPLETE;
		made_free(&m);
	}
	printf("# %zu complete, %zu not\n", complete, other);
	CHECK(complete > 10);
	CHECK(other > 10);

	unlink(path);
	made_init(&m, UNWIND_X86_64, NULL, path);
	m.regs[IP] = MAPPED + 0x10;
	m.regs[X86_SP] = STACK;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, 0 }, UNWIND_NO_FILE));
	CHECK(m.stopped == m.module);
	made_free(&m);
}

/* The table of one function names register 2,000,000, so the file's tables are not used for any function. */
static void try_register_number(const char *path)
{
	static const uint8_t begin[] = { 0x0c, 7, 8, 0x90, 1 };
	static const uint8_t large[] = { 0x07, 0x80, 0x89, 0x7a }; /* DW_CFA_undefined 2000000 */
	struct bytes b = { 0 };
	struct file file;
	struct made m;

	put_cie(&b, "zR", 16, 1, begin, sizeof(begin));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS, 0x40, large, sizeof(large));
	put_fde(&b, EH_FRAME_ADDRESS, ADDRESS + 0x100, 0x40, NULL, 0);
	put_number(&b, 0);
	file = make_file(EM_X86_64, b.at, b.len);
	made_init(&m, UNWIND_X86_64, &file, path);
	m.regs[X86_SP] = STACK;
	m.stack[0] = MAPPED + 0xf20; /* the entry point */
	m.regs[IP] = MAPPED + 0x110;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x110, 0 }, UNWIND_NO_CFI));
	m.regs[IP] = MAPPED + 0x10;
	CHECK(gives(&m, WORDS, (uint64_t[]){ MAPPED + 0x10, 0 }, UNWIND_NO_CFI));
	made_free(&m);
}

int main(void)
{
	char path[] = "/tmp/core_unwind_files.XXXXXX";
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	try_jit(path);
	try_many_files(path);
	try_register_number(path);
	try_damaged(path);
	unlink(path);
	return check_done();
}
