/* code_section: the section RECORDING_CODE (core/format/recording.h). */
#ifndef COLLECT_RECORDING_CODE_SECTION_H
#define COLLECT_RECORDING_CODE_SECTION_H

#include "core/str.h"
#include "core/symbols/jit/jit_files.h"
#include "core/symbols/space/places.h"

/* Append a line for each piece of JIT code that contains one of the places.
 * spaces: those that jit_files_place() filled. */
void code_section_write(const struct jit_files *jit, struct spaces *spaces, const struct places *places,
			struct modules *modules, struct str *out);

#endif
