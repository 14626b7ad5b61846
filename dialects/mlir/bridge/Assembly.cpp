//===- Assembly.cpp - Custom assembly, parsed and printed from Rust -------===//

#include "Operation.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;

namespace {

using UnresolvedOperand = OpAsmParser::UnresolvedOperand;
using Delimiter = AsmParser::Delimiter;

/// The parser of an operation, a type or an attribute.
AsmParser &asAnyParser(void *parser) { return *static_cast<AsmParser *>(parser); }
/// That of an operation.
OpAsmParser &asParser(void *parser) { return static_cast<OpAsmParser &>(asAnyParser(parser)); }
OperationState &asState(void *state) { return *static_cast<OperationState *>(state); }
AsmPrinter &asAnyPrinter(void *printer) { return *static_cast<AsmPrinter *>(printer); }
OpAsmPrinter &asPrinter(void *printer) { return static_cast<OpAsmPrinter &>(asAnyPrinter(printer)); }

SkndOperand wrapOperand(const UnresolvedOperand &operand) {
  return {operand.location.getPointer(), wrap(operand.name), operand.number};
}

UnresolvedOperand unwrapOperand(const SkndOperand &operand) {
  return {SMLoc::getFromPointer(operand.location), unwrap(operand.name), operand.number};
}

OpAsmParser::Argument unwrapArgument(const SkndArgument &argument) {
  OpAsmParser::Argument result;
  result.ssaName = unwrapOperand(argument.operand);
  result.type = unwrap(argument.type);
  result.attrs = dyn_cast_or_null<DictionaryAttr>(unwrap(argument.attributes));
  if (argument.location.ptr)
    result.sourceLoc = unwrap(argument.location);
  return result;
}

/// Outcomes of what may be absent, as Rust knows them.
enum Outcome : int { Failed = 0, Parsed = 1, Absent = 2 };

Outcome toOutcome(OptionalParseResult result) {
  if (!result.has_value())
    return Absent;
  return succeeded(*result) ? Parsed : Failed;
}

Delimiter toDelimiter(uint32_t delimiter) {
  static constexpr Delimiter delimiters[] = {Delimiter::None,          Delimiter::Paren,          Delimiter::Square,
                                             Delimiter::Braces,        Delimiter::LessGreater,    Delimiter::OptionalParen,
                                             Delimiter::OptionalSquare, Delimiter::OptionalBraces,
                                             Delimiter::OptionalLessGreater};
  return delimiters[delimiter];
}

using ParseToken = ParseResult (AsmParser::*)();

/// The tokens of `dialects/mlir/src/dialect/assembly.rs`, in order.
struct TokenParsers {
  ParseToken required, optional;
};

constexpr TokenParsers tokens[] = {
    {&AsmParser::parseArrow, &AsmParser::parseOptionalArrow},
    {&AsmParser::parseColon, &AsmParser::parseOptionalColon},
    {&AsmParser::parseComma, &AsmParser::parseOptionalComma},
    {&AsmParser::parseEllipsis, &AsmParser::parseOptionalEllipsis},
    {&AsmParser::parseEqual, &AsmParser::parseOptionalEqual},
    {&AsmParser::parseGreater, &AsmParser::parseOptionalGreater},
    {&AsmParser::parseLBrace, &AsmParser::parseOptionalLBrace},
    {&AsmParser::parseLParen, &AsmParser::parseOptionalLParen},
    {&AsmParser::parseLSquare, &AsmParser::parseOptionalLSquare},
    {&AsmParser::parseLess, &AsmParser::parseOptionalLess},
    {&AsmParser::parseMinus, &AsmParser::parseOptionalMinus},
    {&AsmParser::parsePlus, &AsmParser::parseOptionalPlus},
    {&AsmParser::parseQuestion, &AsmParser::parseOptionalQuestion},
    {&AsmParser::parseRBrace, &AsmParser::parseOptionalRBrace},
    {&AsmParser::parseRParen, &AsmParser::parseOptionalRParen},
    {&AsmParser::parseRSquare, &AsmParser::parseOptionalRSquare},
    {&AsmParser::parseSlash, &AsmParser::parseOptionalSlash},
    {&AsmParser::parseStar, &AsmParser::parseOptionalStar},
    {&AsmParser::parseVerticalBar, &AsmParser::parseOptionalVerticalBar},
};

} // namespace

