/* member_place: where the kernel has a member of a structure. */
#ifndef COLLECT_BPF_MEMBER_PLACE_H
#define COLLECT_BPF_MEMBER_PLACE_H

struct btf;

/* Its offset in bytes; -1: there is no such structure, or member. */
int member_place(const struct btf *btf, const char *structure, const char *member);

#endif
