//! One suite for both databases: the same questions get the same answers.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

use history::{DatabaseFailure, Filter, History, HistoryError, HistoryLocation, ImportOutcome};
use lab::PostgresServer;
use record::{Metric, Record, fixture};

fn is_failure(error: &HistoryError, wanted: DatabaseFailure) -> bool {
    matches!(error, HistoryError::Database { failure, .. } if *failure == wanted)
}

/// Asks the same of SQLite and of PostgreSQL; what `script` says must be the same of both.
fn on_both(name: &str, script: impl Fn(&mut History, &HistoryLocation) -> Vec<String>) {
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let place = HistoryLocation::Folder(folder.path().join("truedisk"));
    let by_sqlite = script(&mut History::open(&place).unwrap(), &place);
    if !lab::settle(name, lab::postgres_needs()) {
        return;
    }
    let place = HistoryLocation::Server(PostgresServer::shared().database(name));
    let by_postgres = script(&mut History::open(&place).unwrap(), &place);
    assert_eq!(by_sqlite, by_postgres);
}

/// A judged run, the `number`th, an hour after the one before.
fn run(number: i64) -> Record {
    let mut record = fixture::ssd_record();
    let shift = jiff::SignedDuration::from_hours(number);
    record.measured.started += shift;
    record.measured.finished += shift;
    record.measured.id =
        format!("{}-{number:08x}", record.measured.started.strftime("%Y%m%dT%H%M%SZ"));
    for cell in &mut record.measured.cells {
        if let Some(read) = &mut cell.totals.read {
            read.iops += number as f64;
        }
    }
    record
}

fn ids(history: &mut History, filter: &Filter) -> Vec<String> {
    history.list_runs(filter).unwrap().into_iter().map(|run| run.id).collect()
}

#[test]
fn runs_are_kept_listed_and_found() {
    on_both("runs_are_kept_listed_and_found", |history, _| {
        for number in [2, 0, 1] {
            history.save_record(&run(number)).unwrap();
        }
        let all: Vec<String> = [2, 1, 0].map(|number| run(number).measured.id).to_vec();
        assert_eq!(ids(history, &Filter::default()), all);
        assert_eq!(history.count_runs().unwrap(), 3);
        let newest = Filter { newest: Some(1), ..Filter::default() };
        assert_eq!(ids(history, &newest), all[..1]);
        for (filter, expected) in [
            (Filter { target: Some("/srv/data".into()), ..Filter::default() }, 3),
            (Filter { target: Some("vda".into()), ..Filter::default() }, 3),
            (Filter { target: Some("/srv".into()), ..Filter::default() }, 0),
            (Filter { host: Some("db-3".into()), ..Filter::default() }, 3),
            (Filter { host: Some("db-4".into()), ..Filter::default() }, 0),
            (Filter { command: Some("check".into()), ..Filter::default() }, 3),
            (Filter { command: Some("limit".into()), ..Filter::default() }, 0),
            (Filter { since: Some(run(1).measured.started), ..Filter::default() }, 2),
        ] {
            assert_eq!(history.list_runs(&filter).unwrap().len(), expected, "{filter:?}");
        }
        assert_eq!(history.load_record(&all[0]).unwrap(), run(2));
        assert_eq!(history.find_run("latest").unwrap(), all[0]);
        assert_eq!(history.find_run(&all[1]).unwrap(), all[1]);
        assert_eq!(history.find_run(&all[1][..13]).unwrap(), all[1]);
        vec![format!("{:?}", history.list_runs(&Filter::default()).unwrap())]
    });
}

#[test]
fn an_unknown_name_gets_the_nearest_and_a_short_one_the_choices() {
    on_both("an_unknown_name_gets_the_nearest_and_a_short_one_the_choices", |history, _| {
        assert!(matches!(history.find_run("latest"), Err(HistoryError::UnknownRun { .. })));
        for number in 0..3 {
            history.save_record(&run(number)).unwrap();
        }
        history.tag_run(&run(0).measured.id, "before-upgrade").unwrap();
        let error = history.find_run("before-upgrad").unwrap_err();
        assert!(error.hint().unwrap().contains("before-upgrade"), "{error}");
        let mut typo = run(1).measured.id;
        typo.replace_range(3..4, "9");
        let unknown = history.find_run(&typo).unwrap_err();
        assert!(unknown.hint().unwrap().contains(&run(1).measured.id), "{unknown:?}");
        let several = history.find_run("2026").unwrap_err();
        assert!(matches!(&several, HistoryError::Ambiguous { ids, .. } if ids.len() == 3));
        assert!(matches!(history.find_run(""), Err(HistoryError::UnknownRun { .. })));
        [error, unknown, several].map(|error| format!("{error} {:?}", error.hint())).to_vec()
    });
}

