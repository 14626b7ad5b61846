//===- Context.cpp - Contexts, parsing, reporting, and small accessors ----===//

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

extern "C" {

/// Diagnostics do not quote the operation: they have its place.
void skndConfigureContext(MlirContext context) { unwrap(context)->printOpOnDiagnostic(false); }

/// Parses a module, whose `builtin.module` may be left out. The text must be followed by a zero.
MlirModule skndParseModule(MlirContext context, MlirStringRef text, MlirStringRef fileName) {
  ParserConfig config(unwrap(context));
  return wrap(parseSourceString<ModuleOp>(unwrap(text), config, unwrap(fileName)).release());
}

/// Severities are those of `DiagnosticSeverity`.
void skndEmitDiagnostic(MlirLocation location, uint32_t severity, MlirStringRef message, const MlirStringRef *notes,
                        size_t numNotes) {
  Location loc = unwrap(location);
  DiagnosticEngine &engine = loc->getContext()->getDiagEngine();
  InFlightDiagnostic diagnostic = engine.emit(loc, static_cast<DiagnosticSeverity>(severity));
  diagnostic << unwrap(message);
  for (size_t i = 0; i < numNotes; ++i)
    diagnostic.attachNote() << unwrap(notes[i]);
}

/// Says nothing of a module, which stands around all that the message could be about.
void skndEmitOpError(MlirOperation op, MlirStringRef message, const MlirStringRef *notes, size_t numNotes) {
  Operation *operation = unwrap(op);
  InFlightDiagnostic diagnostic = isa<ModuleOp>(operation) ? emitError(operation->getLoc(), unwrap(message))
                                                           : operation->emitOpError(unwrap(message));
  for (size_t i = 0; i < numNotes; ++i)
    diagnostic.attachNote() << unwrap(notes[i]);
}

MlirOperation skndOperationGetPrevious(MlirOperation operation) { return wrap(unwrap(operation)->getPrevNode()); }

int64_t skndIntegerAttributeValue(MlirAttribute attribute) {
  auto integer = cast<IntegerAttr>(unwrap(attribute));
  const APInt &value = integer.getValue();
  return integer.getType().isUnsignedInteger() ? static_cast<int64_t>(value.getZExtValue()) : value.getSExtValue();
}

/// `dialect.name`, as the class of the type is registered; it lives as long as the context.
MlirStringRef skndTypeName(MlirType type) { return wrap(unwrap(type).getAbstractType().getName()); }

/// `dialect.name`, as the class of the attribute is registered; it lives as long as the context.
MlirStringRef skndAttributeName(MlirAttribute attribute) {
  return wrap(unwrap(attribute).getAbstractAttribute().getName());
}

} // extern "C"
