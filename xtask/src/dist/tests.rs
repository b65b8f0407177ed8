//! The Debian packages, installed, used and purged; the RPMs have the same files.

use std::collections::HashMap;
use std::os::unix::fs::PermissionsExt as _;

use lab::{Need, skip_unless};
use serde_json::Value;

use super::*;

/// What the workspace's build for tests made: a package of `dist` takes minutes to build.
fn find_program() -> &'static str {
    let own = std::env::current_exe().unwrap();
    let program = own.ancestors().nth(2).unwrap().join("truedisk");
    program.into_os_string().into_string().unwrap().leak()
}

fn text<'v>(of: &'v Value, name: &str) -> &'v str {
    of[name].as_str().unwrap_or_else(|| panic!("no {name} in {of}"))
}

/// Of the truedisk crate, as cargo reads it.
fn read_manifest(root: &Path) -> Value {
    let words = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let metadata: Value = process::capture_json(&mut process::cargo_command(root, &words)).unwrap();
    let mut packages = metadata["packages"].as_array().unwrap().iter();
    packages.find(|package| package["name"] == "truedisk").unwrap().clone()
}

struct Packer<'a> {
    dist: &'a Dist<'a>,
    program: &'a Path,
    /// Of the truedisk crate.
    manifest: &'a Value,
}

