//===- Definitions.cpp - Types and attributes defined from Rust -----------===//

#include "Definitions.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace skriptnd;

namespace {

using EmitError = function_ref<InFlightDiagnostic()>;

/// The definition of a name in a dialect; null if there is none, or the dialect has not been loaded.
template <typename Definition>
Definition *find(MLIRContext *context, MlirStringRef dialectName, MlirStringRef name,
                 Definition *(ExtensibleDialect::*lookup)(StringRef) const) {
  DefinedDialect *dialect = getDefinedDialect(context->getOrLoadDialect(unwrap(dialectName)));
  return dialect ? (dialect->*lookup)(unwrap(name)) : nullptr;
}

DynamicTypeDefinition *findType(MLIRContext *context, MlirStringRef dialect, MlirStringRef name) {
  return find<DynamicTypeDefinition>(context, dialect, name, &ExtensibleDialect::lookupTypeDefinition);
}

DynamicAttrDefinition *findAttribute(MLIRContext *context, MlirStringRef dialect, MlirStringRef name) {
  return find<DynamicAttrDefinition>(context, dialect, name, &ExtensibleDialect::lookupAttrDefinition);
}

LogicalResult verify(const void *spec, MLIRContext *context, EmitError emitError, ArrayRef<Attribute> parameters) {
  SmallVector<MlirAttribute> wrapped;
  for (Attribute parameter : parameters)
    wrapped.push_back(wrap(parameter));
  std::string message;
  if (skndRustVerifyParameters(spec, wrap(context), wrapped.data(), wrapped.size(), &message))
    return success();
  return emitError() << message;
}

bool parse(const void *spec, AsmParser &parser, Type selfType, SmallVectorImpl<Attribute> &parameters) {
  return skndRustParseParameters(spec, &parser, wrap(selfType), &parameters);
}

void print(const void *spec, AsmPrinter &printer, ArrayRef<Attribute> parameters) {
  SmallVector<MlirAttribute> wrapped;
  for (Attribute parameter : parameters)
    wrapped.push_back(wrap(parameter));
  skndRustPrintParameters(spec, &printer, wrapped.data(), wrapped.size());
}

/// Emits at a location for the diagnostics of a check; silently, if nobody wants to know.
template <typename Result, typename Definition>
Result getChecked(Definition *definition, const MlirAttribute *parameters, size_t count, MlirStringCallback callback,
                  void *sink) {
  SmallVector<Attribute> unwrapped;
  for (MlirAttribute parameter : ArrayRef(parameters, count))
    unwrapped.push_back(unwrap(parameter));
  MLIRContext &context = definition->getContext();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    callback(wrap(StringRef(diagnostic.str())), sink);
    return success();
  });
  Location location = UnknownLoc::get(&context);
  return Result::getChecked([&]() { return emitError(location); }, definition, unwrapped);
}

} // namespace

//===--- The dialect ------------------------------------------------------===//

namespace skriptnd {

/// Names as aliases, where a definition asks for that.
struct MnemonicAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const final {
    auto dynamic = dyn_cast<DynamicAttr>(attribute);
    return dynamic ? print(getDefined()->attributes, dynamic.getAttrDef()->getName(), os) : AliasResult::NoAlias;
  }
  AliasResult getAlias(Type type, raw_ostream &os) const final {
    auto dynamic = dyn_cast<DynamicType>(type);
    return dynamic ? print(getDefined()->types, dynamic.getTypeDef()->getName(), os) : AliasResult::NoAlias;
  }

private:
  const DefinedDialect *getDefined() const { return static_cast<DefinedDialect *>(getDialect()); }

  static AliasResult print(const llvm::StringMap<const SkndDefinition *> &definitions, StringRef name,
                           raw_ostream &os) {
    const SkndDefinition *definition = definitions.lookup(name);
    if (!definition || !definition->alias)
      return AliasResult::NoAlias;
    os << name;
    return AliasResult::OverridableAlias;
  }
};

} // namespace skriptnd

DefinedDialect::DefinedDialect(StringRef name, MLIRContext *context, TypeID typeID)
    : ExtensibleDialect(name, context, typeID) {
  addInterfaces<MnemonicAliases>();
}

