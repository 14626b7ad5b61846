//===- image.td - Operators of the module `image` -----------------------===//
//
// Sampling and resizing of images of any number of dimensions (specification, section 4.5).
//
// Written by `cargo xtask docs` from stdlib/image.sknd: changes belong there, traits into Traits.td.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_IMAGE_TD
#define SKRIPTND_IMAGE_TD

include "Traits.td"

def Image_NearestDownsampleOp : SkriptND_Operator<"image", "nearest_downsample"> {
  let summary = "Every `factor`-th element along `axes`";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "resized dimensions">:$axes,
    Arg<SkriptND_PositiveInts, "how many elements become one">:$factor
  );
  let results = (outs SkriptND_Any:$output);
}

def Image_NearestUpsampleOp : SkriptND_Operator<"image", "nearest_upsample"> {
  let summary = "Each element `factor` times along `axes`";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "resized dimensions">:$axes,
    Arg<SkriptND_PositiveInts, "how many elements one becomes">:$factor
  );
  let results = (outs SkriptND_Any:$output);
}

def Image_AreaDownsampleOp : SkriptND_Operator<"image", "area_downsample"> {
  let summary = "Means of blocks of `factor` elements along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "resized dimensions">:$axes,
    Arg<SkriptND_PositiveInts, "how many elements become one">:$factor
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_LinearUpsampleOp : SkriptND_Operator<"image", "linear_upsample"> {
  let summary = "Linear interpolation to `factor` times as many elements along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "resized dimensions">:$axes,
    Arg<SkriptND_PositiveInts, "how many elements one becomes">:$factor,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether centres of elements coincide, rather than their corners">:$symmetric,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether the border's elements continue outside, rather than zeros">:$replicate_border
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_NearestResizeOp : SkriptND_Operator<"image", "nearest_resize"> {
  let summary = "Resizes to `size` along `axes`: the nearest element at each new position";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "resized dimensions">:$axes,
    Arg<SkriptND_PositiveInts, "new extents along `axes`">:$size,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]>, "\"SYMMETRIC\"">, "centres coincide; 'ASYMMETRIC': corners; 'ALIGNED': ends">:$coordinate_transform,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["FLOOR", "CEIL", "ROUND_PREFER_FLOOR", "ROUND_PREFER_CEIL"]>, "\"ROUND_PREFER_FLOOR\"">, "down, up, or to the nearest with halves down or up">:$rounding_method
  );
  let results = (outs SkriptND_Any:$output);
}

