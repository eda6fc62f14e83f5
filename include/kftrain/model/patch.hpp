#ifndef KFTRAIN_MODEL_PATCH_HPP
#define KFTRAIN_MODEL_PATCH_HPP

/** @file Computes patches from two objects, and applies patches to objects or JSON documents. All patches are
    compact JSON texts, as a server accepts them.
    @par Thread safety All functions are pure. */

#include <kftrain/model/codec.hpp>

#include <string>
#include <string_view>

namespace kftrain {

/// The format of a patch. A server distinguishes them by the media type of the body.
enum class patch_type {
    json,      ///< a list of operations, RFC 6902
    merge,     ///< RFC 7396: objects merge, null removes, lists are replaced as a whole
    strategic, ///< lists with a merge key merge item by item; servers reject it for custom resources
};
/// Returns `application/json-patch+json` and so on.
std::string_view content_type(patch_type) noexcept;

/** Returns the patch from the JSON of `before` to that of `after`: values for changed fields, null for removed
    fields. Lists are replaced as a whole. `{}` if nothing differs; quantities and times are compared by value.
    @par Errors `errc::syntax` if a raw_json in the objects is invalid.
    @par Upstream RFC 7396 */
[[nodiscard]] result<std::string> merge_patch(model::descriptor const& type, void const* before, void const* after);

/** Returns the patch from `before` to `after` that merges lists with a merge key item by item: `$patch: delete`,
    `$setElementOrder`, `$deleteFromPrimitiveList` and `$retainKeys` as `kubectl` sends them. A list in which two
    items have the same key is replaced (`$patch: replace`); upstream would mix up its items. `{}` if nothing
    differs.
    @par Errors `errc::invalid_argument` if an item lacks the merge key of its list; the path identifies it.
    @par Upstream apimachinery `pkg/util/strategicpatch/patch.go`, `CreateTwoWayMergePatch`, v0.31 */
[[nodiscard]] result<std::string> strategic_patch(model::descriptor const& type, void const* before, void const* after);

/// The same for two JSON documents of this type.
[[nodiscard]] result<std::string> strategic_patch_of_documents(model::descriptor const& type, std::string_view before,
                                                               std::string_view after);

/** Returns the document with the merge patch applied.
    @par Errors `errc::syntax` if either is invalid JSON.
    @par Upstream RFC 7396 */
[[nodiscard]] result<std::string> apply_merge_patch(std::string_view document, std::string_view patch);

/** Returns the document, of this type, with the strategic merge patch applied. Unknown fields merge as in a JSON
    merge patch.
    @par Errors `errc::syntax` if either is invalid JSON; `errc::invalid_argument` for a patch that contradicts
    itself or the document; the path identifies the place.
    @par Upstream apimachinery `pkg/util/strategicpatch/patch.go`, `StrategicMergePatch`, v0.31 */
[[nodiscard]] result<std::string> apply_strategic_patch(model::descriptor const& type, std::string_view document,
                                                        std::string_view patch);

/** Returns the document with the operations of a JSON patch applied in order, all or none. At most 10000 operations,
    whose copies may total 3 MiB, as on a server. Insertions and removals may move at most 2^28 items in total.
    @par Errors `errc::syntax` if either is invalid JSON; `errc::invalid_argument` for a malformed patch, for a place
    that does not exist and for a failed test; the message contains the index of the operation.
    @par Upstream RFC 6902, RFC 6901 */
[[nodiscard]] result<std::string> apply_json_patch(std::string_view document, std::string_view patch);

/// The same for objects. Upon failure the object is unchanged. Further errors: those of decode_json().
[[nodiscard]] result<void> apply_merge_patch(model::descriptor const& type, void* value, std::string_view patch);
[[nodiscard]] result<void> apply_strategic_patch(model::descriptor const& type, void* value, std::string_view patch);
[[nodiscard]] result<void> apply_json_patch(model::descriptor const& type, void* value, std::string_view patch);

template <described T> [[nodiscard]] result<std::string> merge_patch(T const& before, T const& after) {
    return merge_patch(descriptor_of<T>(), &before, &after);
}
template <described T> [[nodiscard]] result<std::string> strategic_patch(T const& before, T const& after) {
    return strategic_patch(descriptor_of<T>(), &before, &after);
}
template <described T> [[nodiscard]] result<void> apply_merge_patch(T& value, std::string_view patch) {
    return apply_merge_patch(descriptor_of<T>(), static_cast<void*>(&value), patch);
}
template <described T> [[nodiscard]] result<void> apply_strategic_patch(T& value, std::string_view patch) {
    return apply_strategic_patch(descriptor_of<T>(), static_cast<void*>(&value), patch);
}
template <described T> [[nodiscard]] result<void> apply_json_patch(T& value, std::string_view patch) {
    return apply_json_patch(descriptor_of<T>(), static_cast<void*>(&value), patch);
}

} // namespace kftrain

#endif
