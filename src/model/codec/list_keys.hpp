#ifndef KFTRAIN_SRC_MODEL_CODEC_LIST_KEYS_HPP
#define KFTRAIN_SRC_MODEL_CODEC_LIST_KEYS_HPP

#include <kftrain/model/detail/descriptor_table.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kftrain::detail {

/// The fields that identify an item of a list, with commas between; `*` for a set of scalars; empty for other lists.
inline std::string_view key_fields(model::field const& f) noexcept {
    return f.list_keys.empty() ? f.merge_key : f.list_keys;
}
/// The names in the result of key_fields().
std::vector<std::string_view> key_names(std::string_view fields);

/// The items of a list by their keys, as `name=pytorch`; items of a set as `=x`.
class list_keys {
public:
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);

    /// `fields`: see key_fields().
    list_keys(model::descriptor const& array, void const* list, std::string_view fields);

    /// False if an item has no key, or two have the same.
    bool identify() const noexcept { return complete_ && places_.size() == keys_.size(); }
    std::size_t size() const noexcept { return keys_.size(); }
    std::string const& operator[](std::size_t i) const noexcept { return keys_[i]; }
    std::size_t find(std::string const& key) const {
        auto const it = places_.find(key);
        return it == places_.end() ? npos : it->second;
    }

private:
    std::vector<std::string> keys_;
    std::unordered_map<std::string, std::size_t> places_;
    bool complete_ = true;
};

} // namespace kftrain::detail

#endif
