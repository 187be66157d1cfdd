#include "collect/jvm/code_blob.h"

#include <string.h>

/* No part of a compiled method is as large as this, so larger numbers are nonsense. */
enum { PART_MAX_BYTES = 64 << 20, FRAME_MAX_WORDS = 1 << 20 };

enum {
	NAME,
	SIZE,
	FRAME_COMPLETE,
	FRAME_SIZE,
	CODE_BEGIN,
	CODE_END,
	CODE_OFFSET,
	DATA_OFFSET,
	METHOD,
	COMPILE_ID,
	LEVEL,
	ORIG_PC,
	DEOPT_BEGIN,
	DEOPT_OFFSET,
	DEOPT_MH_BEGIN,
	DEOPT_MH_OFFSET,
	SCOPES_DATA_BEGIN,
	SCOPES_DATA_OFFSET,
	SCOPES_PCS_OFFSET,
	DEPENDENCIES_OFFSET,
	METADATA_OFFSET,
	NULL_CHECKS_OFFSET,
	IMMUTABLE_DATA,
	IMMUTABLE_SIZE,
	MUTABLE_DATA,
	MUTABLE_SIZE,
	RELOCATION_SIZE,
	FIELDS
};

_Static_assert((int)FIELDS <= (int)BLOB_FIELDS, "all have a place");

/* others: its names in other versions. */
static const struct {
	const char *type, *field, *others[2];
} fields[FIELDS] = {
	[NAME] = { "CodeBlob", "_name", { NULL } },
	[SIZE] = { "CodeBlob", "_size", { NULL } },
	[FRAME_COMPLETE] = { "CodeBlob", "_frame_complete_offset", { NULL } },
	[FRAME_SIZE] = { "CodeBlob", "_frame_size", { NULL } },
	[CODE_BEGIN] = { "CodeBlob", "_code_begin", { NULL } },
	[CODE_END] = { "CodeBlob", "_code_end", { NULL } },
	[CODE_OFFSET] = { "CodeBlob", "_code_offset", { NULL } },
	[DATA_OFFSET] = { "CodeBlob", "_data_offset", { NULL } },
	[METHOD] = { "nmethod", "_method", { NULL } },
	[COMPILE_ID] = { "nmethod", "_compile_id", { NULL } },
	[LEVEL] = { "nmethod", "_comp_level", { NULL } },
	[ORIG_PC] = { "nmethod", "_orig_pc_offset", { NULL } },
	[DEOPT_BEGIN] = { "nmethod", "_deopt_handler_begin", { NULL } },
	[DEOPT_OFFSET] = { "nmethod",
			   "_deopt_handler_offset",
			   { "_deoptimize_offset", "_deopt_handler_entry_offset" } },
	[DEOPT_MH_BEGIN] = { "nmethod", "_deopt_mh_handler_begin", { NULL } },
	[DEOPT_MH_OFFSET] = { "nmethod", "_deopt_mh_handler_offset", { "_deoptimize_mh_offset" } },
	[SCOPES_DATA_BEGIN] = { "nmethod", "_scopes_data_begin", { NULL } },
	[SCOPES_DATA_OFFSET] = { "nmethod", "_scopes_data_offset", { NULL } },
	[SCOPES_PCS_OFFSET] = { "nmethod", "_scopes_pcs_offset", { NULL } },
	[DEPENDENCIES_OFFSET] = { "nmethod", "_dependencies_offset", { NULL } },
	[METADATA_OFFSET] = { "nmethod", "_metadata_offset", { NULL } },
	[NULL_CHECKS_OFFSET] = { "nmethod", "_nul_chk_table_offset", { NULL } },
	[IMMUTABLE_DATA] = { "nmethod", "_immutable_data", { NULL } },
	[IMMUTABLE_SIZE] = { "nmethod", "_immutable_data_size", { NULL } },
	[MUTABLE_DATA] = { "CodeBlob", "_mutable_data", { NULL } },
	[MUTABLE_SIZE] = { "CodeBlob", "_mutable_data_size", { NULL } },
	[RELOCATION_SIZE] = { "CodeBlob", "_relocation_size", { NULL } },
};

/* Size of a field of a type: "int", "u2", "const char*", "volatile signed char". */
static uint8_t code_blob_size_of(const struct vm_tables *t, const char *type)
{
	uint64_t size = type && !strchr(type, '*') ? vm_size(t, type) : 8;

	return size == 1 || size == 2 || size == 8 ? (uint8_t)size : 4;
}

