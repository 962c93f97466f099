// Searches the index that search-index.js assigned, for the words of the query; the last word may be incomplete.
"use strict";
(() => {
  const { pages, words } = searchIndex;
  const vocabulary = Object.keys(words);
  const limit = 50;

  // The first position of the vocabulary at or after a word.
  function position(word) {
    let [low, high] = [0, vocabulary.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (vocabulary[middle] < word) low = middle + 1; else high = middle;
    }
    return low;
  }

  // The pages with a word or with longer words that begin with it, and how well each fits.
  function pagesWith(word) {
    const found = new Map();
    for (let at = position(word); at < vocabulary.length && vocabulary[at].startsWith(word); at++) {
      const list = words[vocabulary[at]];
      const fit = vocabulary[at] === word ? 1 : word.length / vocabulary[at].length / 2;
      for (let i = 0; i < list.length; i += 2) {
        found.set(list[i], Math.max(found.get(list[i]) ?? 0, list[i + 1] * fit));
      }
    }
    return found;
  }

  function search(query) {
    const sought = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    let scores = null;
    for (const word of sought) {
      const found = pagesWith(word);
      const both = new Map();
      for (const [page, score] of found) {
        if (scores === null || scores.has(page)) both.set(page, score + (scores?.get(page) ?? 0));
      }
      scores = both;
    }
    const exact = query.trim().toLowerCase();
    const rank = ([page, score]) => score + (pages[page][0].toLowerCase() === exact ? 20 : 0) - pages[page][0].length / 1000;
    return [...(scores ?? [])].sort((a, b) => rank(b) - rank(a)).map(([page]) => pages[page]);
  }

  function item([title, address, kind, abstract]) {
    const element = document.createElement("li");
    const link = document.createElement("a");
    const label = document.createElement("span");
    const text = document.createElement("p");
    link.href = address;
    link.textContent = title;
    label.className = "kind";
    label.textContent = ` ${kind}`;
    text.textContent = abstract;
    element.append(link, label, text);
    return element;
  }

  const field = document.querySelector(".find input");
  const status = document.querySelector("#status");
  const list = document.querySelector(".results");

  function show() {
    const query = field.value;
    const found = query.trim() ? search(query) : [];
    list.replaceChildren(...found.slice(0, limit).map(item));
    status.textContent = !query.trim() ? "" : found.length === 0 ? "Nothing was found." :
      found.length > limit ? `${found.length} pages, of which the first ${limit} follow.` :
      found.length === 1 ? "One page." : `${found.length} pages.`;
  }

  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.addEventListener("input", () => {
    show();
    // A page that comes from a file may not be allowed to change its address.
    try {
      history.replaceState(null, "", field.value ? `?q=${encodeURIComponent(field.value)}` : location.pathname);
    } catch {}
  });
  document.querySelector(".find").addEventListener("submit", (event) => event.preventDefault());
  show();
})();
