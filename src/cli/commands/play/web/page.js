// The board in the browser. It knows no rules: the program sends each position and its moves.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const SIDES = ["chance", "first", "second"];
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  // So many cells are marked before the first click.
  const FEW = 8;
  let view = { version: 0 }, drawn = null, pointed = null, kept = null;
  // The cells clicked so far for a move: origins and targets in turns.
  let path = [];

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
    path = [];
    pointed = null;
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
    for (const cell of new Set(view.moves.flatMap(([, orders]) => orders.flat()))) {
      const place = target(cell);
      if (!place) continue;
      place.classList.add("target");
      place.dataset.cell = cell;
      place.setAttribute("aria-label", named(cell));
      if (!place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
    }
    if (hint) $("advice").textContent = `${hint.agent} suggests ${hint.best} (${hint.effort}). ` + (values.size
      ? "Positive: good for the first player. Negative: good for the second player."
      : "This agent does not value single moves.");
    mark();
  }

  const begun = (orders, cells) =>
    orders.filter((order) => order.length >= cells.length && cells.every((cell, i) => order[i] === cell));

  // The cells that can be clicked after these.
  const after = (cells) => new Set(view.moves.flatMap(([, orders]) =>
    begun(orders, cells).filter((order) => order.length > cells.length).map((order) => order[cells.length])));

  // Marks the cells that can be clicked now, and the steps clicked so far.
  function mark() {
    $("choice").hidden = true;
    const whole = path.length % 2 ? path.slice(0, -1) : path, origin = path[whole.length];
    const begins = after(whole), from = origin ?? pointed;
    const goals = from === null ? new Set() : after([...whole, from]);
    const best = view.hint && view.moves.find(([text]) => text === view.hint.best)?.[1][0];
    $("board").classList.toggle("few", begins.size <= FEW);
    for (const place of $("board").querySelectorAll("[data-cell]")) {
      const cell = Number(place.dataset.cell);
      place.classList.toggle("begin", begins.has(cell));
      place.classList.toggle("goal", goals.has(cell));
      place.classList.toggle("chosen", cell === origin);
      if (best && best.includes(cell)) place.classList.add("best");
    }
    showSteps(whole);
    if (!$("board").querySelector("[tabindex='0']")) within()[0]?.setAttribute("tabindex", "0");
  }

  // The steps of a move that is not complete: arrows on the board, and a button to take one back.
  function showSteps(steps) {
    $("board").querySelectorAll(".step").forEach((old) => old.remove());
    if (!steps.length) return;
    for (let i = 0; i < steps.length; i += 2) {
      const [[x1, y1], [x2, y2]] = steps.slice(i, i + 2).map((cell) => {
        const box = target(cell).getBBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
      });
      const way = document.createElementNS("http://www.w3.org/2000/svg", "path");
      const [dx, dy] = [x2 - x1, y2 - y1].map((d) => d / Math.max(1, Math.hypot(x2 - x1, y2 - y1)) * 9);
      way.setAttribute("class", "step");
      way.setAttribute("d", `M${x1} ${y1}L${x2} ${y2}m${-dx - dy} ${dx - dy}L${x2} ${y2}l${dy - dx} ${-dx - dy}`);
      $("board").firstChild.append(way);
    }
    $("choice").replaceChildren("Click the next checker. ", button("Take back the step", back));
    $("choice").hidden = false;
  }

  // Takes back the chosen origin, or else the last step.
  function back() {
    path = path.slice(0, path.length % 2 ? -1 : -2);
    mark();
  }

  // The moves of a cell, for screen readers.
  function named(cell) {
    const moves = view.moves.filter(([, orders]) => orders.some((order) => order.includes(cell)));
    return moves.slice(0, 8).map(([text]) => text).join(", ");
  }

  // The cells that a click can mean now: those where steps begin, or the chosen one and its goals.
  function within() {
    const cells = after(path);
    if (path.length % 2) cells.add(path[path.length - 1]);
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
    const whole = path.length % 2 ? path.slice(0, -1) : path;
    if (whole !== path && path[whole.length] === cell) return back();
    for (const cells of [[...path, cell], [...whole, cell]]) {
      const ends = view.moves.filter(([, orders]) =>
        begun(orders, cells).some((order) => order.length === cells.length));
      if (ends.length === 1) return play(ends[0][0]);
      if (ends.length > 1) return choose(ends);
      if (after(cells).size) {
        path = cells;
        return mark();
      }
    }
    path = whole;
    mark();
  }

  // Shows the goals of the piece under the pointer.
  function point(cell) {
    // While a choice of moves is open, the pointer is on its way to it.
    const open = !$("choice").hidden && $("choice").querySelector("button:nth-of-type(2)");
    if (cell === pointed || !view.ready || open) return;
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
    $("choice").append(button("none", () => { path = []; mark(); }));
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
    else if (event.key === "Escape") back();
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
