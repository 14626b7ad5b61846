func.func private @wide(!toy.int<65>)
