#include "control/change_list.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace kftrain::control {
namespace {

/// Which object a change is about; one of the same name and another uid is another.
auto subject(rules::change const& c) {
    auto const& meta = (c.after.empty() ? c.before : c.after).metadata();
    return std::tuple(c.watched, meta.namespace_, meta.name, meta.uid);
}

} // namespace

bool change_list::add(rules::change c) {
    changes_.push_back(std::move(c));
    return merge_if_many();
}

std::vector<rules::change> change_list::take() {
    most_ = limit;
    return std::exchange(changes_, {});
}

bool change_list::give_back(std::vector<rules::change> earlier) {
    earlier.insert(earlier.end(), std::make_move_iterator(changes_.begin()), std::make_move_iterator(changes_.end()));
    changes_ = std::move(earlier);
    return merge_if_many();
}

/// Each object keeps the place of its last change. What came and went is forgotten.
bool change_list::merge_if_many() {
    if (changes_.size() <= most_) return false;
    std::map<decltype(subject(changes_.front())), std::size_t> last;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
        auto const [known, first] = last.try_emplace(subject(changes_[i]), i);
        if (first) continue;
        changes_[i].before = std::move(changes_[known->second].before);
        changes_[known->second] = rules::change();
        known->second = i;
    }
    std::erase_if(changes_, [](rules::change const& c) { return c.before.empty() && c.after.empty(); });
    most_ = std::max(limit, 2 * changes_.size());
    return true;
}

} // namespace kftrain::control
