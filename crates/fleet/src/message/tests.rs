//! What is believed of a message, and what is not.

use proptest::prelude::*;
use record::CellRole;
use units::Nanos;
use workload::Job;

use super::*;
use crate::name::RunName;

fn ours() -> Version {
    Version::current("1.0")
}

fn run() -> RunName {
    "r1".parse().unwrap()
}

fn orders() -> Vec<Order> {
    vec![
        Order::Ping,
        Order::Prepare { run: run() },
        Order::Arm { run: run(), turn: 3, role: CellRole::Probe, jobs: vec![Job::base()] },
        Order::Go { run: run(), turn: 3, at_ns: u64::MAX, error: Nanos(1) },
        Order::Cut { run: run(), turn: 3 },
        Order::Fetch { run: run(), what: FetchItem::Cells { turn: 3 }, piece: 0 },
        Order::Stop { run: None, cause: StopCause::StopCommand },
        Order::BeginJobs(Box::new(BeginJobs {
            run: run(),
            jobs: fio_run::SentJobs::default(),
            read_only: true,
            destroy: None,
            fresh: units::Seed(7),
            members: RunMembers { count: 1, names: vec!["a".parse().unwrap()], group: 0 },
        })),
        Order::Acknowledge { run: run() },
    ]
}

#[test]
fn what_is_said_arrives() {
    for order in orders() {
        let sent = SentOrder { instance: u64::MAX, session: 1, number: 2, order };
        let bytes = encode(&ours(), &sent).unwrap();
        assert_eq!(decode::<SentOrder>(&ours(), &bytes).unwrap(), sent);
        assert!(sent.order.find_violation().is_none());
    }
    let reply = Reply::Piece { pieces: 2, sha256: "x".to_owned() };
    let piece = [b'\n', 0, 255];
    let bytes = encode_with_piece(&ours(), &reply, &piece).unwrap();
    assert_eq!(decode_with_piece::<Reply>(&ours(), &bytes).unwrap(), (reply, &piece[..]));
}

#[test]
fn another_version_is_refused_by_name_before_anything_else() {
    for theirs in [Version::current("0.9"), Version { protocol: 1, program: "1.0".to_owned() }] {
        // Whatever a later version says, its version can be read.
        let bytes = encode(&theirs, &serde_json::json!({"novelty": [1, 2, 3]})).unwrap();
        let error = decode::<Order>(&ours(), &bytes).unwrap_err();
        assert_eq!(error, MessageError::Version { theirs: theirs.clone(), ours: ours() });
        assert!(error.to_string().contains(&theirs.to_string()), "{error}");
    }
}

#[test]
fn what_is_not_of_this_schema_is_refused() {
    let refused = |text: &str| match decode::<Order>(&ours(), text.as_bytes()).unwrap_err() {
        MessageError::Malformed(words) => words,
        other => panic!("{other}"),
    };
    let with =
        |body: &str| format!(r#"{{"version":{{"protocol":8,"program":"1.0"}},"body":{body}}}"#);
    assert!(refused(&with(r#"{"verb":"execute","of":"rm"}"#)).contains("unknown variant"));
    assert!(refused(&with(r#"{"verb":"prepare","of":{"run":"../x"}}"#)).contains("no name"));
    refused(&with(r#"{"verb":"prepare","of":{"run":"a"},"x":1}"#));
    refused("");
    refused("{}");
    refused(&"[".repeat(100_000));
    refused("{\"version\":null}");
}

#[test]
fn sizes_are_bounded_on_both_sides() {
    let large = "x".repeat(MESSAGE_MAX + 1);
    assert!(matches!(encode(&ours(), &large), Err(MessageError::TooLarge(_))));
    let error = decode::<Order>(&ours(), large.as_bytes()).unwrap_err();
    assert!(matches!(error, MessageError::TooLarge(_)));
    let jobs = vec![Job::base(); 3];
    let order = Order::Arm { run: run(), turn: 0, role: CellRole::Main, jobs };
    assert!(order.find_violation().unwrap().contains("3 jobs"));
    let begin = BeginJobs {
        run: run(),
        jobs: fio_run::SentJobs::default(),
        read_only: false,
        destroy: Some("sdb".into()),
        fresh: units::Seed(7),
        members: RunMembers { count: 0, names: Vec::new(), group: 0 },
    };
    let order = Order::BeginJobs(Box::new(begin));
    assert!(order.find_violation().unwrap().contains("not absolute"));
    let order = Order::Fetch { run: run(), what: FetchItem::Record, piece: u32::MAX };
    assert!(order.find_violation().is_some());
}

#[test]
fn an_order_goes_where_its_verb_says() {
    let name = "db1".parse().unwrap();
    for order in orders() {
        let subject = order_subject(&name, order.verb());
        assert!(subject.starts_with("truedisk.v1.agent.db1."));
        assert_eq!(last_token(&subject), order.verb());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Any bytes at all: an answer, and no panic.
    #[test]
    fn noise_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(decode::<Order>(&ours(), &bytes).is_err());
    }

    /// A message with a few bytes changed is refused, or is an order that is looked at like any
    /// other.
    #[test]
    fn a_damaged_order_does_no_harm(
        which in 0..9_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = encode(&ours(), &orders()[which]).unwrap();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(order) = decode::<Order>(&ours(), &bytes) {
            // Its name is still a part of a subject, as each of them is.
            let subject = order_subject(&"db1".parse().unwrap(), order.verb());
            prop_assert_eq!(last_token(&subject), order.verb());
            let _ = order.find_violation();
        }
        let _ = decode::<RunState>(&ours(), &bytes);
        let _ = decode::<AgentInfo>(&ours(), &bytes);
        let _ = decode::<Reply>(&ours(), &bytes);
    }
}

#[test]
fn progress_is_the_sum_and_nothing_without_hosts() {
    let live = CellProgress { measured_ns: 5, iops: 10.0, bytes_per_second: 1.0, silent_ns: 0 };
    let other = CellProgress { measured_ns: 7, silent_ns: 3, ..live };
    let sum = sum_progress([live, other].into_iter()).unwrap();
    assert_eq!((sum.measured_ns, sum.silent_ns), (7, 3));
    assert!((sum.iops - 20.0).abs() < 1e-9);
    assert!(sum_progress(std::iter::empty()).is_none());
}

#[test]
fn a_run_or_a_host_may_be_called_as_relays_speak() {
    let (run, name) = ("relayed".parse().unwrap(), "relayed".parse().unwrap());
    assert!(is_report_subject(&report_subject(&run, &name)));
    assert!(!is_report_subject(&state_subject(&run, 0, &name)));
}
