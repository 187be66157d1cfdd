#include "collect/bpf/sched_switch.h"

#include <bpf/btf.h>
#include <stdint.h>

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
