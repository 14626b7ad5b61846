func.func @wrong(%x: !toy.int<32>) -> !toy.int<32> {
  %none = toy.shift %x by 32 : !toy.int<32>
  return %none : !toy.int<32>
}
