//===- Definitions.h - Types and attributes defined from Rust ---*- C++ -*-===//

#ifndef SKRIPTND_DEFINITIONS_H
#define SKRIPTND_DEFINITIONS_H

#include "Bridge.h"

#include "mlir/IR/ExtensibleDialect.h"

namespace skriptnd {

/// A dialect whose types and attributes are defined in Rust: their parameters are attributes.
class DefinedDialect : public mlir::ExtensibleDialect {
public:
  DefinedDialect(mlir::StringRef name, mlir::MLIRContext *context, mlir::TypeID typeID);

  mlir::Type parseType(mlir::DialectAsmParser &parser) const final;
  void printType(mlir::Type type, mlir::DialectAsmPrinter &printer) const final;
  mlir::Attribute parseAttribute(mlir::DialectAsmParser &parser, mlir::Type type) const final;
  void printAttribute(mlir::Attribute attribute, mlir::DialectAsmPrinter &printer) const final;

  /// What stands behind the mnemonic; null if that is wrong, which has been reported.
  mlir::Type parseParameters(mlir::DynamicTypeDefinition *definition, mlir::AsmParser &parser) const;
  mlir::Attribute parseParameters(mlir::DynamicAttrDefinition *definition, mlir::AsmParser &parser,
                                  mlir::Type selfType) const;
  /// Prints what stands behind the mnemonic.
  void printParameters(mlir::Type type, mlir::AsmPrinter &printer) const;
  void printParameters(mlir::Attribute attribute, mlir::AsmPrinter &printer) const;

  /// What Rust says of a type or an attribute of this dialect.
  const void *getSpec(mlir::DynamicType type) const;
  const void *getSpec(mlir::DynamicAttr attribute) const;

protected:
  void addType(const SkndDefinition &definition);
  void addAttribute(const SkndDefinition &definition);

private:
  friend struct MnemonicAliases;

  llvm::StringMap<const SkndDefinition *> types, attributes;
};

/// The dialect, if it was defined from Rust.
DefinedDialect *getDefinedDialect(mlir::Dialect *dialect);

/// An attribute that C++ defined, as its format writes it without its name; null if it does not stand there.
mlir::Attribute parseStrippedForeign(mlir::AsmParser &parser, mlir::StringRef dialect, mlir::StringRef name,
                                     mlir::Type type);
void printStrippedForeign(mlir::AsmPrinter &printer, mlir::Attribute attribute);

} // namespace skriptnd

#endif // SKRIPTND_DEFINITIONS_H
