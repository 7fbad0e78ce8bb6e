//! The origin of the results: the manifest as a table, and how to reproduce the run.

use maud::{Markup, html};

use crate::arena::{Manifest, Status};
use crate::summary_text::GLOSSARY;
use crate::text::number_format::grouped;

/// The section; empty without a manifest.
pub fn content(manifest: Option<&Manifest>) -> Markup {
    let Some(manifest) = manifest else { return html! {} };
    html! {
        div class="scroll" {
            table class="facts" {
                tbody {
                    @for (key, value) in rows(manifest) {
                        tr { th scope="row" class="left" { (key) } td class="left" { (value) } }
                    }
                    tr {
                        th scope="row" class="left" { "command" }
                        td class="left" { code { (manifest.argv.join(" ")) } }
                    }
                }
            }
        }
        p class="note" {
            "The folder of this page has the other files: config.toml is the config as given, \
             resolved.toml has all defaults too, games.csv has all games. " (GLOSSARY)
        }
    }
}

fn rows(manifest: &Manifest) -> Vec<(&'static str, String)> {
    let machine = &manifest.machine;
    let cpu = machine.cpu.as_deref().unwrap_or("unknown processor");
    let status = match manifest.status {
        Status::Running => "running",
        Status::Complete => "complete",
        Status::Interrupted => "interrupted",
    };
    let mut rows = vec![
        ("status", status.to_owned()),
        ("games", grouped(manifest.games)),
        ("seed", manifest.seed.to_string()),
        ("config hash", manifest.config_hash.clone()),
        ("node signature", grouped(manifest.node_signature)),
        ("started", manifest.started.clone()),
    ];
    rows.extend(manifest.ended.clone().map(|ended| ("ended", ended)));
    rows.push((
        "program",
        match &manifest.revision {
            Some(revision) => format!("agon {} ({revision})", manifest.version),
            None => format!("agon {}", manifest.version),
        },
    ));
    rows.push((
        "machine",
        format!("{cpu}, {} cores, {} {}", machine.cores, machine.os, machine.arch),
    ));
    rows.push(("threads", manifest.jobs.to_string()));
    if let Some(bytes) = manifest.peak_memory_bytes {
        rows.push(("peak memory", format!("{} MB", grouped(bytes >> 20))));
    }
    if let Some(luck) = &manifest.luck {
        let map = match (luck.scale, luck.offset) {
            (Some(scale), Some(offset)) => format!(", scale {scale}, offset {offset}"),
            _ if luck.fit => ", fitted scale".to_owned(),
            _ => String::new(),
        };
        rows.push(("luck", format!("measured by {}{map}", luck.value)));
    }
    if let Some(grading) = &manifest.grading {
        let games = grouped(grading.games);
        rows.push(("graded", format!("{games} games by {}", grading.oracle)));
    }
    rows
}
