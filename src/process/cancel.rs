//! Asking runs to end: one side asks, any number of runs listen.

use std::future::pending;
use std::time::Duration;

use tokio::sync::watch;

/// Makes the two sides.
pub fn cancellation() -> (Canceller, Cancel) {
    let (sender, receiver) = watch::channel(State::Going);
    (Canceller(sender), Cancel(receiver))
}

/// Asks runs to end.
#[derive(Clone, Debug)]
pub struct Canceller(watch::Sender<State>);

impl Canceller {
    /// Asks all that listen, now or later, to end. To ask twice is to ask once.
    pub fn cancel(&self) {
        self.0.send_replace(State::Cancelled);
    }
}

/// Listens for being asked to end.
#[derive(Clone, Debug)]
pub struct Cancel(watch::Receiver<State>);

impl Cancel {
    /// Listens to nobody.
    pub fn never() -> Self {
        cancellation().1
    }

    /// Waits for a while and says whether nobody has asked meanwhile.
    pub async fn sleep(&self, duration: Duration) -> bool {
        let mut listening = self.clone();
        tokio::select! {
            () = listening.cancelled() => false,
            () = tokio::time::sleep(duration) => true,
        }
    }

    /// Returns whether someone has asked.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow() == State::Cancelled
    }

    /// Waits until someone asks, for ever if nobody can any more.
    pub async fn cancelled(&mut self) {
        if self.0.wait_for(|state| *state == State::Cancelled).await.is_err() {
            pending::<()>().await;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Going,
    Cancelled,
}
