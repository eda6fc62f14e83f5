#include "model/yaml/yaml_recording.hpp"

#include <limits>

namespace kftrain::detail {

yaml_source yaml_recording::walk() {
    if (too_large_) parser_.reset();
    return [this, next = std::size_t{0}]() mutable { return event(next++); };
}

yaml_event yaml_recording::event(std::size_t number) {
    if (number >= events_.size() || too_large_) {
        auto const e = read();
        if (!too_large_ && !keep(e)) {
            too_large_ = true;
            std::vector<kept>().swap(events_);
            std::string().swap(strings_);
        }
        return e;
    }
    auto const& k = events_[number];
    yaml_event e;
    e.what = k.what;
    e.mark = {k.line, k.column};
    e.anchor = std::string_view(strings_).substr(k.text, k.anchor_size);
    e.value = std::string_view(strings_).substr(k.text + k.anchor_size, k.value_size);
    e.tag = k.tag;
    e.plain = k.plain;
    return e;
}

yaml_event yaml_recording::read() {
    if (problem_ && !too_large_) throw *problem_;
    try {
        if (!parser_) parser_.emplace(text_);
        return parser_->next();
    } catch (yaml_problem const& problem) {
        problem_ = problem;
        throw;
    }
}

bool yaml_recording::keep(yaml_event const& e) {
    std::size_t const cost = sizeof(kept) + e.anchor.size() + e.value.size();
    if (cost > left_ || text_.size() > std::numeric_limits<std::uint32_t>::max() / 2) return false;
    left_ -= cost;
    auto& k = events_.emplace_back();
    k.text = strings_.size();
    strings_.append(e.anchor).append(e.value);
    k.anchor_size = static_cast<std::uint32_t>(e.anchor.size());
    k.value_size = static_cast<std::uint32_t>(e.value.size());
    k.line = static_cast<std::uint32_t>(e.mark.line);
    k.column = static_cast<std::uint32_t>(e.mark.column);
    k.what = e.what;
    k.tag = e.tag;
    k.plain = e.plain;
    return true;
}

} // namespace kftrain::detail
