#include "collect/machine/kernel_defects.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "collect/machine/procfs.h"
#include "core/str.h"

struct kernel_defect {
	enum kernel_risk risk;
	unsigned from, fixed; /* versions: [from, fixed) */
	const char *machine;  /* NULL: any */
	const char *why;
};

/* When a thread that has hit a uprobe ends, its struct uprobe_task is freed before the pointer to it is cleared.  If
 * the thread's user stack is taken in between, the kernel follows that pointer (is_uprobe_at_func_entry()).  Since
 * "perf,x86: avoid missing caller address in stack traces captured in uprobe" (6.12, and stable kernels of October
 * 2024), until "uprobes: Fix race in uprobe_free_utask" (6.13, and those of March 2025). */
static const char freed_task[] =
	"this kernel may crash if a sample's user stack is taken while a thread ends that has met a uprobe";

/* bpf_probe_read_user() into a map looks up the map's memory under vmap_area_lock (CONFIG_HARDENED_USERCOPY).  In an interrupt
 * that came while this CPU held the lock, it waits for ever, and soon all CPUs do.  Since "mm/usercopy: Detect vmalloc
 * overruns" (5.18), until "mm: Fix copy_from_user_nofault()." (6.4, and stable kernels of June 2023). */
static const char stuck_read[] = "this kernel may hang if user memory is read in an interrupt";

/* Another defect is not listed: since 6.13, programs of uprobes with 64 bytes of stack or more share a stack with what
 * preempts them.  Ours have less, which the Makefile checks (STACK_MAX). */
static const struct kernel_defect kernel_defects[] = {
	{ RISK_UPROBES, KERNEL_VERSION_OF(6, 1, 113), KERNEL_VERSION_OF(6, 1, 131), "x86_64", freed_task },
	{ RISK_UPROBES, KERNEL_VERSION_OF(6, 6, 55), KERNEL_VERSION_OF(6, 6, 83), "x86_64", freed_task },
	{ RISK_UPROBES, KERNEL_VERSION_OF(6, 10, 14), KERNEL_VERSION_OF(6, 12, 19), "x86_64", freed_task },
	{ RISK_USER_READS, KERNEL_VERSION_OF(5, 18, 0), KERNEL_VERSION_OF(6, 1, 36), NULL, stuck_read },
	{ RISK_USER_READS, KERNEL_VERSION_OF(6, 2, 0), KERNEL_VERSION_OF(6, 3, 10), NULL, stuck_read },
};

static bool ignored;

static unsigned kernel_version_parse(const char *text)
{
	unsigned major, minor, patch = 0;

	return text && sscanf(text, "%u.%u.%u", &major, &minor, &patch) >= 2 ? KERNEL_VERSION_OF(major, minor, patch)
									     : 0;
}

/* "Ubuntu 6.11.0-29.29-generic 6.11.11"; "#1 SMP PREEMPT_DYNAMIC Debian 6.12.12-1 (2025-02-02)"; else the release. */
unsigned kernel_version_read(const char *release, const char *version, const char *signature)
{
	static const char debian[] = " Debian ";
	const char *named = strstr(version, debian), *last = strrchr(signature, ' ');
	unsigned found = last ? kernel_version_parse(last + 1) : 0;

	if (!found && named)
		found = kernel_version_parse(named + strlen(debian));
	return found ? found : kernel_version_parse(release);
}

const char *kernel_defect_of(enum kernel_risk risk, unsigned version, const char *machine)
{
	for (size_t i = 0; i < sizeof(kernel_defects) / sizeof(*kernel_defects); i++) {
		const struct kernel_defect *d = &kernel_defects[i];

		if (d->risk == risk && version >= d->from && version < d->fixed &&
		    (!d->machine || !strcmp(d->machine, machine)))
			return d->why;
	}
	return NULL;
}

const char *kernel_defect(enum kernel_risk risk)
{
	struct utsname name;
	struct str signature = { 0 };
	const char *why;

	if (ignored || uname(&name))
		return NULL;
	read_whole("/proc/version_signature", &signature);
	if (signature.len && signature.buf[signature.len - 1] == '\n')
		signature.buf[--signature.len] = '\0';
	why = kernel_defect_of(risk, kernel_version_read(name.release, name.version, str_text(&signature)),
			       name.machine);
	str_free(&signature);
	return why;
}

void kernel_defects_ignore(void)
{
	ignored = true;
}
