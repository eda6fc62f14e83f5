#include "kube/watch/streamed_list.hpp"

namespace kftrain::kube::detail {

bool ends_initial_list(object_meta const& bookmark) {
    auto const marked = bookmark.annotations.find("k8s.io/initial-events-end");
    return marked != bookmark.annotations.end() && marked->second == "true";
}

void streamed_list::begin(clock::time_point now) {
    objects_.clear();
    going_ = true;
    last_sign_ = now;
}

/// Objects may change and be deleted while the list is streamed.
void streamed_list::take(change_kind kind, object_meta const& of, erased_object object, clock::time_point now) {
    auto key = std::make_pair(of.namespace_, of.name);
    if (kind == change_kind::added) last_sign_ = now;
    if (kind == change_kind::deleted)
        objects_.erase(key);
    else
        objects_.insert_or_assign(std::move(key), std::move(object));
}

std::vector<erased_object> streamed_list::finish() {
    std::vector<erased_object> all;
    all.reserve(objects_.size());
    for (auto& [key, object] : objects_) all.push_back(std::move(object));
    drop();
    return all;
}

void streamed_list::drop() {
    objects_.clear();
    going_ = false;
}

} // namespace kftrain::kube::detail