bool blob_field_find(struct blob_field *f, const struct vm_tables *t, const char *type, const char *name)
{
	int64_t offset = name ? vm_offset(t, type, name) : -1;

	if (offset < 0 || offset > BLOB_HEADER_MAX - 8)
		return false;
	*f = (struct blob_field){ (uint32_t)offset, code_blob_size_of(t, vm_field_type(t, type, name)) };
	return true;
}

uint64_t blob_field_get(const struct blob_field *f, const uint8_t *object)
{
	uint64_t value = 0;

	memcpy(&value, object + f->offset, f->size);
	return value;
}

static bool is_usable(const struct blob_field *f)
{
	bool has_code = (f[CODE_BEGIN].size && f[CODE_END].size) || (f[CODE_OFFSET].size && f[DATA_OFFSET].size);

	return has_code && f[NAME].size && f[SIZE].size && f[FRAME_SIZE].size && f[METHOD].size;
}

/* In 9 to 22, an nmethod inherits these fields from CompiledMethod. */
bool blob_layout_read(struct blob_layout *l, const struct vm_tables *t, const char **why)
{
	*l = (struct blob_layout){ .runtime_size = vm_size(t, "CodeBlob") };
	for (int i = 0; i < FIELDS; i++) {
		struct blob_field *f = &l->fields[i];

		if (!blob_field_find(f, t, fields[i].type, fields[i].field) &&
		    !blob_field_find(f, t, "CompiledMethod", fields[i].field) &&
		    !blob_field_find(f, t, fields[i].type, fields[i].others[0]) &&
		    !blob_field_find(f, t, fields[i].type, fields[i].others[1]))
			continue;
		if (f->offset + f->size > l->size)
			l->size = f->offset + f->size;
	}
	*why = "vmStructs without CodeBlob";
	return is_usable(l->fields) && l->runtime_size && l->runtime_size <= BLOB_HEADER_MAX;
}

static bool code_blob_has(const struct blob_layout *l, int field)
{
	return l->fields[field].size;
}

static uint64_t code_blob_get(const struct blob_layout *l, const uint8_t *header, int field)
{
	return blob_field_get(&l->fields[field], header);
}

static int64_t get_signed(const struct blob_layout *l, const uint8_t *header, int field)
{
	unsigned unused = 64 - 8u * l->fields[field].size;

	return code_blob_has(l, field) ? (int64_t)(code_blob_get(l, header, field) << unused) >> unused : 0;
}

static bool code_blob_is_part(uint64_t start, uint64_t end)
{
	return start && start <= end && end - start <= PART_MAX_BYTES;
}

bool blob_decode(const struct blob_layout *l, const uint8_t *header, uint64_t address, struct code_blob *blob,
		 uint64_t *name)
{
	int64_t complete = code_blob_has(l, FRAME_COMPLETE) ? get_signed(l, header, FRAME_COMPLETE) : -1;
	int64_t words = get_signed(l, header, FRAME_SIZE);

	*blob = (struct code_blob){ .kind = CODE_STUB,
				    .start = address,
				    .end = address + code_blob_get(l, header, SIZE) };
	*name = code_blob_get(l, header, NAME);
	blob->code_begin = code_blob_has(l, CODE_BEGIN) ? code_blob_get(l, header, CODE_BEGIN)
							: address + code_blob_get(l, header, CODE_OFFSET);
	blob->code_end = code_blob_has(l, CODE_END) ? code_blob_get(l, header, CODE_END)
						    : address + code_blob_get(l, header, DATA_OFFSET);
	if (!code_blob_is_part(blob->start, blob->end) || !code_blob_is_part(blob->code_begin, blob->code_end) ||
	    blob->code_begin < blob->start || blob->code_end > blob->end)
		return false;
	if (words > 0 && words <= FRAME_MAX_WORDS)
		blob->frame_size = (uint32_t)words;
	if (complete >= 0 && (uint64_t)complete <= blob->code_end - blob->code_begin)
		blob->frame_complete = blob->code_begin + (uint64_t)complete;
	return true;
}

