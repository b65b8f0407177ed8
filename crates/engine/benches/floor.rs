//! The floor: a ring kept full of 4 KiB random reads, with no clock, no histogram, no books.
//!
//! What is left of the engine's rate below this is what its measuring costs. `floor DEVICE DEPTH
//! SECONDS` prints reads per second; without arguments (as `cargo bench` or `cargo test` call it)
//! it does nothing.
#![allow(clippy::print_stdout, clippy::expect_used, clippy::unwrap_used)]

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::time::Instant;

use engine::Permutation;
use io_uring::types::Fixed;
use io_uring::{IoUring, opcode};

const BLOCK: u64 = 4096;
/// As many new reads as the engine puts into one batch.
const BATCH: usize = 32;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let [device, depth, seconds] = args.as_slice() else { return };
    let depth: usize = depth.parse().expect("a depth");
    let seconds: f64 = seconds.parse().expect("seconds");
    let mut file =
        OpenOptions::new().read(true).custom_flags(libc::O_DIRECT).open(device).expect("open");
    let blocks = file.seek(SeekFrom::End(0)).expect("size") / BLOCK;
    let order = Permutation::new(blocks, 1);
    let memory = vec![0_u8; (depth + 1) * BLOCK as usize];
    let base = memory.as_ptr().align_offset(BLOCK as usize);
    let mut ring: IoUring = IoUring::builder()
        .setup_single_issuer()
        .setup_defer_taskrun()
        .build((depth as u32).next_power_of_two())
        .expect("a ring");
    ring.submitter().register_files(&[file.as_raw_fd()]).expect("register the file");
    let whole = libc::iovec {
        iov_base: memory[base..].as_ptr().cast_mut().cast(),
        iov_len: depth * BLOCK as usize,
    };
    // SAFETY: `memory` lives until the end of main, after the ring.
    unsafe { ring.submitter().register_buffers(&[whole]) }.expect("register the buffers");
    let (submitter, mut submission, mut completion) = ring.split();
    let mut free: Vec<u64> = (0..depth as u64).collect();
    let (mut index, mut done) = (0, 0_u64);
    let started = Instant::now();
    loop {
        for _ in 0..BATCH {
            let Some(slot) = free.pop() else { break };
            let buffer = memory[base + slot as usize * BLOCK as usize..].as_ptr().cast_mut();
            let read = opcode::ReadFixed::new(Fixed(0), buffer, BLOCK as u32, 0)
                .offset(order.at(index) * BLOCK)
                .build()
                .user_data(slot);
            index = (index + 1) % blocks;
            // SAFETY: the slot is free, so its buffer is nobody else's until it completes.
            unsafe { submission.push(&read) }.expect("room");
        }
        submission.sync();
        completion.sync();
        let wait = usize::from(free.is_empty());
        if wait == 1 {
            submitter.submit_and_wait(1).expect("submit");
        } else {
            let queued = submission.len() as u32;
            // SAFETY: no argument; GETEVENTS (1) posts deferred completions.
            unsafe { submitter.enter::<libc::sigset_t>(queued, 0, 1, None) }.expect("submit");
        }
        submission.sync();
        completion.sync();
        for entry in &mut completion {
            assert_eq!(entry.result(), BLOCK as i32);
            free.push(entry.user_data());
            done += 1;
        }
        // The one clock reading of many thousand reads: when to stop.
        if done % 8192 < BATCH as u64 && started.elapsed().as_secs_f64() > seconds {
            break;
        }
    }
    println!("{:.1}", done as f64 / started.elapsed().as_secs_f64());
    while free.len() < depth {
        submitter.submit_and_wait(1).expect("drain");
        completion.sync();
        free.extend((&mut completion).map(|entry| entry.user_data()));
    }
}
