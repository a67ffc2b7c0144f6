//! `tuzdyq datagen`: the same games whatever the threads, the interruptions and the shards; files as
//! docs/data-format.md says; sets without repeats; damaged files refused.

mod common;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use common::files::{folder, text};
use common::pipe::{output, refusal};
use tuzdyq::eval::network::Layers;

fn play(path: &Path, games: &str, more: &[&str]) -> String {
    let fixed = ["datagen", "--games", games, "--nodes", "200", "--noise", "20", "--out", text(path)];
    output(&[&fixed[..], more].concat())
}

/// The records of a file, read as the document says, without the library.
struct Data {
    order: u8,
    origin: String,
    /// Each chunk as the work done with it, and its records.
    chunks: Vec<(u64, Vec<[u8; 26]>)>,
}

impl Data {
    fn read(path: &Path) -> Data {
        let bytes = fs::read(path).expect("a file");
        let number = |from: usize, count: usize| {
            bytes[from..from + count].iter().rev().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte))
        };
        let crc = |from: usize, to: usize| u64::from(crc32fast::hash(&bytes[from..to]));
        assert_eq!(&bytes[..8], b"TUZDYQTD");
        assert_eq!((number(8, 2), bytes[10]), (1, 0));
        let text = 16 + number(12, 4) as usize;
        assert_eq!(crc(0, text), number(text, 4));
        let origin = String::from_utf8(bytes[16..text].to_vec()).expect("UTF-8");
        let mut place = text + 4;
        let mut chunks = Vec::new();
        loop {
            let count = number(place, 4) as usize;
            let records = place + 20;
            let end = records + 26 * count;
            assert_eq!(crc(place, place + 16), number(place + 16, 4));
            assert_eq!(crc(records, end), number(place + 12, 4));
            if count == 0 {
                assert_eq!(end, bytes.len());
                return Data { order: bytes[11], origin, chunks };
            }
            let split = bytes[records..end].chunks(26).map(|record| record.try_into().expect("26 bytes"));
            chunks.push((number(place + 4, 8), split.collect()));
            place = end;
        }
    }

    fn records(&self) -> Vec<[u8; 26]> {
        self.chunks.iter().flat_map(|(_, records)| records.clone()).collect()
    }

    fn games(&self) -> Vec<Vec<[u8; 26]>> {
        self.records().chunk_by(|_, next| next[25] & 1 == 0).map(<[_]>::to_vec).collect()
    }
}

fn distinct(records: &[[u8; 26]]) -> HashSet<Vec<u8>> {
    records.iter().map(|record| record[..20].to_vec()).collect()
}

#[test]
fn games_depend_on_the_seed_alone() {
    let folder = folder("dg-same");
    let path = |name: &str| folder.join(name);
    let report = play(&path("one"), "70", &[]);
    assert!(report.contains("games      70") && report.contains(" positions a second"), "{report}");
    play(&path("two"), "70", &["--threads", "2"]);
    let bytes = |name: &str| fs::read(path(name)).expect("a file");
    assert!(bytes("one") == bytes("two"));
    play(&path("other"), "70", &["--seed", "2"]);
    assert!(Data::read(&path("one")).records() != Data::read(&path("other")).records());

    // What was interrupted goes on: with nothing, with a chunk, and with a chunk that was cut off.
    let whole = bytes("one");
    let header = 20 + Data::read(&path("one")).origin.len();
    let first = header + 20 + 26 * Data::read(&path("one")).chunks[0].1.len();
    for length in [0, 7, header, header + 500, first, first + 19, first + 100, whole.len() - 1] {
        fs::write(path("later.part"), &whole[..length]).expect("a file");
        let report = play(&path("later"), "70", &[]);
        let kept = if length >= first { "going on after 64 games" } else { "games      70" };
        assert!(report.contains(kept) || length == whole.len() - 1, "{length}: {report}");
        assert!(bytes("later") == whole, "{length}");
        assert!(!path("later.part").exists());
        fs::remove_file(path("later")).expect("a file");
    }
    // What is complete is left alone, and what is another file too.
    assert_eq!(play(&path("one"), "70", &[]), "there already, made in the same way");
    let args = ["datagen", "--games", "71", "--nodes", "200", "--noise", "20", "--out", text(&path("one"))]
        .map(str::to_owned);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    assert!(refusal(&args, 1).contains("is there already, made in another way: datagen games=70 "));
    fs::write(path("new.part"), &whole[..header]).expect("a file");
    let new = path("new");
    let args = [&args[..8], &[text(&new)]].concat();
    let error = refusal(&args, 1);
    assert!(error.contains("new.part: the beginning of another file is there: datagen games=70 "), "{error}");
    assert_eq!(fs::read(path("new.part")).expect("a file").len(), header);
}

