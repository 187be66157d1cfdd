/* tree_order: how siblings stand in a tree, from left to right. */
#ifndef RENDER_TREE_ORDER_H
#define RENDER_TREE_ORDER_H

#include "render/tree.h"

enum tree_order {
	ORDER_NAME,    /* as tree_build() makes it */
	ORDER_WIDTH,   /* the widest first, then by name */
	ORDER_ARRIVAL, /* as the input had them first */
};

/* Order the siblings in t, which tree_build() made of p. */
void tree_order(struct tree *t, const struct profile *p, enum tree_order order);

#endif
