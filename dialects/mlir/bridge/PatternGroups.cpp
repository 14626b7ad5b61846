//===- PatternGroups.cpp - Parts of pattern sets --------------------------===//

#include "PatternGroups.h"

#include "mlir/Dialect/PDL/IR/PDLOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/ADT/MapVector.h"

#include <mutex>

using namespace mlir;

namespace {

/// Patterns that are compiled together.
constexpr size_t groupSize = 48;
constexpr StringLiteral groupName = "skriptnd.group";

/// Who is told of the patterns of groups on this thread: drivers tell of the groups alone.
thread_local RewriterBase::Listener *listening = nullptr;

/// Compiled patterns. Drivers on several threads share them, each with an applicator of its own.
class Group {
public:
  explicit Group(RewritePatternSet &&patterns) : frozen(std::move(patterns)) {}

  LogicalResult apply(Operation *op, PatternRewriter &rewriter) {
    std::unique_ptr<PatternApplicator> applicator = take();
    LogicalResult outcome = failure();
    if (RewriterBase::Listener *listener = listening)
      outcome = applicator->matchAndRewrite(
          op, rewriter, [&](const Pattern &pattern) { return listener->notifyPatternBegin(pattern, op), true; },
          [&](const Pattern &pattern) { listener->notifyPatternEnd(pattern, failure()); },
          [&](const Pattern &pattern) { return listener->notifyPatternEnd(pattern, success()), success(); });
    else
      outcome = applicator->matchAndRewrite(op, rewriter);
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(applicator));
    return outcome;
  }

private:
  std::unique_ptr<PatternApplicator> take() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!idle.empty())
        return idle.pop_back_val();
    }
    auto applicator = std::make_unique<PatternApplicator>(frozen);
    applicator->applyDefaultCostModel();
    return applicator;
  }

  FrozenRewritePatternSet frozen;
  std::mutex mutex;
  SmallVector<std::unique_ptr<PatternApplicator>> idle;
};

/// Asks the patterns of a group about operations of one name.
class GroupPattern final : public RewritePattern {
public:
  GroupPattern(std::shared_ptr<Group> group, StringRef root, PatternBenefit benefit, MLIRContext *context)
      : RewritePattern(root, benefit, context), group(std::move(group)) {
    setDebugName(groupName);
  }

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    return group->apply(op, rewriter);
  }

private:
  std::shared_ptr<Group> group;
};

/// Patterns for operations of one name, those of greater benefit first.
using Members = SmallVector<pdl::PatternOp>;
/// The patterns of a group by their root.
using Parts = SmallVector<std::pair<StringRef, Members>>;

/// The name of the operation that a pattern begins with; empty if it begins with any.
StringRef rootOf(pdl::PatternOp pattern) {
  Value root = pattern.getRewriter().getRoot();
  auto operation = root ? root.getDefiningOp<pdl::OperationOp>() : pdl::OperationOp();
  return operation ? operation.getOpName().value_or("") : "";
}

/// Patterns of roots that have few share a group; those of a root that has many are several groups, in order.
SmallVector<Parts> split(llvm::MapVector<StringRef, Members> &byRoot) {
  SmallVector<Parts> groups;
  size_t room = 0;
  for (auto &[root, members] : byRoot) {
    llvm::sort(members, [](pdl::PatternOp left, pdl::PatternOp right) { return left.getBenefit() > right.getBenefit(); });
    for (ArrayRef<pdl::PatternOp> rest = members; !rest.empty();) {
      ArrayRef<pdl::PatternOp> some = rest.take_front(groupSize);
      rest = rest.drop_front(some.size());
      if (some.size() > room) {
        groups.emplace_back();
        room = groupSize;
      }
      room -= some.size();
      groups.back().emplace_back(root, Members(some));
    }
  }
  return groups;
}

} // namespace

sknd::Listening::Listening(RewriterBase::Listener *listener) : before(listening) { listening = listener; }
sknd::Listening::~Listening() { listening = before; }

bool sknd::isGroup(const Pattern &pattern) { return pattern.getDebugName() == groupName; }

bool sknd::addGroups(RewritePatternSet &set, ModuleOp patterns, AddNatives addNatives) {
  llvm::MapVector<StringRef, Members> byRoot;
  size_t count = 0;
  for (auto pattern : patterns.getOps<pdl::PatternOp>()) {
    StringRef root = rootOf(pattern);
    if (root.empty())
      return false;
    byRoot[root].push_back(pattern);
    ++count;
  }
  if (count <= groupSize)
    return false;
  for (Parts &parts : split(byRoot)) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(patterns.getLoc());
    SmallVector<std::pair<std::string, PatternBenefit>> roots;
    for (auto &[root, members] : parts) {
      roots.emplace_back(root.str(), PatternBenefit(members.front().getBenefit()));
      for (pdl::PatternOp pattern : members)
        pattern->moveBefore(module->getBody(), module->getBody()->end());
    }
    ModuleOp moved = *module;
    PDLPatternModule compiled(std::move(module));
    addNatives(compiled, moved);
    RewritePatternSet inner(set.getContext());
    inner.getPDLPatterns().mergeIn(std::move(compiled));
    auto group = std::make_shared<Group>(std::move(inner));
    for (auto &[root, benefit] : roots)
      set.add(std::make_unique<GroupPattern>(group, root, benefit, set.getContext()));
  }
  return true;
}