#[test]
fn a_tag_names_one_run_and_moves() {
    on_both("a_tag_names_one_run_and_moves", |history, _| {
        history.save_record(&run(0)).unwrap();
        history.save_record(&run(1)).unwrap();
        let (old, new) = (run(0).measured.id, run(1).measured.id);
        assert_eq!(history.tag_run(&old, "good").unwrap(), None);
        assert_eq!(history.tag_run(&old, "good").unwrap(), None);
        assert_eq!(history.find_run("good").unwrap(), old);
        assert_eq!(history.tag_run(&new, "good").unwrap(), Some(old.clone()));
        assert_eq!(history.find_run("good").unwrap(), new);
        let tagged = Filter { tag: Some("good".into()), ..Filter::default() };
        assert_eq!(ids(history, &tagged), std::slice::from_ref(&new));
        // A run that is kept again, as a sweep that was gone on with, keeps its tags.
        history.save_record(&run(1)).unwrap();
        assert_eq!(history.list_runs(&tagged).unwrap()[0].tags, ["good"]);
        for odd in ["", "latest", "-n", "two words", &old] {
            assert!(
                matches!(history.tag_run(&new, odd), Err(HistoryError::InvalidTag { .. })),
                "{odd}"
            );
        }
        assert_eq!(history.remove_tag("good").unwrap(), new);
        assert!(matches!(history.remove_tag("good"), Err(HistoryError::UnknownRun { .. })));
        vec![format!("{:?}", history.list_runs(&Filter::default()).unwrap())]
    });
}

#[test]
fn what_is_deleted_is_gone_and_nothing_else() {
    on_both("what_is_deleted_is_gone_and_nothing_else", |history, place| {
        for number in 0..3 {
            history.save_record(&run(number)).unwrap();
        }
        let gone = run(1).measured.id;
        history.tag_run(&gone, "doomed").unwrap();
        history.delete_run(&gone).unwrap();
        assert!(!history.has_run(&gone).unwrap());
        assert!(history.load_figures(&gone).unwrap().is_empty());
        assert!(matches!(history.load_record(&gone), Err(HistoryError::Damaged { .. })));
        assert!(matches!(history.find_run("doomed"), Err(HistoryError::UnknownRun { .. })));
        assert_eq!(history.load_record(&run(2).measured.id).unwrap(), run(2));
        if let HistoryLocation::Folder(folder) = place {
            assert_eq!(std::fs::read_dir(folder.join("runs")).unwrap().count(), 2);
        }
        vec![format!("{:?}", ids(history, &Filter::default()))]
    });
}

#[test]
fn figures_are_a_series_oldest_first() {
    on_both("figures_are_a_series_oldest_first", |history, _| {
        for number in [3, 1, 2] {
            history.save_record(&run(number)).unwrap();
        }
        let cell = ("randread-4k-qd1", "read");
        let all = history.load_series(&Filter::default(), cell, Metric::Iops).unwrap();
        let values: Vec<f64> = all.iter().map(|point| point.figure.value).collect();
        assert_eq!(values, [20_001.0, 20_002.0, 20_003.0]);
        let last = Filter { newest: Some(2), ..Filter::default() };
        assert_eq!(history.load_series(&last, cell, Metric::Iops).unwrap(), all[1..]);
        let p99 = history.load_series(&Filter::default(), cell, Metric::P99).unwrap();
        let expected =
            run(1).measured.cells[0].totals.read.as_ref().unwrap().latency_ns.percentiles["p99"];
        assert_eq!(p99[0].figure.value, expected as f64);
        let absent =
            history.load_series(&Filter::default(), ("none", "read"), Metric::Iops).unwrap();
        assert!(absent.is_empty());
        vec![format!("{all:?} {p99:?} {:?}", history.load_figures(&run(1).measured.id).unwrap())]
    });
}

