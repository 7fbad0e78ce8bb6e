// The board in the browser. It knows no rules: the program sends each position and its moves.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const SIDES = ["chance", "first", "second"];
  // So many cells are marked before the first click.
  const FEW = 8;
  let view = { version: 0 }, drawn = null, origin = null;

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
    const [who, side] = [view.players[view.turn - 1], SIDES[view.turn]];
    if (view.ready) return who === "you" ? `Your move: you play ${side}.` : `The ${side} player is to move.`;
    return view.moves.length ? "Looking for a hint …" : `The ${side} player is thinking …`;
  }

  function show(next) {
    if (next.version <= view.version) return;
    view = next;
    origin = null;
    document.querySelector("main").hidden = false;
    document.body.classList.toggle("busy", !view.ready);
    document.title = view.game;
    $("game").textContent = view.game;
    $("players").replaceChildren();
    view.players.forEach((name, i) => {
      $("players").append(element("span", `${SIDES[i + 1]}: ${name}`, SIDES[i + 1]), i ? "" : " · ");
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
        const goal = origin !== null && view.moves.some(([, m]) => m[0] === origin && m[1] === cell);
        place.classList.toggle("goal", goal);
      });
    }
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
