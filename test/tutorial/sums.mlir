func.func @fourfold(%x: !toy.int<32>) -> !toy.int<32> {
  %twice = toy.add %x, %x : !toy.int<32>
  %same = toy.shift %twice by 0 : !toy.int<32>
  %fourfold = toy.add %same, %same : !toy.int<32>
  return %fourfold : !toy.int<32>
}
