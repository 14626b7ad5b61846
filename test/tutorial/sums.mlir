func.func @fourfold(%x: i32) -> i32 {
  %twice = toy.add %x, %x : i32
  %same = toy.shift %twice by 0 : i32
  %fourfold = toy.add %same, %same : i32
  return %fourfold : i32
}
