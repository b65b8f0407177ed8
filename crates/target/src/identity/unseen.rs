//! What could not be found out about a target and the devices below it.

use message::messages;

messages! {
    SerialUnseen = "unseen-serial" { device: String };
    FileSystemsNestedDeeper = "unseen-nested-deeper" { levels: usize };
    UpperOutside = "unseen-upper-outside" { upper: String };
    UpperAssumed = "unseen-upper-assumed" { upper: String, source: String, mounted_at: String };
    BackingFileSystem = "unseen-backing-file-system" { file: String, device: String };
}
