/* bpf_member: where the kernel has a member of a structure. */
#ifndef COLLECT_BPF_BPF_MEMBER_H
#define COLLECT_BPF_BPF_MEMBER_H

struct btf;

/* Its offset in bytes; -1: there is no such structure, or member. */
int bpf_member_place(const struct btf *btf, const char *structure, const char *member);

#endif
