// Interfaces that both dialects have.

include "mlir/IR/OpBase.td"

def Named : OpInterface<"Named"> {
  let description = [{ What has a name. }];
  let cppNamespace = "::shared";
  let methods = [
    InterfaceMethod<"The name.", "::llvm::StringRef", "getName">,
    StaticInterfaceMethod<"What such things are called.", "std::string", "getKind">,
  ];
}

def Sized : OpInterface<"Sized", [Named]> {
  let description = [{ What has a size. }];
  let cppNamespace = "::shared";
  let methods = [
    InterfaceMethod<"The size, counted from a number.", "unsigned", "size", (ins "unsigned":$from)>,
    InterfaceMethod<"The size in another unit.", "unsigned", "size", (ins "::llvm::StringRef":$unit)>,
    InterfaceMethod<"How many operands it has.", "unsigned", "getCount", (ins), [{
      return $_op->getNumOperands();
    }]>,
    InterfaceMethod<"Twice as many.", "unsigned", "getTwice", (ins), [{}], [{
      return 2 * $_op->getNumOperands();
    }]>,
    InterfaceMethod<"What C++ alone can say.", "unsigned", "match", (ins), [{}], [{
      unsigned result = 0;
      for (auto operand : $_op->getOperands()) result += 1;
      return result;
    }]>,
    InterfaceMethod<"Something that Rust does not know.", "::shared::Secret", "getSecret">,
    StaticInterfaceMethod<"The most.", "int64_t", "getMost", (ins), [{}], [{ return 64; }]>,
  ];
  let verify = [{ return success($_op->getNumOperands() < 4); }];
}

def Described : OpInterface<"Described"> {
  let methods = [
    InterfaceMethod<"The weight.", "Weight", "getWeight", (ins)>,
    InterfaceMethod<"The same as a whole number.", "int64_t", "getRounded", (ins), [{}], [{ return roundedUp($_op); }]>,
  ];
}

def Striped : AttrInterface<"Striped"> {
  let cppNamespace = "::shared";
  let methods = [InterfaceMethod<"How many stripes.", "unsigned", "getStripes">];
}

def Wide : TypeInterface<"Wide"> {
  let cppNamespace = "::shared";
  let methods = [InterfaceMethod<"How wide.", "unsigned", "getWidth", (ins "::mlir::Value":$of)>];
}
