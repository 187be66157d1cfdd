/* java_name: does a frame's name look like one of Java's?
 *
 *     Ljava/util/List::add    com/example/App::handle     a package that is known, with '/'
 *     com.example.App.handle  App.main  App$1.<init>      a class, which begins with a capital, and '.'
 *     java.lang.String        byte[]  com.example.App[]   a class: of allocated objects
 *
 * Suffixes by C compilers ("Foo.cold", "Foo.part.0") and Go ("net.Listen.func1") are not methods. */
#ifndef RENDER_JAVA_NAME_H
#define RENDER_JAVA_NAME_H

#include <stdbool.h>
#include <stddef.h>

bool is_java_name(const char *name, size_t len);

#endif
