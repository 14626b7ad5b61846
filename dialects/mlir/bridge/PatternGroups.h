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

/// A pattern that is not in PDL: the name of the operation that it begins with, and its benefit.
using Other = std::pair<llvm::StringRef, unsigned>;

/// Adds patterns in PDL in groups; false, and nothing added, if one group does. Those that name no root are for any
/// operation, in groups of their own. No two patterns of the set, whatever they are written in, have the same benefit;
/// `others` are those that are not in PDL.
bool addGroups(mlir::RewritePatternSet &set, mlir::ModuleOp patterns, llvm::ArrayRef<Other> others,
               AddNatives addNatives);

/// Whether the structure that a pattern in PDL asks for is there, whatever its native constraints say of it.
class Structures {
public:
  /// Takes the structures of patterns in PDL, no two of which have the same benefit; none if there is no module.
  Structures(mlir::ModuleOp patterns, AddNatives addNatives);
  ~Structures();

  /// Tells the benefit of each pattern whose structure is there.
  void match(mlir::Operation *op, mlir::PatternRewriter &rewriter, llvm::function_ref<void(unsigned)> matched) const;

private:
  struct Part;
  llvm::SmallVector<std::unique_ptr<Part>> parts;
};

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
