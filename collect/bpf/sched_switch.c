#include "collect/bpf/sched_switch.h"

#include <errno.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdint.h>

#include "collect/bpf/bpf.h"
#include "core/error.h"

/* typedef void (*btf_trace_sched_switch)(void *, bool, struct task_struct *, ...) */
int sched_switch_parameters(const struct btf *btf)
{
	int id = btf ? btf__find_by_name_kind(btf, "btf_trace_sched_switch", BTF_KIND_TYPEDEF) : -1;
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, (uint32_t)id) : NULL;
	const struct btf_param *parameters;
	int count;

	type = type ? btf__type_by_id(btf, type->type) : NULL;
	if (!type || !btf_is_ptr(type))
		return -1;
	type = btf__type_by_id(btf, type->type);
	if (!type || !btf_is_func_proto(type))
		return -1;
	parameters = btf_params(type);
	count = btf_vlen(type) - 1; /* the first one is the probe's context */
	if (count < 3 || count > 4)
		return -1;
	for (int i = 2; i <= 3; i++) { /* prev, next */
		type = btf__type_by_id(btf, parameters[i].type);
		if (!type || !btf_is_ptr(type))
			return -1;
	}
	return count;
}

int sched_switch_choose(const char *name, struct bpf_program *with_state, struct bpf_program *without, bool *has_exit)
{
	struct btf *btf = bpf_kernel_types();
	int parameters;

	if (!btf && bpf_is_short_of_memory(errno))
		return bpf_failure(name, "read the kernel's types", errno);
	if (!btf)
		return error("collect %s: /sys/kernel/btf/vmlinux, which describes the kernel's types, cannot be read, "
			     "or is "
			     "damaged",
			     name);
	parameters = sched_switch_parameters(btf);

	if (has_exit)
		*has_exit = btf__find_by_name_kind(btf, "btf_trace_sched_exit_tp", BTF_KIND_TYPEDEF) > 0;
	if (parameters < 0)
		return error("collect %s: this kernel's sched_switch has an unknown form: "
			     "neither that before Linux 5.18 nor that since 5.19",
			     name);
	bpf_program__set_autoload(with_state, parameters == 4);
	bpf_program__set_autoload(without, parameters == 3);
	return 0;
}
