/* Kernels that this machine does not have: which of them may crash with uprobes. */
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

int main(void)
{
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
