#ifndef KFTRAIN_SRC_MODEL_JSON_MERGE_HPP
#define KFTRAIN_SRC_MODEL_JSON_MERGE_HPP

#include <boost/json/value.hpp>

namespace kftrain::detail {

/// RFC 7396: objects merge, null removes, everything else replaces.
inline void merge(boost::json::value& target, boost::json::value const& patch) {
    if (!patch.is_object()) {
        target = patch;
        return;
    }
    if (!target.is_object()) target.emplace_object();
    for (auto const& [name, change] : patch.get_object()) {
        if (change.is_null())
            target.get_object().stable_erase(name);
        else
            merge(target.get_object()[name], change);
    }
}

} // namespace kftrain::detail

#endif
