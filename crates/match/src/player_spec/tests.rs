//! Entries on the command line, and the players and openings that they name.

use super::*;

#[test]
fn entries_are_read_with_quotations() {
    let spec: PlayerSpec = "'/my engines/a b' --opt=1 \"name=x y\" option.Eval_Dir='' dir=/tmp"
        .parse()
        .unwrap();
    assert_eq!(spec.command, ["/my engines/a b", "--opt=1"]);
    assert_eq!(spec.name.as_deref(), Some("x y"));
    assert_eq!(spec.options, [("Eval_Dir".into(), String::new())]);
    assert_eq!(spec.folder.as_deref(), Some("/tmp"));
    assert!("name=x".parse::<PlayerSpec>().is_err());
    assert!("./engine search=pvs".parse::<PlayerSpec>().is_err());
    assert!("'engine".parse::<PlayerSpec>().is_err());
    assert!("engine tc=soon".parse::<PlayerSpec>().is_err());
}

#[test]
fn players_are_put_together_from_parts() {
    let launch = |text: &str| {
        let spec: PlayerSpec = text.parse().unwrap();
        let (name, launch) = spec.launch(Path::new("tesuji"), Duration::ZERO);
        assert_eq!(launch.command, ["tesuji", "usi"]);
        let options = launch.options.iter();
        let options = options.map(|(name, value)| format!("{name}={value}"));
        (name, options.collect::<Vec<_>>().join(" "))
    };
    assert_eq!(
        launch("kuma2013 eval=bonanza:fv.bin board=mailbox option.Threads=2"),
        (
            "kuma2013-bonanza_fv.bin-mailbox".into(),
            "Preset=kuma2013 EvalFile=bonanza:fv.bin Board=mailbox Threads=2 USI_OwnBook=false"
                .into()
        )
    );
    let (name, options) = launch("relation search=mtdf table=best-move quiescence=on name=m");
    assert_eq!(name, "m");
    let parts = "EvalFile=relation Search=mtdf Table=best-move Quiescence=on";
    assert!(options.starts_with(parts), "{options}");
    assert_eq!(launch("search=classic").0, "builtin-classic");
    for (bad, why) in [
        ("relation search=plasma", "is no search: minimax"),
        ("search=tournament board=scan", "one with its board"),
        ("tenuki2019 search=pvs", "no use for a table"),
        ("material eval=kpp:x", "names no evaluator"),
    ] {
        let error = bad.parse::<PlayerSpec>().unwrap_err().to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
}

#[test]
fn openings_are_read_in_every_usual_form() {
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    for line in [
        "startpos moves 7g7f".to_owned(),
        format!("sfen {after}"),
        after.to_owned(),
        format!("position sfen {after}\r"),
    ] {
        let pos = opening(&line).unwrap().unwrap();
        assert_eq!(pos.to_sfen(), after);
        assert_eq!(pos.played(), 0);
    }
    assert_eq!(opening("# comment").unwrap(), None);
    assert_eq!(opening("").unwrap(), None);
    for bad in [
        "startpos moves 7g7e",
        "startpos moves e4",
        "9/9 b - 1",
        "hello",
    ] {
        assert!(opening(bad).is_err(), "{bad}");
    }
}
