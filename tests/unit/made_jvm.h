/* made_jvm: the tables of an imitated JVM: the fields, types and constants of JDK 17 (x86-64) that collect/jvm asks
 * for, and MADE_CONSTANT, if that is defined.  To runtime_symbols(), a program that includes this looks like libjvm. */
#ifndef TESTS_UNIT_MADE_JVM_H
#define TESTS_UNIT_MADE_JVM_H

#include <link.h>
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "collect/jvm/jvm.h"

/* Where static fields are, 8 bytes each. */
enum { MADE_STATICS = 0x1000 };

struct made_field {
	const char *type, *name, *declared;
	int32_t is_static;
	uint64_t offset, address;
};

struct made_number {
	const char *name;
	uint64_t value;
};

struct made_constant {
	const char *name;
	int32_t value;
};

#define FIELD(type, name, declared, offset)        \
	{                                          \
		type, name, declared, 0, offset, 0 \
	}
#define STATIC(type, name, declared, n)                            \
	{                                                          \
		type, name, declared, 1, 0, MADE_STATICS + 8 * (n) \
	}

static const struct made_field made_fields[] = {
	STATIC("ZGlobalsForVMStructs", "_instance_p", "ZGlobalsForVMStructs*", 0),
	FIELD("ZGlobalsForVMStructs", "_ZAddressWeakBadMask", "uintptr_t*", 56),
	FIELD("CollectedHeap", "_is_gc_active", "bool", 48),
	FIELD("CollectedHeap", "_total_collections", "unsigned int", 64),
	FIELD("ConstantPool", "_tags", "Array<u1>*", 8),
	FIELD("ConstantPool", "_cache", "ConstantPoolCache*", 16),
	FIELD("ConstantPool", "_resolved_klasses", "Array<Klass*>*", 40),
	FIELD("ConstantPoolCacheEntry", "_indices", "intx", 0),
	FIELD("ConstantPoolCacheEntry", "_f1", "Metadata*", 8),
	FIELD("ConstantPoolCacheEntry", "_f2", "intx", 16),
	FIELD("Method", "_intrinsic_id", "u2", 48),
	FIELD("ConstantPool", "_pool_holder", "InstanceKlass*", 24),
	FIELD("ConstantPool", "_length", "int", 60),
	FIELD("ConstantPool", "_source_file_name_index", "u2", 54),
	FIELD("InstanceKlass", "_fields", "Array<u2>*", 456),
	FIELD("InstanceKlass", "_constants", "ConstantPool*", 232),
	FIELD("Klass", "_primary_supers[0]", "Klass*", 48),
	FIELD("Klass", "_layout_helper", "jint", 8),
	FIELD("Klass", "_name", "Symbol*", 24),
	FIELD("Method", "_constMethod", "ConstMethod*", 8),
	FIELD("Method", "_flags", "u2", 50),
	FIELD("Method", "_code", "CompiledMethod*", 72),
	FIELD("ConstMethod", "_constants", "ConstantPool*", 8),
	FIELD("ConstMethod", "_constMethod_size", "int", 24),
	FIELD("ConstMethod", "_flags", "u2", 28),
	FIELD("ConstMethod", "_code_size", "u2", 32),
	FIELD("ConstMethod", "_name_index", "u2", 34),
	FIELD("Symbol", "_length", "u2", 4),
	FIELD("Symbol", "_body", "None", 6),
	STATIC("Universe", "_collectedHeap", "CollectedHeap*", 1),
	STATIC("CompressedOops", "_narrow_oop._base", "address", 2),
	STATIC("CompressedOops", "_narrow_oop._shift", "int", 3),
	STATIC("CompressedKlassPointers", "_narrow_klass._base", "address", 4),
	STATIC("CompressedKlassPointers", "_narrow_klass._shift", "int", 5),
	FIELD("VirtualSpace", "_high_boundary", "char*", 8),
	FIELD("VirtualSpace", "_low", "char*", 16),
	FIELD("VirtualSpace", "_high", "char*", 24),
	FIELD("GrowableArrayBase", "_len", "int", 0),
	FIELD("GrowableArray<int>", "_data", "int*", 8),
	STATIC("CodeCache", "_heaps", "GrowableArray<CodeHeap*>*", 6),
	FIELD("CodeHeap", "_memory", "VirtualSpace", 8),
	FIELD("CodeHeap", "_segmap", "VirtualSpace", 120),
	FIELD("CodeHeap", "_log2_segment_size", "int", 256),
	FIELD("HeapBlock::Header", "_length", "size_t", 0),
	FIELD("HeapBlock::Header", "_used", "bool", 8),
	STATIC("AbstractInterpreter", "_code", "StubQueue*", 7),
	FIELD("StubQueue", "_stub_buffer", "address", 8),
	FIELD("StubQueue", "_queue_end", "int", 28),
	FIELD("InterpreterCodelet", "_size", "int", 8),
	FIELD("InterpreterCodelet", "_description", "const char*", 0),
	STATIC("StubRoutines", "_call_stub_return_address", "address", 8),
	FIELD("PcDesc", "_pc_offset", "int", 0),
	FIELD("PcDesc", "_scope_decode_offset", "int", 4),
	FIELD("PcDesc", "_flags", "int", 12),
	FIELD("CodeBlob", "_name", "const char*", 96),
	FIELD("CodeBlob", "_size", "int", 12),
	FIELD("CodeBlob", "_frame_complete_offset", "int", 20),
	FIELD("CodeBlob", "_data_offset", "int", 24),
	FIELD("CodeBlob", "_frame_size", "int", 28),
	FIELD("CodeBlob", "_code_begin", "address", 32),
	FIELD("CodeBlob", "_code_end", "address", 40),
	FIELD("CompiledMethod", "_method", "Method*", 112),
	FIELD("CompiledMethod", "_scopes_data_begin", "address", 120),
	FIELD("CompiledMethod", "_deopt_handler_begin", "address", 128),
	FIELD("CompiledMethod", "_deopt_mh_handler_begin", "address", 136),
	FIELD("PcDesc", "_pc_offset", "int", 0),
	FIELD("PcDesc", "_scope_decode_offset", "int", 4),
	FIELD("nmethod", "_orig_pc_offset", "int", 300),
	FIELD("nmethod", "_metadata_offset", "int", 260),
	FIELD("nmethod", "_scopes_pcs_offset", "int", 268),
	FIELD("nmethod", "_dependencies_offset", "int", 272),
	FIELD("nmethod", "_compile_id", "int", 304),
	FIELD("nmethod", "_comp_level", "int", 308),
	STATIC("ThreadsSMRSupport", "_java_thread_list", "ThreadsList*", 9),
	FIELD("ThreadsList", "_length", "const uint", 4),
	FIELD("ThreadsList", "_threads", "JavaThread *const *const", 16),
	FIELD("NamedThread", "_name", "char*", 656),
	FIELD("JavaThread", "_threadObj", "OopHandle", 648),
	FIELD("JavaThread", "_osthread", "OSThread*", 560),
	FIELD("JVMFlag", "_name", "const char*", 8),
	FIELD("JVMFlag", "_addr", "None", 0),
	FIELD("JVMFlag", "_flags", "JVMFlag::Flags", 16),
	STATIC("JVMFlag", "flags", "JVMFlag*", 10),
	STATIC("JVMFlag", "numFlags", "size_t", 11),
	STATIC("Abstract_VM_Version", "_vm_major_version", "int", 12),
	STATIC("JDK_Version", "_current", "JDK_Version", 13),
	STATIC("PerfMemory", "_prologue", "PerfDataPrologue*", 14),
	FIELD("JDK_Version", "_major", "unsigned char", 0),
	FIELD("Array<int>", "_length", "int", 0),
	FIELD("Array<int>", "_data", "None", 4),
	FIELD("Array<u1>", "_data", "None", 4),
	FIELD("Array<u2>", "_data", "None", 4),
	FIELD("OSThread", "_thread_id", "OSThread::thread_id_t", 208),
	{ 0 }
};

