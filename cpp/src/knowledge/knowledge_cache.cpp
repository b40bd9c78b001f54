#include "knowledge/knowledge_cache.h"

#include <utility>

namespace talefold {

std::shared_ptr<const KnowledgeBase> KnowledgeCache::Get(
    const KnowledgeConfig& config, std::string_view config_text,
    std::string_view records_text, const std::shared_ptr<Embedder>& embedder) {
  const Key key{std::string(config_text), records_text.size(),
                std::hash<std::string_view>{}(records_text), embedder.get()};
  const std::shared_ptr<Slot> slot = FindSlot(key);
  const std::lock_guard lock(slot->building);
  if (auto base = slot->base.lock()) return base;
  auto base = std::make_shared<const KnowledgeBase>(config, records_text, embedder);
  slot->base = base;
  return base;
}

std::shared_ptr<KnowledgeCache::Slot> KnowledgeCache::FindSlot(const Key& key) {
  const std::lock_guard lock(mutex_);
  std::erase_if(slots_, [](const auto& each) {
    const std::shared_ptr<Slot>& slot = each.second;
    return slot.use_count() == 1 && slot->base.expired();  // nobody is building it
  });
  std::shared_ptr<Slot>& slot = slots_[key];
  if (!slot) slot = std::make_shared<Slot>();
  return slot;
}

}  // namespace talefold
