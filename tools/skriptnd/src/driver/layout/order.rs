//! The order of slots within their rows.

use super::slots::Slots;

/// How often all rows are sorted, downwards and upwards.
const SWEEPS: usize = 8;

/// Brings what is linked near to each other, so that few edges cross: each slot goes where its neighbours in the row before
/// are on average.
pub fn sort(slots: &mut Slots) {
    let mut at = vec![0.0; slots.row_of.len()];
    for row in &slots.rows {
        number(row, &mut at);
    }
    for _ in 0..SWEEPS {
        for row in 1..slots.rows.len() {
            sort_row(&mut slots.rows[row], &slots.above, &mut at);
        }
        for row in (0..slots.rows.len().saturating_sub(1)).rev() {
            sort_row(&mut slots.rows[row], &slots.below, &mut at);
        }
    }
}

fn sort_row(row: &mut [usize], neighbours: &[Vec<usize>], at: &mut [f64]) {
    for &slot in row.iter() {
        let near = &neighbours[slot];
        if !near.is_empty() {
            at[slot] = near.iter().map(|&other| at[other]).sum::<f64>() / near.len() as f64;
        }
    }
    row.sort_by(|a, b| at[*a].total_cmp(&at[*b]));
    number(row, at);
}

fn number(row: &[usize], at: &mut [f64]) {
    row.iter().enumerate().for_each(|(number, &slot)| at[slot] = number as f64);
}