static const struct made_number made_types[] = { { "short", 2 },
						 { "int", 4 },
						 { "long", 8 },
						 { "char", 1 },
						 { "volatile signed char", 1 },
						 { "u2", 2 },
						 { "bool", 1 },
						 { "size_t", 8 },
						 { "address", 8 },
						 { "PcDesc", 16 },
						 { "Klass", 208 },
						 { "InstanceKlass", 464 },
						 { "ConstantPool", 72 },
						 { "ConstantPoolCache", 40 },
						 { "ConstantPoolCacheEntry", 32 },
						 { "Method", 88 },
						 { "ConstMethod", 48 },
						 { "Symbol", 8 },
						 { "OopHandle", 8 },
						 { "SystemDictionary", 1 },
						 { "vmClasses", 1 },
						 { "GrowableArrayBase", 8 },
						 { "GrowableArray<int>", 24 },
						 { "Threads", 1 },
						 { "Thread", 648 },
						 { "NonJavaThread", 656 },
						 { "NamedThread", 680 },
						 { "JavaThread", 1384 },
						 { "OSThread", 216 },
						 { "ThreadsSMRSupport", 1 },
						 { "ThreadsList", 32 },
						 { "AbstractInterpreter", 1 },
						 { "StubQueue", 48 },
						 { "StubRoutines", 1 },
						 { "InterpreterCodelet", 16 },
						 { "CodeCache", 1 },
						 { "CodeHeap", 344 },
						 { "HeapBlock", 16 },
						 { "HeapBlock::Header", 16 },
						 { "CodeBlob", 104 },
						 { "CompiledMethod", 192 },
						 { "nmethod", 352 },
						 { "PcDesc", 16 },
						 { "JVMFlag", 24 },
						 { "Abstract_VM_Version", 1 },
						 { "JDK_Version", 5 },
						 { "Array<int>", 8 },
						 { "Array<u1>", 8 },
						 { "Array<u2>", 8 },
						 { "Universe", 1 },
						 { "CompressedOops", 1 },
						 { "CompressedKlassPointers", 1 },
						 { "ZGlobalsForVMStructs", 80 },
						 { "CollectedHeap", 96 },
						 { "VirtualSpace", 112 },
						 { 0 } };

