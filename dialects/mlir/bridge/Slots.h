//===- Slots.h - Functions that are not told what they are called for -----===//

#ifndef SKRIPTND_SLOTS_H
#define SKRIPTND_SLOTS_H

#include "llvm/ADT/StringMap.h"

#include <array>
#include <mutex>
#include <optional>
#include <string>

namespace skriptnd {

/// Static methods of interfaces are not told which operation they are called for, so each name gets a function of its own from
/// a pool. Names are never given back.
template <size_t capacity> class Slots {
public:
  /// The slot of a name; none if the pool is exhausted.
  std::optional<size_t> reserve(llvm::StringRef name) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = indices.find(name);
    if (found != indices.end())
      return found->second;
    size_t slot = indices.size();
    if (slot == capacity)
      return std::nullopt;
    names[slot] = name.str();
    indices.try_emplace(name, slot);
    return slot;
  }

  /// The name that a slot was reserved for.
  llvm::StringRef operator[](size_t slot) const { return names[slot]; }

private:
  std::mutex mutex;
  llvm::StringMap<size_t> indices;
  std::array<std::string, capacity> names;
};

} // namespace skriptnd

#endif // SKRIPTND_SLOTS_H