void DefinedDialect::addType(const SkndDefinition &definition) {
  const void *spec = definition.spec;
  types[unwrap(definition.name)] = &definition;
  MLIRContext *context = getContext();
  registerDynamicType(DynamicTypeDefinition::get(
      unwrap(definition.name), this,
      [=](EmitError emitError, ArrayRef<Attribute> parameters) { return verify(spec, context, emitError, parameters); },
      [=](AsmParser &parser, SmallVectorImpl<Attribute> &parameters) {
        return success(parse(spec, parser, nullptr, parameters));
      },
      [=](AsmPrinter &printer, ArrayRef<Attribute> parameters) { print(spec, printer, parameters); }));
}

void DefinedDialect::addAttribute(const SkndDefinition &definition) {
  const void *spec = definition.spec;
  attributes[unwrap(definition.name)] = &definition;
  MLIRContext *context = getContext();
  registerDynamicAttr(DynamicAttrDefinition::get(
      unwrap(definition.name), this,
      [=](EmitError emitError, ArrayRef<Attribute> parameters) { return verify(spec, context, emitError, parameters); },
      [=](AsmParser &parser, SmallVectorImpl<Attribute> &parameters) {
        return success(parse(spec, parser, nullptr, parameters));
      },
      [=](AsmPrinter &printer, ArrayRef<Attribute> parameters) { print(spec, printer, parameters); }));
}

Type DefinedDialect::parseType(DialectAsmParser &parser) const {
  StringRef name;
  SMLoc location = parser.getCurrentLocation();
  if (failed(parser.parseKeyword(&name)))
    return Type();
  if (DynamicTypeDefinition *definition = lookupTypeDefinition(name))
    return parseParameters(definition, parser);
  parser.emitError(location, "unknown type `") << name << "` in dialect `" << getNamespace() << "`";
  return Type();
}

Attribute DefinedDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  StringRef name;
  SMLoc location = parser.getCurrentLocation();
  if (failed(parser.parseKeyword(&name)))
    return Attribute();
  if (DynamicAttrDefinition *definition = lookupAttrDefinition(name))
    return parseParameters(definition, parser, type);
  parser.emitError(location, "unknown attribute `") << name << "` in dialect `" << getNamespace() << "`";
  return Attribute();
}

Type DefinedDialect::parseParameters(DynamicTypeDefinition *definition, AsmParser &parser) const {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<Attribute> parameters;
  if (!parse(types.lookup(definition->getName())->spec, parser, nullptr, parameters))
    return Type();
  return DynamicType::getChecked([&]() { return parser.emitError(location); }, definition, parameters);
}

Attribute DefinedDialect::parseParameters(DynamicAttrDefinition *definition, AsmParser &parser, Type selfType) const {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<Attribute> parameters;
  if (!parse(attributes.lookup(definition->getName())->spec, parser, selfType, parameters))
    return Attribute();
  return DynamicAttr::getChecked([&]() { return parser.emitError(location); }, definition, parameters);
}

void DefinedDialect::printType(Type type, DialectAsmPrinter &printer) const {
  printer << cast<DynamicType>(type).getTypeDef()->getName();
  printParameters(type, printer);
}

void DefinedDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  printer << cast<DynamicAttr>(attribute).getAttrDef()->getName();
  printParameters(attribute, printer);
}

void DefinedDialect::printParameters(Type type, AsmPrinter &printer) const {
  auto dynamic = cast<DynamicType>(type);
  print(getSpec(dynamic), printer, dynamic.getParams());
}

void DefinedDialect::printParameters(Attribute attribute, AsmPrinter &printer) const {
  auto dynamic = cast<DynamicAttr>(attribute);
  print(getSpec(dynamic), printer, dynamic.getParams());
}

const void *DefinedDialect::getSpec(DynamicType type) const {
  return types.lookup(type.getTypeDef()->getName())->spec;
}

const void *DefinedDialect::getSpec(DynamicAttr attribute) const {
  return attributes.lookup(attribute.getAttrDef()->getName())->spec;
}

