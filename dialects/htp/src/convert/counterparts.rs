//! Operators and ops that say the same: a table for both ways.

use std::ops::RangeInclusive;

/// An operator of the standard library and the op that computes the same.
#[derive(Debug)]
pub struct Counterpart {
    /// The operator's path, e.g. `math.add`.
    pub operator: &'static str,
    /// The op's name in the default package.
    pub op: &'static str,
    /// What its dimensions are to it.
    pub form: Form,
    /// How many tensors it may take; all are those that the operator declares first.
    pub inputs: RangeInclusive<usize>,
    /// Whether the operator declares optional inputs, so that the number of each has to be written.
    pub has_optional_inputs: bool,
    /// The op's further operands: constants that are attributes of the operator.
    pub parameters: &'static [Parameter],
    /// Attributes that the operator has to have.
    pub fixed: &'static [(&'static str, &'static str)],
    /// Attributes that make no difference to this op.
    pub ignored: &'static [&'static str],
    /// The elements that it can have.
    pub elements: ElementKinds,
}

/// How an op's dimensions can be put in another order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Element by element: shapes are broadcast.
    Elementwise,
    /// The first operand and the result have the same dimensions; those that parameters name move along.
    Image,
    /// As `Image`, but some of the dimensions may vanish.
    Reduction,
    /// Not at all.
    Whole,
}

/// The elements of operands and results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKinds {
    /// 32-bit floats.
    Floats,
    /// Floats and integers.
    Numbers,
}

