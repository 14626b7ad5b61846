//===- image.td - Operators of the module `image` -----------------------===//
//
// Sampling and resizing of images of any number of dimensions (specification, section 4.5).
// Their definitions in SkriptND are in stdlib/image.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_IMAGE_TD
#define SKRIPTND_IMAGE_TD

include "SkriptNDBase.td"

class Image_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"image", mnemonic, traits>;

def Image_NearestDownsampleOp : Image_Operator<"nearest_downsample", [Pure]> {
  let summary = "Every `factor`-th element along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    SkriptND_PositiveInts:$factor
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_NearestUpsampleOp : Image_Operator<"nearest_upsample", [Pure]> {
  let summary = "Each element `factor` times along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    SkriptND_PositiveInts:$factor
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_AreaDownsampleOp : Image_Operator<"area_downsample", [Pure]> {
  let summary = "Means of blocks of `factor` elements along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    SkriptND_PositiveInts:$factor
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_LinearUpsampleOp : Image_Operator<"linear_upsample", [Pure]> {
  let summary = "Linear interpolation to `factor` times as many elements along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    SkriptND_PositiveInts:$factor,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether centres of elements coincide, rather than their corners">:$symmetric,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether the border's elements continue outside, rather than zeros">:$replicate_border
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_NearestResizeOp : Image_Operator<"nearest_resize", [Pure]> {
  let summary = "Resizes to `size` along `axes`: the nearest element at each new position";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    SkriptND_PositiveInts:$size,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]>, "'SYMMETRIC'">, "centres coincide; 'ASYMMETRIC': corners; 'ALIGNED': ends">:$coordinate_transform,
    DefaultValuedAttr<SkriptND_OneOf<["FLOOR", "CEIL", "ROUND_PREFER_FLOOR", "ROUND_PREFER_CEIL"]>, "'ROUND_PREFER_FLOOR'">:$rounding_method
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_LinearResizeOp : Image_Operator<"linear_resize", [Pure]> {
  let summary = "Resizes to `size` along `axes`: linear interpolation at each new position";
  let description = [{
    Positions outside take the border's elements.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    SkriptND_PositiveInts:$size,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "changes nothing: the specification's interpolation does without">:$antialias,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]>, "'SYMMETRIC'">, "centres coincide; 'ASYMMETRIC': corners; 'ALIGNED': ends">:$coordinate_transform
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_CubicResizeOp : Image_Operator<"cubic_resize", [Pure]> {
  let summary = "Resizes to `size` along `axes`: cubic convolution at each new position";
  let description = [{
    Positions outside take the border's elements.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    SkriptND_PositiveInts:$size,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "changes nothing: the specification's interpolation does without">:$antialias,
    DefaultValuedAttr<F64Attr, "-0.75">:$coeff_a,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]>, "'SYMMETRIC'">, "centres coincide; 'ASYMMETRIC': corners; 'ALIGNED': ends">:$coordinate_transform
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_ResizeOp : Image_Operator<"resize", [Pure]> {
  let summary = "Resizes to `size` along `axes` by `nearest_resize`, `linear_resize` or `cubic_resize`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    SkriptND_PositiveInts:$size,
    DefaultValuedAttr<StrAttr, "'NEAREST'">:$mode,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]>, "'SYMMETRIC'">, "centres coincide; 'ASYMMETRIC': corners; 'ALIGNED': ends">:$coordinate_transform,
    DefaultValuedAttr<SkriptND_OneOf<["FLOOR", "CEIL", "ROUND_PREFER_FLOOR", "ROUND_PREFER_CEIL"]>, "'ROUND_PREFER_FLOOR'">:$rounding_method,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "changes nothing: the specification's interpolation does without">:$antialias,
    DefaultValuedAttr<F64Attr, "-0.75">:$cubic_coeff_a
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_RescaleOp : Image_Operator<"rescale", [Pure]> {
  let summary = "Resizes by `factor` along `axes`, to the rounded size, as `resize` does";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    DenseF64ArrayAttr:$factor,
    DefaultValuedAttr<StrAttr, "'NEAREST'">:$mode,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]>, "'SYMMETRIC'">, "centres coincide; 'ASYMMETRIC': corners; 'ALIGNED': ends">:$coordinate_transform,
    DefaultValuedAttr<SkriptND_OneOf<["FLOOR", "CEIL", "ROUND_PREFER_FLOOR", "ROUND_PREFER_CEIL"]>, "'ROUND_PREFER_FLOOR'">:$rounding_method,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "changes nothing: the specification's interpolation does without">:$antialias,
    DefaultValuedAttr<F64Attr, "-0.75">:$cubic_coeff_a
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_MaxRoiPoolOp : Image_Operator<"max_roi_pool", [Pure]> {
  let summary = "Maximum over each bin of regions of interest";
  let description = [{
    A region holds its first and its last corner, both inclusive and rounded to whole positions, the coordinates
    of a corner in reverse order of the spatial dimensions; `index` says which batch item it belongs to. It is
    divided into `output_size` bins, which overlap where that leaves a remainder; the part of a bin outside of the
    input does not count, and an empty bin gives 0.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$rois,
    SkriptND_Int:$index,
    SkriptND_PositiveInts:$output_size
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_AvgRoiPoolOp : Image_Operator<"avg_roi_pool", [Pure]> {
  let summary = "Mean over each bin of regions of interest, which are given and divided as for `max_roi_pool`";
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$rois,
    SkriptND_Int:$index,
    SkriptND_PositiveInts:$output_size
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_GridSampleOp : Image_Operator<"grid_sample", [Pure]> {
  let summary = "Samples at positions between -1 and 1 that a tensor gives, its last dimension in reverse order of the spatial ones";
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$grid,
    DefaultValuedAttr<StrAttr, "'LINEAR'">:$mode,
    Arg<DefaultValuedAttr<StrAttr, "'ZEROS'">, "what lies outside: zeros, the nearest element, or the mirrored image">:$padding,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether -1 and 1 are centres of elements rather than edges">:$aligned,
    DefaultValuedAttr<F64Attr, "-0.75">:$cubic_coeff_a
  );
  let results = (outs SkriptND_Real:$output);
}

#endif // SKRIPTND_IMAGE_TD
