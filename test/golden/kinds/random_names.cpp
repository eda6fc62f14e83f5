#include "golden/kinds/random_names.hpp"

#include <algorithm>

namespace golden {
namespace {

void replace_each(std::string& text, std::string const& from, std::string const& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

} // namespace

void random_names::learn_id(std::string const& id) {
    if (std::ranges::find(ids_, id) == ids_.end()) ids_.push_back(id);
}

void random_names::learn_pod(std::string const& name) {
    std::erase_if(pods_, [&](auto const& pod) { return pod.first == name; });
    std::string known = reported(name.substr(0, name.rfind('-') + 1)) + "<rand5>";
    int const number = ++tries_[known];
    if (number > 1) known += "#" + std::to_string(number);
    pods_.emplace_back(name, std::move(known));
}

std::string random_names::reported(std::string text) const {
    for (auto const& [name, known] : pods_) replace_each(text, name, known);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        std::string const known = i == 0 ? "<rid>" : "<rid#" + std::to_string(i + 1) + ">";
        if (text == ids_[i]) return known;
        replace_each(text, "-" + ids_[i] + "-", "-" + known + "-");
    }
    return text;
}

void random_names::rewrite(json::value& v) const {
    if (ids_.empty() && pods_.empty()) return;
    if (v.is_string()) v = reported(std::string(v.get_string()));
    if (v.is_array())
        for (auto& e : v.get_array()) rewrite(e);
    if (!v.is_object()) return;
    json::object renamed;
    for (auto& [key, value] : v.get_object()) {
        rewrite(value);
        renamed[reported(std::string(key))] = std::move(value);
    }
    v = std::move(renamed);
}

} // namespace golden
