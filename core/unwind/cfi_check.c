#include "core/unwind/cfi_check.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	REGISTERS = 4096, /* register numbers: far more than any processor has */
	REMEMBERED = 64,  /* states remembered at the same time */
	LEB_BYTES = 10,
};

/* The remaining bytes of an entry. */
struct bytes {
	const uint8_t *at, *end;
	bool bad; /* the entry is cut short or invalid: libdw stops there, too */
	bool asks_much;
};

static void cfi_check_skip(struct bytes *b, uint64_t count)
{
	if (count > (uint64_t)(b->end - b->at)) {
		b->at = b->end;
		b->bad = true;
	} else {
		b->at += count;
	}
}

/* Take an unsigned LEB128 number; only the length of signed ones matters, which is the same. */
static uint64_t take_leb(struct bytes *b)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < LEB_BYTES; i++) {
		uint8_t byte;

		if (b->at == b->end) {
			b->bad = true;
			break;
		}
		byte = *b->at++;
		n |= (uint64_t)(byte & 0x7f) << 7 * i;
		if (!(byte & 0x80))
			return n;
	}
	return UINT64_MAX;
}

/* The operands of an instruction, one character each: r register, n number, b block of bytes, a digit: that many bytes.
 * "?": not supported; NULL: unknown. */
static const char *operands(uint8_t instruction)
{
	switch (instruction) {
	case DW_CFA_nop:
	case DW_CFA_restore_state:
	case DW_CFA_remember_state:
	case DW_CFA_GNU_window_save: return "";
	case DW_CFA_advance_loc1: return "1";
	case DW_CFA_advance_loc2: return "2";
	case DW_CFA_advance_loc4: return "4";
	case DW_CFA_MIPS_advance_loc8: return "8";
	case DW_CFA_restore_extended:
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_def_cfa_register: return "r";
	case DW_CFA_offset_extended:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_GNU_negative_offset_extended: return "rn";
	case DW_CFA_register: return "rr";
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
	case DW_CFA_GNU_args_size: return "n";
	case DW_CFA_def_cfa_expression: return "b";
	case DW_CFA_expression:
	case DW_CFA_val_expression: return "rb";
	case DW_CFA_set_loc: return "?"; /* no compiler writes this */
	default: return NULL;
	}
}

static void cfi_check_skip_operand(struct bytes *b, char kind)
{
	switch (kind) {
	case 'r': b->asks_much |= take_leb(b) >= REGISTERS && !b->bad; break;
	case 'n': take_leb(b); break;
	case 'b': cfi_check_skip(b, take_leb(b)); break;
	case '?': b->asks_much = true; break;
	default: cfi_check_skip(b, (uint64_t)(kind - '0'));
	}
}

static bool are_modest(struct bytes b)
{
	unsigned remembered = 0;

	while (b.at < b.end && !b.bad && !b.asks_much) {
		uint8_t instruction = *b.at++;
		const char *kinds = operands(instruction);

		if (instruction & 0xc0) { /* the operand is in the low bits of the instruction */
			if ((instruction & 0xc0) == DW_CFA_offset)
				take_leb(&b);
			continue;
		}
		if (!kinds)
			break;
		remembered += instruction == DW_CFA_remember_state;
		remembered -= instruction == DW_CFA_restore_state && remembered;
		b.asks_much |= remembered > REMEMBERED;
		for (; *kinds; kinds++)
			cfi_check_skip_operand(&b, *kinds);
	}
	return !b.asks_much;
}

/* --- where the instructions of an entry are -------------------------------------------- */

static void skip_pointer(struct bytes *b, uint8_t encoding, const unsigned char *ident)
{
	if (encoding == DW_EH_PE_omit)
		return;
	switch (encoding & 0x07) {
	case DW_EH_PE_absptr:
		b->bad |= (encoding & 0x70) == DW_EH_PE_aligned;
		cfi_check_skip(b, ident[EI_CLASS] == ELFCLASS32 ? 4 : 8);
		break;
	case DW_EH_PE_uleb128: take_leb(b); break;
	case DW_EH_PE_udata2: cfi_check_skip(b, 2); break;
	case DW_EH_PE_udata4: cfi_check_skip(b, 4); break;
	case DW_EH_PE_udata8: cfi_check_skip(b, 8); break;
	default: b->bad = true;
	}
}

/* How addresses are encoded in the entries that refer to this common entry (CIE). */
static uint8_t address_encoding(const Dwarf_CIE *cie, const unsigned char *ident, bool *bad)
{
	struct bytes b = { .at = cie->augmentation_data };
	uint8_t encoding = DW_EH_PE_absptr, byte;

	b.end = b.at ? b.at + cie->augmentation_data_size : NULL;
	for (const char *c = cie->augmentation; *c && !b.bad; c++) {
		if (*c != 'L' && *c != 'R' && *c != 'P')
			continue;
		byte = b.at < b.end ? *b.at : 0;
		cfi_check_skip(&b, 1);
		if (*c == 'R')
			encoding = byte;
		else if (*c == 'P')
			skip_pointer(&b, byte, ident);
	}
	*bad = b.bad;
	return encoding;
}

static bool entry_is_modest(const Dwarf_FDE *fde, const Dwarf_CIE *cie, const unsigned char *ident)
{
	struct bytes b = { .at = fde->start, .end = fde->end };
	uint8_t encoding = address_encoding(cie, ident, &b.bad);

	skip_pointer(&b, encoding, ident);
	skip_pointer(&b, encoding & 0x0f, ident);
	cfi_check_skip(&b, *cie->augmentation == 'z' ? take_leb(&b) : cie->fde_augmentation_data_size);
	return b.bad || are_modest(b);
}

bool cfi_is_modest(Elf_Data *data, const unsigned char *ident, bool eh_frame)
{
	Dwarf_Off at = 0, next = 0, common_at = 0, unused;
	Dwarf_CFI_Entry entry, common;
	bool has_common = false;
	int end;

	if (!data || !data->d_buf)
		return true;
	/* Visit the entries in libdw's order; unreadable ones are skipped. */
	for (; (end = dwarf_next_cfi(ident, data, eh_frame, at, &next, &entry)) <= 0 && next > at; at = next) {
		if (end < 0)
			continue;
		if (dwarf_cfi_cie_p(&entry)) {
			if (!are_modest((struct bytes){ .at = entry.cie.initial_instructions,
							.end = entry.cie.initial_instructions_end }))
				return false;
			continue;
		}
		if (!has_common || common_at != entry.fde.CIE_pointer) {
			common_at = entry.fde.CIE_pointer;
			has_common = !dwarf_next_cfi(ident, data, eh_frame, common_at, &unused, &common) &&
				     dwarf_cfi_cie_p(&common);
		}
		if (has_common && !entry_is_modest(&entry.fde, &common.cie, ident))
			return false;
	}
	return true;
}
