//! Nim: take one, two or three from a heap; the player who takes the last one wins.
use std::io::{stdin, stdout, Write};

fn position(heap: u32, player: &str) -> String {
    if heap == 0 {
        return format!("0 {player}\tend {}\n", if player == "second" { 1 } else { -1 });
    }
    let moves: String = (1..=heap.min(3)).map(|taken| format!("\t{taken}")).collect();
    format!("{heap} {player}\t{player}{moves}\n")
}

fn read(text: &str) -> Option<(u32, &str)> {
    let (heap, player) = text.split_once(' ')?;
    let is_player = player == "first" || player == "second";
    is_player.then_some((heap.parse().ok()?, player))
}

fn main() {
    for line in stdin().lines().map_while(Result::ok) {
        let mut fields = line.split('\t');
        let word = fields.next().unwrap_or_default();
        let answer = match (word, fields.next().map(read)) {
            ("agon-game 1", _) => "agon-game 1\n".to_owned(),
            ("start", _) => position(21, "first"),
            ("state", Some(Some((heap, player)))) => position(heap, player),
            ("play", Some(Some((heap, player)))) => {
                let other = if player == "first" { "second" } else { "first" };
                let taken = fields.map(|taken| taken.parse::<u32>().unwrap_or(0));
                taken.map(|taken| position(heap - taken, other)).collect()
            }
            _ => "error\twrite a heap like `21 first`\n".to_owned(),
        };
        stdout().write_all(answer.as_bytes()).expect("agon reads the answers");
    }
}
