#include "core/symbols/names/interrupts.h"

#include <string.h>

/* A name that ends with '*' stands for all names that begin like it. */
static const char *const entries[] = {
	/* x86 */
	"asm_sysvec_*",
	"asm_common_interrupt",
	"asm_spurious_interrupt",
	"asm_exc_nmi*",
	"end_repeat_nmi",
	"asm_exc_machine_check",
	"asm_exc_xen_hypervisor_callback",
	/* ... with FRED, where system calls and faults enter through the same function as interrupts */
	"fred_extint",
	"fred_sysvec_*",
	"fred_exc_nmi",
	"fred_exc_machine_check",
	/* ... before Linux 5.8 */
	"apic_timer_interrupt",
	"common_interrupt",
	"ret_from_intr",
	"reschedule_interrupt",
	"call_function_interrupt",
	"call_function_single_interrupt",
	"irq_work_interrupt",
	/* arm64; then before Linux 5.14 */
	"el1h_64_irq*",
	"el1h_64_fiq*",
	"el0t_64_irq*",
	"el0t_64_fiq*",
	"el0t_32_irq*",
	"el0t_32_fiq*",
	"el1_irq",
	"el0_irq",
	"el1_fiq",
	"el0_fiq",
};

bool is_interrupt_entry(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		size_t n = strlen(entries[i]);

		if (entries[i][n - 1] == '*' ? len >= n - 1 && !memcmp(name, entries[i], n - 1)
					     : len == n && !memcmp(name, entries[i], n))
			return true;
	}
	return false;
}
