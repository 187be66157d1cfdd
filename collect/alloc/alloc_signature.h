/* alloc_signature: finds the registers that hold the class and the sizes in HotSpot's slow path of an allocation.
 *
 * hotspot/share/gc/shared/allocTracer.hpp reports objects that did not fit into the rest of the thread's TLAB
 * (thread-local allocation buffer).  The parameters differ by version; the mangled name of the function lists them:
 *
 *     8   _ZN11AllocTracer33send_allocation_in_new_tlab_eventE11KlassHandlemm
 *     11  _ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassP8HeapWordmmP6Thread
 *     17  _ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassPP12HeapWordImplmmP10JavaThread
 *                                                        class   object   sizes: of the TLAB, of the object; thread */
#ifndef COLLECT_ALLOC_ALLOC_SIGNATURE_H
#define COLLECT_ALLOC_ALLOC_SIGNATURE_H

#include <stdbool.h>

/* Indices of arguments, from 0 on. */
struct alloc_signature {
	int klass;  /* Klass* */
	int tlab;   /* bytes of the new TLAB; -1: the object is outside any TLAB */
	int size;   /* bytes of the object */
	int thread; /* Thread*; -1: not given */
};

/* Read the mangled name of such a function (Itanium C++ ABI, 5.1).  Returns false if the name is that of another
 * function, or if its parameters are not understood. */
bool alloc_signature_read(struct alloc_signature *s, const char *mangled);

/* The register of an argument, numbered as in perf_event_open(2) (asm/perf_regs.h); -1: it is not in a register,
 * or this machine is not supported. */
int alloc_argument_register(int argument);

#endif
