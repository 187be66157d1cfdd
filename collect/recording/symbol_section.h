/* symbol_section: writes what is known about places to the section RECORDING_SYMBOLS (core/format/recording.h). */
#ifndef COLLECT_RECORDING_SYMBOL_SECTION_H
#define COLLECT_RECORDING_SYMBOL_SECTION_H

#include "core/str.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"

/* Append the section to out: for each module its symbols, then source lines and inlined functions, then functions
 * without a name and the reasons. */
void symbol_section_write(struct str *out, const struct places *places, const struct modules *modules);

#endif
