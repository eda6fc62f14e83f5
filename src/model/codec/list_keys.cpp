#include "model/codec/list_keys.hpp"

#include <kftrain/model/codec.hpp>

#include <algorithm>

namespace kftrain::detail {
namespace {

/// Strings without quotes where nothing in them could be taken amiss.
std::string key_text(model::descriptor const& type, void const* value) {
    std::string text;
    encode_json(type, value, text);
    if (text == "\"\"" || text == "null" || text == "0") return {};
    bool const plain = text.size() > 2 && text.front() == '"' && text.find_first_of("\\,]=", 0) == std::string::npos;
    return plain ? text.substr(1, text.size() - 2) : text;
}

std::string item_key(model::descriptor const& type, void const* item, std::string_view fields) {
    if (fields == "*") return "=" + key_text(type, item);
    std::string key;
    for (auto const name : key_names(fields)) {
        auto const* f = type.find(name);
        auto const value = f == nullptr ? std::string() : key_text(*f->type, f->get_const(item));
        if (!value.empty()) key.append(key.empty() ? "" : ",").append(name).append("=").append(value);
    }
    return key;
}

} // namespace

std::vector<std::string_view> key_names(std::string_view fields) {
    std::vector<std::string_view> names;
    while (!fields.empty()) {
        auto const name = names.emplace_back(fields.substr(0, fields.find(',')));
        fields.remove_prefix(std::min(name.size() + 1, fields.size()));
    }
    return names;
}

list_keys::list_keys(model::descriptor const& array, void const* list, std::string_view fields) {
    std::size_t const size = array.size(list);
    for (std::size_t i = 0; i < size; ++i) {
        auto const& key = keys_.emplace_back(item_key(*array.element, array.at(list, i), fields));
        if (key.empty()) complete_ = false;
        places_.try_emplace(key, i);
    }
}

} // namespace kftrain::detail
