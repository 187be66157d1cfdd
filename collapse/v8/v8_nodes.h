/* v8_nodes: the tree of calls in profiles of V8, whose samples name its nodes (cpuprofile.c, trace_events.c, heapprofile.c):
 *
 *     [{"id": 1, "callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}, "children": [2]},
 *      {"id": 2, "callFrame": {"functionName": "main", "url": "file:///app.js", "lineNumber": 4}, "hitCount": 2},
 *      {"id": 3, "callFrame": {"functionName": "work"}, "parent": 2}] */
#ifndef COLLAPSE_V8_V8_NODES_H
#define COLLAPSE_V8_V8_NODES_H

#include "collapse/parse/json_input.h"
#include "core/map.h"

struct v8_node {
	uint64_t id;
	uint32_t frame;
	uint32_t parent; /* its place + 1; 0: none */
	uint32_t stack;  /* once has_stack */
	uint64_t value;  /* hits, or bytes */
	bool has_stack;
};

struct v8_nodes { /* empty when s is set, and the rest is 0 */
	struct text_stacks *s;
	struct v8_node *nodes; /* [count] */
	size_t count, cap;
	struct map places; /* of ids: place + 1 */
};

/* Add the nodes of an array.  Either parents name their children, or children their parents, which must then be in this
 * array or an earlier one. */
void v8_nodes_add(struct v8_nodes *n, struct json nodes);

/* Add the tree below head, in which nodes contain their children, and the members of callFrame:
 *     {"id": 1, "functionName": "(root)", "children": [{"id": 2, "functionName": "main", "url": "/app.js", "lineNumber": 5, ...
 * Lines count from 1. */
void v8_nodes_add_tree(struct v8_nodes *n, struct json head);

/* The same for a heap: its nodes have a callFrame and "selfSize", and perhaps no id. */
void v8_nodes_add_heap(struct v8_nodes *n, struct json head);

/* Add a sample of each node with a value. */
void v8_nodes_fold_values(struct v8_nodes *n, uint32_t labels);

/* The node with the id in value; NULL: there is none. */
struct v8_node *v8_nodes_find(struct v8_nodes *n, struct json value);

/* The stack of a node, without the outermost node, "(root)", which says nothing.  If the stack is very deep, or nodes
 * call each other in a circle, it has only the innermost frames, below "[truncated]". */
uint32_t v8_nodes_stack(struct v8_nodes *n, struct v8_node *node);

void v8_nodes_free(struct v8_nodes *n);

#endif
