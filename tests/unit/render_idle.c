/* Which stacks are those of an idle CPU. */
#include "render/profile/idle.h"
#include "tests/unit/check.h"

static bool is_idle(const char *roots, const char *stack)
{
	struct folded_source header = { 0 };
	struct root_places places;

	if (roots)
		source_join(&header, "root", roots);
	root_places_read(&places, &header);
	source_free(&header);
	return idle_cpu(&places, stack, strlen(stack));
}

#define LOOP                                                                                           \
	"common_startup_64;x86_64_start_kernel;x86_64_start_reservations;start_kernel;rest_init;"      \
	"cpu_startup_entry;do_idle;cpuidle_enter;cpuidle_enter_state;default_enter_idle;default_idle;" \
	"pv_native_safe_halt"
#define KERNEL_LOOP                                                                     \
	"secondary_startup_64_no_verify_[k];start_secondary_[k];cpu_startup_entry_[k];" \
	"do_idle_[k];call_cpuidle_[k];cpuidle_idle_call_[k];intel_idle_irq_[k]"

int main(void)
{
	/* as pyrograph collapse writes them, with its roots */
	CHECK(is_idle("comm,thread,cpu", "swapper;swapper-0/swapper;cpu0;" LOOP));
	CHECK(is_idle("thread", "swapper-0/swapper;" KERNEL_LOOP));
	CHECK(is_idle("cpu,pid", "cpu0;swapper-0;" KERNEL_LOOP));
	CHECK(is_idle(NULL, "swapper;" LOOP));
	CHECK(is_idle("thread,cpu", "swapper-0/swapper;cpu1")); /* without stacks */
	CHECK(is_idle("comm", "swapper;do_idle;tick_nohz_idle_exit"));
	CHECK(is_idle("comm", "swapper;do_idle;default_idle;pvm_safe_halt_hc")); /* one of a hypervisor */
	CHECK(is_idle("comm", "swapper;do_idle;default_idle;safe_halt"));
	/* as perf script and stackcollapse-perf.pl write them */
	CHECK(is_idle(NULL, "swapper;[unknown];[unknown]"));
	CHECK(is_idle(NULL,
		      "swapper-?/0;secondary_startup_64_[k];start_secondary_[k];do_idle+0x2b_[k];acpi_idle_do_entry"));
	CHECK(is_idle("comm", "swapper/3;0xffffffff81000000;default_idle.constprop.0_[k]"));
	CHECK(is_idle("comm", "swapper;secondary_start_kernel;cpu_startup_entry;do_idle;arch_cpu_idle;cpu_do_idle"));
	CHECK(is_idle("comm",
		      "swapper;cpu_bringup_and_idle;cpu_startup_entry;do_idle;default_idle;xen_hypercall_sched_op"));
	/* interrupts and what they do are work */
	CHECK(!is_idle("comm,thread,cpu",
		       "swapper;swapper-0/swapper;cpu0;" LOOP
		       ";asm_sysvec_call_function_single;sysvec_call_function_single;__irq_exit_rcu;handle_softirqs"));
	CHECK(!is_idle("comm", "swapper;" KERNEL_LOOP
			       ";asm_common_interrupt_[k];__softirqentry_text_start_[k];net_rx_action_[k]"));
	CHECK(!is_idle("comm", "swapper;do_idle;schedule_idle;__schedule"));
	/* stacks of other threads are not idle, whatever their functions are called */
	CHECK(!is_idle("comm", "java;do_idle"));
	CHECK(!is_idle("comm,thread", "java;java-8513/swapper;do_idle"));
	CHECK(!is_idle("comm", "swappers;do_idle"));
	CHECK(!is_idle(NULL, "java;do_idle"));
	CHECK(!is_idle("cpu", "cpu0;secondary_startup_64;schedule_idle"));
	CHECK(!is_idle("cpu", "cpu0;start_kernel")); /* not there yet */
	CHECK(!is_idle("cpu", "cpu0"));
	/* whose thread nobody told */
	CHECK(is_idle("cpu", "cpu0;" KERNEL_LOOP));
	CHECK(is_idle("none", LOOP));
	CHECK(!is_idle("none", LOOP ";asm_common_interrupt"));
	CHECK(!is_idle(NULL, ""));
	/* scheduler states */
	CHECK(is_idle("thread,state", "kworker-9/kworker;idle"));
	CHECK(!is_idle("thread,state", "java-1/a;running"));
	CHECK(!is_idle("thread,state,by", "java-1/a;woken;[idle]"));
	return check_done();
}
