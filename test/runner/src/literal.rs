//! Tensors as text: `[[1.0, 2.0], [3.0, 4.0]]`, `real[0,3] []`, `int[2,2] 7`.

use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::{ElementType, Tensor, TensorData};

/// Reads a tensor. Its type and shape follow from the items unless they are written before them.
///
/// # Errors
/// Says what was expected where.
pub fn tensor(text: &str) -> Result<Tensor, String> {
    let text = text.trim();
    let declared = ["real", "int", "bool"].iter().find(|word| text.starts_with(**word));
    let Some(word) = declared else {
        let tree = Reader::read(text)?;
        let shape = tree.shape();
        return build(element_type(&tree)?, shape, &tree);
    };
    let rest = &text[word.len()..];
    let (extents, items) = match rest.strip_prefix('[') {
        Some(inner) => inner.split_once(']').ok_or("the shape is not closed")?,
        None => ("", rest),
    };
    let extents = extents.split(',').map(str::trim).filter(|extent| !extent.is_empty());
    let shape = extents.map(|extent| extent.parse().map_err(|_| format!("`{extent}` is no extent")));
    let shape: Vec<usize> = shape.collect::<Result<_, String>>()?;
    let ty = match *word {
        "real" => ElementType::F32,
        "int" => ElementType::I64,
        _ => ElementType::Bool,
    };
    build(ty, shape, &Reader::read(items)?)
}

/// Nested lists of words.
enum Tree {
    Item(String),
    List(Vec<Tree>),
}

impl Tree {
    fn shape(&self) -> Vec<usize> {
        match self {
            Tree::Item(_) => Vec::new(),
            Tree::List(items) => {
                let inner = items.first().map(Tree::shape).unwrap_or_default();
                std::iter::once(items.len()).chain(inner).collect()
            }
        }
    }

    fn items<'a>(&'a self, found: &mut Vec<&'a str>) {
        match self {
            Tree::Item(word) => found.push(word),
            Tree::List(items) => items.iter().for_each(|item| item.items(found)),
        }
    }

    fn is_regular(&self, shape: &[usize]) -> bool {
        match (self, shape) {
            (Tree::Item(_), []) => true,
            (Tree::List(items), [extent, inner @ ..]) => {
                items.len() == *extent && items.iter().all(|item| item.is_regular(inner))
            }
            _ => false,
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn read(text: &'a str) -> Result<Tree, String> {
        let mut reader = Reader { rest: text.trim() };
        let tree = reader.tree()?;
        match reader.rest.trim() {
            "" => Ok(tree),
            rest => Err(format!("`{rest}` follows the tensor")),
        }
    }

    fn tree(&mut self) -> Result<Tree, String> {
        self.rest = self.rest.trim_start();
        let Some(inner) = self.rest.strip_prefix('[') else {
            let end = self.rest.find([',', ']']).unwrap_or(self.rest.len());
            let (word, rest) = self.rest.split_at(end);
            self.rest = rest;
            return Ok(Tree::Item(word.trim().to_string()));
        };
        self.rest = inner.trim_start();
        let mut items = Vec::new();
        while !self.rest.starts_with(']') {
            items.push(self.tree()?);
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest.trim_start(),
                None if self.rest.starts_with(']') => {}
                None => return Err("a list is not closed".to_string()),
            }
        }
        self.rest = &self.rest[1..];
        Ok(Tree::List(items))
    }
}

fn element_type(tree: &Tree) -> Result<ElementType, String> {
    let mut words = Vec::new();
    tree.items(&mut words);
    match words.first() {
        None => Err("an empty tensor needs its type and shape, such as `real[0,3] []`".to_string()),
        Some(&("true" | "false")) => Ok(ElementType::Bool),
        Some(word) if word.parse::<i64>().is_ok() => Ok(ElementType::I64),
        Some(_) => Ok(ElementType::F32),
    }
}

fn build(ty: ElementType, shape: Vec<usize>, tree: &Tree) -> Result<Tensor, String> {
    let count = volume(&shape).ok_or("the shape is too large")?;
    let mut words = Vec::new();
    tree.items(&mut words);
    let uniform = matches!(tree, Tree::Item(_));
    if uniform {
        words = vec![words[0]; count];
    } else if words.len() != count || (count > 0 && !tree.is_regular(&shape)) {
        return Err(format!("the items do not form a tensor of shape {shape:?}"));
    }
    let data = match ty {
        ElementType::F32 => TensorData::F32(parse_all(&words, "real")?),
        ElementType::I64 => TensorData::I64(parse_all(&words, "int")?),
        ElementType::Bool => TensorData::Bool(parse_all(&words, "bool")?),
    };
    Ok(Tensor { shape, data })
}

fn parse_all<T: std::str::FromStr>(words: &[&str], ty: &str) -> Result<Vec<T>, String> {
    words.iter().map(|word| word.parse().map_err(|_| format!("`{word}` is no {ty}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tensors() {
        let read = |text| tensor(text).unwrap();
        assert_eq!(read("[[1, 2], [3, 4]]"), Tensor { shape: vec![2, 2], data: TensorData::I64(vec![1, 2, 3, 4]) });
        assert_eq!(read("2.5"), Tensor::scalar(2.5f32));
        assert_eq!(read("[-inf, 1e3]").data, TensorData::F32(vec![f32::NEG_INFINITY, 1e3]));
        assert_eq!(read("real[0,3] []"), Tensor { shape: vec![0, 3], data: TensorData::F32(vec![]) });
        assert_eq!(read("int[2,2] 7").data, TensorData::I64(vec![7; 4]));
        assert_eq!(read("real[] 1"), Tensor::scalar(1f32));
        assert_eq!(read("[true,false]").data, TensorData::Bool(vec![true, false]));
        for wrong in ["[]", "[1, [2]]", "[[1], [2, 3]]", "[1", "[1] 2", "[1, true]", "int[2] [1, 2, 3]"] {
            assert!(tensor(wrong).is_err(), "{wrong}");
        }
    }
}
