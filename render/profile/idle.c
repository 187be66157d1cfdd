/* Linux: kernel/sched/idle.c, drivers/cpuidle/, arch/x86/kernel/process.c,
 * arch/arm64/kernel/idle.c, drivers/acpi/processor_idle.c. */
#include "render/profile/idle.h"

#include <string.h>

#include "core/format/folded.h"
#include "render/profile/frame.h"
#include "render/profile/line.h"

/* Functions that start the idle loop, the loop itself, and functions that wait in it.  '*' at the end: all names with
 * that beginning; at both ends: all with that in them. */
static const char *const functions[] = {
	/* the start of the idle thread */
	"common_startup_64",
	"secondary_startup_64*",
	"start_secondary",
	"x86_64_start_*",
	"start_kernel",
	"rest_init",
	"arch_call_rest_init",
	"secondary_start_kernel",
	"__primary_switched",
	"__secondary_switched",
	"primary_switched",
	"cpu_bringup_and_idle",
	"asm_cpu_bringup_and_idle",
	"xen_start_kernel",
	"startup_xen",
	/* the loop, and choosing the depth of sleep */
	"cpu_startup_entry",
	"do_idle",
	"cpu_idle*",
	"call_cpuidle",
	"cpuidle_*",
	"__cpuidle_text_start",
	"tick_nohz_idle_*",
	"tick_nohz_get_sleep_length",
	"menu_select",
	"menu_reflect",
	"teo_select",
	"teo_reflect",
	"ladder_select_state",
	"haltpoll_*",
	"ct_idle_*",
	"ct_cpuidle_*",
	"rcu_idle_*",
	"sched_idle_*",
	"idle_loop*",
	/* waiting */
	"default_idle*",
	"default_enter_idle",
	"arch_cpu_idle*",
	"*safe_halt*", /* native_, acpi_, and those of hypervisors: xen_safe_halt, tdx_safe_halt, pvm_safe_halt_hc */
	"native_halt",
	"tdx_halt",
	"mwait_idle*",
	"intel_idle*",
	"acpi_idle*",
	"acpi_processor_ffh_cstate_enter",
	"amd_e400_idle",
	"poll_idle",
	"cpu_do_idle",
	"xen_hypercall_sched_op",
	"HYPERVISOR_sched_op",
	"psci_*",
	"__psci_cpu_suspend",
	"arm_cpuidle_*",
	"hv_idle*",
};

/* Placeholders for functions without a name. */
static const char *const nameless[] = {
	"[unknown]", "unknown", "[kernel]", "[kernel.kallsyms]", "[guest.kernel.kallsyms]", ""
};

static bool idle_is_called(const char *name, size_t len, const char *pattern)
{
	size_t n = strlen(pattern);

	if (*pattern == '*')
		return memmem(name, len, pattern + 1, n - 2) != NULL;
	if (n && pattern[n - 1] == '*')
		return len >= n - 1 && !memcmp(name, pattern, n - 1);
	return len == n && !memcmp(name, pattern, n);
}

/* The length of the name in "default_idle+0x9" or "do_idle.constprop.0": without the suffix. */
static size_t plain_len(const char *name, size_t len)
{
	len = frame_base_len(name, len);
	for (size_t i = 1; i < len; i++) {
		if (name[i] == '+' || name[i] == '.')
			return name[0] == '[' ? len : i;
	}
	return len;
}

static bool idle_is_address(const char *name, size_t len)
{
	return len > 2 && name[0] == '0' && name[1] == 'x';
}

/* Is it a function of the idle loop, or a function without a name? */
static bool is_idle_function(const char *name, size_t len)
{
	len = plain_len(name, len);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (idle_is_called(name, len, functions[i]))
			return true;
	}
	for (size_t i = 0; i < sizeof(nameless) / sizeof(nameless[0]); i++) {
		if (idle_is_called(name, len, nameless[i]))
			return true;
	}
	return idle_is_address(name, len);
}

