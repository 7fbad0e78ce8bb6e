#!/usr/bin/env node
// Nim: take one, two or three from a heap; the player who takes the last one wins.
const position = (heap, player) => {
  const state = `${heap} ${player}`;
  if (heap === 0) return `${state}\tend ${player === "second" ? 1 : -1}`;
  return [state, player, ...[1, 2, 3].filter((taken) => taken <= heap)].join("\t");
};
const answer = (line) => {
  const [word, text, ...moves] = line.split("\t");
  const [heap, player] = (text ?? "21 first").split(" ");
  const other = player === "first" ? "second" : "first";
  if (word === "agon-game 1") return word;
  if (word === "start") return position(21, "first");
  if (word === "play") return moves.map((move) => position(heap - move, other)).join("\n");
  if (!/^\d+ (first|second)$/.test(text)) return "error\twrite a heap like `21 first`";
  return position(Number(heap), player);
};
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => process.stdout.write(answer(line) + "\n"));
