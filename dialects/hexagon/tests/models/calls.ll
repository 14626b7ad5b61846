; One call of each operation on f32, integers and memory that LLVM may leave to a library: `runtime/hexagon` must define all.
target triple = "hexagon-unknown-linux-musl"

declare float @llvm.acos.f32(float)
declare float @llvm.asin.f32(float)
declare float @llvm.atan.f32(float)
declare float @llvm.ceil.f32(float)
declare float @llvm.cos.f32(float)
declare float @llvm.cosh.f32(float)
declare float @llvm.exp.f32(float)
declare float @llvm.exp10.f32(float)
declare float @llvm.exp2.f32(float)
declare float @llvm.fabs.f32(float)
declare float @llvm.floor.f32(float)
declare float @llvm.log.f32(float)
declare float @llvm.log10.f32(float)
declare float @llvm.log2.f32(float)
declare float @llvm.nearbyint.f32(float)
declare float @llvm.rint.f32(float)
declare float @llvm.round.f32(float)
declare float @llvm.roundeven.f32(float)
declare float @llvm.sin.f32(float)
declare float @llvm.sinh.f32(float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.tan.f32(float)
declare float @llvm.tanh.f32(float)
declare float @llvm.trunc.f32(float)
declare float @acoshf(float)
declare float @asinhf(float)
declare float @atanhf(float)
declare float @erff(float)
declare float @llvm.copysign.f32(float, float)
declare float @llvm.maximum.f32(float, float)
declare float @llvm.maximumnum.f32(float, float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minimum.f32(float, float)
declare float @llvm.minimumnum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.pow.f32(float, float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.ldexp.f32.i32(float, i32)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i32 @llvm.fptoui.sat.i32.f32(float)
declare {i32, i1} @llvm.smul.with.overflow.i32(i32, i32)
declare {i32, i1} @llvm.umul.with.overflow.i32(i32, i32)
declare {i32, i1} @llvm.sadd.with.overflow.i32(i32, i32)
declare i64 @llvm.fptosi.sat.i64.f32(float)
declare i64 @llvm.fptoui.sat.i64.f32(float)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.umul.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memmove.p0.p0.i32(ptr, ptr, i32, i1)

define i32 @skriptnd_prepare(ptr %variables, ptr %prepared, ptr %workspace) {
  ret i32 0
}

@skriptnd_shape_words = constant i32 1

define i32 @skriptnd_shapes(ptr %extents, ptr %shapes) {
  store i64 0, ptr %shapes
  ret i32 0
}

define i32 @skriptnd_run(ptr %from, ptr %variables, ptr %prepared, ptr %to, ptr %extents, ptr %workspace, ptr %fault) {
  %x = load volatile float, ptr %from
  %y = load volatile float, ptr %from
  %n = load volatile i32, ptr %from
  %n2 = load volatile i32, ptr %from
  %m = load volatile i64, ptr %from
  %m2 = load volatile i64, ptr %from
  %acos = call float @llvm.acos.f32(float %x)
  store volatile float %acos, ptr %to
  %asin = call float @llvm.asin.f32(float %x)
  store volatile float %asin, ptr %to
  %atan = call float @llvm.atan.f32(float %x)
  store volatile float %atan, ptr %to
  %ceil = call float @llvm.ceil.f32(float %x)
  store volatile float %ceil, ptr %to
  %cos = call float @llvm.cos.f32(float %x)
  store volatile float %cos, ptr %to
  %cosh = call float @llvm.cosh.f32(float %x)
  store volatile float %cosh, ptr %to
  %exp = call float @llvm.exp.f32(float %x)
  store volatile float %exp, ptr %to
  %exp10 = call float @llvm.exp10.f32(float %x)
  store volatile float %exp10, ptr %to
  %exp2 = call float @llvm.exp2.f32(float %x)
  store volatile float %exp2, ptr %to
  %fabs = call float @llvm.fabs.f32(float %x)
  store volatile float %fabs, ptr %to
  %floor = call float @llvm.floor.f32(float %x)
  store volatile float %floor, ptr %to
  %log = call float @llvm.log.f32(float %x)
  store volatile float %log, ptr %to
  %log10 = call float @llvm.log10.f32(float %x)
  store volatile float %log10, ptr %to
  %log2 = call float @llvm.log2.f32(float %x)
  store volatile float %log2, ptr %to
  %nearbyint = call float @llvm.nearbyint.f32(float %x)
  store volatile float %nearbyint, ptr %to
  %rint = call float @llvm.rint.f32(float %x)
  store volatile float %rint, ptr %to
  %round = call float @llvm.round.f32(float %x)
  store volatile float %round, ptr %to
  %roundeven = call float @llvm.roundeven.f32(float %x)
  store volatile float %roundeven, ptr %to
  %sin = call float @llvm.sin.f32(float %x)
  store volatile float %sin, ptr %to
  %sinh = call float @llvm.sinh.f32(float %x)
  store volatile float %sinh, ptr %to
  %sqrt = call float @llvm.sqrt.f32(float %x)
  store volatile float %sqrt, ptr %to
  %tan = call float @llvm.tan.f32(float %x)
  store volatile float %tan, ptr %to
  %tanh = call float @llvm.tanh.f32(float %x)
  store volatile float %tanh, ptr %to
  %trunc = call float @llvm.trunc.f32(float %x)
  store volatile float %trunc, ptr %to
  %acoshf = call float @acoshf(float %x)
  store volatile float %acoshf, ptr %to
  %asinhf = call float @asinhf(float %x)
  store volatile float %asinhf, ptr %to
  %atanhf = call float @atanhf(float %x)
  store volatile float %atanhf, ptr %to
  %erff = call float @erff(float %x)
  store volatile float %erff, ptr %to
  %copysign = call float @llvm.copysign.f32(float %x, float %y)
  store volatile float %copysign, ptr %to
  %maximum = call float @llvm.maximum.f32(float %x, float %y)
  store volatile float %maximum, ptr %to
  %maximumnum = call float @llvm.maximumnum.f32(float %x, float %y)
  store volatile float %maximumnum, ptr %to
  %maxnum = call float @llvm.maxnum.f32(float %x, float %y)
  store volatile float %maxnum, ptr %to
  %minimum = call float @llvm.minimum.f32(float %x, float %y)
  store volatile float %minimum, ptr %to
  %minimumnum = call float @llvm.minimumnum.f32(float %x, float %y)
  store volatile float %minimumnum, ptr %to
  %minnum = call float @llvm.minnum.f32(float %x, float %y)
  store volatile float %minnum, ptr %to
  %pow = call float @llvm.pow.f32(float %x, float %y)
  store volatile float %pow, ptr %to
  %fma = call float @llvm.fma.f32(float %x, float %y, float %x)
  store volatile float %fma, ptr %to
  %ldexp = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  store volatile float %ldexp, ptr %to
  %fadd = fadd float %x, %y
  store volatile float %fadd, ptr %to
  %fsub = fsub float %x, %y
  store volatile float %fsub, ptr %to
  %fmul = fmul float %x, %y
  store volatile float %fmul, ptr %to
  %fdiv = fdiv float %x, %y
  store volatile float %fdiv, ptr %to
  %frem = frem float %x, %y
  store volatile float %frem, ptr %to
  %mul.i32 = mul i32 %n, %n2
  store volatile i32 %mul.i32, ptr %to
  %sdiv.i32 = sdiv i32 %n, %n2
  store volatile i32 %sdiv.i32, ptr %to
  %udiv.i32 = udiv i32 %n, %n2
  store volatile i32 %udiv.i32, ptr %to
  %srem.i32 = srem i32 %n2, %n
  store volatile i32 %srem.i32, ptr %to
  %urem.i32 = urem i32 %n2, %n
  store volatile i32 %urem.i32, ptr %to
  %shl.i32 = shl i32 %n, %n2
  store volatile i32 %shl.i32, ptr %to
  %ashr.i32 = ashr i32 %n, %n2
  store volatile i32 %ashr.i32, ptr %to
  %lshr.i32 = lshr i32 %n, %n2
  store volatile i32 %lshr.i32, ptr %to
  %fptosi.i32 = fptosi float %x to i32
  store volatile i32 %fptosi.i32, ptr %to
  %fptosi.sat.i32 = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  store volatile i32 %fptosi.sat.i32, ptr %to
  %fptoui.i32 = fptoui float %x to i32
  store volatile i32 %fptoui.i32, ptr %to
  %fptoui.sat.i32 = call i32 @llvm.fptoui.sat.i32.f32(float %x)
  store volatile i32 %fptoui.sat.i32, ptr %to
  %sitofp.i32 = sitofp i32 %n to float
  store volatile float %sitofp.i32, ptr %to
  %uitofp.i32 = uitofp i32 %n to float
  store volatile float %uitofp.i32, ptr %to
  %smul.i32 = call {i32, i1} @llvm.smul.with.overflow.i32(i32 %n, i32 %n2)
  store volatile {i32, i1} %smul.i32, ptr %to
  %umul.i32 = call {i32, i1} @llvm.umul.with.overflow.i32(i32 %n, i32 %n2)
  store volatile {i32, i1} %umul.i32, ptr %to
  %sadd.i32 = call {i32, i1} @llvm.sadd.with.overflow.i32(i32 %n, i32 %n2)
  store volatile {i32, i1} %sadd.i32, ptr %to
  %mul.i64 = mul i64 %m, %m2
  store volatile i64 %mul.i64, ptr %to
  %sdiv.i64 = sdiv i64 %m, %m2
  store volatile i64 %sdiv.i64, ptr %to
  %udiv.i64 = udiv i64 %m, %m2
  store volatile i64 %udiv.i64, ptr %to
  %srem.i64 = srem i64 %m2, %m
  store volatile i64 %srem.i64, ptr %to
  %urem.i64 = urem i64 %m2, %m
  store volatile i64 %urem.i64, ptr %to
  %shl.i64 = shl i64 %m, %m2
  store volatile i64 %shl.i64, ptr %to
  %ashr.i64 = ashr i64 %m, %m2
  store volatile i64 %ashr.i64, ptr %to
  %lshr.i64 = lshr i64 %m, %m2
  store volatile i64 %lshr.i64, ptr %to
  %fptosi.i64 = fptosi float %x to i64
  store volatile i64 %fptosi.i64, ptr %to
  %fptosi.sat.i64 = call i64 @llvm.fptosi.sat.i64.f32(float %x)
  store volatile i64 %fptosi.sat.i64, ptr %to
  %fptoui.i64 = fptoui float %x to i64
  store volatile i64 %fptoui.i64, ptr %to
  %fptoui.sat.i64 = call i64 @llvm.fptoui.sat.i64.f32(float %x)
  store volatile i64 %fptoui.sat.i64, ptr %to
  %sitofp.i64 = sitofp i64 %m to float
  store volatile float %sitofp.i64, ptr %to
  %uitofp.i64 = uitofp i64 %m to float
  store volatile float %uitofp.i64, ptr %to
  %smul.i64 = call {i64, i1} @llvm.smul.with.overflow.i64(i64 %m, i64 %m2)
  store volatile {i64, i1} %smul.i64, ptr %to
  %umul.i64 = call {i64, i1} @llvm.umul.with.overflow.i64(i64 %m, i64 %m2)
  store volatile {i64, i1} %umul.i64, ptr %to
  %sadd.i64 = call {i64, i1} @llvm.sadd.with.overflow.i64(i64 %m, i64 %m2)
  store volatile {i64, i1} %sadd.i64, ptr %to
  call void @llvm.memset.p0.i32(ptr %to, i8 0, i32 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr align 1 %to, ptr align 1 %from, i32 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr align 8 %to, ptr align 8 %from, i32 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr align 8 %to, ptr align 8 %from, i32 1024, i1 false)
  call void @llvm.memmove.p0.p0.i32(ptr align 1 %to, ptr align 1 %from, i32 %n, i1 false)
  call void @llvm.memmove.p0.p0.i32(ptr align 8 %to, ptr align 8 %from, i32 %n, i1 false)
  call void @llvm.memmove.p0.p0.i32(ptr align 8 %to, ptr align 8 %from, i32 1024, i1 false)
  ret i32 0
}
