//! `cargo xtask dist`: what is handed out, made in `target/dist`.
//!
//! Static programs, tarballs, Debian packages, the list of the crates within (SBOM), checksums.

mod bill;
mod manual;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::process;

/// What a program may have at most, without symbols.
const PROGRAM_SIZE_MAX: u64 = 15 << 20;

/// A panic ends the program, so nothing reads tables for unwinding; relocations are packed.
const SMALL_RUST: [&str; 4] = [
    "-Cforce-unwind-tables=no",
    "-Clink-arg=-Wl,-z,pack-relative-relocs",
    "-Clink-arg=-Wl,--no-eh-frame-hdr",
    // Rust's own library has tables, too.
    "-Clink-arg=-Wl,-T,dist/no-unwinding.ld",
];

/// As [`SMALL_RUST`], for SQLite and the ciphers.
const SMALL_C: &str = "-fno-unwind-tables -fno-asynchronous-unwind-tables";

struct Target {
    triple: &'static str,
    arch: &'static str,
    /// What Debian calls the processor.
    debian_arch: &'static str,
    /// Compiles SQLite and the ciphers, and links.
    compiler: &'static str,
    package: &'static str,
    /// Whether the compiler is for another libc: it has to be named, and has glibc's headers.
    is_cross: bool,
}

const TARGETS: [Target; 2] = [
    Target {
        triple: "x86_64-unknown-linux-musl",
        arch: "x86_64",
        debian_arch: "amd64",
        compiler: "musl-gcc",
        package: "musl-tools",
        is_cross: false,
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        arch: "aarch64",
        debian_arch: "arm64",
        compiler: "aarch64-linux-gnu-gcc",
        package: "gcc-aarch64-linux-gnu",
        is_cross: true,
    },
];

struct Dist<'a> {
    root: &'a Path,
    /// `target/dist`
    folder: PathBuf,
    /// `target/pages`: man pages and completions.
    pages: PathBuf,
    version: String,
    commit: String,
}

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<bool> {
    let is_asked =
        |target: &&Target| arguments.is_empty() || arguments.iter().any(|arch| arch == target.arch);
    let targets: Vec<&Target> = TARGETS.iter().filter(is_asked).collect();
    if let Some(unknown) = arguments.iter().find(|arch| TARGETS.iter().all(|t| t.arch != *arch)) {
        bail!("no target '{unknown}'; there are x86_64 and aarch64");
    }
    for target in &targets {
        require(target.compiler, &format!("apt-get install {}", target.package))?;
    }
    require("cargo-deb", "cargo install cargo-deb")?;
    require("cargo-generate-rpm", "cargo install cargo-generate-rpm")?;
    let native = targets.iter().find(|target| target.arch == std::env::consts::ARCH);
    let native = native.context("the program prints the pages: name this host's processor too")?;
    let dist = Dist::new(root)?;
    let mut is_small = true;
    for target in &targets {
        is_small &= dist.build(target)?;
    }
    dist.write_pages(&dist.program(native))?;
    let mut made = vec![dist.write_bill()?];
    for target in &targets {
        made.push(dist.write_tarball(target)?);
        made.push(dist.write_package(target, "truedisk", None)?);
        made.push(dist.write_package(target, "truedisk-agent", Some("agent"))?);
        made.push(dist.write_rpm(target, "truedisk", None)?);
        made.push(dist.write_rpm(target, "truedisk-agent", Some("agent"))?);
    }
    made.extend(dist.write_image(native)?);
    made.push(dist.write_checksums(&made)?);
    for path in &made {
        let size = fs::metadata(dist.folder.join(path))?.len();
        println!("{:9.1} KiB  target/dist/{path}", size as f64 / 1024.0);
    }
    Ok(is_small)
}

fn require(program: &str, hint: &str) -> Result<()> {
    if !process::is_installed(program) {
        bail!("{program} is missing; hint: {hint}");
    }
    Ok(())
}

fn find_commit(root: &Path) -> Result<String> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["-c", "safe.directory=*", "describe", "--always", "--dirty"]);
    process::capture_stdout(git.args(["--abbrev=40", "--exclude=*"]))
}

