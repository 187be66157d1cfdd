/* vm_tables: libjvm's description of its own types for debuggers (hotspot/share/runtime/vmStructs.hpp):
 * gHotSpotVMStructs, gHotSpotVMTypes, gHotSpotVMIntConstants, gHotSpotVMLongConstants, read from the process.  No JVM
 * version's layout is built into this program.  Callers look up a field under all names that it has had, and do without
 * missing fields. */
#ifndef COLLECT_JVM_TABLES_VM_TABLES_H
#define COLLECT_JVM_TABLES_VM_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/tables/libjvm.h"
#include "collect/runtime/remote.h"

struct vm_tables;

/* Returns NULL if the process has no such tables, or they make no sense.  vm_tables_free() frees the tables, and
 * the strings that they returned. */
struct vm_tables *vm_tables_read(const struct remote *r, const struct runtime_file *lib);

/* The offset of an instance field; -1 if there is no such field. */
int64_t vm_offset(const struct vm_tables *t, const char *type, const char *field);

/* The address of a static field in the process; 0 if there is no such field. */
uint64_t vm_static(const struct vm_tables *t, const char *type, const char *field);

/* The declared type of a field: "OopHandle"; NULL if there is no such field. */
const char *vm_field_type(const struct vm_tables *t, const char *type, const char *field);

/* sizeof a type; 0 if there is no such type. */
uint64_t vm_size(const struct vm_tables *t, const char *type);

/* A constant by its name, "ConstMethod::_has_linenumber_table"; returns false if there is none. */
bool vm_constant(const struct vm_tables *t, const char *name, int64_t *value);

/* The value of a command-line flag of the JVM: "UseCompressedOops", "PreserveFramePointer".  Returns false if
 * there is no such flag.  The table does not give the flag's size, so *value is the 8 bytes at its address.  A bool is
 * the lowest byte; the upper bytes of a smaller number belong to something else. */
bool vm_flag(const struct vm_tables *t, const struct remote *r, const char *name, uint64_t *value);

void vm_tables_free(struct vm_tables *t);

#endif
