/* bpf_member: offsets of members in structures of the running kernel. */
#ifndef COLLECT_BPF_BPF_MEMBER_H
#define COLLECT_BPF_BPF_MEMBER_H

struct btf;

/* The offset in bytes; -1: there is no such structure or member. */
int bpf_member_place(const struct btf *btf, const char *structure, const char *member);

#endif
