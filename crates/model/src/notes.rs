//! What a plan says beside its figures.

use message::{Message, messages};
use units::Bytes;

messages! {
    pub static MESSAGES;
    Gp2Base = "plan-gp2-base";
    Gp2Burst = "plan-gp2-burst";
    Gp3 = "plan-gp3";
    Io1 = "plan-io1";
    Io2 = "plan-io2";
    HddVolume = "plan-hdd-volume" { base: String, burst: String, most: String };
    AzureHostCache = "plan-azure-host-cache";
    AzureCredits = "plan-azure-credits";
    AzureOnDemand = "plan-azure-on-demand";
    NoBurst = "plan-no-burst-bought" { limits: Message };
    AzureV2Limits = "plan-azure-v2-limits";
    AzureUltraLimits = "plan-azure-ultra-limits";
    GcpMachines = "plan-gcp-machines";
    GcpBaseline = "plan-gcp-baseline";
    GcpN2 = "plan-gcp-n2";
    GcpSize = "plan-gcp-size";
    GcpExtreme = "plan-gcp-extreme";
    GcpThroughput = "plan-gcp-throughput";
    GcpTarget = "plan-gcp-target";
    DigitalOcean = "plan-digitalocean";
    Vultr = "plan-vultr";
    CountingEach = "counting-each";
    CountingUnits = "counting-units" { unit: Bytes };
    CountingMerged = "counting-units-merged" { unit: Bytes };
    CountingWhole = "counting-units-whole" { unit: Bytes };
    CountingMergedWhole = "counting-units-merged-whole" { unit: Bytes };
}
