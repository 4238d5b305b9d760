//! Simulations in the browser: live, replayed from a recording, or as one self-contained page.
