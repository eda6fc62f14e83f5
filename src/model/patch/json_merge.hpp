#ifndef KFTRAIN_SRC_MODEL_PATCH_JSON_MERGE_HPP
#define KFTRAIN_SRC_MODEL_PATCH_JSON_MERGE_HPP

#include "model/json/json_order.hpp"

namespace kftrain::detail {

/// RFC 7396: objects merge, null removes, everything else replaces.
inline void merge(boost::json::value& target, boost::json::value const& patch) {
    if (!patch.is_object()) {
        target = patch;
        return;
    }
    if (!target.is_object()) target.emplace_object();
    bool removes = false;
    for (auto const& [name, change] : patch.get_object()) {
        if (change.is_null())
            removes = true;
        else
            merge(target.get_object()[name], change);
    }
    if (removes)
        erase_members(target.get_object(), [&](boost::json::key_value_pair const& member) {
            auto const* change = patch.get_object().if_contains(member.key());
            return change != nullptr && change->is_null();
        });
}

} // namespace kftrain::detail

#endif
