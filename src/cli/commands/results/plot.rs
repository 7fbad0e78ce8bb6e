//! `agon plot`: writes a chart of the page as a picture.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};

use super::table;
use crate::cli::argument_types::words;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::read_results_folder::{existing_run, is_sweep, loaded};
use crate::regression::{figures_over_time, read_history};
use crate::report::{
    ChartFile, ExportSource, chart_files, chart_ids, sweep_chart_files, trend_picture,
};
use crate::util::did_you_mean::did_you_mean_or;
use crate::util::unix;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// Lines and text, for any size.
    Svg,
    /// Pixels, drawn by another program.
    Png,
}

impl PictureFormat {
    /// Its word on the command line, and the ending of its files.
    pub fn word(self) -> &'static str {
        match self {
            PictureFormat::Svg => "svg",
            PictureFormat::Png => "png",
        }
    }
}

/// Writes a chart of the page as SVG or PNG; without CHART, lists the charts.
///
/// The picture has its title, its legend and its own colours, for a light background. PNG needs
/// one of the programs rsvg-convert, inkscape, magick or convert. `agon plot history FILE.csv`
/// draws the figures of `agon gate --history FILE.csv` over time, with their changes.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// The results folder of a run or a sweep, or the word `history`.
    dir: PathBuf,
    /// The chart, such as `ratings`; after `history`, the file.
    #[arg(value_name = "CHART")]
    chart: Option<String>,
    /// The format [default: the ending of FILE, or svg].
    #[arg(long, value_parser = words::<PictureFormat>(), value_name = "FORMAT", requires = "chart")]
    to: Option<PictureFormat>,
    /// The file to write; `-` writes to the standard output [default: CHART.svg].
    #[arg(long, value_name = "FILE", requires = "chart")]
    out: Option<PathBuf>,
}

/// Lists the charts of a run, or writes one.
///
/// # Errors
/// A chart or a folder that does not exist, a missing converter, and a file that cannot be written.
pub fn run(args: &PlotArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let registry = context.registry;
    let is_csv = args.chart.as_ref().is_some_and(|chart| chart.ends_with(".csv"));
    if args.dir == Path::new(HISTORY) && (is_csv || !args.dir.is_dir()) {
        return plot_history(args);
    }
    let format = format(args)?;
    if is_sweep(&args.dir) {
        let charts = sweep_chart_files(&table::runs_of_sweep(&args.dir, registry)?);
        return chosen(&charts, args, format);
    }
    let folder = existing_run(&args.dir)?;
    if let Some(id) = args.chart.as_deref().filter(|id| !chart_ids().contains(id)) {
        let list = || format!("`agon plot {}` lists the charts", args.dir.display());
        let help = did_you_mean_or(id, &chart_ids(), list);
        return Err(Failure::usage(format!("there is no chart `{id}`"), help));
    }
    let (results, history, experiment) = loaded(&folder, registry)?;
    let experiment = experiment.as_ref();
    let (results, history) = (&results, Some(&history));
    let charts = chart_files(&ExportSource { results, folder: &folder, experiment, history })?;
    if let Some(id) = args.chart.as_ref().filter(|id| !charts.iter().any(|of| of.id == **id)) {
        let help = format!("`agon plot {}` lists the charts that it has", args.dir.display());
        return Err(Failure::usage(format!("this run has nothing to show in `{id}`"), help));
    }
    chosen(&charts, args, format)
}

/// Writes the chart that the command line names, or lists all charts.
fn chosen(charts: &[ChartFile], args: &PlotArgs, format: PictureFormat) -> Result<u8, Failure> {
    let Some(id) = &args.chart else {
        let mut out = anstream::stdout();
        for chart in charts {
            writeln!(out, "{:24}{}", chart.id, chart.title)?;
        }
        return Ok(exit_codes::DONE);
    };
    let Some(chart) = charts.iter().find(|chart| chart.id == *id) else {
        let ids: Vec<&str> = charts.iter().map(|chart| chart.id.as_str()).collect();
        let list = || format!("`agon plot {}` lists the charts", args.dir.display());
        let help = did_you_mean_or(id, &ids, list);
        return Err(Failure::usage(format!("there is no chart `{id}`"), help));
    };
    write(chart, format, args.out.as_deref())
}

