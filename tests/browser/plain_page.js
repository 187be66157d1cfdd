// Queries a Playwright page without the script of 266 kB that Playwright's own calls add to each document, twice, which
// takes longer than many a chart.  Elements that a plain CSS selector finds at once are queried directly; everything
// else goes through Playwright.
"use strict";

const OF_PLAYWRIGHT = />>|text=|:text|:has-text|:visible|:nth-match|^\/\//;

// Make a function of the page from its text.
const made = (text) => Object.assign(() => {}, { toString: () => text });

// The result of a function applied to elements, in an array, which is empty if there are no elements.
const ofElements = (page, selector, what, arg) => page.evaluate(made(`(arg) => {
  const all = Array.from(document.querySelectorAll(${JSON.stringify(selector)}));
  return ${what};
}`), arg);

function askPlainly(page, patience) {
  const usual = Object.fromEntries(["$$eval", "$eval", "textContent", "getAttribute", "waitForFunction"].map((name) =>
    [name, page[name].bind(page)]));
  // Elements that do not exist yet are waited for through Playwright.
  const first = async (name, what, selector, ...more) => {
    const found = OF_PLAYWRIGHT.test(selector) ? [] :
      await ofElements(page, selector, `all.length ? Promise.resolve((${what})(all[0], arg)).then((x) => [x]) : []`, more.slice(-1)[0]);
    return found.length ? found[0] : usual[name](selector, ...more);
  };

  page.$$eval = (selector, what, arg) => OF_PLAYWRIGHT.test(selector) ? usual.$$eval(selector, what, arg) :
    ofElements(page, selector, `(${what})(all, arg)`, arg);
  page.$eval = (selector, what, arg) => first("$eval", what, selector, what, arg);
  page.textContent = (selector) => first("textContent", "(e) => e.textContent", selector);
  page.getAttribute = (selector, name) => first("getAttribute", "(e, name) => e.getAttribute(name)", selector, name);
  page.waitForFunction = (what, arg) => page.evaluate(made(`(arg) => new Promise((done, fail) => {
    const look = async () => {
      try {
        await (${what})(arg) ? done() : requestAnimationFrame(look);
      } catch (error) {
        fail(error);
      }
    };
    look();
    setTimeout(() => fail(new Error("waited in vain")), ${patience});
  })`), arg);
}

module.exports = askPlainly;
