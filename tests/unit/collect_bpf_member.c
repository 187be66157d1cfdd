#include <bpf/btf.h>

#include "collect/bpf/bpf_member.h"
#include "tests/unit/check.h"

/* As in Linux 6.18 with cache lines of 64 bytes. */
static struct btf *drop_counters(void)
{
	struct btf *btf = btf__new_empty();
	int word = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);

	CHECK(word > 0 && btf__add_struct(btf, "numa_drop_counters", 128) > 0);
	CHECK(!btf__add_field(btf, "drops0", word, 0, 0) && !btf__add_field(btf, "drops1", word, 512, 0));
	return btf;
}

int main(void)
{
	struct btf *btf = drop_counters();

	CHECK(bpf_member_place(btf, "numa_drop_counters", "drops0") == 0);
	CHECK(bpf_member_place(btf, "numa_drop_counters", "drops1") == 64);
	CHECK(bpf_member_place(btf, "numa_drop_counters", "drops2") == -1);
	CHECK(bpf_member_place(btf, "no_counters", "drops0") == -1);
	btf__free(btf);
	return check_done();
}
