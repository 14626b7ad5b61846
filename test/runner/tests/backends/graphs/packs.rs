//! Packs of tensors of which only a run knows how many there are, given and taken; further runs have others.

use super::{Choices, Digits, Graph, MAX_ELEMENTS, Type, nested, value, volume};
use std::fmt::Write;

/// A pack of open length.
struct Pack {
    name: String,
    ty: Type,
    shape: Vec<usize>,
    /// How many tensors it has at most.
    most: usize,
}

impl Graph {
    /// A pack that the graph takes, and what it computes of it.
    pub(super) fn pack(&mut self, choices: &mut Choices) {
        let pack = self.given_pack(choices);
        let Pack { name, ty, shape, .. } = &pack;
        let (dims, length) = (extents(shape), format!("{name}_n"));
        let result = format!("{name}_y");
        match choices.below(7) {
            0 => {
                self.statement(&format!("{result} = layout.stack{{axis={}}}({name})", choices.below(shape.len() + 1)));
                self.give(&result, *ty, &vec!["~"; shape.len() + 1].join(", "));
            }
            1 if !shape.is_empty() => {
                self.statement(&format!("{result} = layout.concat{{axis={}}}({name})", choices.below(shape.len())));
                self.give(&result, *ty, &vec!["~"; shape.len()].join(", "));
            }
            2 => {
                let digits = Digits { whole: 2, fraction: 1 }.sum_of(pack.most);
                self.result(format!("math.sum_n({name})"), *ty, shape.clone(), Some(digits));
            }
            3 => {
                self.statement(&format!("{result}..({length}) = for x : {name} do..({length}) math.neg(x)"));
                self.give_pack(&result, &pack, &length);
                if choices.chance(50) {
                    let rows = self.intermediate(format!("layout.stack{{axis=0}}({result})"));
                    self.statement(&format!("{name}_r = math.add({rows}, {rows})"));
                    self.give(&format!("{name}_r"), *ty, &vec!["~"; shape.len() + 1].join(", "));
                }
            }
            4 => {
                let zero = if *ty == Type::Real { "0.0" } else { "0" };
                let body = "next = math.add(s, x); yield next, next;";
                self.statement(&format!("~, {result} = with s: {ty}[{dims}] = {zero} for x : {name} do {{ {body} }}"));
                self.give_pack(&result, &pack, &length);
            }
            5 => {
                let fits = |tensor: &super::Tensor| tensor.ty == *ty && tensor.shape == *shape;
                let Some(other) = self.any(choices, fits) else { return self.pass(&pack) };
                self.statement(&format!("{result} = [{}, {name}.., {name}..]", other.name));
                self.give_pack(&result, &pack, &format!("2 * {length} + 1"));
            }
            _ => self.pass(&pack),
        }
    }

    /// The pack as it is.
    fn pass(&mut self, pack: &Pack) {
        let result = format!("{}_y", pack.name);
        self.statement(&format!("{result} = {}", pack.name));
        self.give_pack(&result, pack, &format!("{}_n", pack.name));
    }

    fn given_pack(&mut self, choices: &mut Choices) -> Pack {
        let ty = choices.pick(&[Type::Real, Type::Int]);
        let most = choices.pick(&[1, 2, 3, 5, 11]);
        let rank = choices.below(3);
        let mut shape: Vec<usize> = (0..rank).map(|_| choices.pick(&[1, 2, 3, 5, 9])).collect();
        while volume(&shape) * most > MAX_ELEMENTS / 2 {
            shape.pop();
        }
        let name = format!("p{}", self.inputs.len());
        let _ = writeln!(self.inputs, "        {name}: {ty}[{}]..({name}_n|{most});", extents(&shape));
        let counts = [choices.below(most + 1), choices.below(most + 1), choices.pick(&[0, 1, most])];
        for (run, count) in counts.into_iter().enumerate() {
            let mut text = String::new();
            for item in 0..count {
                let values: Vec<String> = (0..volume(&shape)).map(|_| value(choices, ty, false)).collect();
                let _ = writeln!(text, "#: input {name}.{item} = {ty}{shape:?} {}", nested(&shape, &values));
            }
            if count == 0 {
                let _ = writeln!(text, "#: input {name} = pack []");
            }
            match run.checked_sub(1) {
                Some(other) => self.others[other].push_str(&text),
                None => self.directives.push_str(&text),
            }
        }
        Pack { name, ty, shape, most }
    }

    fn statement(&mut self, text: &str) {
        let _ = writeln!(self.statements, "        {text};");
    }

    /// An output of some shape.
    fn give(&mut self, name: &str, ty: Type, shape: &str) {
        let _ = writeln!(self.given, "        {name}: {ty}[{shape}];");
    }

    /// An output that is a pack of such tensors.
    fn give_pack(&mut self, name: &str, Pack { ty, shape, .. }: &Pack, length: &str) {
        let _ = writeln!(self.given, "        {name}: {ty}[{}]..({length});", extents(shape));
    }
}

fn extents(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