extern "C" {

//===--- Parsing ----------------------------------------------------------===//

MlirContext skndParserContext(void *parser) { return wrap(asAnyParser(parser).getContext()); }
MlirStringRef skndParserOperationName(void *state) { return wrap(asState(state).name.getStringRef()); }
MlirLocation skndParserLocation(void *parser) {
  AsmParser &p = asAnyParser(parser);
  return wrap(p.getEncodedSourceLoc(p.getCurrentLocation()));
}
void skndParserError(void *parser, MlirStringRef message) {
  AsmParser &p = asAnyParser(parser);
  p.emitError(p.getCurrentLocation(), unwrap(message));
}
void skndParserErrorAtOperand(void *parser, const SkndOperand *operand, MlirStringRef message) {
  asParser(parser).emitError(SMLoc::getFromPointer(operand->location), unwrap(message));
}

bool skndParseKeyword(void *parser, MlirStringRef keyword) {
  return succeeded(asAnyParser(parser).parseKeyword(unwrap(keyword)));
}
bool skndParseOptionalKeyword(void *parser, MlirStringRef keyword) {
  return succeeded(asAnyParser(parser).parseOptionalKeyword(unwrap(keyword)));
}
bool skndParseIdentifier(void *parser, MlirStringRef *result) {
  StringRef keyword;
  bool parsed = succeeded(asAnyParser(parser).parseKeyword(&keyword));
  *result = wrap(keyword);
  return parsed;
}
bool skndParseOptionalIdentifier(void *parser, MlirStringRef *result) {
  StringRef keyword;
  bool parsed = succeeded(asAnyParser(parser).parseOptionalKeyword(&keyword));
  *result = wrap(keyword);
  return parsed;
}
bool skndParseToken(void *parser, uint32_t token) { return succeeded((asAnyParser(parser).*tokens[token].required)()); }
bool skndParseOptionalToken(void *parser, uint32_t token) {
  return succeeded((asAnyParser(parser).*tokens[token].optional)());
}

int skndParseOptionalInteger(void *parser, int64_t *result) {
  return toOutcome(asAnyParser(parser).parseOptionalInteger(*result));
}
bool skndParseFloat(void *parser, double *result) { return succeeded(asAnyParser(parser).parseFloat(*result)); }
bool skndParseOptionalString(void *parser, MlirStringCallback callback, void *sink) {
  std::string text;
  if (failed(asAnyParser(parser).parseOptionalString(&text)))
    return false;
  callback(wrap(StringRef(text)), sink);
  return true;
}
bool skndParseOptionalSymbolName(void *parser, MlirStringRef *result) {
  StringAttr name;
  if (failed(asAnyParser(parser).parseOptionalSymbolName(name)))
    return false;
  *result = wrap(name.getValue());
  return true;
}

int skndParseOptionalAttribute(void *parser, MlirType type, MlirAttribute *result) {
  Attribute attribute;
  Outcome outcome = toOutcome(asAnyParser(parser).parseOptionalAttribute(attribute, unwrap(type)));
  *result = wrap(attribute);
  return outcome;
}
bool skndParseAttribute(void *parser, MlirType type, MlirAttribute *result) {
  Attribute attribute;
  bool parsed = succeeded(asAnyParser(parser).parseAttribute(attribute, unwrap(type)));
  *result = wrap(attribute);
  return parsed;
}
bool skndParseAttributeDictionary(void *parser, void *state, bool keyword) {
  NamedAttrList &attributes = asState(state).attributes;
  OpAsmParser &p = asParser(parser);
  return succeeded(keyword ? p.parseOptionalAttrDictWithKeyword(attributes) : p.parseOptionalAttrDict(attributes));
}

bool skndParseType(void *parser, MlirType *result) {
  Type type;
  bool parsed = succeeded(asAnyParser(parser).parseType(type));
  *result = wrap(type);
  return parsed;
}
int skndParseOptionalType(void *parser, MlirType *result) {
  Type type;
  Outcome outcome = toOutcome(asAnyParser(parser).parseOptionalType(type));
  *result = wrap(type);
  return outcome;
}

bool skndParseOperand(void *parser, SkndOperand *result) {
  UnresolvedOperand operand;
  bool parsed = succeeded(asParser(parser).parseOperand(operand));
  if (parsed)
    *result = wrapOperand(operand);
  return parsed;
}
int skndParseOptionalOperand(void *parser, SkndOperand *result) {
  UnresolvedOperand operand;
  Outcome outcome = toOutcome(asParser(parser).parseOptionalOperand(operand));
  if (outcome == Parsed)
    *result = wrapOperand(operand);
  return outcome;
}

bool skndParseList(void *parser, uint32_t delimiter, bool (*element)(void *), void *data) {
  return succeeded(asAnyParser(parser).parseCommaSeparatedList(
      toDelimiter(delimiter), [&]() -> ParseResult { return success(element(data)); }));
}

bool skndResolveOperand(void *parser, const SkndOperand *operand, MlirType type, MlirValue *result) {
  SmallVector<Value, 1> values;
  if (failed(asParser(parser).resolveOperand(unwrapOperand(*operand), unwrap(type), values)) || values.size() != 1)
    return false;
  *result = wrap(values.front());
  return true;
}

int skndParseOptionalArgument(void *parser, bool allowAttributes, SkndArgument *result) {
  OpAsmParser::Argument argument;
  OpAsmParser &p = asParser(parser);
  Outcome outcome = toOutcome(p.parseOptionalArgument(argument, /*allowType=*/true, allowAttributes));
  if (outcome != Parsed)
    return outcome;
  DictionaryAttr attributes = argument.attrs ? argument.attrs : DictionaryAttr::get(p.getContext());
  Location location =
      argument.sourceLoc ? *argument.sourceLoc : p.getEncodedSourceLoc(argument.ssaName.location);
  *result = {wrapOperand(argument.ssaName), wrap(argument.type), wrap(Attribute(attributes)), wrap(location)};
  return Parsed;
}

int skndParseOptionalRegion(void *parser, const SkndArgument *arguments, size_t numArguments, MlirRegion *result) {
  SmallVector<OpAsmParser::Argument> entry;
  for (const SkndArgument &argument : ArrayRef(arguments, numArguments))
    entry.push_back(unwrapArgument(argument));
  auto region = std::make_unique<Region>();
  Outcome outcome = toOutcome(asParser(parser).parseOptionalRegion(*region, entry));
  if (outcome == Parsed)
    *result = wrap(region.release());
  return outcome;
}

bool skndParseSuccessor(void *parser, void *state) {
  Block *block = nullptr;
  if (failed(asParser(parser).parseSuccessor(block)))
    return false;
  asState(state).addSuccessors(block);
  return true;
}

int skndParseOptionalSuccessor(void *parser, void *state) {
  Block *block = nullptr;
  Outcome outcome = toOutcome(asParser(parser).parseOptionalSuccessor(block));
  if (outcome == Parsed)
    asState(state).addSuccessors(block);
  return outcome;
}

void skndAddOperands(void *state, const MlirValue *values, size_t numValues) {
  for (MlirValue value : ArrayRef(values, numValues))
    asState(state).operands.push_back(unwrap(value));
}
void skndAddResultTypes(void *state, const MlirType *types, size_t numTypes) {
  for (MlirType type : ArrayRef(types, numTypes))
    asState(state).types.push_back(unwrap(type));
}
void skndAddAttribute(void *state, MlirStringRef name, MlirAttribute attribute) {
  asState(state).attributes.set(unwrap(name), unwrap(attribute));
}
MlirAttribute skndGetAttribute(void *state, MlirStringRef name) {
  return wrap(asState(state).attributes.get(unwrap(name)));
}
void skndAddRegion(void *state, MlirRegion region) {
  asState(state).addRegion(std::unique_ptr<Region>(unwrap(region)));
}
bool skndInferResults(void *parser, void *state) {
  OperationState &s = asState(state);
  OpAsmParser &p = asParser(parser);
  auto *inference = s.name.getInterface<InferTypeOpInterface>();
  if (!inference) {
    p.emitError(p.getNameLoc(), "result types of '") << s.name.getStringRef() << "' cannot be inferred";
    return false;
  }
  return succeeded(inference->inferReturnTypes(p.getContext(), s.location, s.operands,
                                               s.attributes.getDictionary(p.getContext()), nullptr,
                                               RegionRange(ArrayRef<std::unique_ptr<Region>>(s.regions)), s.types));
}

/// Adds the operation `name` without operands to blocks of a region that do not end in a terminator.
void skndEnsureTerminator(MlirRegion region, MlirStringRef name, MlirLocation location) {
  for (Block &block : *unwrap(region)) {
    if (!block.empty() && block.back().mightHaveTrait<OpTrait::IsTerminator>())
      continue;
    OperationState state(unwrap(location), unwrap(name));
    block.push_back(Operation::create(state));
  }
}

//===--- Printing ---------------------------------------------------------===//

void skndPrintText(void *printer, MlirStringRef text) { asAnyPrinter(printer).getStream() << unwrap(text); }
void skndPrintOperand(void *printer, MlirValue value) { asPrinter(printer).printOperand(unwrap(value)); }
void skndPrintType(void *printer, MlirType type) { asAnyPrinter(printer).printType(unwrap(type)); }
void skndPrintAttribute(void *printer, MlirAttribute attribute, bool withType) {
  if (withType)
    asAnyPrinter(printer).printAttribute(unwrap(attribute));
  else
    asAnyPrinter(printer).printAttributeWithoutType(unwrap(attribute));
}
void skndPrintAttributeDictionary(void *printer, MlirOperation op, const MlirStringRef *without, size_t numWithout,
                                  bool keyword) {
  SmallVector<StringRef> elided;
  for (MlirStringRef name : ArrayRef(without, numWithout))
    elided.push_back(unwrap(name));
  ArrayRef<NamedAttribute> attributes = unwrap(op)->getAttrs();
  if (keyword)
    asPrinter(printer).printOptionalAttrDictWithKeyword(attributes, elided);
  else
    asPrinter(printer).printOptionalAttrDict(attributes, elided);
}
void skndPrintString(void *printer, MlirStringRef text) { asAnyPrinter(printer).printString(unwrap(text)); }
void skndPrintSymbolName(void *printer, MlirStringRef name) { asAnyPrinter(printer).printSymbolName(unwrap(name)); }
void skndPrintFloat(void *printer, double value) { asAnyPrinter(printer).printFloat(APFloat(value)); }
void skndPrintRegion(void *printer, MlirRegion region, bool entryArguments, bool terminators, bool emptyBlock) {
  asPrinter(printer).printRegion(*unwrap(region), entryArguments, terminators, emptyBlock);
}
void skndPrintArgument(void *printer, MlirValue argument) {
  asPrinter(printer).printRegionArgument(cast<BlockArgument>(unwrap(argument)));
}
void skndPrintSuccessor(void *printer, MlirBlock block) { asPrinter(printer).printSuccessor(unwrap(block)); }
void skndPrintNewline(void *printer) { asPrinter(printer).printNewline(); }

} // extern "C"
