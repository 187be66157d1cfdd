/* java_name: names of Java methods as agents and JVMs write them into perf maps.
 *
 *     Lcom/example/App;::run, Lcom/example/App;::run(I)V     com/example/App::run
 *     Lcom/example/App;.run()V                               com/example/App.run
 *     void com.example.App.run(int)                          com.example.App.run
 *     LA;::run->Lb/B;::read, a.A::run->b.B::read             b.B::read is inlined into a.A::run
 *
 * No other name has this form, so that no other name loses a leading L, or is split at "->". */
#ifndef COLLAPSE_FRAMES_JAVA_NAME_H
#define COLLAPSE_FRAMES_JAVA_NAME_H

#include "collapse/frames/span.h"

/* Is name a chain of methods, each inlined into the one before, with "->" between them and nowhere else? */
bool java_name_is_chain(struct text_span name);

/* If name is a method in one of the forms above, append it as shown there and return true. */
bool java_name_add(struct str *out, struct text_span name);

#endif
