/* script_name: names of functions as perf script prints them, as names.h makes them from recordings. */
#ifndef COLLAPSE_SCRIPT_SCRIPT_NAME_H
#define COLLAPSE_SCRIPT_SCRIPT_NAME_H

#include <stddef.h>

#include "collapse/frames/names.h"
#include "collapse/fold/text_stacks.h"
#include "core/str.h"

/* Append name[0..len) without its parameters, demangled if it still has to be, as style says.  Returns the kind of
 * frame: that of JIT code may follow from the name (collapse/frames/tier.h).  scratch: any text; it is overwritten. */
enum text_kind script_name_add(struct str *out, struct str *scratch, const char *name, size_t len, enum text_kind kind,
			       const struct name_style *style);

/* Append ":prog.c:12" for a source line, "  /src/prog.c:12 (discriminator 2)"; nothing for "??:0". */
void script_name_add_line(struct str *out, const char *line, size_t len);

#endif