#[test]
fn shards_have_the_games_of_the_whole() {
    let folder = folder("dg-shards");
    play(&folder.join("whole"), "10", &[]);
    let mut parts = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let path = folder.join(shard.replace('/', "-"));
        play(&path, "10", &["--shard", shard]);
        parts.push(Data::read(&path).games());
    }
    let dealt: Vec<_> = (0..10).map(|game| parts[game % 3][game / 3].clone()).collect();
    assert!(dealt == Data::read(&folder.join("whole")).games());
}

#[test]
fn records_are_what_the_document_says() {
    let folder = folder("dg-records");
    let path = folder.join("games");
    play(&path, "40", &[]);
    let data = Data::read(&path);
    assert_eq!((data.order, data.chunks.len(), data.chunks[0].0), (0, 1, 40));
    assert!(data.origin.starts_with("datagen games=40 shard=1/1 seed=1 nodes=200 "), "{}", data.origin);
    assert_eq!(data.games().len(), 40);
    let (mut exact, mut disturbed, mut captures, mut proven) = (0, 0, 0, 0);
    for game in data.games() {
        for (index, record) in game.iter().enumerate() {
            let stones: u32 = record[..18].iter().map(|&stones| u32::from(stones)).sum();
            let other = 162 - stones - u32::from(record[18]);
            let score = i16::from_le_bytes([record[20], record[21]]);
            let (best, result, flags) = (record[24] & 15, record[24] >> 4, record[25]);
            let ply = u16::from_le_bytes([record[22], record[23]]);
            assert!(record[18] <= 81 && other <= 81);
            assert_eq!(flags & 1 == 1, index == 0);
            assert!(flags < 16 && result < 3);
            assert_eq!(result, if index % 2 == 0 { game[0][24] >> 4 } else { 2 - (game[0][24] >> 4) });
            assert_eq!(ply as usize, index + u16::from_le_bytes([game[0][22], game[0][23]]) as usize);
            if flags & 8 == 0 {
                assert!(record[usize::from(best) - 1] > 0);
                captures += u32::from(flags & 2 != 0);
            } else {
                exact += 1;
                assert!(best == 0 && stones <= 8 && flags & 2 == 0);
                let lead = 100 * (i32::from(record[18]) - other as i32);
                assert!((i32::from(score) - lead).unsigned_abs() <= 100 * stones);
            }
            let last = index + 1 == game.len();
            if score.abs() > 16_200 {
                proven += 1;
                assert!(last && score.abs() > 29_000 && result == if score > 0 { 2 } else { 0 });
            }
            // What comes before a random move is disturbed, even all of a game that ends with one.
            assert!(last || flags & 4 != 0 || game[index + 1][25] & 4 == 0);
            disturbed += u32::from(flags & 4 != 0);
        }
    }
    assert!(disturbed > 100 && captures > 100 && proven > 10, "{disturbed} {captures} {proven} {exact}");

    let info = output(&["datagen", "info", text(&path)]);
    assert!(info.contains("games      40\n") && info.contains(&data.origin), "{info}");
    assert!(info.contains(&format!("records    {}\n", data.records().len())), "{info}");
}

