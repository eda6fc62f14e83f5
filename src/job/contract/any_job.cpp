#include "model/json/json_document.hpp"
#include "model/json/json_text.hpp"
#include "model/value/field_path.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/model/patch.hpp>

#include <boost/json/serialize.hpp>

#include <optional>

namespace kftrain {
namespace {

namespace json = boost::json;
using path_steps = std::vector<std::string>;

failure no_job() { return rules::cannot("job", "expected a job, got an empty one"); }

/// Returns the fault of a job that is invalid whatever its fields are.
issues refused(std::string message) {
    issue i;
    i.rule = "job.kind";
    i.message = std::move(message);
    return {std::move(i)};
}

any_object const* find(std::span<any_object const> objects, rules::reference const& t) {
    for (auto const& o : objects) {
        auto const& m = o.metadata();
        bool const is_there = t.namespace_.empty() || (m.namespace_.empty() ? "default" : m.namespace_) == t.namespace_;
        if (is_there && m.name == t.name && o.resource().kind == t.type->info->kind &&
            o.resource().group == t.type->info->group)
            return &o;
    }
    return nullptr;
}

std::string missing(object_meta const& job, rules::reference const& t) {
    auto const name = [](std::string const& ns, std::string const& n) {
        return "\"" + (ns.empty() ? "" : ns + "/") + n + "\"";
    };
    return name(job.namespace_, job.name) + " refers to the " + std::string(t.type->info->kind) + " " +
           name(t.namespace_, t.name) + ", which is missing";
}

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

any_job::any_job(rules::job_rules const& rules) : rules_(&rules), job_(rules.primary().make()) {}

any_job::any_job(rules::job_rules const& rules, void const* job) : rules_(&rules), job_(rules.primary().copy(job)) {}

any_job::any_job(any_job const& other)
    : rules_(other.rules_), job_(other.empty() ? nullptr : other.type().copy(other.job_.get())) {}

void any_job::throw_empty() { throw error(no_job()); }

object_type const& any_job::type() const noexcept { return empty() ? no_object_type() : rules_->primary(); }

std::vector<rules::reference> any_job::references() const {
    return empty() ? std::vector<rules::reference>() : rules_->references(job_.get());
}

void any_job::resolve(std::function<any_object(rules::reference const&)> const& look_up) {
    for (auto const& r : references()) rules_->resolve(job_.get(), r, look_up(r));
}

result<void> any_job::resolve_from(std::span<any_object const> objects) {
    std::vector<any_object> found;
    for (auto const& t : references()) {
        auto const* object = find(objects, t);
        if (object == nullptr)
            if (auto* const installed = rules_->form().installed_objects) object = find(installed(), t);
        if (object == nullptr) return rules::cannot("spec", type().kind() + " " + missing(metadata(), t));
        found.push_back(*object);
    }
    auto next = found.begin();
    resolve([&](rules::reference const&) { return *next++; });
    return {};
}

void any_job::set_defaults() {
    if (!empty()) rules_->set_defaults(job_.get());
}

issues any_job::validate() const {
    return empty() ? refused(no_job().detail.message) : rules_->validate(job_.get(), nullptr);
}

issues any_job::validate_update(any_job const& before) const {
    if (empty()) return validate();
    if (&type() != &before.type())
        return refused("expected an update of a " + type().kind() + ", got one of " +
                       (before.empty() ? "an empty job" : "a " + before.type().kind()));
    return rules_->validate(job_.get(), before.job_.get());
}

issues any_job::lint() const { return prepared_job::by_origin(*this).lint(); }

std::vector<meta::condition> any_job::conditions() const {
    return empty() ? std::vector<meta::condition>() : rules_->conditions(job_.get());
}

job_phase any_job::phase() const { return empty() ? job_phase::created : rules_->phase(job_.get()); }

membership any_job::members() const { return prepared_job::by_origin(*this).layout(); }

std::vector<any_object> any_job::render() const { return prepared_job::by_origin(*this).render(); }

std::vector<any_object> any_job::render(operator_options const& options) const {
    return prepared_job::by_origin(*this, &options).render();
}

rules::scaling any_job::scaling() const { return prepared_job::by_origin(*this).scaling(); }

rules::suspending any_job::suspending() const { return prepared_job::by_origin(*this).suspending(); }

any_job any_job::with_defaults() const {
    any_job job = *this;
    job.set_defaults();
    return job;
}

std::string any_job::to_json() const {
    if (empty()) return "null";
    std::string out;
    encode_json(*type().model, job_.get(), out);
    return out;
}

std::string any_job::to_yaml() const {
    if (empty()) return "null\n";
    std::string out;
    encode_yaml(*type().model, job_.get(), out);
    return out;
}

result<void> any_job::read_json(std::string_view text, decode_options const& options) {
    if (empty()) return no_job();
    return decode_json(text, *type().model, job_.get(), options);
}

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
