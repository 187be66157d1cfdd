/* function_name: names of functions as other tools print them, with arguments.
 *
 *     std::_Function_handler<void (A&)>::_M_invoke(std::_Any_data const&)    up to "_M_invoke"
 *     (anonymous namespace)::f(int), main.(*T).run                           these parentheses stay
 *     Foo::operator()(int) const, foo (.llvm.42), f(int)::{lambda(int)#1}::operator()(int) const */
#ifndef COLLAPSE_PARSE_FUNCTION_NAME_H
#define COLLAPSE_PARSE_FUNCTION_NAME_H

#include <stddef.h>

/* The length of name without its list of arguments, and without blanks before that.  A name whose
 * brackets do not match is not cut. */
size_t function_name_len(const char *name, size_t len);

/* The same for "name (arguments...", as debuggers print it: the list begins after a blank. */
size_t function_name_before_list(const char *name, size_t len);

#endif