#[test]
fn joined_and_mixed_files_hold_each_position_once() {
    let folder = folder("dg-sets");
    let path = |name: &str| folder.join(name);
    let short = ["--plies", "0..1"];
    play(&path("a"), "20", &short);
    play(&path("b"), "20", &[&short[..], &["--seed", "2"]].concat());
    let (a, b) = (path("a"), path("b"));
    let all = [Data::read(&a).records(), Data::read(&b).records()].concat();
    let merged = output(&["datagen", "merge", text(&a), text(&b), "--out", text(&path("merged"))]);
    let kept = Data::read(&path("merged"));
    assert!(kept.records().len() < all.len());
    assert_eq!(distinct(&kept.records()), distinct(&all));
    assert_eq!(kept.records().len(), distinct(&all).len());
    let dropped = all.len() - kept.records().len();
    assert_eq!(merged, format!("{} records, {dropped} dropped as repeated", kept.records().len()));
    for game in kept.games() {
        assert!(game.windows(2).all(|pair| pair[0][22..24] < pair[1][22..24]), "in the order of the game");
    }

    let args = ["datagen", "shuffle", text(&a), text(&b), "--share", "300"];
    let (training, validation) = (path("training"), path("validation"));
    output(&[&args[..], &["--training", text(&training), "--validation", text(&validation)]].concat());
    let sets = [Data::read(&training), Data::read(&validation)];
    assert!(sets.iter().all(|set| set.order == 1));
    let sets = sets.map(|set| set.records());
    assert!(sets.iter().all(|set| set.len() > 500), "{} {}", sets[0].len(), sets[1].len());
    assert!(sets.iter().all(|set| distinct(set).len() == set.len()));
    assert!(distinct(&sets[0]).is_disjoint(&distinct(&sets[1])));
    // The games of a set are whole: every game has all its positions in one of them, but for those repeated.
    let games = [Data::read(&a).games(), Data::read(&b).games()].concat();
    let mut counts: HashMap<Vec<u8>, u32> = HashMap::new();
    for record in games.iter().flatten() {
        *counts.entry(record[..20].to_vec()).or_default() += 1;
    }
    let (one, other) = (distinct(&sets[0]), distinct(&sets[1]));
    for game in &games {
        let own = game.iter().map(|record| record[..20].to_vec()).filter(|position| counts[position] == 1);
        let places: HashSet<bool> = own
            .map(|position| {
                assert!(one.contains(&position) || other.contains(&position));
                one.contains(&position)
            })
            .collect();
        assert!(places.len() <= 1);
    }
    // Mixed: neighbours are seldom of the same game.
    let next = |pair: &&[[u8; 26]]| {
        pair[1][22..24] == (u16::from_le_bytes([pair[0][22], pair[0][23]]) + 1).to_le_bytes()
    };
    assert!(sets[0].windows(2).filter(next).count() < sets[0].len() / 10);

    let error = refusal(&["datagen", "merge", text(&training), "--out", text(&path("no"))], 1);
    assert!(error.contains("the positions are shuffled, expected whole games"), "{error}");
    assert!(!path("no").exists());
}

#[test]
fn a_network_for_a_game_that_has_none_is_refused() {
    let out = folder("dg-variant").join("games");
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/networks/togyzqumalaq.tqn");
    let args =
        ["datagen", "--games", "1", "--out", text(&out), "--variant", "kozdatu", "--eval-file", network];
    assert!(refusal(&args, 2).contains(&format!("--eval-file {network}: ")));
    assert!(!out.exists());
}

#[test]
fn a_network_whose_name_has_no_room_in_the_file_is_refused() {
    let folder = folder("dg-long");
    let (network, data) = (folder.join("long.tqn"), folder.join("data"));
    let built_in = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/networks/togyzqumalaq.tqn"));
    let mut layers = Layers::parse(&built_in.expect("a file")).expect("a network");
    layers.origin = "n".repeat(4_096);
    fs::write(&network, layers.to_bytes()).expect("a file");
    let arguments = ["datagen", "--games", "1", "--nodes", "50", "--out", text(&data)];
    let error = refusal(&[&arguments[..], &["--eval-file", text(&network)]].concat(), 1);
    assert!(error.trim_end().ends_with("at most 4096: the name of the network is too long"), "{error}");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing is left behind");
    layers.origin.truncate(3_000);
    fs::write(&network, layers.to_bytes()).expect("a file");
    output(&[&arguments[..], &["--eval-file", text(&network)]].concat());
    assert!(Data::read(&data).origin.contains(&"n".repeat(3_000)));
}

