//! What the tests share: trees, and folders on the real disk.

use crate::roots::Roots;

/// A described host, as files and links in a temporary folder.
pub(crate) struct Tree {
    pub(crate) roots: Roots,
    _tree: lab::SysfsTree,
}

impl Tree {
    /// Lays out what a test describes itself.
    pub(crate) fn of(text: &str) -> Self {
        let tree = lab::SysfsTree::from_text(text).unwrap();
        Self { roots: Roots::under(tree.root()), _tree: tree }
    }
}

/// A folder on the real disk: /tmp may be memory.
pub(crate) fn on_disk() -> lab::Scratch {
    lab::Scratch::new().unwrap()
}

/// Does `work` in a thread in which openat2 fails with `errno`, as in an old kernel (ENOSYS) or
/// behind an old seccomp filter (EPERM).
pub(crate) fn without_openat2<T: Send>(errno: i32, work: impl FnOnce() -> T + Send) -> T {
    const LOAD_NUMBER: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let line = |code, jf, k| libc::sock_filter { code, jt: 0, jf, k };
    let mut filter = [
        line(LOAD_NUMBER, 0, 0),
        line(IF_EQUAL, 1, libc::SYS_openat2 as u32),
        line(RETURN, 0, libc::SECCOMP_RET_ERRNO | errno as u32),
        line(RETURN, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let in_thread = move || {
        let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
        // SAFETY: the filter outlives the calls, which copy it; it is this thread's alone.
        let results = unsafe {
            [
                libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
                libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program),
            ]
        };
        assert_eq!(results, [0, 0], "{}", std::io::Error::last_os_error());
        work()
    };
    std::thread::scope(|scope| scope.spawn(in_thread).join()).unwrap()
}
