#include "collect/alloc/usdt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collect/runtime/remote.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/process_root.h"

enum { NOTE_STAPSDT = 3 };

/* ---- registers ---- */

#if defined(__x86_64__)

enum { STACK_POINTER = 7 };

/* The numbers of registers (asm/perf_regs.h), with the names of all widths. */
static const struct {
	const char *names[4]; /* 8, 4, 2, 1 bytes */
	const char *high;     /* bits 8 to 15 */
	int number;
} registers[] = {
	{ { "rax", "eax", "ax", "al" }, "ah", 0 },       { { "rbx", "ebx", "bx", "bl" }, "bh", 1 },
	{ { "rcx", "ecx", "cx", "cl" }, "ch", 2 },       { { "rdx", "edx", "dx", "dl" }, "dh", 3 },
	{ { "rsi", "esi", "si", "sil" }, NULL, 4 },      { { "rdi", "edi", "di", "dil" }, NULL, 5 },
	{ { "rbp", "ebp", "bp", "bpl" }, NULL, 6 },      { { "rsp", "esp", "sp", "spl" }, NULL, 7 },
	{ { "rip", "eip", "ip", NULL }, NULL, 8 },       { { "r8", "r8d", "r8w", "r8b" }, NULL, 16 },
	{ { "r9", "r9d", "r9w", "r9b" }, NULL, 17 },     { { "r10", "r10d", "r10w", "r10b" }, NULL, 18 },
	{ { "r11", "r11d", "r11w", "r11b" }, NULL, 19 }, { { "r12", "r12d", "r12w", "r12b" }, NULL, 20 },
	{ { "r13", "r13d", "r13w", "r13b" }, NULL, 21 }, { { "r14", "r14d", "r14w", "r14b" }, NULL, 22 },
	{ { "r15", "r15d", "r15w", "r15b" }, NULL, 23 },
};

static bool usdt_is_word(const char *text, size_t len, const char *word)
{
	return word && len == strlen(word) && !memcmp(text, word, len);
}

/* Reads "%eax": the register's number and, for %ah, the position in the register. */
static bool read_register(const char **at, int *number, uint8_t *shift)
{
	size_t len;

	if (**at != '%')
		return false;
	for (len = 0; isalnum((unsigned char)(*at)[1 + len]);)
		len++;
	*shift = 0;
	for (size_t i = 0; i < sizeof(registers) / sizeof(*registers); i++) {
		bool found = usdt_is_word(*at + 1, len, registers[i].high);

		*shift = found ? 8 : 0;
		for (int width = 0; width < 4; width++)
			found |= usdt_is_word(*at + 1, len, registers[i].names[width]);
		if (!found)
			continue;
		*number = registers[i].number;
		*at += 1 + len;
		return true;
	}
	return false;
}

/* Reads a number, decimal, octal or hex as in C, and sets *at to what follows. */
static bool usdt_read_number(const char **at, int64_t *n)
{
	const char *digits = *at + (**at == '-' || **at == '+');
	char *end;

	if (!isdigit((unsigned char)*digits))
		return false;
	*n = (int64_t)strtoull(digits, &end, 0);
	if (**at == '-')
		*n = (int64_t) - (uint64_t)*n;
	*at = end;
	return true;
}

/* Reads "(%rsp)", "(%rsp,%rcx,4)", "(,%rcx,8)", after the displacement. */
static bool read_memory(const char **at, struct usdt_argument *a)
{
	uint8_t shift;
	int64_t scale = 1;

	if (*(*at)++ != '(')
		return false;
	if (**at == '%' && (!read_register(at, &a->base, &shift) || shift))
		return false;
	if (**at == ',') {
		(*at)++;
		if (!read_register(at, &a->index, &shift) || shift)
			return false;
		if (**at == ',' && ((*at)++, !usdt_read_number(at, &scale)))
			return false;
	}
	a->scale = (uint8_t)scale;
	a->is_memory = true;
	return *(*at)++ == ')' && (scale == 1 || scale == 2 || scale == 4 || scale == 8) &&
	       (a->base >= 0 || a->index >= 0);
}

/* "%rax", "$-17", "-8(%rbp)".  Operands that name a symbol are refused: "foo+8(%rip)". */
static bool read_operand(const char **at, struct usdt_argument *a)
{
	if (**at == '%')
		return read_register(at, &a->base, &a->shift);
	if (**at == '$') {
		(*at)++;
		return usdt_read_number(at, &a->constant);
	}
	if (**at != '(' && !usdt_read_number(at, &a->constant))
		return false;
	return read_memory(at, a);
}

#elif defined(__aarch64__)

enum { STACK_POINTER = 31 };

/* "x0", "w17", "sp". */
static bool read_register(const char **at, int *number)
{
	char *end;
	unsigned long n;

	if (!strncmp(*at, "sp", 2)) {
		*number = STACK_POINTER;
		*at += 2;
		return true;
	}
	if ((**at != 'x' && **at != 'w') || !isdigit((unsigned char)(*at)[1]))
		return false;
	n = strtoul(*at + 1, &end, 10);
	*number = (int)n;
	*at = end;
	return n <= 30;
}

/* "x0", "17", "[sp]", "[x1, 8]". */
static bool read_operand(const char **at, struct usdt_argument *a)
{
	char *end;

	if (**at == '-' || isdigit((unsigned char)**at)) {
		a->constant = strtoll(*at, &end, 0);
		*at = end;
		return true;
	}
	if (**at != '[')
		return read_register(at, &a->base);
	(*at)++;
	a->is_memory = true;
	if (!read_register(at, &a->base))
		return false;
	if (**at == ',') {
		(*at)++;
		a->constant = strtoll(*at, &end, 0);
		if (end == *at)
			return false;
		*at = end;
	}
	return *(*at)++ == ']';
}

