/* kernel_defects: a table of kernels on which something that we do can crash or stop the machine. */
#ifndef COLLECT_MACHINE_KERNEL_DEFECTS_H
#define COLLECT_MACHINE_KERNEL_DEFECTS_H

#include <stddef.h>

/* What a kernel may not stand: uprobes; programs of BPF that read user memory in interrupts. */
enum kernel_risk { RISK_UPROBES, RISK_USER_READS };

/* A version as comparable number: 6.12.18. */
#define KERNEL_VERSION_OF(major, minor, patch) ((unsigned)(major) << 24 | (unsigned)(minor) << 16 | (unsigned)(patch))

/* The kernel's version from utsname.release, utsname.version and /proc/version_signature ("" if there is none).  Debian
 * and Ubuntu have the patch level only in the latter two.  0: unknown. */
unsigned kernel_version_read(const char *release, const char *version, const char *signature);

/* What a kernel of that version, on the machine (utsname.machine), may do then, in one sentence; NULL: nothing is known. */
const char *kernel_defect_of(enum kernel_risk risk, unsigned version, const char *machine);

/* The same for this kernel.  NULL also after kernel_defects_ignore(). */
const char *kernel_defect(enum kernel_risk risk);

/* The user takes the risk. */
void kernel_defects_ignore(void);

#endif
