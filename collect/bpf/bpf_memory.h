/* bpf_memory: how much memory the maps of a BPF program need. */
#ifndef COLLECT_BPF_BPF_MEMORY_H
#define COLLECT_BPF_BPF_MEMORY_H

#include <stdint.h>

struct bpf_object;

/* Kernel memory of all maps of a loaded object, in bytes, as the kernel reports it. */
uint64_t bpf_memory(struct bpf_object *object);

/* An estimate, within a few percent, of what bpf_memory() will return, made before loading from the sizes of the
 * maps. */
uint64_t bpf_memory_wanted(struct bpf_object *object);

#endif