def Image_LinearResizeOp : SkriptND_Operator<"image", "linear_resize"> {
  let summary = "Resizes to `size` along `axes`: linear interpolation at each new position";
  let description = [{
    Positions outside take the border's elements.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "resized dimensions">:$axes,
    Arg<SkriptND_PositiveInts, "new extents along `axes`">:$size,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "changes nothing: the specification's interpolation does without">:$antialias,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]>, "\"SYMMETRIC\"">, "centres coincide; 'ASYMMETRIC': corners; 'ALIGNED': ends">:$coordinate_transform
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_CubicResizeOp : SkriptND_Operator<"image", "cubic_resize"> {
  let summary = "Resizes to `size` along `axes`: cubic convolution at each new position";
  let description = [{
    Positions outside take the border's elements.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "resized dimensions">:$axes,
    Arg<SkriptND_PositiveInts, "new extents along `axes`">:$size,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "changes nothing: the specification's interpolation does without">:$antialias,
    Arg<DefaultValuedAttr<F64Attr, "-0.75">, "parameter of the cubic kernel">:$coeff_a,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]>, "\"SYMMETRIC\"">, "centres coincide; 'ASYMMETRIC': corners; 'ALIGNED': ends">:$coordinate_transform
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_ResizeOp : SkriptND_Operator<"image", "resize"> {
  let summary = "Resizes to `size` along `axes` by `nearest_resize`, `linear_resize` or `cubic_resize`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "resized dimensions">:$axes,
    Arg<SkriptND_PositiveInts, "new extents along `axes`">:$size,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NEAREST", "LINEAR", "CUBIC"]>, "\"NEAREST\"">, "'NEAREST', 'LINEAR' or 'CUBIC'">:$mode,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]>, "\"SYMMETRIC\"">, "centres coincide; 'ASYMMETRIC': corners; 'ALIGNED': ends">:$coordinate_transform,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["FLOOR", "CEIL", "ROUND_PREFER_FLOOR", "ROUND_PREFER_CEIL"]>, "\"ROUND_PREFER_FLOOR\"">, "down, up, or to the nearest with halves down or up">:$rounding_method,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "changes nothing: the specification's interpolation does without">:$antialias,
    Arg<DefaultValuedAttr<F64Attr, "-0.75">, "parameter of the cubic kernel">:$cubic_coeff_a
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_RescaleOp : SkriptND_Operator<"image", "rescale"> {
  let summary = "Resizes by `factor` along `axes`, to the rounded size, as `resize` does";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "resized dimensions">:$axes,
    Arg<DenseF64ArrayAttr, "new extents relative to the old ones">:$factor,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NEAREST", "LINEAR", "CUBIC"]>, "\"NEAREST\"">, "'NEAREST', 'LINEAR' or 'CUBIC'">:$mode,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["SYMMETRIC", "ASYMMETRIC", "ALIGNED"]>, "\"SYMMETRIC\"">, "centres coincide; 'ASYMMETRIC': corners; 'ALIGNED': ends">:$coordinate_transform,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["FLOOR", "CEIL", "ROUND_PREFER_FLOOR", "ROUND_PREFER_CEIL"]>, "\"ROUND_PREFER_FLOOR\"">, "down, up, or to the nearest with halves down or up">:$rounding_method,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "changes nothing: the specification's interpolation does without">:$antialias,
    Arg<DefaultValuedAttr<F64Attr, "-0.75">, "parameter of the cubic kernel">:$cubic_coeff_a
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_MaxRoiPoolOp : SkriptND_Operator<"image", "max_roi_pool"> {
  let summary = "Maximum over each bin of regions of interest";
  let description = [{
    A region holds its first and its last corner, both inclusive and rounded to whole positions, the coordinates of a
    corner in reverse order of the spatial dimensions; `index` says which batch item it belongs to. It is divided into
    `output_size` bins, which overlap where that leaves a remainder; the part of a bin outside of the input does not
    count, and an empty bin gives 0.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$rois,
    SkriptND_Int:$index,
    Arg<SkriptND_PositiveInts, "bins along each spatial dimension">:$output_size
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_AvgRoiPoolOp : SkriptND_Operator<"image", "avg_roi_pool"> {
  let summary = "Mean over each bin of regions of interest, which are given and divided as for `max_roi_pool`";
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$rois,
    SkriptND_Int:$index,
    Arg<SkriptND_PositiveInts, "bins along each spatial dimension">:$output_size
  );
  let results = (outs SkriptND_Real:$output);
}

def Image_GridSampleOp : SkriptND_Operator<"image", "grid_sample"> {
  let summary = "Samples at positions between -1 and 1 that a tensor gives, its last dimension in reverse order of the spatial ones";
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$grid,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NEAREST", "LINEAR", "CUBIC"]>, "\"LINEAR\"">, "'NEAREST', 'LINEAR' or 'CUBIC'">:$mode,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["ZEROS", "REPLICATE", "REFLECT"]>, "\"ZEROS\"">, "what lies outside: zeros, the nearest element, or the mirrored image">:$padding,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether -1 and 1 are centres of elements rather than edges">:$aligned,
    Arg<DefaultValuedAttr<F64Attr, "-0.75">, "parameter of the cubic kernel">:$cubic_coeff_a
  );
  let results = (outs SkriptND_Real:$output);
}

#endif // SKRIPTND_IMAGE_TD
