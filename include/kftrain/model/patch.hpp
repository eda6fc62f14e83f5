#ifndef KFTRAIN_MODEL_PATCH_HPP
#define KFTRAIN_MODEL_PATCH_HPP

/** @file
    Patches made from two objects, and applied to objects or to JSON documents. All patches are compact JSON texts, as a
    server takes them.
    @par Thread safety All functions are pure. */

#include <kftrain/model/codec.hpp>

#include <string>
#include <string_view>

namespace kftrain {

/// How a patch says what is to change. A server tells them apart by the media type of the body.
enum class patch_type {
    json,      ///< a list of operations, RFC 6902
    merge,     ///< RFC 7396: objects merge, null removes, lists are replaced as a whole
    strategic, ///< lists with a merge key merge item by item; servers refuse it for custom resources
};
/// `application/json-patch+json` and so on.
std::string_view content_type(patch_type) noexcept;

/** What turns the JSON of `before` into that of `after`: fields set, and null for fields removed. Lists are replaced as a
    whole. `{}` if nothing differs; quantities and times differ by value.
    @par Errors `errc::syntax` if a raw_json in the objects is none.
    @par Upstream RFC 7396 */
result<std::string> merge_patch(model::descriptor const& type, void const* before, void const* after);

/** What turns `before` into `after` where lists with a merge key are merged item by item: `$patch: delete`,
    `$setElementOrder`, `$deleteFromPrimitiveList` and `$retainKeys` as `kubectl` sends them. A list in which two items
    share their key is replaced (`$patch: replace`), where upstream would mix up its items. `{}` if nothing differs.
    @par Errors `errc::invalid_argument` if an item lacks the merge key of its list; the path names it.
    @par Upstream apimachinery `pkg/util/strategicpatch/patch.go`, `CreateTwoWayMergePatch`, v0.31 */
result<std::string> strategic_patch(model::descriptor const& type, void const* before, void const* after);

/// The same of two JSON documents of this type.
result<std::string> strategic_patch_of_documents(model::descriptor const& type, std::string_view before,
                                                 std::string_view after);

/** The document with the merge patch applied.
    @par Errors `errc::syntax` if either is no JSON.
    @par Upstream RFC 7396 */
result<std::string> apply_merge_patch(std::string_view document, std::string_view patch);

/** The document, of this type, with the strategic merge patch applied. Fields that the type does not know merge as in a
    JSON merge patch.
    @par Errors `errc::syntax` if either is no JSON; `errc::invalid_argument` for a patch that contradicts itself or the
    document; the path names where.
    @par Upstream apimachinery `pkg/util/strategicpatch/patch.go`, `StrategicMergePatch`, v0.31 */
result<std::string> apply_strategic_patch(model::descriptor const& type, std::string_view document,
                                          std::string_view patch);

/** The document with the operations of a JSON patch applied in order, all or none. At most 10000 operations, whose
    copies add up to 3 MiB at most, as on a server. Insertions and removals may push 2^28 items along altogether.
    @par Errors `errc::syntax` if either is no JSON; `errc::invalid_argument` for what is no patch, for a place that does
    not exist and a test that fails; the message names the operation by its index.
    @par Upstream RFC 6902, RFC 6901 */
result<std::string> apply_json_patch(std::string_view document, std::string_view patch);

/// The same on objects. Upon failure the object is as before. Further errors: those of decode_json().
result<void> apply_merge_patch(model::descriptor const& type, void* value, std::string_view patch);
result<void> apply_strategic_patch(model::descriptor const& type, void* value, std::string_view patch);
result<void> apply_json_patch(model::descriptor const& type, void* value, std::string_view patch);

template <described T> result<std::string> merge_patch(T const& before, T const& after) {
    return merge_patch(descriptor_of<T>(), &before, &after);
}
template <described T> result<std::string> strategic_patch(T const& before, T const& after) {
    return strategic_patch(descriptor_of<T>(), &before, &after);
}
template <described T> result<void> apply_merge_patch(T& value, std::string_view patch) {
    return apply_merge_patch(descriptor_of<T>(), static_cast<void*>(&value), patch);
}
template <described T> result<void> apply_strategic_patch(T& value, std::string_view patch) {
    return apply_strategic_patch(descriptor_of<T>(), static_cast<void*>(&value), patch);
}
template <described T> result<void> apply_json_patch(T& value, std::string_view patch) {
    return apply_json_patch(descriptor_of<T>(), static_cast<void*>(&value), patch);
}

} // namespace kftrain

#endif
