/* bpf_chain: links the programs of several collectors at one tracepoint, so that each calls the next one
 * (bpf/chain.bpf.h). */
#ifndef COLLECT_BPF_BPF_CHAIN_H
#define COLLECT_BPF_BPF_CHAIN_H

struct bpf_object;

/* Before an object is loaded, in the order in which they will be attached.  Objects without a chain may be passed,
 * too. */
void bpf_chain_prepare(struct bpf_object *object);

/* Before a loaded object is attached: its programs are called by those of the object before.  Returns 0 or -errno. */
int bpf_chain_join(struct bpf_object *object);

/* After it was detached: the next one takes its place.  Returns 0 or -errno. */
int bpf_chain_leave(const struct bpf_object *object);

#endif
