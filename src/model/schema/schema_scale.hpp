#ifndef KFTRAIN_SRC_MODEL_SCHEMA_SCHEMA_SCALE_HPP
#define KFTRAIN_SRC_MODEL_SCHEMA_SCHEMA_SCALE_HPP

#include <kftrain/model/schema.hpp>

#include <boost/json.hpp>

namespace kftrain {

/// The value at a path of the subresource `scale`.
struct scale_value {
    scale_value() = default;

    boost::json::value const* value = nullptr; ///< null: nothing is there
    std::string fault;                         ///< what is there is of another type
};

/** Follows a path such as `.spec.replicas`.
    @param wanted The type in the server's language: `int64`, `string`
    @par Upstream apimachinery `pkg/apis/meta/v1/unstructured/helpers.go`, v0.31.3 */
scale_value read_scale_path(boost::json::object const&, std::string_view path, std::string_view wanted);

/** Replica counts must be integers of 32 bits, not negative, the selector a string.
    @par Upstream apiextensions-apiserver `pkg/registry/customresource/validator.go`, v0.31.3 */
void check_scale_spec(scale_paths const&, boost::json::object const&, std::vector<schema_violation>&);
void check_scale_status(scale_paths const&, boost::json::object const&, std::vector<schema_violation>&);

} // namespace kftrain

#endif