/// The word before the file of a history.
const HISTORY: &str = "history";

/// Draws a history of gates.
fn plot_history(args: &PlotArgs) -> Result<u8, Failure> {
    let Some(file) = &args.chart else {
        let help = "`agon plot history FILE.csv` draws the file of `agon gate --history FILE.csv`";
        return Err(Failure::usage("the file of the history is missing", help));
    };
    let trends = figures_over_time(&read_history(Path::new(file))?);
    if trends.is_empty() {
        let help = "`agon gate --history` appends a line with figures";
        return Err(Failure::usage(format!("{file} has no figures yet"), help));
    }
    write(&trend_picture(&trends), format(args)?, args.out.as_deref())
}

/// The format from `--to`, or from the name of the file.
fn format(args: &PlotArgs) -> Result<PictureFormat, Failure> {
    let ending = args.out.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
    let named = match ending.map(str::to_lowercase).as_deref() {
        Some("svg") => Some(PictureFormat::Svg),
        Some("png") => Some(PictureFormat::Png),
        _ => None,
    };
    match (args.to, named) {
        (_, None) if ending.is_some() => Err(Failure::usage(
            format!("a chart is written as SVG or PNG, not as `{}`", ending.unwrap_or_default()),
            "end the name of the file in `.svg` or `.png`",
        )),
        (Some(to), Some(named)) if to != named => Err(Failure::usage(
            format!("`--to {}` and the name of the file differ", to.word()),
            "leave `--to` out, or change the ending of the file",
        )),
        (to, named) => Ok(to.or(named).unwrap_or(PictureFormat::Svg)),
    }
}

fn write(chart: &ChartFile, format: PictureFormat, out: Option<&Path>) -> Result<u8, Failure> {
    let name = || PathBuf::from(format!("{}.{}", chart.id, format.word()));
    let path = out.map_or_else(name, Path::to_owned);
    let bytes = match format {
        PictureFormat::Svg => chart.svg.clone().into_bytes(),
        PictureFormat::Png => png(&chart.svg)?,
    };
    if path == Path::new("-") {
        io::stdout().write_all(&bytes)?;
        return Ok(exit_codes::DONE);
    }
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(true);
    // A name that the user gave may be a link or a device; a file of this name that lies here may not.
    let file = match out {
        Some(path) => options.open(path),
        None => unix::open_plain_file(options, &path),
    };
    file.and_then(|mut file| file.write_all(&bytes)).map_err(|error| {
        let message = format!("cannot write {}: {error}", path.display());
        Failure::usage(message, "name a file in a folder that exists")
    })?;
    writeln!(anstream::stdout(), "{} is written", path.display())?;
    Ok(exit_codes::DONE)
}

/// The programs that draw SVG from the standard input as PNG to the standard output, three pixels
/// for one; the best first.
const CONVERTERS: [(&str, &[&str]); 4] = [
    ("rsvg-convert", &["--zoom", "3", "--format", "png"]),
    ("inkscape", &["--pipe", "--export-type=png", "--export-dpi=288", "--export-filename=-"]),
    ("magick", &["-density", "288", "svg:-", "png:-"]),
    ("convert", &["-density", "288", "svg:-", "png:-"]),
];

/// Draws a picture by the first converter that is installed and works.
fn png(svg: &str) -> Result<Vec<u8>, Failure> {
    let mut failed = Vec::new();
    for (program, arguments) in CONVERTERS {
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = child else { continue };
        // Converters read everything before they write. A closed pipe means that it failed.
        if let Some(mut input) = child.stdin.take() {
            let _ = input.write_all(svg.as_bytes());
        }
        let output = child.wait_with_output()?;
        if output.status.success() && output.stdout.starts_with(b"\x89PNG") {
            return Ok(output.stdout);
        }
        failed.push(program);
    }
    let names: Vec<&str> = CONVERTERS.iter().map(|(name, _)| *name).collect();
    let message = match failed.is_empty() {
        true => "PNG needs a program that draws SVG, and none is installed".to_owned(),
        false => format!("PNG needs a program that draws SVG; these failed: {}", failed.join(", ")),
    };
    let help = format!(
        "install one of {} (Debian: `apt install librsvg2-bin`), or use `--to svg`",
        names.join(", ")
    );
    Err(Failure::usage(message, help))
}
