// broadcast
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.broadcast %x : f32 to vector<4xf32>
  return
}

// -----
// shape_cast
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.shape_cast %w : vector<2x4xf32> to vector<8xf32>
  return
}

// -----
// bitcast
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.bitcast %v : vector<4xf32> to vector<4xi32>
  return
}

// -----
// fma
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.fma %v, %v, %v : vector<4xf32>
  return
}

// -----
// fma of integers
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.fma %n, %n, %n : vector<4xi32>
  return
}

// -----
// extract
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.extract %w[1] : vector<4xf32> from vector<2x4xf32>
  return
}

// -----
// insert
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.insert %v, %w[1] : vector<4xf32> into vector<2x4xf32>
  return
}

// -----
// reduction
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.reduction <add>, %v : vector<4xf32> into f32
  return
}

// -----
// reduction with flags
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.reduction <add>, %v fastmath<reassoc> : vector<4xf32> into f32
  return
}

// -----
// reduction with accumulator
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.reduction <add>, %v, %x : vector<4xf32> into f32
  return
}

// -----
// reduction unknown
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.reduction <foo>, %v : vector<4xf32> into f32
  return
}

// -----
// load
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.load %m[%i] : memref<?xf32>, vector<4xf32>
  return
}

// -----
// store
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  vector.store %v, %m[%i] : memref<?xf32>, vector<4xf32>
  return
}

// -----
// maskedload
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.maskedload %m[%i], %k, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----
// gather
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.gather %m[%i] [%n], %k, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----
// print
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  vector.print %v : vector<4xf32>
  return
}

// -----
// print str
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  vector.print str "x"
  return
}

// -----
// print punctuation
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  vector.print punctuation <newline>
  return
}

// -----
// transpose
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.transpose %w, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  return
}

// -----
// shuffle
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.shuffle %v, %v [0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
  return
}

// -----
// create_mask
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.create_mask %i : vector<4xi1>
  return
}

// -----
// constant_mask
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.constant_mask [2] : vector<4xi1>
  return
}

// -----
// step
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.step : vector<4xindex>
  return
}

// -----
// vscale
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.vscale
  return
}

// -----
// type_cast
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.type_cast %q : memref<4xf32> to memref<vector<4xf32>>
  return
}

// -----
// interleave
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  return
}

// -----
// deinterleave
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0, %1 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  return
}

// -----
// scalable extract
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.scalable.extract %s[0] : vector<4xf32> from vector<[4]xf32>
  return
}

// -----
// from_elements
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.from_elements %x, %x : vector<2xf32>
  return
}

// -----
// to_elements
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0:4 = vector.to_elements %v : vector<4xf32>
  return
}

// -----
// compressstore
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  vector.compressstore %m[%i], %k, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  return
}

// -----
// outerproduct
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.outerproduct %v, %v : vector<4xf32>, vector<4xf32>
  return
}

// -----
// extract_strided_slice
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index, %m: memref<?xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  return
}
