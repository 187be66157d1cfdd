/* usdt: argument strings, and the values that they stand for. */
#include "collect/alloc/usdt.h"
#include "tests/unit/check.h"

enum { BIT_COUNT = 24 };

static struct usdt_argument list[USDT_ARGUMENTS_MAX];

static int is_none(const char *text)
{
	return usdt_parse_arguments(text, list) < 0;
}

#if defined(__x86_64__)

/* All registers that are recorded: number 7 is RSP, 16 is R8 (asm/perf_regs.h). */
static const uint64_t stack[] = { 0x1122334455667788u, 0xffffffff80000000u, 42 };
static uint64_t regs[BIT_COUNT];

static struct walked_sample sample_of(void)
{
	struct walked_sample s = { .pid = 0,
				   .regs_mask = 0xff0fff,
				   .regs = (const uint8_t *)regs,
				   .stack = (const uint8_t *)stack,
				   .stack_len = sizeof(stack) };

	for (int i = 0; i < BIT_COUNT; i++)
		regs[i] = 0x1000 + (uint64_t)i;
	regs[0] = 0xfedcba9876543210u; /* RAX */
	regs[2] = 1;                   /* RCX */
	regs[7] = 0x7000;              /* RSP */
	return s;
}

/* The value of the only argument in text; ~0: it has none. */
static uint64_t value(const char *text)
{
	struct walked_sample s = sample_of();
	uint64_t n;

	return usdt_parse_arguments(text, list) == 1 && usdt_value(list, &s, &n) ? n : ~(uint64_t)0;
}

static void check_registers(void)
{
	CHECK(value("8@%rax") == 0xfedcba9876543210u);
	CHECK(value("4@%eax") == 0x76543210);
	CHECK(value("-4@%eax") == 0x76543210);
	CHECK(value("2@%ax") == 0x3210);
	CHECK(value("1@%al") == 0x10);
	CHECK(value("1@%ah") == 0x32);
	CHECK(value("-8@%r8") == 0x1000 + 12); /* the thirteenth that is taken */
	CHECK(value("4@%r8d") == 0x1000 + 12);
	CHECK(value("%rcx") == 1);
}

static void check_constants(void)
{
	CHECK(value("4@$17") == 17);
	CHECK(value("-4@$-17") == (uint64_t)-17);
	CHECK(value("4@$-17") == 0xffffffef);
	CHECK(value("8@$0x10") == 16);
}

static void check_memory(void)
{
	CHECK(value("8@(%rsp)") == stack[0]);
	CHECK(value("4@4(%rsp)") == 0x11223344);
	CHECK(value("-4@8(%rsp)") == 0xffffffff80000000u);
	CHECK(value("8@8(%rsp,%rcx,8)") == 42);
	CHECK(value("8@-8(%rsp,%rcx,8)") == stack[0]);
	CHECK(value("8@28672(,%rcx,8)") == 0xffffffff80000000u); /* 0x7000 */
	CHECK(value("8@24(%rsp)") == ~(uint64_t)0);              /* behind the copy; there is no process */
	CHECK(value("8@-1(%rsp)") == ~(uint64_t)0);
}

static void check_lists(void)
{
	struct walked_sample s = sample_of();
	uint64_t n;

	CHECK(usdt_parse_arguments("", list) == 0);
	CHECK(usdt_parse_arguments("-8@%rax 8@%rdx -4@%ecx -4@%ebx", list) == 4);
	CHECK(list[2].size == 4 && list[2].is_signed && list[2].base == 2);
	CHECK(usdt_parse_arguments("8@%rax 8@%rdx", list) == 2);
	s.regs = NULL;
	CHECK(!usdt_value(list, &s, &n));
	CHECK(is_none("8@%rax 8@%rax 8@%rax 8@%rax 8@%rax 8@%rax 8@%rax 8@%rax 8@%rax 8@%rax 8@%rax 8@%rax 8@%rax"));
}

static void check_hostile(void)
{
	static const char *const texts[] = {
		"8@",
		"@",
		"8",
		"-",
		"-8@",
		"8@%",
		"8@%xmm0",
		"8@%raxx",
		"3@%rax$",
		"8@$",
		"8@$x",
		"8@(",
		"8@()",
		"8@(%rsp",
		"8@(%rsp,",
		"8@(%rsp,%rcx",
		"8@(%rsp,%rcx,",
		"8@(%rsp,%rcx,3)",
		"8@(%rsp,%rcx,8",
		"8@(%ah)",
		"8@8(%rsp)x",
		"8@foo(%rip)",
		"8@foo+8(%rip)",
		"8@%rax,8@%rbx",
		"8@-(%rsp)",
		"9@%rax",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		CHECK(is_none(texts[i]));
}

#else

static void check_registers(void)
{
}
static void check_constants(void)
{
}
static void check_memory(void)
{
}
static void check_lists(void)
{
}
static void check_hostile(void)
{
}

#endif

/* A missing file, a file that is not ELF, and one without such notes. */
static void check_files(void)
{
	struct usdt_location *found = (struct usdt_location[USDT_LOCATIONS_MAX]){ { 0 } };

	CHECK(!usdt_find("/nowhere", "hotspot", "object__alloc", found));
	CHECK(!usdt_find("/etc/passwd", "hotspot", "object__alloc", found));
	CHECK(!usdt_find("/proc/self/exe", "hotspot", "object__alloc", found));
}

int main(void)
{
	check_registers();
	check_constants();
	check_memory();
	check_lists();
	check_hostile();
	check_files();
	CHECK(is_none("?"));
	return check_done();
}
