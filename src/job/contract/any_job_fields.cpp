#include "model/json/json_document.hpp"
#include "model/json/json_text.hpp"
#include "model/value/field_path.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/model/patch.hpp>

#include <boost/json/serialize.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {
namespace {

namespace json = boost::json;
using path_steps = std::vector<std::string>;

/// The item of a list that the step names: `0`, `name=pytorch`, or `=text` for a scalar, as diff() writes them.
json::value* item_of(json::array& list, std::string const& step) {
    if (auto const by = detail::keyed(step)) {
        for (auto& item : list) {
            auto const* const member = item.is_object() ? item.get_object().if_contains(by->key) : nullptr;
            auto const* const compared = by->key.empty() ? &item : member;
            if (compared == nullptr) continue;
            auto const* const text = compared->if_string();
            if (text != nullptr ? std::string_view(*text) == by->value : json::serialize(*compared) == by->value)
                return &item;
        }
        return nullptr;
    }
    auto const index = detail::index_of(step, list.size());
    return index != list.size() ? &list[index] : nullptr;
}

json::value* child_of(json::value& parent, std::string const& step) {
    if (auto* const list = parent.if_array()) return item_of(*list, step);
    auto* const object = parent.if_object();
    return object == nullptr ? nullptr : object->if_contains(step);
}

failure no_field(std::string_view path, std::string why) { return rules::cannot(std::string(path), std::move(why)); }

/// Sets the field in the document; creates the objects that lead there. Null removes a field.
std::optional<failure> assign(json::value& document, path_steps const& steps, std::string_view path,
                              json::value value) {
    auto* at = &document;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        auto* next = child_of(*at, steps[i]);
        if (next == nullptr || next->is_null()) {
            if (value.is_null() && at->is_object()) return std::nullopt; // removed already
            if (!at->is_object()) return no_field(path, "expected an item that exists at [" + steps[i] + "]");
            next = &(at->get_object()[steps[i]] = json::object());
        }
        at = next;
    }
    auto const& last = steps.back();
    if (auto* const list = at->if_array()) {
        auto* const item = item_of(*list, last);
        if (item == nullptr) return no_field(path, "expected an item that exists at [" + last + "]");
        if (value.is_null())
            list->erase(list->begin() + (item - list->data()));
        else
            *item = std::move(value);
        return std::nullopt;
    }
    auto* const object = at->if_object();
    if (object == nullptr) return no_field(path, "expected an object or a list above " + last);
    if (value.is_null())
        object->erase(last);
    else
        (*object)[last] = std::move(value);
    return std::nullopt;
}

result<json::value> document_of(any_job const& job) {
    error_code ec;
    auto document = detail::parse_json(job.to_json(), ec);
    if (ec) return rules::cannot("job", "expected fields that are valid JSON: " + ec.message());
    return document;
}

std::optional<failure> fault_of_kinds(any_job const& before, any_job const& after) {
    if (&before.type() == &after.type()) return std::nullopt;
    failure f;
    f.code = errc::wrong_kind;
    f.detail.path = "kind";
    f.detail.message = "expected two jobs of the same kind, got " + std::string(before.resource().kind) + " " +
                       before.resource().api_version() + " and " + std::string(after.resource().kind) + " " +
                       after.resource().api_version();
    return f;
}

} // namespace

result<std::string> any_job::field(std::string_view path) const {
    auto const steps = detail::split_path(path);
    if (!steps) return steps.error();
    auto document = document_of(*this);
    if (!document) return document.error();
    auto* at = &*document;
    for (auto const& step : *steps)
        if (at = child_of(*at, step); at == nullptr) return std::string("null");
    return json::serialize(*at);
}

result<void> any_job::set_field(std::string_view path, std::string_view value) {
    if (empty()) return rules::cannot("job", "expected a job, got an empty one");
    auto const steps = detail::split_path(path);
    if (!steps) return steps.error();
    error_code ec;
    auto parsed = detail::parse_json(value, ec);
    if (ec) return no_field(path, "expected JSON, got " + detail::quoted_for_message(value));
    auto document = document_of(*this);
    if (!document) return document.error();
    if (auto refused = assign(*document, *steps, path, std::move(parsed))) return *std::move(refused);
    any_job changed(rules());
    if (auto read = changed.read_json(json::serialize(*document)); !read) {
        auto why = read.error();
        why.detail.line = why.detail.column = 0; // of a text that the caller never saw
        return why;
    }
    *this = std::move(changed);
    return {};
}

any_object any_job::to_object() const { return empty() ? any_object() : any_object(type(), type().copy(get())); }

bool operator==(any_job const& a, any_job const& b) {
    if (a.empty() || b.empty()) return a.empty() == b.empty();
    return &a.type() == &b.type() && equal(*a.type().model, a.get(), b.get());
}

result<std::vector<difference>> diff(any_job const& before, any_job const& after) {
    if (auto fault = fault_of_kinds(before, after)) return *std::move(fault);
    if (before.empty()) return std::vector<difference>();
    return diff(*before.type().model, before.get(), after.get());
}

result<std::string> merge_patch(any_job const& before, any_job const& after) {
    if (auto fault = fault_of_kinds(before, after)) return *std::move(fault);
    if (before.empty()) return std::string("{}");
    return merge_patch(*before.type().model, before.get(), after.get());
}

} // namespace kftrain
