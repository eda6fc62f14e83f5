#include "facade/follow/pod_index.hpp"

#include <algorithm>

namespace kftrain {
namespace {

std::vector<std::string> keys_of(string_map const& labels) {
    std::vector<std::string> keys;
    for (auto const& [key, value] : labels) keys.push_back(key);
    return keys;
}

/// No label and no namespace has a line break.
std::string beginning_of_mark(std::size_t form, std::string const& ns) { return std::to_string(form) + "\n" + ns; }

} // namespace

bool pod_index::learn(string_map const& role_labels) {
    auto keys = keys_of(role_labels);
    if (std::ranges::find(keys_, keys) != keys_.end()) return true;
    keys_.push_back(std::move(keys));
    return false;
}

std::string pod_index::mark_of(std::string const& ns, string_map const& role_labels) const {
    auto const form = std::ranges::find(keys_, keys_of(role_labels)) - keys_.begin();
    auto text = beginning_of_mark(static_cast<std::size_t>(form), ns);
    for (auto const& [key, value] : role_labels) text += "\n" + value;
    return text;
}

pod_index::marks pod_index::marks_of(object_meta const& pod) const {
    marks all;
    for (std::size_t form = 0; form != keys_.size(); ++form) {
        auto text = beginning_of_mark(form, pod.namespace_);
        bool const bears = std::ranges::all_of(keys_[form], [&](std::string const& key) {
            auto const it = pod.labels.find(key);
            if (it == pod.labels.end()) return false;
            text += "\n" + it->second;
            return true;
        });
        if (bears) all.push_back(std::move(text));
    }
    return all;
}

void pod_index::put(object const& pod) {
    for (auto& m : marks_of(pod->metadata)) by_mark_[std::move(m)].insert_or_assign(pod->metadata.name, pod);
}

void pod_index::remove(object_meta const& pod) {
    for (auto const& m : marks_of(pod)) {
        auto const it = by_mark_.find(m);
        if (it == by_mark_.end()) continue;
        it->second.erase(pod.name);
        if (it->second.empty()) by_mark_.erase(it);
    }
}

void pod_index::find(std::string const& mark, std::vector<object>& found) const {
    auto const it = by_mark_.find(mark);
    if (it == by_mark_.end()) return;
    for (auto const& [name, pod] : it->second) found.push_back(pod);
}

} // namespace kftrain
