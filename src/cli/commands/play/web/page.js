// The board in the browser. It knows no rules: the program sends each position and its moves.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const SIDES = ["chance", "first", "second"];
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  // So many cells are marked before the first click.
  const FEW = 8;
  let view = { version: 0 }, drawn = null, origin = null, pointed = null, kept = null;

  function fill(list, items, make) {
    list.replaceChildren(...items.map(make));
  }

  function element(name, text, kind) {
    const made = document.createElement(name);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  function button(text, action) {
    const made = element("button", text);
    made.type = "button";
    made.disabled = !view.ready;
    made.addEventListener("click", action);
    return made;
  }

  const target = (cell) => $("cell" + cell) || $("node" + cell);

  function status() {
    if (view.result) return view.result;
    if (!view.turn) return "The dice are rolled.";
    const [who, side] = [view.players[view.turn - 1], view.sides[view.turn - 1]];
    if (view.ready) return who === "you" ? "Your move." : `${side} is to move.`;
    return view.moves.length ? "Looking for a hint …" : `${side} is thinking …`;
  }

  function show(next) {
    if (next.version <= view.version) return;
    view = next;
    origin = pointed = null;
    // The cell of the keyboard. Its element is gone while an agent thinks.
    const active = document.activeElement;
    if (active.dataset.cell !== undefined) kept = active.dataset.cell;
    else if (active !== document.body) kept = null;
    document.querySelector("main").hidden = false;
    document.body.classList.toggle("busy", !view.ready);
    document.title = $("game").textContent = view.title;
    $("game").title = view.game;
    view.sides.forEach((name, i) => { $("side-" + SIDES[i + 1]).textContent = name; });
    $("players").replaceChildren();
    view.players.forEach((name, i) => {
      $("players").append(element("span", `${view.sides[i]}: ${name}`, SIDES[i + 1]), i ? "" : " · ");
    });
    $("status").textContent = status();
    if (view.svg !== drawn) $("board").innerHTML = drawn = view.svg;
    $("text").hidden = view.text === null;
    $("text").textContent = view.text;
    fill($("captions"), view.captions, (text) => element("li", text));
    fill($("said"), view.said, (text) => element("li", text));
    fill($("played"), view.played, ([by, text]) => element("li", text, SIDES[by]));
    $("played").scrollTop = $("played").scrollHeight;
    showMoves();
    // The keyboard stays on its cell of the new picture.
    if (kept !== null && view.ready) focus(target(kept)?.dataset.cell ? target(kept) : within()[0]);
    $("undo").disabled = $("hint").disabled = $("resign").disabled = !view.ready;
    if (view.result) $("hint").disabled = $("resign").disabled = true;
    $("played-section").hidden = !view.played.length;
  }

  function showMoves() {
    const hint = view.hint, values = new Map(hint ? hint.values : []);
    $("moves-section").hidden = !view.moves.length;
    fill($("moves"), view.moves, ([text]) => {
      const made = button(text, () => play(text));
      if (values.has(text)) made.append(element("small", values.get(text)));
      if (hint && hint.best === text) made.classList.add("best");
      return made;
    });
    $("advice").hidden = !hint;
    if (hint) $("advice").textContent = `${hint.agent} suggests ${hint.best} (${hint.effort}). ` + (values.size
      ? "Positive: good for the first player. Negative: good for the second player."
      : "This agent does not value single moves.");
    mark();
  }

  // Marks the cells that can be clicked now.
  function mark() {
    $("choice").hidden = true;
    const begins = new Set(view.moves.map(([, cells]) => cells[0]));
    $("board").classList.toggle("few", begins.size <= FEW);
    for (const [text, cells] of view.moves) {
      cells.forEach((cell, i) => {
        const place = target(cell);
        if (!place) return;
        place.classList.add("target");
        if (i === 0) place.classList.add("begin");
        place.dataset.cell = cell;
        if (view.hint && view.hint.best === text) place.classList.add("best");
        place.classList.toggle("chosen", cell === origin);
        place.setAttribute("aria-label", named(cell));
        if (!place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
        const from = origin ?? pointed;
        const goal = from !== null && view.moves.some(([, m]) => m[0] === from && m[1] === cell);
        place.classList.toggle("goal", goal);
      });
    }
    if (!$("board").querySelector("[tabindex='0']")) within()[0]?.setAttribute("tabindex", "0");
  }

  // The moves of a cell, for screen readers.
  function named(cell) {
    const moves = view.moves.filter(([, cells]) => cells[0] === cell || cells[1] === cell);
    return moves.slice(0, 8).map(([text]) => text).join(", ");
  }

  // The cells that a click can mean now: those where moves begin, or the goals of the chosen one.
  function within() {
    const now = (cells) => origin === null ? [cells[0]] : cells[0] === origin ? cells : [];
    const cells = new Set(view.moves.flatMap(([, cells]) => now(cells)));
    return [...cells].map(target).filter((place) => place);
  }

  function focus(place) {
    if (!place) return;
    $("board").querySelectorAll("[tabindex='0']").forEach((old) => old.setAttribute("tabindex", "-1"));
    place.setAttribute("tabindex", "0");
    place.focus();
  }

  // Goes to the nearest cell in the direction of an arrow key.
  function go(place, [right, down]) {
    const middle = (of) => {
      const box = of.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(place);
    let best = null, least = Infinity;
    for (const other of within()) {
      const [dx, dy] = [middle(other)[0] - x, middle(other)[1] - y];
      const ahead = dx * right + dy * down, aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (ahead > 1 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
    }
    focus(best);
  }

  function click(cell) {
    const to = (cells) => cells.length === 1 ? cells[0] === cell : cells[0] === origin && cells[1] === cell;
    const meant = view.moves.filter(([, cells]) => cells.length && to(cells));
    if (meant.length === 1) return play(meant[0][0]);
    if (meant.length > 1) return choose(meant);
    const begins = view.moves.some(([, cells]) => cells.length === 2 && cells[0] === cell);
    origin = begins && origin !== cell ? cell : null;
    mark();
  }

  // Shows the goals of the piece under the pointer.
  function point(cell) {
    // While a choice of moves is open, the pointer is on its way to it.
    if (cell === pointed || !view.ready || !$("choice").hidden) return;
    pointed = cell;
    mark();
  }

  // The game as a file, for the clipboard or for the disk.
  async function copy() {
    try {
      await navigator.clipboard.writeText(view.record.text);
      $("copy").textContent = "Copied";
    } catch {
      $("copy").textContent = "The browser does not allow it";
    }
    setTimeout(() => { $("copy").textContent = "Copy"; }, 2000);
  }

  function save() {
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([view.record.text], { type: "text/plain" }));
    link.download = view.record.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // Several moves have the same cells: a promotion.
  function choose(meant) {
    fill($("choice"), meant, ([text]) => button(text, () => play(text)));
    $("choice").prepend("Which one? ");
    $("choice").append(button("none", () => { origin = null; mark(); }));
    $("choice").hidden = false;
    $("choice").querySelector("button").focus();
  }

  const play = (text) => send("play " + text);

  async function send(line) {
    try {
      const answer = await fetch("line", { method: "POST", body: line });
      if (answer.ok) show(await answer.json());
      else fill($("said"), [await answer.text()], (text) => element("li", text));
    } catch {
      lost();
    }
  }

  function lost() {
    $("status").textContent = "The program has ended or does not answer. Start it again, and open its new address.";
  }

  // Asks for the view that comes after this one, again and again.
  async function follow() {
    for (let first = true; ; first = false) {
      try {
        const answer = await fetch(first ? "view" : "view?after=" + view.version);
        if (!answer.ok) throw answer;
        const next = await answer.json();
        show(next);
        $("status").textContent = status();
      } catch {
        lost();
        await new Promise((later) => setTimeout(later, 1000));
      }
    }
  }

  const option = (text, value) => {
    const made = element("option", text);
    made.value = value;
    $("opponent").append(made);
  };
  for (let level = 1; level <= 10; level++) option("level " + level, String(level));
  option("a person", "human");
  $("board").addEventListener("click", (event) => {
    const place = event.target.closest("[data-cell]");
    if (place && view.ready) click(Number(place.dataset.cell));
  });
  $("board").addEventListener("mouseover", (event) => {
    const place = event.target.closest("[data-cell]");
    point(place ? Number(place.dataset.cell) : null);
  });
  $("board").addEventListener("mouseleave", () => point(null));
  $("board").addEventListener("keydown", (event) => {
    const place = event.target.closest("[data-cell]");
    if (!place || !view.ready) return;
    if (ARROWS[event.key]) go(place, ARROWS[event.key]);
    else if (event.key === "Enter" || event.key === " ") click(Number(place.dataset.cell));
    else if (event.key === "Escape") { origin = null; mark(); }
    else return;
    event.preventDefault();
  });
  $("copy").addEventListener("click", copy);
  $("save").addEventListener("click", save);
  $("undo").addEventListener("click", () => send("undo"));
  $("hint").addEventListener("click", () => send("hint"));
  $("resign").addEventListener("click", () => send("resign"));
  $("typing").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = $("typed").value.trim();
    $("typed").value = "";
    if (text) play(text);
  });
  $("new").addEventListener("submit", (event) => {
    event.preventDefault();
    send(`new ${$("side").value} ${$("opponent").value}`);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const pressed = { u: "undo", h: "hint" }[event.key];
    if (pressed) $(pressed).click();
  });
  follow();
})();