extern "C" {

//===--- Types and attributes as values -----------------------------------===//

/// Null if the dialect has no such type or its verifier refuses; the callback is given the message of the verifier.
MlirType skndGetType(MlirContext context, MlirStringRef dialect, MlirStringRef name, const MlirAttribute *parameters,
                     size_t count, MlirStringCallback callback, void *sink) {
  DynamicTypeDefinition *definition = findType(unwrap(context), dialect, name);
  return wrap(definition ? Type(getChecked<DynamicType>(definition, parameters, count, callback, sink)) : Type());
}

MlirAttribute skndGetDefinedAttribute(MlirContext context, MlirStringRef dialect, MlirStringRef name,
                                      const MlirAttribute *parameters, size_t count, MlirStringCallback callback,
                                      void *sink) {
  DynamicAttrDefinition *definition = findAttribute(unwrap(context), dialect, name);
  return wrap(definition ? Attribute(getChecked<DynamicAttr>(definition, parameters, count, callback, sink))
                         : Attribute());
}

/// The specification of a type that was defined from Rust; null for others.
const void *skndTypeSpec(MlirType type) {
  auto dynamic = dyn_cast<DynamicType>(unwrap(type));
  DefinedDialect *dialect = dynamic ? getDefinedDialect(&dynamic.getDialect()) : nullptr;
  return dialect ? dialect->getSpec(dynamic) : nullptr;
}

const void *skndAttributeSpec(MlirAttribute attribute) {
  auto dynamic = dyn_cast<DynamicAttr>(unwrap(attribute));
  DefinedDialect *dialect = dynamic ? getDefinedDialect(&dynamic.getDialect()) : nullptr;
  return dialect ? dialect->getSpec(dynamic) : nullptr;
}

/// The parameter of an index of a type that was defined from Rust; null if there is none.
MlirAttribute skndTypeParameter(MlirType type, size_t index) {
  auto dynamic = dyn_cast<DynamicType>(unwrap(type));
  return wrap(dynamic && index < dynamic.getParams().size() ? dynamic.getParams()[index] : Attribute());
}

MlirAttribute skndAttributeParameter(MlirAttribute attribute, size_t index) {
  auto dynamic = dyn_cast<DynamicAttr>(unwrap(attribute));
  return wrap(dynamic && index < dynamic.getParams().size() ? dynamic.getParams()[index] : Attribute());
}

//===--- Types and attributes without their names -------------------------===//

/// A type as its format writes it, or whole with its name.
bool skndParseStrippedType(void *parser, MlirStringRef dialect, MlirStringRef name, MlirType *result) {
  auto &p = *static_cast<AsmParser *>(parser);
  Type type;
  bool parsed = succeeded(p.parseCustomTypeWithFallback(type, [&](Type &type) -> ParseResult {
    DynamicTypeDefinition *definition = findType(p.getContext(), dialect, name);
    if (!definition)
      return p.emitError(p.getCurrentLocation(), "expected a type with its name");
    type = getDefinedDialect(definition->getDialect())->parseParameters(definition, p);
    return success(static_cast<bool>(type));
  }));
  *result = wrap(type);
  return parsed;
}

bool skndParseStrippedAttribute(void *parser, MlirStringRef dialect, MlirStringRef name, MlirAttribute *result) {
  auto &p = *static_cast<AsmParser *>(parser);
  Attribute attribute;
  auto parseBody = [&](Attribute &attribute, Type type) -> ParseResult {
    if (DynamicAttrDefinition *definition = findAttribute(p.getContext(), dialect, name))
      attribute = getDefinedDialect(definition->getDialect())->parseParameters(definition, p, type);
    else
      attribute = parseStrippedForeign(p, unwrap(dialect), unwrap(name), type);
    return success(static_cast<bool>(attribute));
  };
  bool parsed = succeeded(p.parseCustomAttributeWithFallback(attribute, Type(), parseBody));
  *result = wrap(attribute);
  return parsed;
}

/// Without its name where it was defined from Rust.
void skndPrintStrippedType(void *printer, MlirType type) {
  auto &p = *static_cast<AsmPrinter *>(printer);
  Type whole = unwrap(type);
  DefinedDialect *dialect = getDefinedDialect(&whole.getDialect());
  if (!dialect)
    p.printType(whole);
  else if (failed(p.printAlias(whole)))
    dialect->printParameters(whole, p);
}

void skndPrintStrippedAttribute(void *printer, MlirAttribute attribute) {
  auto &p = *static_cast<AsmPrinter *>(printer);
  Attribute whole = unwrap(attribute);
  if (succeeded(p.printAlias(whole)))
    return;
  if (DefinedDialect *dialect = getDefinedDialect(&whole.getDialect()))
    dialect->printParameters(whole, p);
  else
    printStrippedForeign(p, whole);
}

void skndPushAttribute(void *sink, MlirAttribute attribute) {
  static_cast<SmallVectorImpl<Attribute> *>(sink)->push_back(unwrap(attribute));
}

} // extern "C"
