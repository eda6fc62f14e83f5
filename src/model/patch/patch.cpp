#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/patch.hpp>

#include "model/json/json_document.hpp"
#include "model/patch/json_merge.hpp"
#include "model/patch/json_patch.hpp"
#include "model/patch/strategic_patch.hpp"

#include <boost/json/serialize.hpp>

namespace kftrain {
namespace {

namespace json = boost::json;
using namespace detail;

json::object merge_difference(schema const& s, json::object const& before, json::object const& after) {
    json::object patch;
    for (auto const& [name, value] : after) {
        auto const here = s.at(to_std(name));
        auto const* old = before.if_contains(name);
        if (old != nullptr && old->is_object() && value.is_object()) {
            auto inner = merge_difference(here, old->get_object(), value.get_object());
            if (!inner.empty()) patch[name] = std::move(inner);
        } else if (old == nullptr || !same_value(here, *old, value)) {
            patch[name] = value;
        }
    }
    for (auto const& [name, value] : before)
        if (!after.contains(name)) patch[name] = nullptr;
    return patch;
}

json::object parse_object(std::string_view text, std::string_view who) {
    auto value = parse_document(text, who);
    if (!value.is_object()) refuse_patch("expected an object as " + std::string(who));
    return std::move(value.get_object());
}

/// Runs what may throw patch_refused.
template <class F> result<std::string> guarded(F&& f) {
    try {
        return std::forward<F>(f)();
    } catch (patch_refused& r) {
        return std::move(r.why);
    } catch (std::exception const& e) { // nothing is known to come here but a lack of memory
        failure unexpected(errc::invalid_argument, {});
        unexpected.detail.message = e.what();
        return unexpected;
    }
}

std::string text_of(model::descriptor const& type, void const* value) {
    std::string text;
    encode_json(type, value, text);
    return text;
}

result<void> read_back(model::descriptor const& type, void* value, std::string const& before,
                       result<std::string> const& after) {
    if (!after) return after.error();
    type.reset(value);
    auto r = decode_json(*after, type, value);
    if (r) return r;
    type.reset(value);
    if (auto restored = decode_json(before, type, value); !restored) return restored;
    return r;
}

} // namespace

std::string_view content_type(patch_type t) noexcept {
    switch (t) {
    case patch_type::json: return "application/json-patch+json";
    case patch_type::merge: return "application/merge-patch+json";
    case patch_type::strategic: return "application/strategic-merge-patch+json";
    }
    return {};
}

result<std::string> merge_patch(model::descriptor const& type, void const* before, void const* after) {
    return guarded([&] {
        auto const a = parse_object(text_of(type, before), "object");
        auto const b = parse_object(text_of(type, after), "object");
        return std::string(json::serialize(merge_difference(schema(type), a, b)));
    });
}

result<std::string> strategic_patch(model::descriptor const& type, void const* before, void const* after) {
    return strategic_patch_of_documents(type, text_of(type, before), text_of(type, after));
}

result<std::string> strategic_patch_of_documents(model::descriptor const& type, std::string_view before,
                                                 std::string_view after) {
    return guarded([&] {
        auto const a = parse_object(before, "document");
        auto const b = parse_object(after, "document");
        return std::string(json::serialize(strategic_difference(schema(type), a, b)));
    });
}

result<std::string> apply_merge_patch(std::string_view document, std::string_view patch) {
    return guarded([&] {
        auto value = parse_document(document, "document");
        merge(value, parse_document(patch, "patch"));
        return std::string(json::serialize(value));
    });
}

result<std::string> apply_strategic_patch(model::descriptor const& type, std::string_view document,
                                          std::string_view patch) {
    return guarded([&] {
        auto value = parse_object(document, "document");
        strategic_merge(schema(type), value, parse_object(patch, "patch"));
        return std::string(json::serialize(value));
    });
}

result<std::string> apply_json_patch(std::string_view document, std::string_view patch) {
    return guarded([&] {
        auto value = parse_document(document, "document");
        run_json_patch(value, parse_document(patch, "patch"));
        return std::string(json::serialize(value));
    });
}

result<void> apply_merge_patch(model::descriptor const& type, void* value, std::string_view patch) {
    auto const before = text_of(type, value);
    return read_back(type, value, before, apply_merge_patch(before, patch));
}

result<void> apply_strategic_patch(model::descriptor const& type, void* value, std::string_view patch) {
    auto const before = text_of(type, value);
    return read_back(type, value, before, apply_strategic_patch(type, before, patch));
}

result<void> apply_json_patch(model::descriptor const& type, void* value, std::string_view patch) {
    auto const before = text_of(type, value);
    return read_back(type, value, before, apply_json_patch(before, patch));
}

} // namespace kftrain