#[test]
fn a_run_that_comes_in_twice_is_known_and_another_with_its_id_refused() {
    on_both("a_run_that_comes_in_twice_is_known", |history, _| {
        assert_eq!(history.import_record(&run(0)).unwrap(), ImportOutcome::New);
        assert_eq!(history.import_record(&run(0)).unwrap(), ImportOutcome::Known);
        let mut other = run(0);
        other.measured.environment.kernel = "another".to_owned();
        assert!(matches!(history.import_record(&other), Err(HistoryError::DuplicateId { .. })));
        assert_eq!(history.load_record(&run(0).measured.id).unwrap(), run(0));
        // An id is never the way into another folder.
        for odd in ["../../evil", ".hidden", "", "a/b", "latest", "-o", "before-upgrade"] {
            let mut evil = run(0);
            odd.clone_into(&mut evil.measured.id);
            assert!(
                matches!(history.import_record(&evil), Err(HistoryError::InvalidId { .. })),
                "{odd}"
            );
        }
        vec![format!("{:?}", ids(history, &Filter::default()))]
    });
}

#[test]
fn two_that_begin_at_once_share_one_history() {
    on_both("two_that_begin_at_once_share_one_history", |_, place| {
        let save = |first: i64| {
            move || {
                let mut history = History::open(place).unwrap();
                for number in first..first + 4 {
                    history.save_record(&run(number)).unwrap();
                }
            }
        };
        std::thread::scope(|scope| {
            let threads = [0, 4, 8].map(|first| scope.spawn(save(first)));
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
        let mut history = History::open_read_only(place).unwrap();
        for run in history.list_runs(&Filter::default()).unwrap() {
            history.load_record(&run.id).unwrap();
        }
        vec![format!("{:?}", ids(&mut history, &Filter::default()))]
    });
}

#[test]
fn a_history_of_a_newer_truedisk_is_refused() {
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let place = HistoryLocation::Folder(folder.path().to_owned());
    History::open(&place).unwrap();
    let raise = |database: &std::path::Path| {
        let database = rusqlite::Connection::open(database).unwrap();
        database.pragma_update(None, "user_version", 99).unwrap();
    };
    raise(&folder.path().join("history.db"));
    let error = History::open(&place).err().unwrap();
    assert!(matches!(error, HistoryError::Newer { found: 99, .. }), "{error}");
    assert!(History::open_read_only(&place).is_err());

    if !lab::settle("a_history_of_a_newer_truedisk_is_refused", lab::postgres_needs()) {
        return;
    }
    let address = PostgresServer::shared().database("newer");
    let place = HistoryLocation::Server(address.clone());
    History::open(&place).unwrap();
    let mut client = postgres::Client::connect(&address, postgres::NoTls).unwrap();
    client.execute("UPDATE truedisk_version SET version = 99", &[]).unwrap();
    let error = History::open(&place).err().unwrap();
    assert!(matches!(error, HistoryError::Newer { found: 99, .. }), "{error}");
}

#[test]
fn a_wrong_login_and_a_reader_are_told_apart() {
    if !lab::settle("a_wrong_login_and_a_reader_are_told_apart", lab::postgres_needs()) {
        return;
    }
    let server = PostgresServer::shared();
    let address = server.database("logins");
    let wrong = HistoryLocation::Server(server.address_as("ann", "guess", "logins"));
    let error = History::open(&wrong).err().unwrap();
    assert!(is_failure(&error, DatabaseFailure::Login), "{error}");
    assert!(error.to_string().contains("password") && !error.to_string().contains("guess"));
    let mut owner = History::open(&HistoryLocation::Server(address.clone())).unwrap();
    owner.save_record(&run(0)).unwrap();
    let mut client = postgres::Client::connect(&address, postgres::NoTls).unwrap();
    client
        .batch_execute(
            "CREATE ROLE bob LOGIN PASSWORD 'b'; \
             GRANT SELECT ON ALL TABLES IN SCHEMA public TO bob",
        )
        .unwrap();
    let mut reader =
        History::open_read_only(&HistoryLocation::Server(server.address_as("bob", "b", "logins")))
            .unwrap();
    assert_eq!(reader.load_record(&run(0).measured.id).unwrap(), run(0));
    let error = reader.save_record(&run(1)).unwrap_err();
    assert!(is_failure(&error, DatabaseFailure::ReadOnly), "{error}");
}