static void find_deoptimisation(const struct blob_layout *l, const uint8_t *header, struct code_blob *blob)
{
	const int begin[] = { DEOPT_BEGIN, DEOPT_MH_BEGIN }, offset[] = { DEOPT_OFFSET, DEOPT_MH_OFFSET };

	for (int i = 0; i < 2; i++) {
		uint64_t at = code_blob_has(l, begin[i])    ? code_blob_get(l, header, begin[i])
			      : code_blob_has(l, offset[i]) ? blob->start + (uint64_t)get_signed(l, header, offset[i])
							    : 0;

		blob->deopt_handlers[i] = at > blob->code_begin && at < blob->code_end ? at : 0;
	}
	blob->orig_pc_offset = (int32_t)get_signed(l, header, ORIG_PC);
}

/* The first word of the table is the number of bytes that follow. */
static uint64_t find_null_checks(const struct blob_layout *l, const uint8_t *header, const struct code_blob *blob)
{
	uint64_t data = code_blob_has(l, IMMUTABLE_DATA) ? code_blob_get(l, header, IMMUTABLE_DATA) : blob->start;

	return code_blob_has(l, NULL_CHECKS_OFFSET) ? data + code_blob_get(l, header, NULL_CHECKS_OFFSET) : 0;
}

/* From 23 on: [dependencies] [null checks] [handlers] [pcs] [scopes] [speculations] */
static void find_scopes_apart(const struct blob_layout *l, const uint8_t *header, struct code_blob *blob)
{
	uint64_t data = code_blob_get(l, header, IMMUTABLE_DATA);

	blob->scopes_pcs = data + code_blob_get(l, header, SCOPES_PCS_OFFSET);
	blob->scopes_pcs_end = blob->scopes_data = data + code_blob_get(l, header, SCOPES_DATA_OFFSET);
	blob->scopes_data_end = data + code_blob_get(l, header, IMMUTABLE_SIZE);
}

/* [metadata] [scopes] [pcs] [dependencies] */
static void find_scopes_within(const struct blob_layout *l, const uint8_t *header, struct code_blob *blob)
{
	blob->scopes_data = code_blob_has(l, SCOPES_DATA_BEGIN)
				    ? code_blob_get(l, header, SCOPES_DATA_BEGIN)
				    : blob->start + code_blob_get(l, header, SCOPES_DATA_OFFSET);
	blob->scopes_data_end = blob->scopes_pcs = blob->start + code_blob_get(l, header, SCOPES_PCS_OFFSET);
	blob->scopes_pcs_end = blob->start + code_blob_get(l, header, DEPENDENCIES_OFFSET);
}

static void find_metadata(const struct blob_layout *l, const uint8_t *header, struct code_blob *blob)
{
	if (code_blob_has(l, MUTABLE_DATA)) { /* [relocation] [metadata] [JVMCI] */
		blob->metadata = code_blob_get(l, header, MUTABLE_DATA) + code_blob_get(l, header, RELOCATION_SIZE);
		blob->metadata_end = code_blob_get(l, header, MUTABLE_DATA) + code_blob_get(l, header, MUTABLE_SIZE);
	} else if (code_blob_has(l, IMMUTABLE_DATA)) { /* 23, 24: offsets from the beginning of the data */
		blob->metadata =
			blob->start + code_blob_get(l, header, DATA_OFFSET) + code_blob_get(l, header, METADATA_OFFSET);
		blob->metadata_end = blob->end;
	} else {
		blob->metadata = blob->start + code_blob_get(l, header, METADATA_OFFSET);
		blob->metadata_end = blob->scopes_data;
	}
}

bool blob_decode_nmethod(const struct blob_layout *l, const uint8_t *header, struct code_blob *blob)
{
	blob->method = code_blob_get(l, header, METHOD);
	blob->compile_id = (int)get_signed(l, header, COMPILE_ID);
	blob->level = code_blob_has(l, LEVEL) ? (int8_t)code_blob_get(l, header, LEVEL) : 0;
	if (blob->level < 0 || blob->level > 4)
		blob->level = 0;
	if (!blob->method || blob->method % 8)
		return false;
	find_deoptimisation(l, header, blob);
	if (code_blob_has(l, IMMUTABLE_DATA))
		find_scopes_apart(l, header, blob);
	else
		find_scopes_within(l, header, blob);
	find_metadata(l, header, blob);
	blob->null_checks = find_null_checks(l, header, blob);
	if (!code_blob_is_part(blob->scopes_pcs, blob->scopes_pcs_end) ||
	    !code_blob_is_part(blob->scopes_data, blob->scopes_data_end) ||
	    !code_blob_is_part(blob->metadata, blob->metadata_end) || blob->metadata % 8)
		blob->scopes_pcs = blob->scopes_pcs_end = 0;
	return true;
}
