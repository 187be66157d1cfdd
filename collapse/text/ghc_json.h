/* ghc_json: GHC's profiles in JSON, which +RTS -pj writes, to PROGRAM.prof, too:
 *
 *     {"program": "a", "rts_arguments": ["-pj"], "total_ticks": 798, "cost_centres": [
 *         {"id": 7, "label": "work", "module": "Main", "src_loc": "a.hs:3:1-4", "is_caf": false}, ...],
 *      "profile": {"id": 144, "entries": 0, "alloc": 648, "ticks": 0, "children": [
 *         {"id": 7, "entries": 1, "alloc": 640, "ticks": 3, "children": []}]}}
 *
 * Values are those of a cost centre itself.  Events: ticks, bytes, entries, as in the text. */
#ifndef COLLAPSE_TEXT_GHC_JSON_H
#define COLLAPSE_TEXT_GHC_JSON_H

#include "collapse/parse/json_input.h"

bool ghc_json_is(const char *text, size_t len);

void ghc_json_parse(const struct text_part *part);

#endif
