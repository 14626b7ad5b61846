//! What PyTorch, ONNX and TensorFlow call the operators and attributes of the standard library.

use crate::library::Library;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Names without underscores, in lower case, and the operator that does it here.
const OPERATORS: &[(&str, &str)] = &[
    ("adaptiveavgpool", "math.mean_reduce"),
    ("amax", "math.max_reduce"),
    ("amin", "math.min_reduce"),
    ("addmm", "nn.linear"),
    ("arange", "layout.range"),
    ("averagepool", "nn.avg_pool"),
    ("avgpool", "nn.avg_pool"),
    ("batchmatmul", "linalg.matmul"),
    ("batchnormalization", "nn.batch_norm"),
    ("bmm", "linalg.matmul"),
    ("broadcastto", "layout.broadcast"),
    ("cat", "layout.concat"),
    ("chunk", "layout.split"),
    ("clip", "math.clamp"),
    ("concatenate", "layout.concat"),
    ("constantofshape", "layout.uniform"),
    ("convolution", "nn.conv"),
    ("convtranspose", "nn.deconv"),
    ("dense", "nn.linear"),
    ("divide", "math.div"),
    ("equal", "math.eq"),
    ("expand", "layout.broadcast"),
    ("fc", "nn.linear"),
    ("full", "layout.uniform"),
    ("fullyconnected", "nn.linear"),
    ("gemm", "nn.linear"),
    ("globalaveragepool", "math.mean_reduce"),
    ("globalavgpool", "math.mean_reduce"),
    ("globalmaxpool", "math.max_reduce"),
    ("greater", "math.gt"),
    ("greaterorequal", "math.ge"),
    ("groupnorm", "nn.mean_variance_norm"),
    ("hardtanh", "math.clamp"),
    ("identity", "math.iden"),
    ("instancenorm", "nn.mean_variance_norm"),
    ("instancenormalization", "nn.mean_variance_norm"),
    ("interpolate", "image.resize"),
    ("layernorm", "nn.mean_variance_norm"),
    ("layernormalization", "nn.mean_variance_norm"),
    ("leakyrelu", "nn.prelu"),
    ("less", "math.lt"),
    ("lessorequal", "math.le"),
    ("logicaland", "math.and"),
    ("logicalnot", "math.not"),
    ("logicalor", "math.or"),
    ("lpnormalization", "nn.l2_norm"),
    ("lrn", "nn.local_response_norm"),
    ("maximum", "math.max"),
    ("mean", "math.mean_reduce"),
    ("meshgrid", "misc.mesh_grid"),
    ("minimum", "math.min"),
    ("mm", "linalg.matmul"),
    ("multiply", "math.mul"),
    ("negative", "math.neg"),
    ("nms", "algo.nonmax_suppress"),
    ("nonmaxsuppression", "algo.nonmax_suppress"),
    ("normalize", "nn.l2_norm"),
    ("ones", "layout.uniform"),
    ("permute", "layout.transpose"),
    ("pixelshuffle", "layout.depth_to_space"),
    ("power", "math.pow"),
    ("prod", "math.prod_reduce"),
    ("randn", "rand.normal"),
    ("randomnormal", "rand.normal"),
    ("randomuniform", "rand.uniform"),
    ("reciprocal", "math.rcp"),
    ("reducel1", "math.lp_reduce"),
    ("reducel2", "math.lp_reduce"),
    ("reducemax", "math.max_reduce"),
    ("reducemean", "math.mean_reduce"),
    ("reducemin", "math.min_reduce"),
    ("reduceprod", "math.prod_reduce"),
    ("reducesum", "math.sum_reduce"),
    ("relu6", "math.clamp"),
    ("repeat", "layout.tile"),
    ("subtract", "math.sub"),
    ("sum", "math.sum_reduce"),
    ("swish", "nn.silu"),
    ("unbind", "layout.unstack"),
    ("upsample", "image.resize"),
    ("view", "layout.reshape"),
    ("where", "math.select"),
    ("zeros", "layout.uniform"),
];

