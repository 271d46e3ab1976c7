//! Players of this program: put together from parts, or as they were in the past.

use super::{Engines, locked};
use crate::protocol::engines::{PastPlayerView, PlayerChoices};
use crate::user_error::UserError;
use std::time::Duration;
use tesuji_match::player_spec::PlayerSpec;
use tesuji_search::players::{
    BoardName, PartsError, PartsRefusal, PastPlayer, PlayerParts, SearchName, TableName,
};
use tesuji_usi::process::EngineLaunch;

/// How long a player may say nothing.
const PATIENCE: Duration = Duration::from_secs(30);

/// The largest table of a player in a process of its own.
const MOST_MEGABYTES: usize = 64;

/// What a player can be put together from.
pub(super) fn choices() -> PlayerChoices {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let past = |(id, player): (u64, PastPlayer)| PastPlayerView {
        id,
        name: player.to_string(),
        parts: player.parts().to_string(),
        eval: player.usual_eval().to_owned(),
    };
    PlayerChoices {
        search: names(SearchName::NAMES),
        board: names(BoardName::NAMES),
        table: names(TableName::NAMES),
        past: (1..).zip(PastPlayer::ALL).map(past).collect(),
    }
}

/// The player of the past that has a number among the engines.
pub(super) fn past_player(id: u64) -> Option<PastPlayer> {
    let place = usize::try_from(id).ok()?.checked_sub(1)?;
    PastPlayer::ALL.get(place).copied()
}

/// The parts that words name, if they go together.
pub(super) fn parts(words: &str) -> Result<PlayerParts, UserError> {
    let parts: PlayerParts = words.parse().map_err(|error| {
        UserError::new(
            format!("There is no such player: {error}."),
            format!("そのような部品はありません({error})。"),
        )
    })?;
    match parts.check() {
        Ok(()) => Ok(parts),
        Err(PartsError::Refused(why)) => Err(refused(why)),
        Err(PartsError::Table(error)) => Err(UserError::engine(&error.to_string())),
    }
}

fn refused(why: PartsRefusal) -> UserError {
    let ja = match why {
        PartsRefusal::NoTable => {
            "この探索は同じ局面を二度と訪れないので置換表を使えません。mtdf、deepening、full-width、\
             realization、classic なら使えます"
        }
        PartsRefusal::OneBoard => {
            "tournament の探索は position の盤(ビットボード)と一体です。classic ならどの盤でも使えます"
        }
        PartsRefusal::OneTable => {
            "tournament の探索は置換表の上下界で延長・削減・枝刈りを決めるので bounds だけです。\
             classic ならどの表でも使えます"
        }
        PartsRefusal::OwnQuiescence => {
            "静止探索は tournament の探索の一部です。classic なら外せます"
        }
        PartsRefusal::ClassicOnly => "null-move・futility・reductions・mate は classic の設定です",
    };
    UserError::new(
        format!("These parts do not go together: {why}."),
        format!("この組み合わせにはできません: {ja}。"),
    )
}

impl Engines {
    /// This program as a player in a process of its own: as it is set up, or one of the past.
    pub(super) fn own_launch(
        &self,
        past: Option<PastPlayer>,
    ) -> Result<(String, EngineLaunch), UserError> {
        let own = self.own.as_ref().ok_or_else(UserError::busy)?;
        let settings = locked(&self.settings).clone();
        let words = match past {
            Some(player) => player.to_string(),
            None => parts(&settings.parts)?.to_string(),
        };
        let spec: Result<PlayerSpec, _> = words.parse();
        let mut spec = spec.map_err(|error| UserError::engine(&error.to_string()))?;
        let mut option = |name: &str, value| spec.options.push((name.into(), value));
        option("Threads", "1".into());
        option("USI_Hash", settings.hash.min(MOST_MEGABYTES).to_string());
        if past.is_none() {
            option("EvalFile", settings.eval);
        }
        let (name, launch) = spec.launch(own, PATIENCE);
        let name = if past.is_some() {
            name
        } else {
            "Tesuji".into()
        };
        Ok((name, launch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_do_not_go_together_are_refused_in_a_sentence() {
        assert_eq!(parts("").unwrap(), PlayerParts::default());
        for past in choices().past {
            let player = past_player(past.id).unwrap();
            assert_eq!(parts(&past.parts).unwrap(), player.parts(), "{}", past.name);
        }
        assert_eq!(past_player(0), None);
        assert_eq!(past_player(4), None);
        for (words, reason) in [
            ("board=scan", "one with its board"),
            ("table=none", "bounds in its table"),
            ("quiescence=off", "part of the tournament search"),
            ("search=pvs table=bounds", "no use for a table"),
            ("search=mtdf mate=off", "search=classic"),
            ("search=plasma", "plasma"),
        ] {
            let error = parts(words).unwrap_err();
            assert!(error.en.contains(reason), "{error:?}");
            assert!(!error.ja.is_empty());
        }
    }
}
