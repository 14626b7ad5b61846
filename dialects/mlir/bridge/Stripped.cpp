//===- Stripped.cpp - Attributes of C++ dialects without their names -------===//
//
// The parser of a C++ class cannot be found by the name of its attribute. What stands there is read as text, parsed with the
// name, and then passed over.
//
//===----------------------------------------------------------------------===//

#include "Definitions.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace skriptnd;

namespace {

bool isWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; }

/// The length of `<...>` or of a word at the start of a text that ends in a zero; 0 if neither stands there.
size_t getLength(const char *text) {
  const char *at = text;
  if (*at != '<') {
    while (isWord(*at))
      ++at;
    return at - text;
  }
  size_t depth = 0;
  for (; *at; ++at) {
    if (*at == '"') {
      for (++at; *at && *at != '"'; ++at)
        if (*at == '\\' && at[1])
          ++at;
      if (!*at)
        return 0;
    } else if (StringRef("<([{").contains(*at)) {
      ++depth;
    } else if (StringRef(">)]}").contains(*at) && !(*at == '>' && at[-1] == '-') && --depth == 0) {
      return at + 1 - text;
    }
  }
  return 0;
}

bool parseAnyToken(AsmParser &parser) {
  StringRef word;
  std::string text;
  APInt number;
  Attribute attribute;
  Type type;
  using Punctuation = ParseResult (AsmParser::*)();
  static constexpr Punctuation punctuations[] = {
      &AsmParser::parseOptionalArrow,   &AsmParser::parseOptionalColon,  &AsmParser::parseOptionalComma,
      &AsmParser::parseOptionalEqual,   &AsmParser::parseOptionalLBrace, &AsmParser::parseOptionalRBrace,
      &AsmParser::parseOptionalLParen,  &AsmParser::parseOptionalRParen, &AsmParser::parseOptionalLSquare,
      &AsmParser::parseOptionalRSquare, &AsmParser::parseOptionalLess,   &AsmParser::parseOptionalGreater,
      &AsmParser::parseOptionalMinus,   &AsmParser::parseOptionalPlus,   &AsmParser::parseOptionalQuestion,
      &AsmParser::parseOptionalSlash,   &AsmParser::parseOptionalStar,   &AsmParser::parseOptionalVerticalBar,
      &AsmParser::parseOptionalEllipsis};
  if (succeeded(parser.parseOptionalKeyword(&word)) || succeeded(parser.parseOptionalString(&text)))
    return true;
  for (Punctuation punctuation : punctuations)
    if (succeeded((parser.*punctuation)()))
      return true;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (!parsed.has_value())
    parsed = parser.parseOptionalAttribute(attribute);
  if (!parsed.has_value())
    parsed = parser.parseOptionalType(type);
  return parsed.has_value() && succeeded(*parsed);
}

using ParseArray = Attribute (*)(AsmParser &, Type);

/// The parser of lists of an element type, `[1, 2]`; null for other names.
ParseArray getArrayParser(StringRef dialect, StringRef name) {
  if (dialect != "builtin")
    return nullptr;
  return llvm::StringSwitch<ParseArray>(name)
      .Case("array<i1>", DenseBoolArrayAttr::parse)
      .Case("array<i8>", DenseI8ArrayAttr::parse)
      .Case("array<i16>", DenseI16ArrayAttr::parse)
      .Case("array<i32>", DenseI32ArrayAttr::parse)
      .Case("array<i64>", DenseI64ArrayAttr::parse)
      .Case("array<f32>", DenseF32ArrayAttr::parse)
      .Case("array<f64>", DenseF64ArrayAttr::parse)
      .Default(nullptr);
}

template <typename... Arrays> bool printAsArray(AsmPrinter &printer, Attribute attribute) {
  auto print = [&](auto array) {
    if (array)
      array.print(printer);
    return static_cast<bool>(array);
  };
  return (print(dyn_cast<Arrays>(attribute)) || ...);
}

} // namespace

Attribute skriptnd::parseStrippedForeign(AsmParser &parser, StringRef dialect, StringRef name, Type type) {
  if (ParseArray parse = getArrayParser(dialect, name))
    return parse(parser, type);
  SMLoc place = parser.getCurrentLocation();
  StringRef body(place.getPointer(), getLength(place.getPointer()));
  std::string whole = ("#" + dialect + "<" + name + " " + body + ">").str();
  Attribute attribute = body.empty() ? Attribute() : parseAttribute(whole, parser.getContext(), type);
  while (attribute && parser.getCurrentLocation().getPointer() < body.end())
    if (!parseAnyToken(parser))
      attribute = Attribute();
  if (!attribute)
    parser.emitError(place, "expected what '#") << dialect << '.' << name << "' has behind its name";
  return attribute;
}

void skriptnd::printStrippedForeign(AsmPrinter &printer, Attribute attribute) {
  if (printAsArray<DenseBoolArrayAttr, DenseI8ArrayAttr, DenseI16ArrayAttr, DenseI32ArrayAttr, DenseI64ArrayAttr,
                   DenseF32ArrayAttr, DenseF64ArrayAttr>(printer, attribute))
    return;
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  StringRef whole(text);
  StringRef name = whole.drop_front(whole.starts_with("#")).take_while(isWord);
  StringRef body = whole.drop_front(name.size() + whole.starts_with("#"));
  // `#dialect.name<...>`, or `#dialect<name ...>` where what stands behind the name has no brackets of its own.
  if (!name.contains('.') && body.consume_front("<") && body.consume_back(">"))
    body = body.drop_while(isWord).ltrim();
  printer.getStream() << (whole.starts_with("#") ? body : whole);
}
