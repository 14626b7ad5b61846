//! The operators and their operands.

/// One invocation.
pub struct Case {
    /// The inputs of the graph, as they are declared.
    pub inputs: &'static str,
    /// The type of the result.
    pub dtype: &'static str,
    /// What is assigned to the result.
    pub statement: &'static str,
}

macro_rules! cases {
    ($($inputs:literal => { $($dtype:ident: $statement:literal,)+ })+) => {
        &[$($(Case { inputs: $inputs, dtype: stringify!($dtype), statement: $statement },)+)+]
    };
}

/// All invocations.
pub const CASES: &[Case] = cases! {
    "x: real[n|3, 4, h|9, w|8];" => {
        real: "nn.relu(x)",
        real: "nn.sigmoid(x)",
        real: "nn.gelu(x)",
        real: "nn.softmax{axes=[1]}(x)",
        real: "nn.softmax{axes=[3]}(x)",
        real: "nn.l2_norm{axes=[2, 3]}(x)",
        real: "nn.mean_variance_norm{axes=[2, 3]}(x)",
        real: "nn.local_response_norm{axes=[1], size=3}(x)",
        real: "nn.max_pool{size=3, stride=2}(x)",
        real: "nn.max_pool{size=2, stride=2, padding=0}(x)",
        real: "nn.avg_pool{axes=[2, 3], size=[3, 3], padding=[1, 1, 1, 1], ignore_border=true}(x)",
        real: "nn.avg_pool{size=3, stride=2}(x)",
        real: "nn.sum_pool{size=[2, 3], stride=[1, 2], padding=[0, 1, 1, 1]}(x)",
        real: "nn.rms_pool{size=2}(x)",
        real: "math.neg(x)",
        real: "math.add(x, x)",
        real: "math.mul(x, 2.0)",
        bool: "math.lt(x, 0.5)",
        real: "math.clamp(x, 0.25, 0.75)",
        real: "math.sum_reduce{axes=[0]}(x)",
        real: "math.mean_reduce{axes=[2, 3], squeeze=true}(x)",
        real: "math.max_reduce{axes=[-1]}(x)",
        int: "math.argmax{axis=1}(x)",
        int: "math.argmin{axis=2}(x)",
        real: "math.cumsum{axis=3}(x)",
        real: "math.sum_n([x, x, x])",
        real: "layout.transpose{perm=[0, 2, 3, 1]}(x)",
        real: "layout.reshape{shape=[-1, 4]}(x)",
        real: "layout.reshape{axis=1, shape=[-1]}(x)",
        real: "layout.reshape{shape=[x.shape[0], -1]}(x)",
        real: "layout.reshape{axis=1, rank=1, shape=[2, 2]}(x)",
        real: "layout.reshape{shape=[n, 2, 2, h * w]}(x)",
        real: "layout.flatten{axis=1}(x)",
        real: "layout.flatten{axis=2, rank=2}(x)",
        real: "layout.unflatten{axis=1, shape=[2, 2]}(x)",
        real: "layout.unsqueeze{axes=[0, 3]}(x)",
        real: "layout.concat{axis=0}([x, x])",
        real: "layout.concat{axis=2}([x, x])",
        real: "layout.stack{axis=1}([x, x])",
        real: "layout.tile{axes=[0, 3], repeats=[2, 3]}(x)",
        real: "layout.slice{axes=[1], begin=[1], end=[3]}(x)",
        real: "layout.slice{axes=[3], begin=[0], end=[x.shape[3]]}(x)",
        real: "layout.slice{axes=[2], begin=[0], end=[h - 1]}(x)",
        real: "layout.slice{axes=[2], begin=[-1], end=[h]}(x)",
        real: "layout.pad{axes=[2, 3], padding=[1, 2, 0, 1]}(x, 0.5)",
        int: "layout.shape(x)",
        real: "layout.cast<real>(x)",
        int: "layout.cast<int>(x)",
        real: "layout.space_to_depth{block_size=1}(x)",
        real: "layout.shuffle{axis=1, groups=2}(x)",
        real: "image.nearest_upsample{factor=2}(x)",
        real: "image.linear_upsample{factor=2}(x)",
        real: "image.nearest_resize{axes=[2, 3], size=[5, 6]}(x)",
        real: "image.linear_resize{axes=[2, 3], size=[5, 6]}(x)",
        real: "layout.uniform{shape=[n + h, w * 2]}(1.5)",
        real: "layout.uniform{shape=[int(`ceil`(real(n) * 1.5)), w \\ 2]}(1.5)",
        int: "layout.range{first=0, last=n}()",
        int: "layout.range{first=w, last=0, stride=-2}()",
        int: "layout.nonzero(x)",
    }
    "x: real[n|3, 4, h|9, w|8]; k: real[6, 4, 3, 3]; b: real[6];" => {
        real: "nn.conv{padding=1}(x, k, b)",
        real: "nn.conv{padding=0}(x, k, b)",
        real: "nn.conv{stride=2}(x, k, b)",
        real: "nn.conv{padding=[1, 0, 1, 0], stride=[2, 3]}(x, k)",
        real: "nn.conv{dilation=2, padding=2}(x, k)",
    }
    "x: real[n|3, 6, h|5, w|4]; k: real[6, 2, 3, 3];" => {
        real: "nn.deconv{padding=1}(x, k)",
        real: "nn.deconv{stride=2}(x, k)",
    }
    "x: real[n|3, 4, w|9]; k: real[4, 2, 3];" => {
        real: "nn.conv{groups=2, padding=1}(x, k)",
    }
    "x: real[n|5, 4]; k: real[3, 4]; b: real[3];" => {
        real: "nn.linear(x, k, b)",
        real: "nn.linear(x, k)",
    }
    "x: real[n|5, m|4]; z: real[m, k|3];" => {
        real: "linalg.matmul(x, z)",
        real: "layout.concat{axis=1}([x, x])",
    }
    "x: real[b|2, n|5, m|4]; z: real[b, m, k|3];" => {
        real: "linalg.matmul(x, z)",
    }
    "x: real[n|4, 3]; z: real[m|5, 3];" => {
        real: "layout.concat{axis=0}([x, z])",
        real: "linalg.matmul{transB=true}(x, z)",
    }
    "x: real[n|4, 3]; z: real[n, 3];" => {
        real: "math.add(x, z)",
        real: "math.max(x, z)",
        real: "layout.stack{axis=0}([x, z])",
        bool: "math.eq(x, z)",
    }
    "x: real[n|4, 3]; z: real[m|4, 3];" => {
        real: "math.sub(x, z)",
    }
    "x: real[n|4]; i: int[k|3];" => {
        real: "layout.gather{axis=0}(x, i)",
    }
    "x: real[n|4, c|3]; i: int[k|3, c];" => {
        real: "layout.gather{axis=0}(x, i)",
    }
    "x: real[n|4, c|3]; mean: real[c]; variance: real[c]; offset: real[c]; scale: real[c];" => {
        real: "nn.batch_norm{epsilon=0.001}(x, mean, variance, offset, scale)",
    }
    "x: real[n|4]; z: real[m|3];" => {
        real: "linalg.outer(x, z)",
    }
};