/// An attribute of an operator, a constant operand of an op.
#[derive(Debug, Clone, Copy)]
pub enum Parameter {
    /// A number.
    Real(&'static str),
    /// An integer.
    Int(&'static str),
    /// Integers.
    Ints(&'static str),
    /// A dimension.
    Axis(&'static str),
    /// Dimensions.
    Axes(&'static str),
    /// 0 or 1.
    Flag(&'static str),
    /// One of some texts, by its place among them.
    Choice(&'static str, &'static [&'static str]),
}

impl Parameter {
    /// The attribute's name.
    pub fn name(&self) -> &'static str {
        match self {
            Parameter::Real(name) | Parameter::Int(name) | Parameter::Ints(name) => name,
            Parameter::Axis(name) | Parameter::Axes(name) => name,
            Parameter::Flag(name) | Parameter::Choice(name, _) => name,
        }
    }
}

const PLAIN: Counterpart = Counterpart {
    operator: "",
    op: "",
    form: Form::Whole,
    inputs: 1..=1,
    has_optional_inputs: false,
    parameters: &[],
    fixed: &[],
    ignored: &[],
    elements: ElementKinds::Floats,
};

const fn unary(operator: &'static str, op: &'static str) -> Counterpart {
    Counterpart { operator, op, form: Form::Elementwise, ..PLAIN }
}

const fn activation(operator: &'static str, op: &'static str, parameters: &'static [Parameter]) -> Counterpart {
    Counterpart { operator, op, form: Form::Elementwise, parameters, ..PLAIN }
}

const fn binary(operator: &'static str, op: &'static str) -> Counterpart {
    Counterpart { operator, op, form: Form::Elementwise, inputs: 2..=2, ..PLAIN }
}

const fn reduction(operator: &'static str, op: &'static str) -> Counterpart {
    let parameters = &[Parameter::Axes("axes"), Parameter::Flag("squeeze")];
    Counterpart { operator, op, form: Form::Reduction, parameters, ..PLAIN }
}

const fn search(operator: &'static str, op: &'static str) -> Counterpart {
    let parameters = &[Parameter::Axis("axis"), Parameter::Flag("squeeze")];
    Counterpart { operator, op, form: Form::Reduction, parameters, elements: ElementKinds::Numbers, ..PLAIN }
}

/// How positions of a resized image relate to those of the given one.
const TRANSFORM: Parameter = Parameter::Choice("coordinate_transform", &["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]);
const ROUNDING: Parameter =
    Parameter::Choice("rounding_method", &["FLOOR", "CEIL", "ROUND_PREFER_FLOOR", "ROUND_PREFER_CEIL"]);
const LINEAR: &[Parameter] = &[Parameter::Axes("axes"), Parameter::Ints("size"), TRANSFORM];
const NEAREST: &[Parameter] = &[Parameter::Axes("axes"), Parameter::Ints("size"), TRANSFORM, ROUNDING];

const fn resize(operator: &'static str, op: &'static str, parameters: &'static [Parameter]) -> Counterpart {
    Counterpart { operator, op, form: Form::Image, parameters, ..PLAIN }
}

/// The table. Of several lines of one op the first tells which operator it is.
const COUNTERPARTS: &[Counterpart] = &[
    unary("nn.relu", "Relu"),
    unary("nn.sigmoid", "Sigmoid"),
    unary("nn.silu", "Silu"),
    unary("nn.gelu", "Gelu"),
    unary("nn.softplus", "ElementWiseSoftplus"),
    unary("math.tanh", "Tanh"),
    unary("math.neg", "ElementWiseNeg"),
    unary("math.abs", "ElementWiseAbs"),
    unary("math.sign", "ElementWiseSign"),
    unary("math.exp", "ElementWiseExp"),
    unary("math.log", "ElementWiseLog"),
    unary("math.sqrt", "ElementWiseSquareRoot"),
    unary("math.rsqrt", "ElementWiseRsqrt"),
    unary("math.sin", "ElementWiseSin"),
    unary("math.cos", "ElementWiseCos"),
    unary("math.floor", "ElementWiseFloor"),
    unary("math.ceil", "ElementWiseCeil"),
    unary("math.round", "ElementWiseRound"),
    activation("nn.relu", "LeakyRelu", &[Parameter::Real("alpha")]),
    activation("nn.elu", "Elu", &[Parameter::Real("alpha")]),
    activation("nn.hard_sigmoid", "HardSigmoid", &[Parameter::Real("alpha"), Parameter::Real("beta")]),
    Counterpart {
        operator: "nn.prelu",
        op: "Prelu",
        form: Form::Image,
        inputs: 2..=2,
        parameters: &[Parameter::Axis("axis")],
        ..PLAIN
    },
    Counterpart { inputs: 3..=3, ..unary("math.clamp", "ReluMinMax") },
    binary("math.add", "ElementWiseAdd"),
    binary("math.sub", "ElementWiseSubtract"),
    binary("math.mul", "ElementWiseMultiply"),
    binary("math.div", "ElementWiseDivide"),
    binary("math.pow", "ElementWisePower"),
    binary("math.min", "ElementWiseMinimum"),
    binary("math.max", "ElementWiseMaximum"),
    Counterpart {
        operator: "linalg.matmul",
        op: "MatMul",
        inputs: 2..=3,
        has_optional_inputs: true,
        parameters: &[Parameter::Flag("transA"), Parameter::Flag("transB")],
        ..PLAIN
    },
    Counterpart {
        operator: "nn.batch_norm",
        op: "Batchnorm",
        form: Form::Image,
        inputs: 5..=5,
        has_optional_inputs: true,
        parameters: &[Parameter::Real("epsilon"), Parameter::Axis("channel_axis")],
        ..PLAIN
    },
    Counterpart {
        operator: "nn.mean_variance_norm",
        op: "InstanceNorm",
        inputs: 3..=3,
        has_optional_inputs: true,
        parameters: &[Parameter::Axes("axes"), Parameter::Real("epsilon")],
        ..PLAIN
    },
    reduction("math.mean_reduce", "ReduceMean"),
    reduction("math.sum_reduce", "ReduceSum"),
    reduction("math.prod_reduce", "ReduceProd"),
    reduction("math.min_reduce", "ReduceMin"),
    reduction("math.max_reduce", "ReduceMax"),
    search("math.argmin", "Argmin"),
    search("math.argmax", "Argmax"),
    Counterpart {
        operator: "math.cumsum",
        op: "CumulativeSum",
        form: Form::Image,
        parameters: &[Parameter::Axis("axis"), Parameter::Flag("exclusive"), Parameter::Flag("reverse")],
        elements: ElementKinds::Numbers,
        ..PLAIN
    },
    Counterpart {
        operator: "layout.slice",
        op: "StridedSlice",
        form: Form::Image,
        parameters: &[
            Parameter::Axes("axes"),
            Parameter::Ints("begin"),
            Parameter::Ints("end"),
            Parameter::Ints("stride"),
        ],
        elements: ElementKinds::Numbers,
        ..PLAIN
    },
    Counterpart {
        operator: "layout.pad",
        op: "Pad",
        form: Form::Image,
        inputs: 1..=2,
        has_optional_inputs: true,
        parameters: &[
            Parameter::Axes("axes"),
            Parameter::Ints("padding"),
            Parameter::Choice("method", &["CONSTANT", "REFLECT", "REPLICATE", "SYMMETRIC"]),
        ],
        elements: ElementKinds::Numbers,
        ..PLAIN
    },
    Counterpart {
        operator: "layout.gather",
        op: "Gather",
        inputs: 2..=2,
        parameters: &[Parameter::Axis("axis")],
        elements: ElementKinds::Numbers,
        ..PLAIN
    },
    Counterpart {
        operator: "layout.gather_nd",
        op: "GatherNd",
        inputs: 2..=2,
        parameters: &[Parameter::Int("batch_dims")],
        elements: ElementKinds::Numbers,
        ..PLAIN
    },
    Counterpart {
        operator: "layout.shuffle",
        op: "ChannelShuffle",
        form: Form::Image,
        parameters: &[Parameter::Axis("axis"), Parameter::Int("groups")],
        elements: ElementKinds::Numbers,
        ..PLAIN
    },
    Counterpart { ignored: &["antialias"], ..resize("image.linear_resize", "ResizeBilinear", LINEAR) },
    resize("image.nearest_resize", "ResizeNearestNeighbor", NEAREST),
    Counterpart {
        fixed: &[("mode", "LINEAR")],
        ignored: &["antialias", "cubic_coeff_a", "rounding_method"],
        ..resize("image.resize", "ResizeBilinear", LINEAR)
    },
    Counterpart {
        fixed: &[("mode", "NEAREST")],
        ignored: &["antialias", "cubic_coeff_a"],
        ..resize("image.resize", "ResizeNearestNeighbor", NEAREST)
    },
];

/// The lines of an operator.
pub fn of_operator(operator: &str) -> impl Iterator<Item = &'static Counterpart> {
    COUNTERPARTS.iter().filter(move |line| line.operator == operator)
}

/// The line of an op of the default package.
pub fn of_op(op: &str) -> Option<&'static Counterpart> {
    COUNTERPARTS.iter().find(|line| line.op == op)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skriptnd_language::library::Library;

    /// Each line names an operator of the standard library that declares its inputs and parameters.
    #[test]
    fn operators_are_those_of_the_library() {
        let library = Library::standard();
        for line in COUNTERPARTS {
            let operator = library.operator(line.operator).unwrap_or_else(|| panic!("no {}", line.operator));
            let attributes: Vec<&str> = operator.attributes.iter().map(|param| &*param.name.text).collect();
            let names = line.parameters.iter().map(Parameter::name).chain(line.fixed.iter().map(|(name, _)| *name));
            for name in names.chain(line.ignored.iter().copied()) {
                assert!(attributes.contains(&name), "{} has no attribute {name}", line.operator);
            }
            assert!(operator.operands().count() >= *line.inputs.end(), "{} takes less", line.operator);
        }
    }

    /// Each op is declared, with its operands and parameters.
    #[test]
    fn ops_are_those_of_the_dialect() {
        let dialect = crate::dialect::dialect();
        for line in COUNTERPARTS {
            let name = format!("htp.q.{}", line.op);
            assert!(dialect.operations().iter().any(|op| op.name() == name), "{name} is not declared");
        }
    }
}
