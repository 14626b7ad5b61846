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

/// Asks the patterns of a group about operations of one name, or about any.
class GroupPattern final : public RewritePattern {
public:
  GroupPattern(std::shared_ptr<Group> group, StringRef root, PatternBenefit benefit, MLIRContext *context)
      : RewritePattern(root, benefit, context), group(std::move(group)) {
    setDebugName(groupName);
  }

  GroupPattern(std::shared_ptr<Group> group, PatternBenefit benefit, MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), benefit, context), group(std::move(group)) {
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

/// The benefits of the patterns that an operation may be matched by beside those of a root: what is not in PDL, and what
/// begins with any operation; beside the latter, all others.
SmallVector<unsigned> besides(StringRef root, llvm::MapVector<StringRef, Members> &byRoot, ArrayRef<sknd::Other> others) {
  SmallVector<unsigned> benefits;
  for (const sknd::Other &other : others)
    if (root.empty() || other.first == root)
      benefits.push_back(other.second);
  for (auto &[name, members] : byRoot)
    if (name != root && (name.empty() || root.empty()))
      for (pdl::PatternOp member : members)
        benefits.push_back(member.getBenefit());
  return benefits;
}

/// How many of the patterns, which are those of one root in order, come before the next one beside them, and are not too
/// many for a group.
size_t countTogether(ArrayRef<pdl::PatternOp> members, ArrayRef<unsigned> besides) {
  auto benefitOf = [](pdl::PatternOp member) -> unsigned { return member.getBenefit(); };
  auto isBetween = [&](pdl::PatternOp member) {
    return llvm::any_of(besides, [&](unsigned other) {
      return other < benefitOf(members.front()) && other > benefitOf(member);
    });
  };
  size_t count = 1;
  while (count < std::min(groupSize, members.size()) && !isBetween(members[count]))
    ++count;
  return count;
}

/// Patterns of roots that have few share a group; those of a root that has many are several groups, in order.
SmallVector<Parts> split(llvm::MapVector<StringRef, Members> &byRoot, ArrayRef<sknd::Other> others) {
  SmallVector<Parts> groups;
  size_t room = 0;
  for (auto &[root, members] : byRoot) {
    llvm::sort(members, [](pdl::PatternOp left, pdl::PatternOp right) { return left.getBenefit() > right.getBenefit(); });
    SmallVector<unsigned> between = besides(root, byRoot, others);
    for (ArrayRef<pdl::PatternOp> rest = members; !rest.empty();) {
      ArrayRef<pdl::PatternOp> some = rest.take_front(countTogether(rest, between));
      rest = rest.drop_front(some.size());
      // A group asks all of its patterns for a root at once.
      bool continues = !groups.empty() && !groups.back().empty() && groups.back().back().first == root;
      if (some.size() > room || continues || root.empty()) {
        groups.emplace_back();
        room = groupSize;
      }
      room = root.empty() ? 0 : room - some.size();
      groups.back().emplace_back(root, Members(some));
    }
  }
  return groups;
}

} // namespace

sknd::Listening::Listening(RewriterBase::Listener *listener) : before(listening) { listening = listener; }
sknd::Listening::~Listening() { listening = before; }

bool sknd::isGroup(const Pattern &pattern) { return pattern.getDebugName() == groupName; }

bool sknd::addGroups(RewritePatternSet &set, ModuleOp patterns, ArrayRef<Other> others, AddNatives addNatives) {
  llvm::MapVector<StringRef, Members> byRoot;
  size_t count = 0;
  for (auto pattern : patterns.getOps<pdl::PatternOp>()) {
    byRoot[rootOf(pattern)].push_back(pattern);
    ++count;
  }
  if (count <= groupSize)
    return false;
  for (Parts &parts : split(byRoot, others)) {
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
      set.add(root.empty() ? std::make_unique<GroupPattern>(group, benefit, set.getContext())
                           : std::make_unique<GroupPattern>(group, root, benefit, set.getContext()));
  }
  return true;
}

/// Takes what is native out of a pattern, and what it does.
static void strip(pdl::PatternOp pattern) {
  pdl::RewriteOp rewrite = pattern.getRewriter();
  Value root = rewrite.getRoot();
  OpBuilder builder(rewrite);
  auto stripped = pdl::RewriteOp::create(builder, rewrite.getLoc(), root, StringAttr(), ValueRange());
  builder.createBlock(&stripped.getBodyRegion());
  pdl::EraseOp::create(builder, rewrite.getLoc(), root);
  rewrite.erase();
  // What natives tell may be asked for by others, which stand behind.
  SmallVector<pdl::ApplyNativeConstraintOp> calls(pattern.getOps<pdl::ApplyNativeConstraintOp>());
  for (pdl::ApplyNativeConstraintOp call : llvm::reverse(calls))
    if (call->use_empty())
      call.erase();
  // Nor does PDL take what nothing asks for any more.
  SmallVector<Operation *> operations;
  for (Operation &operation : pattern.getBodyRegion().front())
    operations.push_back(&operation);
  for (Operation *operation : llvm::reverse(operations))
    if (operation->use_empty() && operation->getNumResults() && !isa<pdl::OperationOp>(operation))
      operation->erase();
}

struct sknd::Structures::Part {
  explicit Part(RewritePatternSet &&patterns) : group(std::move(patterns)) {}
  mutable FrozenRewritePatternSet group;
};

sknd::Structures::~Structures() = default;

sknd::Structures::Structures(ModuleOp patterns, AddNatives addNatives) {
  if (!patterns)
    return;
  OwningOpRef<ModuleOp> some;
  size_t count = 0;
  auto finish = [&] {
    if (!some)
      return;
    RewritePatternSet set(patterns.getContext());
    ModuleOp moved = *some;
    PDLPatternModule compiled(std::move(some));
    addNatives(compiled, moved);
    set.getPDLPatterns().mergeIn(std::move(compiled));
    parts.push_back(std::make_unique<Part>(std::move(set)));
    count = 0;
  };
  for (auto pattern : patterns.getOps<pdl::PatternOp>()) {
    if (!some)
      some = ModuleOp::create(patterns.getLoc());
    auto copy = cast<pdl::PatternOp>(pattern->clone());
    some->getBody()->push_back(copy);
    strip(copy);
    if (++count == groupSize)
      finish();
  }
  finish();
}

void sknd::Structures::match(Operation *op, PatternRewriter &rewriter, llvm::function_ref<void(unsigned)> matched) const {
  for (const std::unique_ptr<Part> &part : parts) {
    PatternApplicator applicator(part->group);
    applicator.applyDefaultCostModel();
    auto tell = [&](const Pattern &pattern) { return matched(pattern.getBenefit().getBenefit()), false; };
    (void)applicator.matchAndRewrite(op, rewriter, tell);
  }
}
