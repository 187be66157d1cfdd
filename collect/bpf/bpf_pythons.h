/* bpf_pythons: the maps by which BPF programs and we tell each other about Python (bpf/python.h), one of each for all programs
 * of a recording: those of the first program that has them. */
#ifndef COLLECT_BPF_BPF_PYTHONS_H
#define COLLECT_BPF_BPF_PYTHONS_H

#include "collect/recording/event.h"

struct bpf_object;

/* Let a program that is not loaded yet use the maps that are there.  Returns 0, or -1 with errno. */
int bpf_pythons_share(struct bpf_object *object, const struct events *events);

/* Note the maps of a program that was loaded. */
void bpf_pythons_note(struct bpf_object *object, struct events *events);

#endif
