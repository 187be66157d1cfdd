/* What an SVG heat map holds besides the picture, for the script and for "render folded":
 *
 *     <metadata id="heat">{
 *     "origin":"1795342502000000000", of tick 0, ns since the epoch
 *     "tick":[1000000,1],             ns of a tick: num, den
 *     "group":2,                      heat_code.h
 *     "events":11880,"stacks":412,"idleEvents":9012,
 *     "window":[0,60000000000],       from, to: ns from the origin on
 *     "period":"1000000000","perColumn":1,"rows":50,"columns":60,
 *     "y":"offset",                   or "value", "utilization"
 *     "weigh":"events",               or "values", "painted"
 *     "value":["0","1000",false],     y value: low, high, logarithmic; with "step":"20"
 *     "same":1,                       every event's value; left out if they differ
 *     "decimals":0,"unit":"samples","event":"samples","spans":false,
 *     "rate":99,                      Hz; 0: none
 *     "zone":["UTC","UTC",0],         name, label, offset in ns (as a number)
 *     "relative":false,"inverted":false,"theme":"auto","fluid":true,
 *     "ramp":"ember","coloring":"linear",
 *     "ramps":[["ember","description",["#ffffff",...9],["#1a1a1a",...9],false],...],
 *     "percentiles":[50,99],
 *     "dimensions":[["thread",1],["host",0],...],   name, place of its frame in the
 *                                     stack (-1: by recording, or of regexps)
 *     "regexps":[["label","source"],...],   of the dimension called "regexp"
 *     "hues":{"dimension":"thread","keys":["java-1/a"],"isolate":false,"exclude":false},
 *     "per":"host",
 *     "recordings":[{"host":"db1","from":0,"to":60000000000,"rate":99,"cpus":[0,1],
 *                    "clock":"...","source":{...the header}},...],  from, to as "window"
 *     "gaps":[[from,to,recording,cpu,lost,"throttled"],...],  ns from the origin on
 *     "warning":"...",
 *     "flame":{...}                   what flame_svg.c has as flame-settings, of the whole
 *                                     profile: names, frames, unit, decimals, ...
 *     "box":8,"width":1200,"fontSize":12}</metadata>
 *     <metadata class="flame-names">, "flame-colours", "flame-tree"    as in a flame graph
 *     <metadata class="heat-stacks">, "heat-events"   in as many parts as it takes
 *
 * The picture that C draws stands in groups: #heading, #legend, one .map for each map (with
 * data-map="0"), in it an <image> of one pixel a cell, axes; #details. */
#include "render/heat/heat_draw.h"
