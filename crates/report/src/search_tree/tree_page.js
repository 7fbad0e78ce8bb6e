// Steps through a recorded search: buttons, arrow keys, Home and End.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const sentences = [...$("steps").children];
  const leaves = new Set(data.leaves), best = new Set(data.best);
  const last = data.steps.length - 1;
  let at = 0;

  function write(id, text) {
    const element = $(id);
    if (element) element.textContent = text;
  }

  // Keeps the current node visible in the box of the tree.
  function follow(node) {
    const box = $("tree"), place = node.getBoundingClientRect(), own = box.getBoundingClientRect();
    const left = box.scrollLeft + place.x + place.width / 2 - own.x - box.clientWidth / 2;
    const top = box.scrollTop + place.y + place.height / 2 - own.y - box.clientHeight / 2;
    box.scrollTo({ left, top });
  }

  function show(step) {
    at = Math.max(0, Math.min(step, last));
    const seen = new Map(), cut = new Set(), path = new Set(), now = data.steps[at];
    for (const step of data.steps.slice(0, at + 1)) {
      seen.set(step.node, step);
      for (const node of step.cut || []) cut.add(node);
    }
    for (let node = now.node; node !== null; node = data.parents[node]) path.add(node);
    const on = at === last ? best : path;
    data.parents.forEach((_, node) => {
      const state = seen.get(node);
      for (const part of [$("node" + node), $("link" + node)]) {
        if (!part) continue;
        part.classList.toggle("cut", cut.has(node));
        part.classList.toggle("later", !state && !cut.has(node));
        part.classList.toggle("on", on.has(node));
        part.classList.toggle("at", node === now.node);
      }
      if (leaves.has(node)) return;
      write("value" + node, state ? state.value : "");
      write("alpha" + node, state && state.alpha ? "α " + state.alpha : "");
      write("beta" + node, state && state.beta ? "β " + state.beta : "");
    });
    sentences.forEach((sentence, i) => sentence.classList.toggle("here", i === at));
    write("place", `step ${at + 1} of ${last + 1}`);
    write("sentence", sentences[at].textContent);
    write("now-alpha", now.alpha || "—");
    write("now-beta", now.beta || "—");
    write("now-value", now.value || "—");
    $("to-start").disabled = $("back").disabled = at === 0;
    $("to-end").disabled = $("forward").disabled = at === last;
    follow($("node" + now.node));
  }

  const MOVES = {
    Home: () => 0, ArrowLeft: () => at - 1, ArrowRight: () => at + 1, End: () => last,
  };
  const BUTTONS = { "to-start": "Home", back: "ArrowLeft", forward: "ArrowRight", "to-end": "End" };
  for (const [id, key] of Object.entries(BUTTONS)) {
    $(id).addEventListener("click", () => show(MOVES[key]()));
  }
  document.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    show(move());
  });
  $("panel").hidden = false;
  show(0);
})();
