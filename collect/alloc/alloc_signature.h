/* alloc_signature: in which registers HotSpot's slow path of an allocation has what we want to know.
 *
 * hotspot/share/gc/shared/allocTracer.hpp tells a profiler of an object that did not fit into what was
 * left of the thread's TLAB (thread-local allocation buffer).  The parameters differ by version; the
 * mangled name of the function lists them:
 *
 *     8   _ZN11AllocTracer33send_allocation_in_new_tlab_eventE11KlassHandlemm
 *     11  _ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassP8HeapWordmmP6Thread
 *     17  _ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassPP12HeapWordImplmmP10JavaThread
 *                                                        class   object   sizes: of the TLAB, of the object; thread */
#ifndef COLLECT_ALLOC_ALLOC_SIGNATURE_H
#define COLLECT_ALLOC_ALLOC_SIGNATURE_H

#include <stdbool.h>

/* Numbers of arguments, from 0 on. */
struct alloc_signature {
	int klass;        /* Klass* */
	int tlab;         /* bytes of the new TLAB; -1: the object has none, it is outside of any */
	int size;         /* bytes of the object */
	int thread;       /* Thread*; -1: not given */
};

/* Read the mangled name of such a function (Itanium C++ ABI, 5.1).  Returns false when it is none, or
 * one whose parameters are not understood. */
bool alloc_signature_read(struct alloc_signature *s, const char *mangled);

/* The register of an argument, as perf_event_open(2) numbers them (asm/perf_regs.h); -1: this machine's
 * are not known, or it is not in a register. */
int alloc_argument_register(int argument);

#endif