static const struct made_constant made_constants[] = { { "Klass::_lh_element_type_shift", 8 },
						       { "Klass::_lh_element_type_mask", 255 },
						       { "Klass::_lh_header_size_shift", 16 },
						       { "Klass::_lh_header_size_mask", 255 },
						       { "Klass::_lh_array_tag_shift", 30 },
						       { "Klass::_lh_array_tag_type_value", -1 },
						       { "ConstMethod::_has_linenumber_table", 1 },
						       { "FieldInfo::access_flags_offset", 0 },
						       { "FieldInfo::name_index_offset", 1 },
						       { "FieldInfo::signature_index_offset", 2 },
						       { "FieldInfo::low_packed_offset", 4 },
						       { "FieldInfo::high_packed_offset", 5 },
						       { "FieldInfo::field_slots", 6 },
						       { "frame::interpreter_frame_sender_sp_offset", -1 },
						       { "frame::interpreter_frame_last_sp_offset", -2 },
#ifdef MADE_CONSTANT
						       MADE_CONSTANT,
#endif
						       { 0 } };

static const struct made_number made_long_constants[] = { { "markWord::lock_bits", 2 }, { 0 } };

#define TABLE(name, type) const type *const gHotSpotVM##name

extern TABLE(Structs, struct made_field);
extern TABLE(Types, struct made_number);
extern TABLE(IntConstants, struct made_constant);
extern TABLE(LongConstants, struct made_number);
TABLE(Structs, struct made_field) = made_fields;
TABLE(Types, struct made_number) = made_types;
TABLE(IntConstants, struct made_constant) = made_constants;
TABLE(LongConstants, struct made_number) = made_long_constants;

#define COLUMNS(X)                                                            \
	X(StructEntryArrayStride, sizeof(struct made_field))                  \
	X(StructEntryTypeNameOffset, offsetof(struct made_field, type))       \
	X(StructEntryFieldNameOffset, offsetof(struct made_field, name))      \
	X(StructEntryTypeStringOffset, offsetof(struct made_field, declared)) \
	X(StructEntryIsStaticOffset, offsetof(struct made_field, is_static))  \
	X(StructEntryOffsetOffset, offsetof(struct made_field, offset))       \
	X(StructEntryAddressOffset, offsetof(struct made_field, address))     \
	X(TypeEntryArrayStride, sizeof(struct made_number))                   \
	X(TypeEntryTypeNameOffset, offsetof(struct made_number, name))        \
	X(TypeEntrySizeOffset, offsetof(struct made_number, value))           \
	X(IntConstantEntryArrayStride, sizeof(struct made_constant))          \
	X(IntConstantEntryNameOffset, offsetof(struct made_constant, name))   \
	X(IntConstantEntryValueOffset, offsetof(struct made_constant, value)) \
	X(LongConstantEntryArrayStride, sizeof(struct made_number))           \
	X(LongConstantEntryNameOffset, offsetof(struct made_number, name))    \
	X(LongConstantEntryValueOffset, offsetof(struct made_number, value))

#define DECLARE(name, value) extern COLUMN_TYPE gHotSpotVM##name;
#define DEFINE(name, value) COLUMN_TYPE gHotSpotVM##name = (value);
#define COLUMN_TYPE const uint64_t
COLUMNS(DECLARE)
COLUMNS(DEFINE)

static inline int take_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1; /* the program itself comes first */
}

/* Open a JVM with these tables.  read() returns its memory at addresses from MADE_STATICS on; NULL: the memory is that
 * of this process.  Returns whether that worked. */
static inline bool made_jvm(struct jvm *jvm,
			    bool (*read)(const struct remote *r, uint64_t address, void *to, size_t len),
			    void *argument)
{
	struct remote own = { .pid = getpid() };

	*jvm = (struct jvm){ .remote = { getpid(), read, argument } };
	snprintf(jvm->lib.path, sizeof(jvm->lib.path), "/proc/self/exe");
	dl_iterate_phdr(take_bias, &jvm->lib.bias);
	jvm->tables = vm_tables_read(&own, &jvm->lib);
	return jvm->tables;
}

#endif
