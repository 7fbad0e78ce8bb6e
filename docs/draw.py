"""Draws docs/c4_depth.svg from results/reference/agents.csv: strength and cost by depth."""

import csv
import math

rows = {r["agent"]: r for r in csv.DictReader(open("results/reference/agents.csv", newline=""))}
series = [("minimax", "mm", "#d55e00", "6 4"), ("alpha-beta", "ab", "#0072b2", "")]


def points(prefix, column):
    for name, row in rows.items():
        if name.startswith(prefix) and name[len(prefix):].isdigit():
            yield int(name[len(prefix):]), row


def panel(left, title, column, low, high, ticks, log):
    def x(depth):
        return left + 55 + (depth - 1) * 36

    def y(value):
        value, lo, hi = (math.log10(v) if log else v for v in (value, low, high))
        return 250 - (value - lo) / (hi - lo) * 190

    out = [f'<text x="{left + 20}" y="30" font-weight="bold">{title}</text>']
    for value, label in ticks:
        out.append(f'<line x1="{left + 50}" x2="{left + 320}" y1="{y(value):.1f}" y2="{y(value):.1f}" class="grid"/>')
        out.append(f'<text x="{left + 44}" y="{y(value) + 4:.1f}" text-anchor="end">{label}</text>')
    for depth in range(1, 9):
        out.append(f'<text x="{x(depth)}" y="270" text-anchor="middle">{depth}</text>')
    out.append(f'<text x="{left + 180}" y="290" text-anchor="middle">depth in plies</text>')
    for name, prefix, colour, dash in series:
        dots = [(d, row) for d, row in points(prefix, column)]
        path = " ".join(f"{x(d)},{y(float(r[column])):.1f}" for d, r in dots)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
        for depth, row in dots:
            value = float(row[column])
            if not log:
                out.append(
                    f'<line x1="{x(depth)}" x2="{x(depth)}" y1="{y(float(row["elo_low"])):.1f}" '
                    f'y2="{y(float(row["elo_high"])):.1f}" stroke="{colour}"/>')
            shape = (f'<circle cx="{x(depth)}" cy="{y(value):.1f}" r="4" fill="{colour}">' if prefix == "ab" else
                     f'<rect x="{x(depth) - 4}" y="{y(value) - 4:.1f}" width="8" height="8" fill="{colour}">')
            out.append(f"{shape}<title>{name}, depth {depth}: {value:.0f}</title></{shape[1:shape.index(' ')]}>")
        depth, row = dots[-1]
        out.append(f'<text x="{x(depth) - 8}" y="{y(float(row[column])) - 10:.1f}" text-anchor="end" fill="{colour}">{name}</text>')
    return "\n".join(out)


svg = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 300" width="680" height="300" font-family="sans-serif" font-size="12">
<style>text {{ fill: #222 }} .grid {{ stroke: #ccc }}
@media (prefers-color-scheme: dark) {{ text {{ fill: #ddd }} .grid {{ stroke: #444 }} }}</style>
{panel(0, "Strength (Elo, with 95 % intervals)", "elo", -200, 400, [(v, f"{v:+d}".replace("-", "−").replace("+0", "0")) for v in range(-200, 401, 100)], False)}
{panel(340, "Cost (positions per move)", "nodes_per_move", 1, 10000, [(1, "1"), (10, "10"), (100, "100"), (1000, "1 k"), (10000, "10 k")], True)}
</svg>
"""
open("docs/c4_depth.svg", "w").write(svg)