impl<'a> Dist<'a> {
    fn new(root: &'a Path) -> Result<Self> {
        let folder = root.join("target/dist");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        // Sources without a checkout have no other.
        let commit = match std::env::var("TRUEDISK_COMMIT") {
            Ok(commit) => commit,
            Err(_) => find_commit(root)?,
        };
        // Every crate has the workspace's version.
        let pages = root.join("target/pages");
        Ok(Self { root, folder, pages, version: env!("CARGO_PKG_VERSION").to_owned(), commit })
    }

    fn program(&self, target: &Target) -> PathBuf {
        self.root.join("target").join(target.triple).join("dist/truedisk")
    }

    /// Whether the program is as small as it has to be.
    fn build(&self, target: &Target) -> Result<bool> {
        let mut cargo = process::cargo_command(self.root, &["build", "--locked", "-p", "truedisk"]);
        cargo.args(["--profile", "dist", "--target-dir", "target", "--target", target.triple]);
        cargo.env("TRUEDISK_COMMIT", &self.commit);
        let triple = target.triple.replace('-', "_");
        cargo.env("CARGO_ENCODED_RUSTFLAGS", SMALL_RUST.join("\x1f"));
        let mut small_c = SMALL_C.to_owned();
        if target.is_cross {
            cargo.env(format!("CC_{triple}"), target.compiler);
            let linker = format!("CARGO_TARGET_{}_LINKER", triple.to_ascii_uppercase());
            cargo.env(linker, target.compiler);
            // glibc's names for large files, which musl does not have.
            small_c += " -DSQLITE_DISABLE_LFS";
        }
        cargo.env(format!("CFLAGS_{triple}"), small_c);
        process::run_command(&mut cargo)?;
        let size = fs::metadata(self.program(target))?.len();
        if size > PROGRAM_SIZE_MAX {
            println!("{} has {size} bytes, more than 15 MiB", self.program(target).display());
        }
        Ok(size <= PROGRAM_SIZE_MAX)
    }

    /// Man pages and completions.
    fn write_pages(&self, program: &Path) -> Result<()> {
        let generate = |words: &[&str]| {
            process::capture_stdout(Command::new(program).arg("generate").args(words))
        };
        // Pages of commands that are no more.
        if self.pages.exists() {
            fs::remove_dir_all(&self.pages)?;
        }
        let write = |path: &str, text: &str| {
            let path = self.pages.join(path);
            let folder = path.parent().context("no folder")?;
            fs::create_dir_all(folder)?;
            fs::write(&path, format!("{text}\n"))
                .with_context(|| format!("cannot write {}", path.display()))
        };
        for page in generate(&["man"])?.lines() {
            write(&format!("man1/{page}.1"), &generate(&["man", page])?)?;
        }
        let schema = process::capture_json(Command::new(program).arg("schema"))?;
        write("man5/truedisk-record.5", &manual::render_record_page(&schema))?;
        let presets = fs::read_to_string(self.root.join("docs/presets.md"))?;
        write("man5/truedisk-preset.5", &manual::render_preset_page(&presets))?;
        for (shell, path) in [
            ("bash", "bash-completion/completions/truedisk"),
            ("zsh", "zsh/vendor-completions/_truedisk"),
            ("fish", "fish/vendor_completions.d/truedisk.fish"),
        ] {
            write(path, &generate(&["completions", shell])?)?;
        }
        Ok(())
    }

    fn write_bill(&self) -> Result<String> {
        let name = format!("truedisk_{}.cdx.json", self.version);
        let filters: Vec<&str> =
            TARGETS.iter().flat_map(|target| ["--filter-platform", target.triple]).collect();
        let words = [&["metadata", "--locked", "--format-version", "1"][..], &filters].concat();
        let metadata = process::capture_json(&mut process::cargo_command(self.root, &words))?;
        let bill = bill::render_bill(&metadata, "truedisk")?;
        fs::write(self.folder.join(&name), serde_json::to_string_pretty(&bill)? + "\n")?;
        Ok(name)
    }

