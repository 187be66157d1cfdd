// Few rules, each of which has found a defect somewhere; how things look is not their business.
"use strict";

const browser = ["window", "document", "location", "history", "navigator", "localStorage", "console", "performance",
  "setTimeout", "clearTimeout", "setInterval", "clearInterval", "requestAnimationFrame", "cancelAnimationFrame", "matchMedia",
  "getComputedStyle", "URL", "URLSearchParams", "Blob", "Image", "XMLSerializer", "DOMParser", "FileReader", "Event",
  "CustomEvent", "MouseEvent", "KeyboardEvent", "Node", "Element", "SVGElement", "HTMLElement", "OffscreenCanvas", "Path2D", "ImageData",
  "TextDecoder", "TextEncoder", "CompressionStream", "DecompressionStream", "Response", "ResizeObserver",
  "MutationObserver", "addEventListener", "removeEventListener", "innerWidth", "innerHeight", "scrollY", "scrollX",
  "scrollTo", "atob", "btoa", "fetch", "Intl", "CSS", "alert", "prompt", "confirm", "devicePixelRatio", "queueMicrotask",
  "structuredClone", "Worker", "PointerEvent", "IntersectionObserver", "pyrograph", "pyrographTimeline", "DOMMatrix", "DOMPoint", "top", "parent", "self", "opener", "frames", "screen", "HTMLInputElement"];
const rules = {
  "no-undef": "error",
  "no-unused-vars": ["error", { args: "after-used", caughtErrors: "none" }],
  "no-dupe-keys": "error",
  "no-dupe-args": "error",
  "no-duplicate-case": "error",
  "no-fallthrough": "error",
  "no-func-assign": "error",
  "no-import-assign": "error",
  "no-self-assign": "error",
  "no-shadow-restricted-names": "error",
  "no-unreachable": "error",
  "no-unsafe-finally": "error",
  "no-unsafe-negation": "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-cond-assign": "error",
  "no-const-assign": "error",
  "no-loss-of-precision": "error",
  "use-isnan": "error",
  "valid-typeof": "error",
  "eqeqeq": ["error", "always", { null: "ignore" }],
  "prefer-const": ["error", { destructuring: "all" }],
  "no-var": "error",
  "max-len": ["error", { code: 120, tabWidth: 8, ignoreUrls: true, ignoreTemplateLiterals: true }],
};
const globals = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

module.exports = [
  {
    files: ["render/browser/**/*.js", "web/*.js"],
    languageOptions: { ecmaVersion: 2020, sourceType: "script", globals: globals(browser) },
    // One name, pyrograph, is what the parts of a script share: the first that needs it makes it.
    rules: { ...rules, "no-var": "off", "no-redeclare": "off" },
  },
  {
    files: ["tests/**/*.js"],
    ignores: ["**/node_modules/**"],
    languageOptions: { ecmaVersion: 2022, sourceType: "commonjs",
      globals: { ...globals(browser), ...globals(["require", "module", "process", "__dirname", "Buffer"]) } },
    rules: { ...rules, "max-len": "off" },
  },
];
