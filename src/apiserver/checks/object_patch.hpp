#ifndef KFTRAIN_SRC_APISERVER_CHECKS_OBJECT_PATCH_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_OBJECT_PATCH_HPP

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/model/patch.hpp>

#include "apiserver/json/json_access.hpp"

// Applies patches to objects, with a server's answers to those that cannot be applied.
namespace kftrain::apiserver {

/** The object with the patch applied.
    @param type Whose merge keys a strategic merge patch follows; not null for these.
    @par Errors 400 for what is no patch, 413 for too many operations, 422 for what does not apply.
    @par Upstream apiserver `pkg/endpoints/handlers/patch.go`, v0.31.3 */
answer<json::object> apply_patch(patch_type, model::descriptor const* type, json::value object, std::string_view patch);

/// 422 for an object that a patch made and nothing can hold.
refusal unusable_result(std::string const& why);

/// The media types of the patches that objects of a kind take, as a refusal lists them.
std::string patch_types_of(resource_definition const&);
/// The patch types that every object and the subresource `scale` accept.
std::string patch_types_of_any();

/// Absent: no media type of a patch that this server knows.
std::optional<patch_type> patch_type_of(std::string_view media_type) noexcept;
/// The media type of configurations for server-side apply.
inline constexpr std::string_view apply_type = "application/apply-patch+yaml";

} // namespace kftrain::apiserver

#endif
