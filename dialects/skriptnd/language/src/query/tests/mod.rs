//! Tests of what an editor asks.
