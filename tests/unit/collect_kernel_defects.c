/* Kernels that this machine does not have: which of them may crash with uprobes, or hang when user memory is read. */
#include "collect/machine/kernel_defects.h"

#include "tests/unit/check.h"

static const struct {
	const char *release, *version, *signature;
	unsigned is;
	int crashes;
} rows[] = {
	{ "6.18.44-fc-v669", "#1 SMP PREEMPT_DYNAMIC @0", "", KERNEL_VERSION_OF(6, 18, 44), 0 },
	{ "7.0", "#1", "", KERNEL_VERSION_OF(7, 0, 0), 0 },
	{ "6.6.54", "#1", "", KERNEL_VERSION_OF(6, 6, 54), 0 },
	{ "6.6.58-talos", "#1 SMP", "", KERNEL_VERSION_OF(6, 6, 58), 1 },
	{ "6.6.83", "#1", "", KERNEL_VERSION_OF(6, 6, 83), 0 },
	{ "6.11.0", "#1", "", KERNEL_VERSION_OF(6, 11, 0), 1 },
	{ "6.12.18-arch1-1", "#1", "", KERNEL_VERSION_OF(6, 12, 18), 1 },
	{ "6.12.19", "#1", "", KERNEL_VERSION_OF(6, 12, 19), 0 },
	/* Debian, Ubuntu: the patch level stands elsewhere */
	{ "6.1.0-32-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.129-1 (2025-03-06)", "", KERNEL_VERSION_OF(6, 1, 129),
	  1 },
	{ "6.1.0-33-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.133-1 (2025-04-10)", "", KERNEL_VERSION_OF(6, 1, 133),
	  0 },
	{ "6.11.0-29-generic", "#29~24.04.1-Ubuntu SMP", "Ubuntu 6.11.0-29.29~24.04.1-generic 6.11.11",
	  KERNEL_VERSION_OF(6, 11, 11), 1 },
	{ "6.14.0-27-generic", "#27-Ubuntu SMP", "Ubuntu 6.14.0-27.27-generic 6.14.8", KERNEL_VERSION_OF(6, 14, 8), 0 },
	{ "unknown", "", "", 0, 0 },
};

static void test_user_reads(void)
{
	static const struct {
		unsigned version;
		int hangs;
	} reads[] = {
		{ KERNEL_VERSION_OF(5, 17, 15), 0 }, { KERNEL_VERSION_OF(5, 18, 0), 1 },
		{ KERNEL_VERSION_OF(6, 1, 35), 1 },  { KERNEL_VERSION_OF(6, 1, 36), 0 },
		{ KERNEL_VERSION_OF(6, 2, 16), 1 },  { KERNEL_VERSION_OF(6, 3, 9), 1 },
		{ KERNEL_VERSION_OF(6, 3, 10), 0 },  { KERNEL_VERSION_OF(6, 4, 0), 0 },
		{ KERNEL_VERSION_OF(7, 2, 13), 0 },  { 0, 0 },
	};

	for (size_t i = 0; i < sizeof(reads) / sizeof(*reads); i++) {
		CHECK(!kernel_defect_of(RISK_USER_READS, reads[i].version, "x86_64") == !reads[i].hangs);
		CHECK(!kernel_defect_of(RISK_USER_READS, reads[i].version, "aarch64") == !reads[i].hangs);
	}
}

int main(void)
{
	test_user_reads();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		unsigned version = kernel_version_read(rows[i].release, rows[i].version, rows[i].signature);

		CHECK(version == rows[i].is);
		CHECK(!kernel_defect_of(RISK_UPROBES, version, "x86_64") == !rows[i].crashes);
		CHECK(!kernel_defect_of(RISK_UPROBES, version, "aarch64"));
	}
	kernel_defects_ignore();
	CHECK(!kernel_defect(RISK_UPROBES));
	return check_done();
}
