//! The nodes of an ONNX model, one after the other, and what another runtime computed of them.

use super::Options;
use super::difference::Farthest;
use super::dump::Dump;
use super::node_model;
use super::ran::{Departing, Ran};
use crate::driver::import_options::Keeping;
use crate::driver::output::{print_json, print_line};
use crate::failure::{Failure, print_message};
use serde_json::{Value as Json, json};
use skriptnd_onnx::problem::listed;
use skriptnd_onnx::{NodeResult, Port};

/// The distances of what a dump has.
#[derive(Default)]
struct Distances {
    compared: usize,
    /// Names of what the dump has not.
    missing: Vec<String>,
    first: Option<(usize, Departing)>,
}

/// Compares all that nodes give with the dump; where all of it agrees, what the model gives as a whole, too.
pub fn run(options: &Options, dump: &Dump) -> Result<(), Failure> {
    let ran = Ran::new(&options.run, dump, Keeping::Results)?;
    let outputs = ran.outputs(dump)?;
    let distances = distances(&ran, dump, options.tolerance)?;
    if distances.compared == 0 && outputs.iter().all(|(_, ratio)| ratio.is_none()) {
        let names = listed(ran.imported.results.iter().map(|result| result.port.onnx.as_str()));
        let failure =
            Failure::input(format!("{}: has no tensor that a node of the model gives: {}", dump.name(), dump.names()));
        return Err(failure.with_help(format!("tensors are named as in the model: {names}")));
    }
    let mut told = json!({ "against": dump.name(), "compared": distances.compared, "missing": distances.missing });
    let departs = match &distances.first {
        Some((at, departing)) => {
            tell_outputs(options, &outputs, &mut told);
            tell_node(options, dump, (&ran, *at), departing, &mut told)?;
            true
        }
        None => whole_departs(options, dump, &mut told)?,
    };
    note_rest(dump, &distances);
    if options.run.json {
        print_json(&told);
    }
    if departs { Err(Failure::Reported) } else { Ok(()) }
}

/// How far results are from the dump's, to the first that departs.
fn distances(ran: &Ran, dump: &Dump, tolerance: f64) -> Result<Distances, Failure> {
    let mut distances = Distances::default();
    for (at, result) in ran.imported.results.iter().enumerate() {
        match ran.departing(&result.port, dump)? {
            None => distances.missing.push(result.port.tensor()),
            Some(departing) => {
                distances.compared += 1;
                if departing.ratio > tolerance && distances.first.is_none() {
                    distances.first = Some((at, departing));
                }
            }
        }
    }
    Ok(distances)
}

fn tell_outputs(options: &Options, outputs: &[(&Port, Option<f64>)], told: &mut Json) {
    let agrees = |ratio: f64| ratio <= options.tolerance;
    let known = || outputs.iter().filter_map(|(port, ratio)| Some((port.tensor(), (*ratio)?)));
    if !options.run.json {
        for (name, ratio) in known() {
            let verdict = if agrees(ratio) { "agrees" } else { "DIFFERS" };
            print_line(format_args!("{name} {verdict}: {ratio:.1e}"));
        }
    }
    let outputs = known().map(|(name, ratio)| json!({ "name": name, "difference": ratio, "agrees": agrees(ratio) }));
    told["outputs"] = outputs.collect();
}

/// Whether the model's outputs depart where nothing but them is kept: what is computed together is not what is computed alone.
fn whole_departs(options: &Options, dump: &Dump, told: &mut Json) -> Result<bool, Failure> {
    let mut whole = options.run.clone();
    whole.graph.import.is_quiet = true;
    let ran = Ran::new(&whole, dump, Keeping::Outputs)?;
    let outputs = ran.outputs(dump)?;
    tell_outputs(options, &outputs, told);
    let Some((port, _)) = outputs.iter().find(|(_, ratio)| ratio.is_some_and(|ratio| ratio > options.tolerance)) else {
        return Ok(false);
    };
    print_message(format_args!("skriptnd: error: output `{}` departs from that of {}\n", port.tensor(), dump.name()));
    print_message("note: with the results of all nodes kept, none departs: it matters which are computed together\n");
    Ok(true)
}

/// Says which node is the first that departs, and leaves it as a model if that is asked for.
fn tell_node(
    options: &Options,
    dump: &Dump,
    (ran, at): (&Ran, usize),
    departing: &Departing,
    told: &mut Json,
) -> Result<(), Failure> {
    let result = &ran.imported.results[at];
    let (model, tensor) = (options.run.model.display(), result.port.tensor());
    let what = match &departing.farthest {
        Some(Farthest { index, values: [computed, expected] }) => {
            format!("`{tensor}{index:?}` is {computed}, expected {expected}")
        }
        None => format!("`{tensor}` has another type or shape"),
    };
    print_message(format_args!(
        "skriptnd: error: {model}: node `{}` ({}) is the first that departs from {}: {what}\nnote: difference = {:.1e}\n",
        result.name,
        result.operator,
        dump.name(),
        departing.ratio,
    ));
    told["node"] = node_json(result, departing);
    if let Some(folder) = options.folder()? {
        told["reproducer"] = match node_model::leave(options, folder, dump, (ran, result))? {
            Some(file) => json!(file.to_string_lossy()),
            None => Json::Null,
        };
    }
    Ok(())
}

fn node_json(result: &NodeResult, departing: &Departing) -> Json {
    let values = departing.farthest.as_ref().map(|farthest| &farthest.values);
    json!({
        "name": result.name,
        "operator": result.operator,
        "tensor": result.port.tensor(),
        "index": departing.farthest.as_ref().map(|farthest| &farthest.index),
        "computed": values.map(|values| &values[0]),
        "expected": values.map(|values| &values[1]),
        "difference": departing.ratio,
    })
}

/// Says what was not compared.
fn note_rest(dump: &Dump, distances: &Distances) {
    let name = dump.name();
    if !distances.missing.is_empty() {
        let (count, names) = (distances.missing.len(), listed(distances.missing.iter().map(String::as_str)));
        let all = count + distances.compared;
        print_message(format_args!("note: {name} has not {count} of {all} results: {names}\n"));
    }
    if let Some((count, names)) = dump.unread() {
        let what = if count == 1 { "1 tensor that is" } else { &format!("{count} tensors that are") };
        print_message(format_args!("note: {name} has {what} neither input nor result of a node: {names}\n"));
    }
}
