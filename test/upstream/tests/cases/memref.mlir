// alloc
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.alloc(%i) : memref<4x?xf32>
  return
}

// -----
// alloc aligned
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  return
}

// -----
// alloc of a negative alignment
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.alloc() {alignment = -1 : i64} : memref<4xf32>
  return
}

// -----
// alloc with too few sizes
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.alloc() : memref<4x?xf32>
  return
}

// -----
// alloca
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.alloca() : memref<4xf32>
  return
}

// -----
// dealloc
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  memref.dealloc %m : memref<4x?xf32>
  return
}

// -----
// dealloc unranked
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  memref.dealloc %u : memref<*xf32>
  return
}

// -----
// dealloc of a number
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  "memref.dealloc"(%x) : (f32) -> ()
  return
}

// -----
// load
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.load %m[%i, %i] : memref<4x?xf32>
  return
}

// -----
// load nontemporal
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.load %m[%i, %i] {nontemporal = true} : memref<4x?xf32>
  return
}

// -----
// load with too few indices
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.load %m[%i] : memref<4x?xf32>
  return
}

// -----
// load to another type
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = "memref.load"(%s, %i) : (memref<4xf32>, index) -> f64
  return
}

// -----
// store
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  memref.store %x, %s[%i] : memref<4xf32>
  return
}

// -----
// store of another type
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  "memref.store"(%a, %s, %i) : (i32, memref<4xf32>, index) -> ()
  return
}

// -----
// cast
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.cast %s : memref<4xf32> to memref<?xf32>
  return
}

// -----
// dim
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.dim %m, %i : memref<4x?xf32>
  return
}

// -----
// rank
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.rank %u : memref<*xf32>
  return
}

// -----
// copy
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  memref.copy %s, %s : memref<4xf32> to memref<4xf32>
  return
}

// -----
// atomic_rmw
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.atomic_rmw addf %x, %s[%i] : (f32, memref<4xf32>) -> f32
  return
}

// -----
// atomic_rmw unknown
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.atomic_rmw foo %x, %s[%i] : (f32, memref<4xf32>) -> f32
  return
}

// -----
// atomic_rmw of integers
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.atomic_rmw addi %a, %n[%i] : (i32, memref<4xi32>) -> i32
  return
}

// -----
// assume_alignment
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.assume_alignment %s, 16 : memref<4xf32>
  return
}

// -----
// assume_alignment of nothing
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.assume_alignment %s, -1 : memref<4xf32>
  return
}

// -----
// extract_aligned_pointer_as_index
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.extract_aligned_pointer_as_index %s : memref<4xf32> -> index
  return
}

// -----
// generic prefetch
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  "memref.prefetch"(%s, %i) <{isDataCache = true, isWrite = false, localityHint = 3 : i32}> : (memref<4xf32>, index) -> ()
  return
}

// -----
// generic prefetch too local
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  "memref.prefetch"(%s, %i) <{isDataCache = true, isWrite = false, localityHint = 4 : i32}> : (memref<4xf32>, index) -> ()
  return
}

// -----
// memory_space_cast
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.memory_space_cast %s : memref<4xf32> to memref<4xf32, 1>
  return
}

// -----
// global
memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]>

// -----
// generic global
"memref.global"() <{sym_name = "g", type = memref<2xf32>}> : () -> ()

// -----
// get_global of nothing
func.func @f(%m: memref<4x?xf32>, %s: memref<4xf32>, %i: index, %x: f32, %u: memref<*xf32>, %a: i32, %n: memref<4xi32>) {
  %0 = memref.get_global @g : memref<2xf32>
  return
}

// -----
// generic get_global
"builtin.module"() ({
  "memref.global"() <{sym_name = "g", type = memref<2xf32>}> : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %0 = "memref.get_global"() <{name = @g}> : () -> memref<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----
// generic get_global of another type
"builtin.module"() ({
  "memref.global"() <{sym_name = "g", type = memref<2xf32>}> : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %0 = "memref.get_global"() <{name = @g}> : () -> memref<3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
