//! A match on many machines: it ends when the test has decided, or all pairs are played.

use super::{KeeperError, is_finished};
use crate::spec::MatchSpec;
use crate::store::{CampaignRow, Store};
use tesuji_match::sprt::Decision;

/// Whether the match is over.
pub(super) async fn advance(
    store: &Store,
    campaign: &CampaignRow,
    wrong: &impl Fn(String) -> KeeperError,
) -> Result<bool, KeeperError> {
    let spec: MatchSpec =
        serde_json::from_str(&campaign.spec).map_err(|error| wrong(error.to_string()))?;
    if let Some(sprt) = &spec.plan.sprt {
        let pairs = store.pair_counts(campaign.id).await?;
        let decision = sprt.decide(&pairs);
        if decision != Decision::GoOn {
            let what = match decision {
                Decision::Accept => "accepted",
                _ => "rejected",
            };
            let detail = serde_json::json!({ "llr": sprt.llr(&pairs), "pairs": pairs });
            store.decide(campaign.id, what, &detail.to_string()).await?;
            return Ok(true);
        }
    }
    Ok(is_finished(store, campaign).await?)
}
