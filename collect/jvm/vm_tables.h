/* vm_tables: what libjvm tells debuggers of its own types (hotspot/share/runtime/vmStructs.hpp):
 * gHotSpotVMStructs, gHotSpotVMTypes, gHotSpotVMIntConstants, gHotSpotVMLongConstants, read from the
 * process.  No layout of any version is known beforehand: who wants a field asks for it, under all
 * names that it has had, and does without what is not there. */
#ifndef COLLECT_JVM_VM_TABLES_H
#define COLLECT_JVM_VM_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/libjvm.h"
#include "collect/jvm/remote.h"

struct vm_tables;

/* Returns NULL when it has none, or they make no sense.  vm_tables_free() frees it, and the texts that it gave. */
struct vm_tables *vm_tables_read(const struct remote *r, const struct libjvm *lib);

/* Of a field that each object has: its offset; -1 when there is no such field. */
int64_t vm_offset(const struct vm_tables *t, const char *type, const char *field);

/* Of a static one: its address in the process; 0 when there is no such field. */
uint64_t vm_static(const struct vm_tables *t, const char *type, const char *field);

/* As which type the table declares a field: "OopHandle"; NULL when there is none. */
const char *vm_field_type(const struct vm_tables *t, const char *type, const char *field);

/* sizeof a type; 0 when there is no such type. */
uint64_t vm_size(const struct vm_tables *t, const char *type);

/* A constant by its name, "ConstMethod::_has_linenumber_table"; returns false when there is none. */
bool vm_constant(const struct vm_tables *t, const char *name, int64_t *value);

/* The value of a command line flag as the JVM has it: "UseCompressedOops", "PreserveFramePointer".
 * Returns false when there is no such flag.  The table does not say how large it is: *value is the 8 bytes that
 * are there, of which a bool is the lowest, and of a smaller number what is above is another's. */
bool vm_flag(const struct vm_tables *t, const struct remote *r, const char *name, uint64_t *value);

void vm_tables_free(struct vm_tables *t);

#endif