/* The idle thread: "swapper", "swapper/3", "swapper-0", "swapper-0/swapper", "swapper-?",
 * "<idle>-0" (ftrace). */
static bool is_idle_thread(const char *name, size_t len)
{
	static const char *const threads[] = { "swapper", "<idle>", "[idle]" };

	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		size_t n = strlen(threads[i]);

		if (len >= n && !memcmp(name, threads[i], n) && (len == n || strchr("/-: ", name[n])))
			return true;
	}
	return false;
}

enum thread { THREAD_IDLE, THREAD_OTHER, THREAD_UNKNOWN };

/* Find out from the root frames whether the thread is the idle thread; without a header, from the first frame. */
static enum thread idle_thread_of(const struct root_places *r, const char *stack, size_t len)
{
	const int places[] = { r->known ? r->comm : 0, r->thread, r->pid, r->tid };
	enum thread thread = THREAD_UNKNOWN;
	size_t frame_len;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *frame = places[i] < 0 ? NULL : line_frame(stack, len, places[i], &frame_len);

		if (frame && is_idle_thread(frame, frame_len))
			return THREAD_IDLE;
		if (places[i] >= 0)
			thread = THREAD_OTHER;
	}
	return thread;
}

/* Is it the idle loop itself, which no other thread runs? */
static bool is_idle_loop(const char *name, size_t len)
{
	len = plain_len(name, len);
	return idle_is_called(name, len, "do_idle") || idle_is_called(name, len, "cpu_startup_entry") ||
	       idle_is_called(name, len, "cpu_idle_loop");
}

static bool idle_has_frame(const char *stack, size_t len, int place, const char *name)
{
	size_t frame_len;
	const char *frame = place < 0 ? NULL : line_frame(stack, len, place, &frame_len);

	return frame && idle_is_called(frame, frame_len, name);
}

bool idle_cpu(const struct root_places *r, const char *stack, size_t len)
{
	enum thread thread = idle_thread_of(r, stack, len);
	bool loops = thread == THREAD_IDLE;
	const char *frame;
	size_t frame_len;

	if (idle_has_frame(stack, len, r->state, "idle"))
		return true;
	if (thread == THREAD_OTHER)
		return false;
	for (frame = line_frame(stack, len, r->known ? r->count : 1, &frame_len); frame;
	     frame = line_frame(frame, (size_t)(stack + len - frame), 1, &frame_len)) {
		if (!is_idle_function(frame, frame_len))
			return false;
		loops |= is_idle_loop(frame, frame_len);
	}
	return loops;
}

/* What collapse --wall has at the leaf. */
static bool idle_ends_in_wait(const char *stack, size_t len)
{
	static const char *const frames[] = { ";[blocked: work]", ";[blocked: sleep]", ";[blocked: idle]" };

	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		size_t n = strlen(frames[i]);

		if (len > n && !memcmp(stack + len - n, frames[i], n))
			return true;
	}
	return false;
}

bool idle_wait(const struct root_places *r, const char *stack, size_t len)
{
	return idle_has_frame(stack, len, r->wait, "[work]") || idle_has_frame(stack, len, r->wait, "[sleep]") ||
	       idle_has_frame(stack, len, r->idle, "[work]") || idle_has_frame(stack, len, r->idle, "[sleep]") ||
	       idle_ends_in_wait(stack, len);
}

bool idle_of_threads(const struct folded_source *header)
{
	const char *event = source_get(header, FOLDED_EVENT);
	struct root_places places;

	root_places_read(&places, header);
	return places.wait >= 0 || places.idle >= 0 || (event && !strcmp(event, "wall"));
}

const char *idle_what(bool of_threads)
{
	return of_threads ? "sleep and waits for work" : "idle CPUs";
}

void idle_words_add(struct str *out, bool of_threads, uint64_t left_out, uint64_t all, const struct unit *unit)
{
	str_puts(out, "Idle hidden: ");
	value_add(out, left_out, unit);
	str_addf(out, " of %s, ", idle_what(of_threads));
	percentage_add(out, left_out, all);
	str_puts(out, " of all");
}
