#include "apiserver/rest/list_text.hpp"

#include "apiserver/json/json_access.hpp"
#include "apiserver/refusals/refusals.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

constexpr std::string_view tail = "]}";

/// Behind an opening bracket or comma and the object's own brace.
std::string_view members_of(stored_object const& o, bool whole) noexcept {
    auto const text = o.text();
    return text.substr(whole ? 1 : text.find("\"metadata\":"));
}

} // namespace

list_text::list_text(resource_definition const& d, list_page page) : items_(std::move(page.items)), whole_(d.custom) {
    json::object meta;
    meta["resourceVersion"] = std::to_string(page.version);
    if (!page.continue_.empty()) meta["continue"] = page.continue_;
    if (page.remaining) meta["remainingItemCount"] = *page.remaining;
    head_ = "{\"kind\":" + in_quotes(d.list_kind.empty() ? d.kind + "List" : d.list_kind) +
            ",\"apiVersion\":" + in_quotes(d.api_version()) + ",\"metadata\":" + json::serialize(meta) +
            ",\"items\":" + (items_.empty() ? "[" : "");
    size_ = head_.size() + tail.size();
    for (auto const& item : items_) size_ += 2 + members_of(*item, whole_).size();
    left_ = size_;
}

std::string list_text::next(std::size_t most) {
    std::string out;
    if (left_ == 0) return out;
    constexpr std::size_t usual = 16 * 1024; // of an object that goes beyond `most`
    out.reserve(std::min(left_, most + usual));
    out.append(std::exchange(head_, {}));
    for (; at_ < items_.size() && out.size() < most; ++at_) {
        auto const item = std::exchange(items_[at_], nullptr);
        out.append(at_ == 0 ? "[{" : ",{").append(members_of(*item, whole_));
    }
    if (at_ == items_.size()) out.append(tail);
    left_ -= out.size();
    return out;
}

} // namespace kftrain::apiserver