impl Packer<'_> {
    /// What an entry of `assets` stands for, which may end in `*` and a suffix.
    fn find_sources(&self, source: &str) -> Vec<PathBuf> {
        if source == "target/release/truedisk" {
            return vec![self.program.to_owned()];
        }
        let path = source.strip_prefix("../../").unwrap();
        let path = match path.strip_prefix("target/pages/") {
            Some(page) => self.dist.pages.join(page),
            None => self.dist.root.join(path),
        };
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(suffix) = name.strip_prefix('*') else { return vec![path] };
        let entries = fs::read_dir(path.parent().unwrap()).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.to_str().unwrap().ends_with(suffix)).collect()
    }

    fn copy_assets(&self, metadata: &Value, stage: &Path) {
        for asset in metadata["assets"].as_array().unwrap() {
            let [source, place, mode] = [0, 1, 2].map(|at| asset[at].as_str().unwrap());
            let sources = self.find_sources(source);
            assert!(!sources.is_empty(), "{source}");
            for source in sources {
                let mut path = stage.join(place);
                if place.ends_with('/') {
                    path = path.join(source.file_name().unwrap());
                }
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::copy(&source, &path).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
                let mode = u32::from_str_radix(mode, 8).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
    }

    /// As `cargo deb` makes it of `package.metadata.deb`, without compression.
    fn pack(&self, name: &str, metadata: &Value, folder: &Path) {
        let stage = folder.join(format!("{name}-stage"));
        let control = stage.join("DEBIAN");
        fs::create_dir_all(&control).unwrap();
        self.copy_assets(metadata, &stage);
        if let Some(scripts) = metadata["maintainer-scripts"].as_str() {
            let scripts = self.dist.root.join(scripts.strip_prefix("../../").unwrap());
            for entry in fs::read_dir(scripts).unwrap() {
                let path = entry.unwrap().path();
                let copy = control.join(path.file_name().unwrap());
                fs::copy(&path, &copy).unwrap();
                fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        let deb = &self.manifest["metadata"]["deb"];
        let arch = process::capture_stdout(Command::new("dpkg").arg("--print-architecture"));
        let fields = [
            ("Package", name),
            ("Version", text(self.manifest, "version")),
            ("Architecture", &arch.unwrap()),
            ("Maintainer", text(deb, "maintainer")),
            ("Depends", text(metadata, "depends")),
            ("Description", text(self.manifest, "description")),
        ];
        let lines = fields.iter().filter(|(_, value)| !value.is_empty());
        let lines: Vec<String> = lines.map(|(name, value)| format!("{name}: {value}\n")).collect();
        fs::write(control.join("control"), lines.concat()).unwrap();
        let mut build = Command::new("dpkg-deb");
        build.args(["--root-owner-group", "-Znone", "--build"]).arg(&stage);
        build.arg(folder.join(format!("{name}.deb"))).stdout(std::io::stderr());
        process::run_command(&mut build).unwrap();
        fs::remove_dir_all(&stage).unwrap();
    }
}

/// What each step of the script printed.
fn split_steps(text: &str) -> HashMap<&str, &str> {
    let steps = text.split("== ").skip(1);
    steps.map(|step| step.split_once('\n').unwrap_or((step, ""))).collect()
}

/// In a copy of this host (an overlay over `/` in a namespace of its own), with the files,
/// scripts and relations of the packages, and the program of the tests. What is not tested here:
/// how `cargo deb` packs them.
#[test]
fn packages_are_installed_used_and_purged_and_leave_nothing() {
    skip_unless!(
        Need::Root,
        Need::Overlay,
        Need::Program("dpkg-deb"),
        Need::Program("man"),
        Need::Program("systemd-analyze"),
        Need::Program("unshare"),
        Need::Program(find_program()),
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let scratch = lab::Scratch::new().unwrap();
    let [packages, work, pages] = ["packages", "work", "pages"].map(|name| {
        let folder = scratch.path().join(name);
        fs::create_dir(&folder).unwrap();
        folder
    });
    let manifest = &read_manifest(root);
    let dist = Dist {
        root,
        folder: packages.clone(),
        pages,
        version: text(manifest, "version").to_owned(),
        commit: String::new(),
    };
    let program = scratch.path().join("truedisk");
    let mut strip = Command::new("strip");
    process::run_command(strip.arg("-o").arg(&program).arg(find_program())).unwrap();
    dist.write_pages(&program).unwrap();
    let packer = Packer { dist: &dist, program: &program, manifest };
    let deb = &manifest["metadata"]["deb"];
    packer.pack("truedisk", deb, &packages);
    packer.pack("truedisk-agent", &deb["variants"]["agent"], &packages);

    let mut script = Command::new("unshare");
    script.args(["--mount", "sh"]).arg(root.join("xtask/src/dist/try_packages.sh"));
    let said = process::capture_stdout(script.arg(&work).arg(&packages)).unwrap();
    let steps = split_steps(&said);
    let step = |name: &str| *steps.get(name).unwrap_or_else(|| panic!("no {name}: {said}"));
    let check = |name: &str, words: &str| assert!(step(name).contains(words), "{said}");
    check("version", &format!("truedisk {}", dist.version));
    check("ping", "generated 2 requests");
    check("man", "NAME");
    check("man-record", "NAME");
    assert!(step("completion").lines().any(|word| word == "crystaldiskmark"), "{said}");
    check("user", "truedisk:");
    assert_eq!(step("unit").trim(), "", "what systemd says of the unit");
    check("enabled", "enabled");
    // The agent's user stays, as Debian's policy advises, and dpkg's list of packages.
    let left: Vec<&str> = step("left").lines().collect();
    let of_users =
        ["./etc/.pwd.lock", "./etc/passwd", "./etc/group", "./etc/shadow", "./etc/gshadow"];
    let is_of_users = |path: &&str| of_users.contains(&path.trim_end_matches('-'));
    let is_log = |path: &&str| *path == "./var/log/dpkg.log";
    let other: Vec<&&str> =
        left.iter().filter(|path| !is_of_users(path) && !is_log(path)).collect();
    assert_eq!(other, [&""; 0], "{said}");
}

/// The sources of one list of files, as paths from the root of the repository.
fn list_sources(package: &Value, path: fn(&Value) -> &Value) -> Vec<String> {
    let assets = package["assets"].as_array().unwrap().iter();
    let sources = assets.map(|asset| path(asset).as_str().unwrap().replace("../../", ""));
    let mut sources: Vec<String> = sources.filter(|source| source != "LICENSE-MIT").collect();
    sources.sort_unstable();
    assert!(!sources.is_empty());
    sources
}

#[test]
fn both_kinds_of_package_have_the_same_files() {
    let metadata = &read_manifest(&crate::find_root().unwrap())["metadata"];
    let (deb, rpm) = (&metadata["deb"], &metadata["generate-rpm"]);
    for (deb, rpm) in [(deb, rpm), (&deb["variants"]["agent"], &rpm["variants"]["agent"])] {
        // Debian has the MIT licence in its file `copyright`.
        assert_eq!(
            list_sources(deb, |asset| &asset[0]),
            list_sources(rpm, |asset| &asset["source"])
        );
    }
}
