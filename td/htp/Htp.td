//===- Htp.td - All operations of the htp dialect ---------------------------===//

#ifndef HTP_TD
#define HTP_TD

include "HtpBase.td"

//===----------------------------------------------------------------------===//
// The framework's own
//===----------------------------------------------------------------------===//

def Htp_ShapeOp : Htp_Op<"$Shape"> {
  let summary = "A shape: the shape of the result is its value";
  let description = [{
    Strides and window sizes are shapes `[1, height, width, 1]`, so that rules read them by `DIM_HEIGHT` and
    `DIM_WIDTH`.
  }];
  let hasVerifier = 1;
}

def Htp_ConstOp : Htp_Op<"$Const"> {
  let summary = "A constant";
  let description = [{
    `elements` is a dense array of `i64` or `f64` with one number for each element of the result.
  }];
  let arguments = (ins AnyAttrOf<[DenseI64ArrayAttr, DenseF64ArrayAttr]>:$elements);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Package q
//===----------------------------------------------------------------------===//

class Htp_Conv2d<string mnemonic> : Htp_Op<mnemonic> {
  let arguments = (ins
    Htp_Tensor:$input,    // [batch, height, width, channels]
    Htp_Tensor:$filter,   // [height, width, channels of a group, channels of the output]
    Htp_Tensor:$bias,     // [channels of the output]
    Htp_Ints:$stride,     // a shape
    Htp_Ints:$pad_amount, // before and behind height, before and behind width
    Htp_Ints:$dilation,   // a shape
    Htp_Ints:$groups      // a constant
  );
}

def Htp_Conv2dOp : Htp_Conv2d<"q.Conv2d"> {
  let summary = "Convolution of images";
}

def Htp_Conv2dReluOp : Htp_Conv2d<"q.Conv2d.relu"> {
  let summary = "Convolution of images, values below zero cut off";
}

def Htp_PoolMax2dOp : Htp_Op<"q.PoolMax2d"> {
  let summary = "Maximum of each window";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$size, Htp_Ints:$pad_amount, Htp_Ints:$stride);
}

class Htp_FullyConnected<string mnemonic> : Htp_Op<mnemonic> {
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$filter, Htp_Tensor:$bias);
}

def Htp_FullyConnectedOp : Htp_FullyConnected<"q.FullyConnected"> {
  let summary = "Fully connected layer: `input * filter^T + bias`";
}

def Htp_FullyConnectedReluOp : Htp_FullyConnected<"q.FullyConnected.relu"> {
  let summary = "Fully connected layer, values below zero cut off";
}

def Htp_ReluOp : Htp_Op<"q.Relu"> {
  let summary = "Values below zero cut off";
  let arguments = (ins Htp_Tensor:$input);
}

def Htp_ElementWiseAddOp : Htp_Op<"q.ElementWiseAdd"> {
  let summary = "Sum of two tensors of one shape";
  let arguments = (ins Htp_Tensor:$lhs, Htp_Tensor:$rhs);
}

def Htp_SoftmaxOp : Htp_Op<"q.Softmax"> {
  let summary = "Exponentials, scaled by beta before, that add up to 1 along the last dimension";
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$beta);
}

def Htp_ReshapeOp : Htp_Op<"q.Reshape"> {
  let summary = "The same elements in another shape";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$shape);
}

def Htp_TransposeOp : Htp_Op<"q.Transpose"> {
  let summary = "Dimensions in another order";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$permutation);
}

#endif // HTP_TD
