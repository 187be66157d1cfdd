/* rust_name: names of Rust that a demangler for C++ has seen, who did not know Rust.
 *
 *     _$LT$F$u20$as$u20$alloc..boxed..FnBox$LT$A$GT$$GT$::call_box::h8612a2a83552fc2d (.llvm.42)
 *     <F as alloc::boxed::FnBox<A>>::call_box
 */
#ifndef COLLAPSE_PARSE_RUST_NAME_H
#define COLLAPSE_PARSE_RUST_NAME_H

#include "collapse/parse/span.h"

/* Does name end with the hash that such names have? */
bool rust_name_is(struct text_span name);

/* Append the repaired name, without its hash. */
void rust_name_add(struct str *out, struct text_span name);

#endif
