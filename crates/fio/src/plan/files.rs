//! Names of an instance's files.

use super::section::Section;

/// The paths of the files of clone `clone` of `section`, in their order.
/// With `filename` all clones share the files named there. Else each has `nrfiles` of its own,
/// named by `filename_format`. A `directory` is put before names that are relative; of several each
/// clone takes the next. `is_device` says whether a path is an existing block device: a job without
/// files that is called like one works on it.
pub fn file_names(section: &Section, clone: u32, is_device: &dyn Fn(&str) -> bool) -> Vec<String> {
    let target = &section.options.target;
    let folder = match target.directories.len() {
        0 => None,
        count => target.directories.get(clone as usize % count),
    };
    let placed = |name: String| match folder {
        Some(folder) if !name.starts_with('/') => {
            format!("{}/{name}", folder.trim_end_matches('/'))
        }
        _ => name,
    };
    if !target.filenames.is_empty() {
        return target.filenames.iter().map(|name| placed(name.clone())).collect();
    }
    if is_device(&section.file_name) {
        return vec![section.file_name.clone()];
    }
    (0..target.nrfiles.max(1)).map(|file| placed(format_name(section, clone, file))).collect()
}

/// `filename_format` with its keywords filled in. A slash in the job's name is a folder, as in fio;
/// but a name does not lead out of the folder that the user gave.
fn format_name(section: &Section, clone: u32, file: u32) -> String {
    let format = match section.options.target.filename_format.as_str() {
        "" => "$jobname.$jobnum.$filenum",
        format => format,
    };
    let leads_out = section.file_name.split('/').any(|part| part == "..");
    let name = match leads_out || !section.options.target.directories.is_empty() {
        true => section.file_name.replace('/', "-"),
        false => section.file_name.clone(),
    };
    format
        .replace("$jobname", &name)
        .replace("$jobnum", &clone.to_string())
        .replace("$filenum", &file.to_string())
        .replace("$clientuid", "localhost")
}

#[cfg(test)]
mod tests {
    use super::super::section::section;
    use super::*;
    use crate::options::job::JobOptions;

    fn check(change: impl FnOnce(&mut JobOptions), clone: u32, expected: &[&str]) {
        let names = file_names(&section("job", change), clone, &|_| false);
        assert_eq!(names, expected);
    }

    #[test]
    fn files_are_named_as_fio_names_them() {
        check(|_| {}, 0, &["job.0.0"]);
        check(|o| o.target.nrfiles = 2, 3, &["job.3.0", "job.3.1"]);
        check(|o| o.target.directories = vec!["/d/".to_owned()], 0, &["/d/job.0.0"]);
        let two = || vec!["a".to_owned(), "b".to_owned()];
        check(|o| o.target.directories = two(), 1, &["b/job.1.0"]);
        check(|o| o.target.directories = two(), 2, &["a/job.2.0"]);
        check(|o| o.target.filenames = two(), 1, &["a", "b"]);
        let mixed = |o: &mut JobOptions| {
            o.target.filenames = vec!["/x/f".to_owned(), "g".to_owned()];
            o.target.directories = vec!["/d".to_owned()];
        };
        check(mixed, 0, &["/x/f", "/d/g"]);
        check(|o| o.target.filename_format = "f-$filenum-$jobnum".to_owned(), 4, &["f-0-4"]);
    }

    #[test]
    fn a_path_in_a_job_name_leads_into_folders_only() {
        let check = |name: &str, folder: Option<&str>, expected: &str| {
            let change =
                |o: &mut JobOptions| o.target.directories.extend(folder.map(str::to_owned));
            assert_eq!(file_names(&section(name, change), 0, &|_| false), [expected]);
        };
        check("/d/j", None, "/d/j.0.0");
        check("sub/j", None, "sub/j.0.0");
        check("../j", None, "..-j.0.0");
        check("a/../../j", None, "a-..-..-j.0.0");
        check("/etc/j", Some("/d"), "/d/-etc-j.0.0");
    }

    #[test]
    fn a_job_called_like_a_device_works_on_it() {
        let names = file_names(&section("/dev/sdx", |_| {}), 0, &|path| path == "/dev/sdx");
        assert_eq!(names, ["/dev/sdx"]);
        let names = file_names(&section("/dev/sdx", |_| {}), 0, &|_| false);
        assert_eq!(names, ["/dev/sdx.0.0"]);
    }
}
