#ifndef KFTRAIN_SRC_MODEL_RULES_OBJECT_META_PARTS_HPP
#define KFTRAIN_SRC_MODEL_RULES_OBJECT_META_PARTS_HPP

#include "model/json/go_text.hpp"
#include "model/json/json_members.hpp"
#include "model/json/json_text.hpp"
#include "model/rules/object_meta.hpp"

// Common parts of the sources of model/rules/object_meta.hpp: the reports of faults.
namespace kftrain::meta_parts {

namespace json = boost::json;

using detail::array_in;
using detail::object_in;
using detail::text_in;
using detail::to_std;
using detail::truth_in;

inline std::string with_key(std::string path, std::string_view key) {
    detail::append_path_key(key, path);
    return path;
}
inline std::string with_index(std::string path, std::size_t index) {
    detail::append_path_index(index, path);
    return path;
}

/// `printed` is the value as errors of fields print it.
inline void invalid(std::vector<metadata_fault>& out, std::string const& field, std::string const& printed,
                    std::string_view why, std::string place) {
    out.emplace_back("FieldValueInvalid", field, "Invalid value: " + printed + ": " + std::string(why),
                     std::move(place));
}

void find_owner_faults(json::array const& owners, std::vector<metadata_fault>& out);
void find_finalizer_faults(json::array const& finalizers, std::vector<metadata_fault>& out);

} // namespace kftrain::meta_parts

#endif
