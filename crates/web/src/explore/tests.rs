//! The book of the user and files of winning lines, as the page asks for them.

use super::*;
use tesuji_book::format::write;
use tesuji_book::{BookFormat, BookMove};

fn edit(explorer: &Explorer, sfen: &str, mv: &str, weight: u32) -> ExploreMessage {
    let (sfen, mv) = (sfen.to_owned(), mv.to_owned());
    let request = ExploreRequest::Edit { sfen, mv, weight };
    explorer.handle(&request).unwrap()
}

#[test]
fn the_own_book_is_edited_kept_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let explorer = Explorer::open(Some(folder.path()), None).unwrap();
    let start = Position::start().to_sfen();
    let look = explorer.handle(&ExploreRequest::Look {
        sfen: start.clone(),
    });
    let look = look.unwrap();
    assert!(look.books[0].is_own && look.books[0].moves.is_empty());
    assert!(!look.books[1].moves.is_empty(), "the book of the program");
    edit(&explorer, &start, "9g9f", 3);
    edit(&explorer, &start, "1g1f", 1);
    let left = edit(&explorer, &start, "1g1f", 0);
    assert_eq!(left.books[0].moves.len(), 1);
    assert_eq!(left.books[0].moves[0].count, 3);
    let again = Explorer::open(Some(folder.path()), None).unwrap();
    let proposal = again.propose(&Position::start()).unwrap();
    assert_eq!(proposal.mv.to_string(), "9g9f");
    for (sfen, mv) in [("9/9 b - 1", "7g7f"), (&start, "7g7e"), (&start, "e4")] {
        let (sfen, mv) = (sfen.to_owned(), mv.to_owned());
        let request = ExploreRequest::Edit {
            sfen,
            mv,
            weight: 1,
        };
        assert!(explorer.handle(&request).is_err());
    }
}

#[test]
fn winning_lines_of_a_file_are_shown_and_a_wrong_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("win.tbk");
    let mut after = Position::start();
    let mv: Move = "7g7f".parse().unwrap();
    let first = BookEntry::new(after.clone(), vec![BookMove::new(mv)]);
    after.play(mv);
    let after = after.setup().build().unwrap();
    let second = BookEntry::new(after, vec![BookMove::resign()]);
    write(
        &path,
        BookFormat::Store,
        [Ok(first), Ok(second)].into_iter(),
    )
    .unwrap();
    let explorer = Explorer::open(None, Some(&path)).unwrap();
    let look = explorer.look(&Position::start()).unwrap();
    let win = look.books[1].moves[0].win.as_ref().unwrap();
    assert!(win.wins && win.plies == Some(1) && !win.proven);
    std::fs::write(&path, "nothing").unwrap();
    let wrong = Explorer::open(None, Some(&path));
    assert_eq!(wrong.err().unwrap().0, path);
}

#[test]
fn a_click_leaves_comments_replies_and_lines_of_an_editor_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OWN_BOOK);
    let typed = "# mine\n\n7g7f 3c3d ~2g2f   # good\n";
    std::fs::write(&path, typed).unwrap();
    let explorer = Explorer::open(Some(folder.path()), None).unwrap();
    let start = Position::start().to_sfen();
    edit(&explorer, &start, "9g9f", 2);
    let now = std::fs::read_to_string(&path).unwrap();
    assert_eq!(now, format!("{typed}9g9f *2\n"));
    std::fs::write(&path, format!("{now}1g1f\n")).unwrap();
    let shown = edit(&explorer, &start, "9g9f", 0);
    assert_eq!(shown.books[0].moves.len(), 2, "the editor's move is known");
    let now = std::fs::read_to_string(&path).unwrap();
    assert_eq!(now, format!("{typed}1g1f\n"));
}

#[test]
fn a_line_that_makes_no_sense_is_told_and_shuts_the_book_until_it_is_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OWN_BOOK);
    std::fs::write(&path, "7g7f\nnonsense\n").unwrap();
    let explorer = Explorer::open(Some(folder.path()), None).unwrap();
    let look = explorer.look(&Position::start()).unwrap();
    assert_eq!(look.books[0].moves.len(), 1);
    let said = &look.books[0].problem.as_ref().unwrap().en;
    assert!(said.contains("own.book: line 2"), "{said}");
    let request = ExploreRequest::Edit {
        sfen: Position::start().to_sfen(),
        mv: "2g2f".into(),
        weight: 1,
    };
    assert!(explorer.handle(&request).is_err());
    let now = std::fs::read_to_string(&path).unwrap();
    assert_eq!(now, "7g7f\nnonsense\n");
    std::fs::write(&path, "7g7f\n").unwrap();
    let repaired = explorer.handle(&request).unwrap();
    assert!(repaired.books[0].problem.is_none());
}
