func.func @wrong(%x: i32) -> i32 {
  %none = toy.shift %x by 32 : i32
  return %none : i32
}