#else

enum { STACK_POINTER = 0 };

static bool read_operand(const char **at, struct usdt_argument *a)
{
	(void)at, (void)a;
	return false;
}

#endif

/* ---- arguments ---- */

/* "-8@%rax"; without a size, as from old compilers, the whole register. */
static bool usdt_read_argument(const char **at, struct usdt_argument *a)
{
	const char *text = *at;
	bool is_signed = *text == '-';

	*a = (struct usdt_argument){ .size = 8, .base = -1, .index = -1, .scale = 1 };
	text += is_signed;
	if (*text && strchr("1248", *text) && text[1] == '@') {
		a->size = (uint8_t)(*text - '0');
		a->is_signed = is_signed;
		*at = text + 2;
	}
	return read_operand(at, a) && (**at == ' ' || !**at);
}

int usdt_parse_arguments(const char *text, struct usdt_argument list[USDT_ARGUMENTS_MAX])
{
	int count = 0;

	while (*(text += strspn(text, " "))) {
		if (count == USDT_ARGUMENTS_MAX || !usdt_read_argument(&text, &list[count++]))
			return -1;
	}
	return count;
}

static uint64_t usdt_extend(uint64_t value, const struct usdt_argument *a)
{
	unsigned unused = 64 - 8 * a->size;

	value <<= unused;
	return a->is_signed ? (uint64_t)((int64_t)value >> unused) : value >> unused;
}

static bool add_register(const struct walked_sample *s, int number, uint8_t scale, uint64_t *sum)
{
	uint64_t value;

	if (number < 0)
		return true;
	if (!walked_register(s, (unsigned)number, &value))
		return false;
	*sum += value * scale;
	return true;
}

/* Read memory: the stack as it was at the sample, other memory as it is now. */
static bool read_memory_at(const struct walked_sample *s, uint64_t address, void *to, size_t len)
{
	struct remote remote = { .pid = s->pid };
	uint64_t sp;

	if (!walked_register(s, STACK_POINTER, &sp) || address < sp || address - sp > s->stack_len ||
	    s->stack_len - (address - sp) < len)
		return remote_read(&remote, address, to, len);
	memcpy(to, s->stack + (address - sp), len);
	return true;
}

bool usdt_value(const struct usdt_argument *a, const struct walked_sample *s, uint64_t *value)
{
	uint64_t sum = (uint64_t)a->constant;

	if (!add_register(s, a->base, 1, &sum) || !add_register(s, a->index, a->scale, &sum))
		return false;
	*value = sum;
	if (a->is_memory) {
		*value = 0;
		if (!read_memory_at(s, sum, value, a->size))
			return false;
	}
	*value = usdt_extend(*value >> a->shift, a);
	return true;
}

/* ---- notes ---- */

/* The distance by which the addresses in the notes must be moved, since prelink moves everything, including the section
 * .stapsdt.base. */
static uint64_t moved_by(Elf *elf, uint64_t base)
{
	GElf_Shdr header;

	return elf_file_section(elf, ".stapsdt.base", &header) ? header.sh_addr - base : 0;
}

/* Takes the string at *at, and sets *at to what follows its NUL; NULL if there is none. */
static const char *usdt_take_text(const char **at, const char *end)
{
	const char *text = *at, *nul = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;

	*at = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

/* pc, base, semaphore: 8 bytes each; provider, name, arguments: texts. */
static bool usdt_read_note(const struct elf_file *file, const char *note, size_t len, const char *provider,
			   const char *name, struct usdt_location *l)
{
	const char *at = note + 24, *end = note + len, *text[3];
	uint64_t address[3], moved;
	int count;

	if (len < 24)
		return false;
	memcpy(address, note, sizeof(address));
	for (int i = 0; i < 3; i++)
		text[i] = usdt_take_text(&at, end);
	if (!text[0] || !text[1] || !text[2] || strcmp(text[0], provider) || strcmp(text[1], name))
		return false;
	*l = (struct usdt_location){ 0 };
	moved = moved_by(file->elf, address[1]);
	count = usdt_parse_arguments(text[2], l->arguments);
	l->argument_count = count < 0 ? 0 : (size_t)count;
	if (address[2] && !elf_to_offset(&file->segments, address[2] + moved, &l->semaphore))
		return false;
	return elf_to_offset(&file->segments, address[0] + moved, &l->offset);
}

static size_t usdt_search(const struct elf_file *file, const char *provider, const char *name,
			  struct usdt_location *list)
{
	Elf_Data *data = elf_file_section(file->elf, ".note.stapsdt", NULL);
	size_t at = 0, name_at, desc_at, count = 0;
	struct usdt_location found;
	GElf_Nhdr note;

	while (data && (at = gelf_getnote(data, at, &note, &name_at, &desc_at))) {
		const char *bytes = data->d_buf;

		if (note.n_type != NOTE_STAPSDT || note.n_namesz != sizeof("stapsdt") ||
		    memcmp(bytes + name_at, "stapsdt", sizeof("stapsdt")) ||
		    !usdt_read_note(file, bytes + desc_at, note.n_descsz, provider, name, &found))
			continue;
		if (count < USDT_LOCATIONS_MAX)
			list[count] = found;
		count++;
	}
	return count;
}

size_t usdt_find(const char *path, const char *provider, const char *name,
		 struct usdt_location list[USDT_LOCATIONS_MAX])
{
	int fd = process_root_open(0, path);
	struct elf_file file;
	size_t count;

	if (fd < 0 || elf_file_open_fd(&file, fd))
		return 0;
	count = gelf_getclass(file.elf) == ELFCLASS64 ? usdt_search(&file, provider, name, list) : 0;
	elf_file_close(&file);
	return count;
}
