//! `cargo xtask campaign` runs this with optimisation.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use campaign::{CampaignRequest, run_campaign};

fn main() -> Result<ExitCode> {
    let request = parse_arguments(std::env::args().skip(1))?;
    Ok(if run_campaign(&request)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn parse_arguments(mut arguments: impl Iterator<Item = String>) -> Result<CampaignRequest> {
    let time_max = Duration::MAX;
    let mut request = CampaignRequest { worlds: 1_000, seed: 1, first: 0, shrink: 0, time_max };
    let mut shrink = 1_u64;
    let mut minutes = u64::MAX;
    while let Some(flag) = arguments.next() {
        let field = match flag.as_str() {
            "--worlds" => &mut request.worlds,
            "--seed" => &mut request.seed,
            "--first" => &mut request.first,
            "--shrink" => &mut shrink,
            "--minutes" => &mut minutes,
            _ => bail!(
                "unknown argument '{flag}'\nhint: cargo xtask campaign [--worlds N] [--seed S] \
                 [--first NUMBER] [--shrink N] [--minutes N]"
            ),
        };
        let text = arguments.next().with_context(|| format!("{flag} needs a number"))?;
        *field = text.parse().with_context(|| format!("{flag}: '{text}' is no number"))?;
    }
    request.shrink = shrink as usize;
    request.time_max = Duration::from_secs(minutes.saturating_mul(60));
    Ok(request)
}
