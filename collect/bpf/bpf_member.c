#include "collect/bpf/bpf_member.h"

#include <bpf/btf.h>
#include <stdint.h>
#include <string.h>

int bpf_member_place(const struct btf *btf, const char *structure, const char *member)
{
	int id = btf__find_by_name_kind(btf, structure, BTF_KIND_STRUCT);
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, (uint32_t)id) : NULL;

	for (uint32_t i = 0; type && i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, btf_members(type)[i].name_off);

		if (name && !strcmp(name, member))
			return (int)(btf_member_bit_offset(type, i) / 8);
	}
	return -1;
}
