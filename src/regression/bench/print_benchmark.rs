//! Prints the output of `agon bench`.

use serde_json::{Value as Json, json};

use super::run_benchmark::{AGREEMENT, Bench};
use crate::regression::benchmark_json;
use crate::report::{Document, TextTable, grouped, short};

impl Document for Bench {
    fn text(&self, markdown: bool, width: Option<usize>) -> String {
        let mut work = TextTable::new("Fixed work: one move in each position")
            .text(["game", "agent"])
            .figures(["positions", "nodes", "nodes/s"]);
        for case in &self.cases {
            work.row([
                case.game.to_owned(),
                case.agent.clone(),
                grouped(case.positions),
                grouped(case.nodes),
                short(case.nodes_per_second()),
            ]);
        }
        let within = 100.0 * AGREEMENT;
        work.note(match (self.passes, self.agreed) {
            (1, _) => "speeds: only one pass, so they are not reliable".to_owned(),
            (passes, true) => format!(
                "speeds: the fastest of {passes} passes; the last two agree within {within} %"
            ),
            (passes, false) => format!(
                "speeds: the fastest of {passes} passes; the last two differ by more than \
                 {within} %: the machine is busy, so speeds are not reliable"
            ),
        });
        let mut perft = TextTable::new("Move sequences from the start")
            .text(["game"])
            .figures(["plies", "sequences"]);
        for count in &self.perft {
            perft.row([count.game.to_owned(), count.depth.to_string(), grouped(count.count)]);
        }
        let (nodes, speed) = (self.nodes(), short(self.nodes_per_second()));
        format!(
            "{}\n{}\nnode signature {nodes} · {speed} nodes/s\n",
            perft.render(markdown, !markdown, width),
            work.render(markdown, !markdown, width)
        )
    }

    fn json(&self) -> Json {
        let cases = self.cases.iter().map(|case| {
            json!({
                "game": case.game,
                "agent": case.agent,
                "positions": case.positions,
                "nodes": case.nodes,
                "moves": format!("{:016x}", case.moves),
                "time_ns": case.time_ns,
                "nodes_per_second": case.nodes_per_second(),
            })
        });
        let perft = (self.perft.iter())
            .map(|p| json!({ "game": p.game, "plies": p.depth, "sequences": p.count }));
        json!({
            "signature": self.nodes(),
            "nodes_per_second": self.nodes_per_second(),
            "passes": self.passes,
            "agreed": self.agreed,
            "perft": perft.collect::<Vec<_>>(),
            "cases": cases.collect::<Vec<_>>(),
        })
    }

    fn entries(&self) -> Json {
        let mut all = Vec::new();
        for case in self.cases.iter().filter(|case| case.nodes > 0) {
            let name = format!("{} · {}", case.game, case.agent);
            let extra = format!("{} positions", case.positions);
            let (nodes, time) = (case.nodes as f64, case.time_ns as f64);
            all.push(benchmark_json::entry(
                &format!("{name} · nodes"),
                "nodes",
                nodes,
                None,
                &extra,
            ));
            let extra = match self.passes {
                1 => "one pass".to_owned(),
                passes => format!("fastest of {passes} passes"),
            };
            let name = format!("{name} · time per node");
            all.push(benchmark_json::entry(&name, "ns/node", time / nodes, None, &extra));
        }
        Json::Array(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regression::bench::run_benchmark::{Case, Perft};

    #[test]
    fn the_signature_and_the_speed_are_those_of_all_cases() {
        let case = |nodes, time_ns| Case {
            game: "pig",
            agent: "expectimax".to_owned(),
            positions: 8,
            nodes,
            moves: 1,
            time_ns,
        };
        let bench = Bench {
            perft: vec![Perft { game: "pig", depth: 2, count: 4 }],
            cases: vec![case(1000, 2_000_000), case(2000, 1_000_000), case(0, 500)],
            passes: 1,
            agreed: false,
            repeatable: true,
        };
        let json = bench.json();
        assert_eq!((&json["signature"], &json["passes"]), (&json!(3000), &json!(1)));
        assert_eq!(json["nodes_per_second"], json!(1e6));
        let text = bench.text(false, None);
        assert!(text.contains("speeds: only one pass, so they are not reliable"), "{text}");
        assert!(text.contains("node signature 3000 ·"), "{text}");
    }
}
