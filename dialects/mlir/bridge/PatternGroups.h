//===- PatternGroups.h - Parts of pattern sets ------------------*- C++ -*-===//
//
// MLIR compiles the patterns of a set to one function, and LLVM's analysis of it takes time that grows with the square of
// their number. Here a large set is compiled in groups, each for a few kinds of root.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_PATTERN_GROUPS_H
#define SKRIPTND_PATTERN_GROUPS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace sknd {

/// Registers the native functions that the patterns of a module call.
using AddNatives = llvm::function_ref<void(mlir::PDLPatternModule &, mlir::ModuleOp)>;

/// Adds patterns in PDL, no two of which have the same benefit, in groups; false, and nothing added, if one group does or
/// a pattern names no root.
bool addGroups(mlir::RewritePatternSet &set, mlir::ModuleOp patterns, AddNatives addNatives);

/// Whether a pattern only asks those of a group.
bool isGroup(const mlir::Pattern &pattern);

/// While it lives, a listener is told of the patterns of groups that are applied on this thread.
class Listening {
public:
  explicit Listening(mlir::RewriterBase::Listener *listener);
  ~Listening();

private:
  mlir::RewriterBase::Listener *before;
};

} // namespace sknd

#endif // SKRIPTND_PATTERN_GROUPS_H