#[test]
fn rescored_games_are_the_same_games() {
    let folder = folder("dg-rescore");
    let path = |name: &str| folder.join(name);
    play(&path("games"), "70", &[]);
    let rescore = |name: &str, threads: &str| {
        let (input, out) = (path("games"), path(name));
        let args = ["datagen", "rescore", text(&input), "--out", text(&out), "--nodes", "400"];
        output(&[&args[..], &["--threads", threads]].concat());
        fs::read(out).expect("a file")
    };
    let one = rescore("one", "1");
    let (before, after) = (Data::read(&path("games")), Data::read(&path("one")));
    assert_eq!(after.chunks.iter().map(|chunk| chunk.0).collect::<Vec<_>>(), [1, 2]);
    let (before, after) = (before.records(), after.records());
    let kept =
        |record: &[u8; 26]| ([&record[..20], &record[22..24]].concat(), record[24] >> 4, record[25] & 5);
    assert!(before.iter().map(kept).eq(after.iter().map(kept)));
    let scores = |records: &[[u8; 26]]| records.iter().map(|it| [it[20], it[21]]).collect::<Vec<_>>();
    assert_ne!(scores(&before), scores(&after));
    // Interrupted after the first chunk.
    let header = 20 + Data::read(&path("one")).origin.len();
    let first = header + 20 + 26 * Data::read(&path("one")).chunks[0].1.len();
    fs::write(path("two.part"), &one[..first + 5]).expect("a file");
    assert!(rescore("two", "2") == one);
}

#[test]
fn damaged_files_are_refused() {
    let folder = folder("dg-damaged");
    let good = folder.join("good");
    play(&good, "5", &[]);
    let bytes = fs::read(&good).expect("a file");
    let header = 20 + Data::read(&good).origin.len();
    let fault = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = bytes.clone();
        change(&mut changed);
        let path = folder.join(name);
        fs::write(&path, changed).expect("a file");
        let error = refusal(&["datagen", "info", text(&path)], if name.starts_with("chunk") { 1 } else { 2 });
        assert!(error.contains(text(&path)), "{error}");
        error
    };
    assert!(fault("empty", &|file| file.clear()).contains("not a file of training data"));
    assert!(
        fault("text", &|file| file[..4].copy_from_slice(b"1-0 ")).contains("not a file of training data")
    );
    assert!(fault("version", &|file| file[8] = 2).contains("format version 2, expected 1"));
    assert!(fault("half-header", &|file| file.truncate(30)).contains("the header is damaged"));
    assert!(fault("origin", &|file| file[20] ^= 1).contains("the header is damaged"));
    assert!(fault("chunk-cut", &|file| file.truncate(header + 200)).contains("cut off after chunk 0"));
    assert!(fault("chunk-end", &|file| file.truncate(file.len() - 20)).contains("cut off after chunk 1"));
    assert!(fault("chunk-head", &|file| file[header + 2] ^= 1).contains("chunk 0 is damaged"));
    assert!(fault("chunk-record", &|file| file[header + 99] ^= 1).contains("chunk 0 is damaged"));
    assert!(fault("chunk-more", &|file| file.push(0)).contains("bytes after the end"));
    // A record that is impossible under right sums.
    let impossible = |file: &mut Vec<u8>| {
        file[header + 20] = 200;
        let end = file.len() - 20;
        let sum = crc32fast::hash(&file[header + 20..end]).to_le_bytes();
        file[header + 12..header + 16].copy_from_slice(&sum);
        let sum = crc32fast::hash(&file[header..header + 16]).to_le_bytes();
        file[header + 16..header + 20].copy_from_slice(&sum);
    };
    assert!(
        fault("chunk-impossible", &impossible).contains("chunk 0, record 0: South's pit 1 cannot hold 200")
            || fault("chunk-impossible", &impossible)
                .contains("chunk 0, record 0: North's pit 1 cannot hold 200")
    );
    let missing = folder.join("missing");
    assert!(refusal(&["datagen", "info", text(&missing)], 2).contains("missing: "));
    let kozdatu = folder.join("kozdatu");
    play(&kozdatu, "2", &["--variant", "kozdatu"]);
    let out = folder.join("out");
    let error = refusal(&["datagen", "merge", text(&good), text(&kozdatu), "--out", text(&out)], 1);
    assert!(error.contains("kozdatu: a file of kozdatu, expected togyzqumalaq"), "{error}");
}
