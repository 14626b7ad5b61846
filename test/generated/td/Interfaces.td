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
  let description = [{ What has stripes. }];
  let cppNamespace = "::shared";
  let methods = [
    InterfaceMethod<"How many stripes.", "unsigned", "getStripes">,
    StaticInterfaceMethod<"How many there can be.", "unsigned", "getMost", (ins), [{}], [{ return 7; }]>,
    InterfaceMethod<"Whether it is a number.", "bool", "isNumber", (ins), [{ return ::llvm::isa<IntegerAttr>($_attr); }]>,
  ];
}

def Sided : TypeInterface<"Sided"> {
  let cppNamespace = "::shared";
  let methods = [
    InterfaceMethod<"How many sides.", "unsigned", "getSides", (ins), [{}], [{ return 4; }]>,
    StaticInterfaceMethod<"What such types are called.", "std::string", "getKind">,
  ];
}

def Wide : TypeInterface<"Wide", [Sided]> {
  let cppNamespace = "::shared";
  let methods = [
    InterfaceMethod<"How wide.", "unsigned", "getWidth">,
    InterfaceMethod<"How wide a value of it is.", "unsigned", "getWidthOf", (ins "::mlir::Value":$value)>,
    InterfaceMethod<"What C++ alone can say.", "unsigned", "getArea", (ins), [{}], [{
      unsigned width = $_type.getWidth();
      return width * width;
    }]>,
    InterfaceMethod<"The same type with another width.", "::shared::Wide", "withWidth", (ins "unsigned":$width)>,
  ];
  let extraClassOf = "return $_type.getWidth() != 0;";
}

// Its objects depend on what stands for a C++ type.
def Hidden : TypeInterface<"Hidden"> {
  let cppNamespace = "::shared";
  let methods = [InterfaceMethod<"Something that Rust does not know.", "::shared::Secret", "getHidden">];
}
