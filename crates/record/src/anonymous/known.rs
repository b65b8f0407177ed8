//! Names that a kernel gives, and words that many use: they name nobody.

/// The beginnings of names that the kernel gives to disks by itself: before letters, before digits.
const LETTERED_NAMES: [&str; 5] = ["sd", "vd", "xvd", "hd", "dasd"];
const NUMBERED_NAMES: [&str; 12] =
    ["nvme", "mmcblk", "loop", "md", "dm-", "zram", "ram", "sr", "nbd", "bcache", "pmem", "ublkb"];
const LETTERS_MAX: usize = 3;
const KERNEL_NAME_MAX: usize = 14;

/// Whether the kernel made this name by counting, so that it names nobody.
pub(super) fn is_kernel_name(name: &str) -> bool {
    let after = |starts: &[&str]| {
        starts.iter().find_map(|start| name.strip_prefix(start)).map(str::to_owned)
    };
    let is_digit = |c: char| c.is_ascii_digit();
    let is_lettered = after(&LETTERED_NAMES).is_some_and(|rest| {
        let letters = rest.trim_end_matches(is_digit);
        letters.len() <= LETTERS_MAX && letters.bytes().all(|b| b.is_ascii_lowercase())
    });
    let is_numbered = after(&NUMBERED_NAMES).is_some_and(|rest| {
        rest.starts_with(is_digit) && rest.chars().all(|c| is_digit(c) || "npc".contains(c))
    });
    name.len() <= KERNEL_NAME_MAX && (is_lettered || is_numbered)
}

/// Mount options whose value is a number, or that have none.
const MOUNT_OPTIONS: &str = "\
    acdirmax acdirmin acl acregmax acregmin actimeo async attr2 auto_da_alloc autodefrag barrier \
    block_validity bsddf commit compress compress-force datacow datasum default_permissions \
    delalloc dev diratime dirsync discard dmask exec extent_cache fast_boot filestreams \
    flushoncommit fmask gid grpid grpquota hard huge i_version iclib ikeep init_itable \
    inline_data inline_dentry inline_xattr inode32 inode64 inode_readahead_blks intr largeio \
    lazytime local_lock lock logbsize logbufs max_batch_time max_read mblk_io_submit mfsymlinks \
    min_batch_time minixdf mode namlen nconnect noac noacl noalign noatime noattr2 \
    noauto_da_alloc nobarrier noblock_validity nobrl nocto nodatacow nodatasum nodelalloc nodev \
    nodiratime nodiscard noexec nogrpid nohard noheap noinit_itable nointr nolargeio nolazytime \
    noload nolock nomand nombcache noperm noquota norecovery norelatime noresvport nosharecache \
    nosuid nosymfollow nouid32 nouser_xattr nouuid nr_blocks nr_inodes pjquota port posix \
    posixpaths pquota prjquota quota rdirplus relatime resgid resuid resvport retrans retry ro \
    rsize rw seclabel serverino sharecache size soft softerr space_cache ssd ssd_spread stats \
    strictatime stripe subvolid suid sunit swalloc swidth sync tcp thread_pool timeo udp uid \
    umask unix uqnoenforce uquota user_subvol_rm_allowed user_xattr usrquota wsize wsync xattr";

/// Mount options whose value is a word of the kernel's.
const WORD_OPTIONS: &str = "\
    alloc_mode background_gc barrier cache compress compress-force compression data discard \
    errors fsync_mode huge jqfmt local_lock lookupcache metacopy proto redirect_dir space_cache \
    vers xino";

/// Whether a mount option names nobody: its value may be an address, a user, a path.
pub(super) fn is_known_mount_option(option: &str) -> bool {
    let (name, value) = option.split_once('=').unwrap_or((option, "0"));
    let is_number = value.bytes().all(|digit| digit.is_ascii_digit());
    let is_word = value.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:".contains(c));
    let is_of = |names: &str| names.split(' ').any(|known| known == name);
    (is_number && is_of(MOUNT_OPTIONS)) || (is_word && is_of(WORD_OPTIONS))
}

/// Words and numbers that jobs and steps are often called by: in a sentence they are no names.
pub(super) fn is_plain_word(name: &str) -> bool {
    let unit = name.trim_start_matches(|c: char| c.is_ascii_digit());
    // `a`, `8`, `64k`.
    if unit.len() < 2 {
        return true;
    }
    let words = "\
        read write randread randwrite rw randrw readwrite trim random sequential seq rand \
        mixed job jobs test step disk file sync latency iops bandwidth reads writes";
    words.split(' ').any(|word| word == name)
}
