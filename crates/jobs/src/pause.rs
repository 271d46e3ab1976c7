//! How a task waits, and hears that it is to stop.

use std::sync::Arc;
use std::time::Duration;
use tesuji_kernels::StopSignal;
use tokio::sync::Notify;

/// Waits until somebody says stop.
pub(crate) async fn stopped(stop: &StopSignal) {
    let told = Arc::new(Notify::new());
    let teller = told.clone();
    let _wake = stop.wake_with(move || teller.notify_one());
    told.notified().await;
}

/// Waits for so long, or until somebody says stop.
pub(crate) async fn pause(time: Duration, stop: &StopSignal) {
    // Whoever waits looks at the signal anyway.
    let _ = tokio::time::timeout(time, stopped(stop)).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_ends_a_pause_before_and_after_it_begins() {
        crate::block_on(async {
            let stop = Arc::new(StopSignal::default());
            pause(Duration::from_millis(1), &stop).await;
            let waiting = tokio::spawn({
                let stop = stop.clone();
                async move { pause(Duration::MAX, &stop).await }
            });
            tokio::time::sleep(Duration::from_millis(1)).await;
            stop.stop();
            waiting.await.unwrap();
            pause(Duration::MAX, &stop).await;
        })
        .unwrap();
    }
}