    fn write_tarball(&self, target: &Target) -> Result<String> {
        let top = format!("truedisk-{}-{}-linux", self.version, target.arch);
        let stage = self.folder.join(&top);
        if stage.exists() {
            fs::remove_dir_all(&stage)?;
        }
        fs::create_dir_all(&stage)?;
        let mut copy = Command::new("cp");
        copy.current_dir(self.root).arg("-r").arg(self.program(target)).arg(&self.pages);
        for path in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            copy.arg(path);
        }
        copy.args(["dist/truedisk-agent.service", "dist/truedisk-agent.sysusers"]).arg(&stage);
        process::run_command(&mut copy)?;
        let name = format!("{top}.tar.gz");
        let mut tar = Command::new("tar");
        tar.current_dir(&self.folder).args(["--sort=name", "--owner=0", "--group=0"]);
        tar.args(["--numeric-owner", "--mode=go=rX", "-czf"]).arg(&name).arg(&top);
        process::run_command(&mut tar)?;
        fs::remove_dir_all(&stage)?;
        Ok(name)
    }

    fn write_package(&self, target: &Target, name: &str, variant: Option<&str>) -> Result<String> {
        let mut cargo = process::cargo_command(self.root, &["deb", "--no-build", "--no-strip"]);
        cargo.args(["-p", "truedisk", "--profile", "dist", "--target", target.triple]);
        cargo.args(["--deb-revision", "", "--quiet", "--output", "target/dist"]);
        cargo.env("CARGO_TARGET_DIR", self.root.join("target"));
        cargo.args(variant.iter().flat_map(|variant| ["--variant", variant]));
        process::run_command(&mut cargo)?;
        Ok(format!("{name}_{}_{}.deb", self.version, target.debian_arch))
    }

    fn write_rpm(&self, target: &Target, name: &str, variant: Option<&str>) -> Result<String> {
        let file = format!("{name}-{}-1.{}.rpm", self.version, target.arch);
        let mut cargo = process::cargo_command(self.root, &["generate-rpm"]);
        cargo.args(["-p", "crates/truedisk", "--profile", "dist", "--target", target.triple]);
        cargo.args(["--target-dir", "target", "--auto-req", "disabled"]);
        cargo.args(["--payload-compress", "xz", "--output"]);
        cargo.arg(self.folder.join(&file));
        cargo.args(variant.iter().flat_map(|variant| ["--variant", variant]));
        process::run_command(&mut cargo)?;
        Ok(file)
    }

    /// An image for containers, where podman makes one: in a storage of its own, so that no image
    /// of the user is replaced, and none is left.
    fn write_image(&self, target: &Target) -> Result<Option<String>> {
        if !process::is_installed("podman") {
            println!("podman is missing: no image");
            return Ok(None);
        }
        let storage = self.root.join("target/image");
        let podman = |words: &[&str]| {
            let mut podman = Command::new("podman");
            podman.current_dir(self.root).args(["--storage-driver", "vfs", "--root"]);
            podman.arg(storage.join("root")).arg("--runroot").arg(storage.join("run"));
            podman.args(words);
            podman
        };
        let tag = format!("truedisk:{}", self.version);
        let mut build = podman(&["build", "-q", "-t", &tag, "-f", "dist/Containerfile"]);
        process::run_command(build.arg(self.program(target).with_file_name("")))?;
        let name = format!("truedisk-{}-{}-image.tar", self.version, target.arch);
        let mut save = podman(&["save", "-q", "--format", "oci-archive", "-o"]);
        process::run_command(save.arg(self.folder.join(&name)).arg(&tag))?;
        fs::remove_dir_all(&storage)?;
        Ok(Some(name))
    }

    fn write_checksums(&self, names: &[String]) -> Result<String> {
        let mut sums = Command::new("sha256sum");
        let text = process::capture_stdout(sums.current_dir(&self.folder).args(names))?;
        fs::write(self.folder.join("SHA256SUMS"), text + "\n")?;
        Ok("SHA256SUMS".to_owned())
    }
}