/// Names without underscores, in lower case, and the attributes that may be meant.
const ATTRIBUTES: &[(&str, &[&str])] = &[
    ("chunks", &["count"]),
    ("dim", &["axis", "axes"]),
    ("dims", &["axes", "perm"]),
    ("end", &["last"]),
    ("ends", &["end"]),
    ("eps", &["epsilon"]),
    ("keepdim", &["squeeze"]),
    ("keepdims", &["squeeze"]),
    ("kernel", &["size"]),
    ("kernelshape", &["size"]),
    ("kernelsize", &["size"]),
    ("ksize", &["size"]),
    ("negativeslope", &["alpha"]),
    ("numoutputs", &["count"]),
    ("numsplits", &["count"]),
    ("outputshape", &["output_size", "shape"]),
    ("pad", &["padding"]),
    ("pads", &["padding"]),
    ("permutation", &["perm"]),
    ("scale", &["factor"]),
    ("scalefactor", &["factor"]),
    ("scales", &["factor", "size"]),
    ("size", &["shape"]),
    ("split", &["sizes"]),
    ("start", &["first", "begin"]),
    ("starts", &["begin"]),
    ("step", &["stride"]),
    ("steps", &["stride"]),
];

/// What is compared: neither case nor underscores matter.
fn key(name: &str) -> String {
    name.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

/// The operators of the standard library by what is compared.
static STANDARD: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut paths: HashMap<String, Vec<String>> = HashMap::new();
    for (module, content) in &Library::standard().modules {
        for name in content.operators.names().filter(|name| !name.starts_with('_')) {
            paths.entry(key(name)).or_default().push(format!("{module}.{name}"));
        }
    }
    paths
});

/// The path of the operator of the standard library that was meant by a name, preferably one of this module.
pub(super) fn operator(name: &str, module: Option<&str>) -> Option<&'static str> {
    let key = key(name);
    let dimensions = ["1d", "2d", "3d"].iter().find_map(|suffix| key.strip_suffix(suffix));
    [Some(&*key), dimensions].into_iter().flatten().find_map(|key| counterpart(key, module))
}

fn counterpart(wanted: &str, module: Option<&str>) -> Option<&'static str> {
    let same = STANDARD.get(wanted).map(Vec::as_slice).unwrap_or_default();
    let in_module = same.iter().find(|path| module.is_some_and(|module| path.starts_with(&format!("{module}."))));
    let foreign = || OPERATORS.iter().find(|(name, _)| *name == wanted).map(|(_, own)| *own);
    in_module.map(String::as_str).or_else(foreign).or_else(|| same.first().map(String::as_str))
}

/// Whether an operator is for training only.
pub(super) fn is_for_training(name: &str) -> bool {
    key(name).contains("dropout")
}

/// The attribute among these that was meant by a name.
pub(super) fn attribute<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let key = key(name);
    let (_, own) = ATTRIBUTES.iter().find(|(name, _)| *name == key)?;
    own.iter().find_map(|own| known.clone().find(|known| known == own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counterparts_exist() {
        let library = Library::standard();
        for (name, own) in OPERATORS {
            assert!(library.operator(own).is_some(), "`{name}`: there is no `{own}`");
            assert_eq!(*name, key(name));
        }
        let attributes =
            || library.modules.values().flat_map(|module| module.operators.iter().flat_map(|o| &o.attributes));
        for own in ATTRIBUTES.iter().flat_map(|(_, own)| *own) {
            assert!(attributes().any(|attribute| *attribute.name.text == **own), "there is no attribute `{own}`");
        }
    }

    #[test]
    fn names_of_other_frameworks_are_known() {
        assert_eq!(operator("Conv2d", Some("nn")), Some("nn.conv"));
        assert_eq!(operator("Linear", Some("nn")), Some("nn.linear"));
        assert_eq!(operator("ReduceMean", None), Some("math.mean_reduce"));
        assert_eq!(operator("LeakyRelu", None), Some("nn.prelu"));
        assert_eq!(operator("frobnicate", None), None);
        assert_eq!(attribute("kernel_size", ["size", "stride"].into_iter()), Some("size"));
        assert_eq!(attribute("kernel_size", ["stride"].into_iter()), None);
    }
}
