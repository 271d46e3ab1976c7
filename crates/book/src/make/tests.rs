use super::*;

/// Plays any move, by its own dice, and resigns now and then.
struct Dice(fastrand::Rng);

impl Challenger for Dice {
    fn think(
        &mut self,
        pos: &Position,
        nodes: u64,
        only: &[Move],
    ) -> Result<ChallengerReply, String> {
        let legal = pos.legal_moves();
        let moves: Vec<Move> = match only {
            [] => legal.iter().take(4).collect(),
            _ => only.iter().copied().take(4).collect(),
        };
        let resigns = pos.ply() > 8 && self.0.u8(..3) == 0;
        let answer = match resigns || moves.is_empty() {
            true => BookAnswer::Resign,
            false => BookAnswer::Move(moves[self.0.usize(..moves.len())]),
        };
        Ok(ChallengerReply {
            answer,
            value: 0,
            depth: 3,
            nodes,
            is_proven_win: false,
        })
    }

    fn name(&self) -> String {
        "dice".into()
    }
}

fn players(seed: u64) -> ByColor<Box<dyn Challenger>> {
    let player = |seed| Box::new(Dice(fastrand::Rng::with_seed(seed)));
    ByColor([player(seed), player(seed + 1)])
}

fn plan() -> MakePlan {
    MakePlan {
        starts: vec![Position::start()],
        budget: (100, 10_000),
        follows: ByColor([true, true]),
        repetition: RepetitionRule::Loses(Color::Black),
        exclude: 0.2,
        longest: 40,
        resign_value: 5000,
        order: ChallengeOrder::InTurn,
        wins: Some(8),
        seed: 7,
        learns: true,
    }
}

#[test]
fn wins_are_followed_until_they_stand() {
    let maker = BookMaker::new(plan(), Graph::default(), None, &[]);
    let mut challengers = players(1);
    let mut reports = Vec::new();
    while !maker.progress().is_done {
        assert!(reports.len() < 20_000, "no side wins 8 times in a row");
        reports.push(maker.play(&mut challengers).unwrap());
    }
    assert!(
        reports
            .iter()
            .all(|report| (100..=10_000).contains(&report.budget))
    );
    let progress = maker.progress();
    assert_eq!(progress.games, reports.len() as u64);
    assert!(progress.streaks[0].wins >= 8);
    // What was kept move by move is what a full solve says.
    maker.with_book(|graph, wins| {
        let mut again = Wins::new(RepetitionRule::Loses(Color::Black));
        again.solve(graph);
        for node in graph.nodes() {
            assert_eq!(wins.outcome(graph, node), again.outcome(graph, node));
        }
    });
    // Work that is taken up again goes on with the next game.
    let graph = maker.with_book(|graph, _| graph.clone());
    let resumed = BookMaker::new(plan(), graph, None, &reports);
    assert_eq!(resumed.progress(), progress);
}

#[test]
fn the_same_seed_gives_the_same_book() {
    let books = [(); 2].map(|()| {
        let maker = BookMaker::new(plan(), Graph::default(), None, &[]);
        let mut challengers = players(5);
        let reports: Vec<_> = (0..40)
            .map(|_| maker.play(&mut challengers).unwrap())
            .collect();
        let keys = maker.with_book(|graph, _| {
            let keys = graph.nodes().map(|node| *graph.key(node));
            keys.collect::<Vec<_>>()
        });
        (reports, keys)
    });
    assert_eq!(books[0], books[1]);
}

#[test]
fn a_store_holds_what_the_graph_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("make.tbk");
    let (store, _) = crate::open_store(&path, &mut |_| ()).unwrap();
    let maker = BookMaker::new(plan(), Graph::default(), Some(store), &[]);
    let mut challengers = players(9);
    for _ in 0..20 {
        maker.play(&mut challengers).unwrap();
    }
    let (nodes, edges) = maker.with_book(|graph, _| (graph.node_count(), graph.edge_count()));
    drop(maker);
    let mut graph = Graph::default();
    crate::BookStore::open(&path, |entry| {
        graph.add_entry(&entry).unwrap();
    })
    .unwrap();
    assert_eq!((graph.node_count(), graph.edge_count()), (nodes, edges));
}

#[test]
fn a_report_is_written_in_one_line_and_read_back() {
    let mut report = GameReport {
        number: 3,
        start: 1,
        winner: Some(Color::White),
        plies: 80,
        followed: 12,
        left_at: None,
        budget: 10_000,
        nodes: 345,
    };
    let line = r#"{"number":3,"start":1,"winner":"w","plies":80,"followed":12,"budget":10000,"nodes":345}"#;
    assert_eq!(serde_json::to_string(&report).unwrap(), line);
    let read = |line: &str| serde_json::from_str::<GameReport>(line).ok();
    assert_eq!(read(line), Some(report.clone()));
    let drawn = line.replace("\"w\"", "null");
    report.winner = None;
    assert_eq!(read(&drawn), Some(report));
    assert_eq!(read(&line.replace("\"w\"", "\"x\"")), None);
}
