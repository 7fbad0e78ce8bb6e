//! Tests of the columns of parameters, and of tables over several runs.

use std::fs;

use crate::support::{agon, ok, play, rows, stdout};

const CONFIG: &str = "name = \"mine\"\nseed = 7\n[game]\nkind = \"connect4\"\n[[agents]]\n\
    name = \"ab{depth}\"\nkind = \"alphabeta\"\ndepth = [1, 2]\n[[agents]]\nname = \"n\"\n\
    kind = \"alphabeta\"\nnodes = 50\nordering = \"static\"\nweights = { three = 9 }\n[[agents]]\n\
    kind = \"noisy\"\nepsilon = 0.2\nagent = { kind = \"alphabeta\", depth = 1 }\n\
    [schedule]\ngames = 2\n[openings]\nkind = \"random\"\nplies = 4\n";

#[test]
fn agents_csv_has_each_parameter_that_differs() {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), CONFIG, &[]));
    let out = dir.path().join("out");
    let agents = rows(&out.join("agents.csv"));
    let column = |key: &str| agents.iter().map(|row| row[key].clone()).collect::<Vec<_>>();
    assert_eq!(column("depth"), ["1", "2", "", ""]);
    assert_eq!(column("ordering"), ["full", "full", "static", ""]);
    // `nodes` is the column of nodes searched.
    assert_eq!(column("param.nodes"), ["", "", "50", ""]);
    assert_eq!(column("name"), ["mine"; 4]);
    assert_eq!(column("seed"), ["7"; 4]);
    let manifest = fs::read_to_string(out.join("manifest.json")).expect("a manifest");
    assert!(manifest.contains(&format!("\"config_hash\": \"{}\"", column("config_hash")[0])));
    // All agents agree in these, or only one kind has them.
    for absent in ["ties", "seat", "epsilon", "agent.depth"] {
        assert!(!agents[0].contains_key(absent), "{absent}");
    }
    let json = stdout(&ok(agon(&["report", out.to_str().expect("text"), "--format", "json"])));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["agents"][1]["depth"], 2);
    assert_eq!(json["agents"][2]["depth"], serde_json::Value::Null);
    assert_eq!(json["agents"][2]["ordering"], "static");
    assert_eq!(json["config_hash"], column("config_hash")[0].as_str());
}
