# tests/kernels/relocations: finds what a kernel lacks for a BPF object; the "kernel" here is an object, too.
. tests/tap.sh
check=$BUILD/tests/kernels/relocations
[ -x "$check" ] && command -v clang >/dev/null || { skip "relocations" "no clang, or a build without BPF"; exit 0; }
compile() { clang -g -O2 -target bpf -mcpu=v3 -I. -idirafter "/usr/include/$(uname -m)-linux-gnu" -D__TARGET_ARCH_x86 -c "$1" -o "$2"; }

cat >"$tmp/kernel.c" <<'C'
struct task_struct { unsigned char on_cpu; unsigned flags; union { long inner; int other; }; signed char nice; } task;
struct dentry { unsigned d_flags; } dentry;
enum bpf_func_id { BPF_FUNC_unspec, BPF_FUNC_map_lookup_elem, BPF_FUNC_probe_read_kernel = 113, BPF_FUNC_check_mtu = 163 } id;
enum bits { BIT_NEW = 1, BIT_SAME = 2 } bits;
#define TRACEPOINT(name) typedef void (*btf_trace_##name)(void *, struct task_struct *, int); btf_trace_##name of_##name
TRACEPOINT(fits), TRACEPOINT(is_signed), TRACEPOINT(is_gone), TRACEPOINT(guarded), TRACEPOINT(kept), TRACEPOINT(copied);
TRACEPOINT(third), TRACEPOINT(other_type), TRACEPOINT(either), TRACEPOINT(by_variable), TRACEPOINT(helper);
C
sed -i 's/^TRACEPOINT(\(.*\));$/TRACEPOINT(\1);/; s/), TRACEPOINT/); TRACEPOINT/g' "$tmp/kernel.c"
cat >"$tmp/object.c" <<'C'
#include <linux/bpf.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct task_struct { unsigned on_cpu, flags; long inner; int gone, nice; };
struct task_struct___old { int state; };
struct dentry { unsigned d_flags; };
#pragma clang attribute pop
enum bits { BIT_OLD = 4 };
const volatile int has_gone;
int out;
#define OLD ((struct task_struct___old *)task)
SEC("tp_btf/fits") int BPF_PROG(fits, struct task_struct *task, int n) { return task->on_cpu + task->flags + task->inner + n; }
SEC("tp_btf/is_signed") int BPF_PROG(is_signed, struct task_struct *task) { return task->nice; }
SEC("tp_btf/is_gone") int BPF_PROG(is_gone, struct task_struct *task) { return task->gone; }
SEC("tp_btf/guarded") int BPF_PROG(guarded, struct task_struct *task)
{
	if (bpf_core_field_exists(OLD->state))
		return OLD->state;
	return bpf_core_enum_value_exists(enum bits, BIT_OLD) ? bpf_core_enum_value(enum bits, BIT_OLD) : 0;
}
SEC("tp_btf/kept") int BPF_PROG(kept, struct task_struct *task)
{
	volatile unsigned has = bpf_core_field_exists(task->gone); /* on the stack */

	return has ? task->gone : 0;
}
SEC("tp_btf/copied") int BPF_PROG(copied, struct task_struct *task) { return BPF_CORE_READ(task, on_cpu); }
SEC("tp_btf/third") int BPF_PROG(third, struct task_struct *task, int n, int more) { return more; }
SEC("tp_btf/other_type") int BPF_PROG(other_type, struct dentry *dentry) { return dentry->d_flags; }
SEC("tp_btf/either") int BPF_PROG(either, struct task_struct *task) { return task->gone; }
SEC("?tp_btf/either") int BPF_PROG(either_2, struct task_struct *task) { return task->flags; }
SEC("tp_btf/by_variable") int BPF_PROG(by_variable, struct task_struct *task) { return has_gone ? task->gone : 0; }
SEC("?tp_btf/no_such") int BPF_PROG(no_such, struct task_struct *task) { return task->gone; }
SEC("tp_btf/missing") int BPF_PROG(missing, struct task_struct *task) { return 0; }
SEC("?tp_btf/helper") int BPF_PROG(helper) { return bpf_get_prandom_u32(); }
char LICENSE[] SEC("license") = "GPL";
C
cat >"$tmp/needs.c" <<'C'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
SEC("raw_tp/x") int needs(void *context) { return bpf_get_prandom_u32(); }
C
for part in kernel object needs; do
	compile "$tmp/$part.c" "$tmp/$part.o" 2>"$tmp/err" || { not_ok "clang: $part.c" "$tmp/err"; exit; }
done
status "a kernel that lacks much" 1 "$check" -D has_gone=0 "$tmp/kernel.o" "$tmp/object.o" "$tmp/needs.o"
is "... is told what, and of which program" "$(sort "$tmp/out")" "$(sort <<'OUT'
not ok - object
#   tp_btf/is_signed: task_struct.nice has 1 bytes and is read with 4
#   tp_btf/is_gone: there is no task_struct.gone
#   tp_btf/copied: task_struct.on_cpu has 1 bytes and is read with 4
#   tp_btf/third: its tracepoint has 2 arguments, and argument 3 is read
#   tp_btf/other_type: argument 1 is a task_struct, and is read as a dentry
#   there is no tracepoint missing
ok - needs # SKIP this kernel has no helper 7 of enum bpf_func_id
OUT
)"
status "a variable with another value" 1 "$check" -D has_gone=1 "$tmp/kernel.o" "$tmp/object.o"
has "... opens another way" "$tmp/out" "tp_btf/by_variable: there is no task_struct.gone"
status "no BTF" 2 "$check" tests/tap.sh "$tmp/object.o"
