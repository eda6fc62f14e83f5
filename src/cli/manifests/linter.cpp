#include "cli/manifests/linter.hpp"

#include "cli/commands.hpp"
#include "cli/manifests/manifest_hints.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/manifests/schema_check.hpp"
#include "model/rules/object_meta.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/documents.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/local/job_checks.hpp>

#include <algorithm>
#include <iterator>

namespace kftrain::cli {
namespace {

/// A list of any objects, with the items as written.
struct any_list {
    std::string api_version;
    std::string kind;
    meta::list_meta metadata;
    std::vector<raw_json> items;
};
BOOST_DESCRIBE_STRUCT(any_list, (), (api_version, kind, metadata, items))

issue unknown_kind(document_type const& type) {
    issue i;
    i.rule = "lint.unknown-kind";
    if (role_of(type) == document_role::mistaken) {
        i.path = "kind";
        i.message = unknown_job(type).detail.message + conversion_hint(type);
        return i;
    }
    i.level = issue::severity::warning;
    i.message = "apiVersion \"" + type.api_version + "\" and kind \"" + type.kind +
                "\" are not a known type: the object was not checked" + conversion_hint(type);
    return i;
}

issue missing_reference(std::string const& fault) {
    issue i;
    i.rule = "lint.missing-reference";
    i.path = "spec";
    i.message = fault;
    return i;
}

issue issue_of(failure const& f) {
    issue i;
    i.rule = f.code == errc::unknown_field                        ? "decode.unknown-field"
             : f.code == errc::duplicate_field                    ? "decode.duplicate-field"
             : f.code == errc::syntax || f.code == errc::too_deep ? "decode.syntax"
                                                                  : "decode.type";
    i.path = f.detail.path;
    i.message = (f.detail.path.empty() ? "" : f.detail.path + ": ") +
                (f.detail.message.empty() ? f.code.message() : f.detail.message);
    return i;
}

text_position position_of(failure const& f) {
    text_position at;
    at.line = f.detail.line;
    at.column = f.detail.column;
    return at;
}

/// Zeros in a value at a path that the defaults replace, because the kind does not distinguish 0 from an absent field.
void add_replaced_zeros(boost::json::value const& value, std::string const& path, any_job const& complete,
                        issues& found) {
    if (auto const* const object = value.if_object()) {
        for (auto const& [name, member] : *object)
            if (name != "template") add_replaced_zeros(member, path + "." + std::string(name), complete, found);
    } else if (auto const* const list = value.if_array()) {
        for (std::size_t i = 0; i < list->size(); ++i)
            add_replaced_zeros((*list)[i], path + "[" + std::to_string(i) + "]", complete, found);
    } else if (value == boost::json::value(0)) {
        auto const counts = complete.field(path);
        if (!counts || *counts == "0" || *counts == "\"0\"" || *counts == "null") return;
        auto& i = found.emplace_back();
        i.rule = "lint.replaced-zero";
        i.level = issue::severity::info;
        i.path = path;
        i.message = path + ": 0 counts as " + *counts + ", the default";
    }
}

issues replaced_zeros(boost::json::object const& written, prepared_job const& job) {
    issues found;
    if (auto const* const spec = written.if_contains("spec")) add_replaced_zeros(*spec, "spec", job.complete(), found);
    return found;
}

bool is_strict(failure const& f) { return f.code == errc::unknown_field || f.code == errc::duplicate_field; }

} // namespace

bool linter::look_at(std::string const& file) {
    at_ = finding();
    at_.file = file;
    unfilled_ = false;
    auto const text = read_text(file);
    if (!text) {
        complain(text.error().to_string());
        return false;
    }
    auto const documents = split_yaml(*text);
    if (documents.empty()) {
        complain(file + ": expected an object, got none");
        return false;
    }
    references_.add_text(file, *text);
    bool readable = true;
    for (auto const& one : documents) {
        ++at_.document;
        at_.kind = at_.namespace_ = at_.name = {};
        document whole = one;
        readable = look_at(whole, 0) && readable;
        if (unfilled_) break; // the rest belongs to the template
    }
    return readable;
}

bool linter::look_at(document& object, std::size_t depth) {
    at_.item = object.path();
    reported_.clear();
    bool const of_list = !object.path().empty();
    auto const type = object.type();
    if (!type && !of_list) return unreadable(object, type.error());
    name_object(object, type ? *type : document_type());
    if (!type) {
        add(type.error());
        return true;
    }
    type_ = *type;
    auto const* const known = find_type(type->api_version, type->kind);
    if (known == nullptr) {
        add(object, unknown_kind(*type));
        return true;
    }
    if (known->info->list) return look_at_list(object, depth);
    return look_at_object(object, *known, *type);
}

bool linter::look_at_list(document& list, std::size_t depth) {
    if (depth == deepest_list) {
        issue i;
        i.rule = "lint.list-depth";
        i.path = "items";
        i.message = "items: more than " + std::to_string(deepest_list) + " nested lists; the items were not checked";
        add(list, i);
        return true;
    }
    any_list all;
    auto const decoded = decode(list, descriptor_of<any_list>(), &all);
    if (!decoded && is_illegible(decoded.error())) return unreadable(list, decoded.error());
    auto items = list.items();
    if (!items) return true; // reported by decode()
    bool readable = true;
    for (auto& item : *items) readable = look_at(item, depth + 1) && readable;
    return readable;
}

bool linter::look_at_object(document& object, object_type const& known, document_type const& type) {
    auto const value = known.make();
    auto const decoded = decode(object, *known.model, value.get());
    if (!decoded && is_illegible(decoded.error())) return unreadable(object, decoded.error());
    auto const json = object.decode<raw_json>();
    auto const whole = json ? parse_json(json->text) : boost::json::value();
    written_json const as_written(json ? json->text : std::string(), whole);
    auto const* const kind = find_job_rules(type.api_version, type.kind);
    look_at_metadata(object, as_written.object, kind != nullptr);
    if (kind == nullptr) {
        auto const* const companion = companion_kind(type);
        if (decoded && companion != nullptr && companion->validate != nullptr)
            for (auto const& i : companion->validate(value.get())) add(object, i);
        return true;
    }
    auto const& rules = kinds_.rules_of(*kind, flags_);
    if (!decoded) {
        look_at_job(object, as_written, nullptr, rules);
        return true;
    }
    any_job job(rules, value);
    // The values that a webhook sees.
    auto& metadata = job.metadata();
    if (metadata.namespace_.empty()) metadata.namespace_ = "default";
    if (metadata.name.empty() && !metadata.generate_name.empty())
        metadata.name = sample_of_generated_name(metadata.generate_name);
    for (auto const& fault : references_.resolve(job)) add(object, missing_reference(fault));
    auto const prepared = prepared_job::admitted(std::move(job));
    look_at_job(object, as_written, &prepared, rules);
    return true;
}

/// The rules for names apply to jobs only; other kinds have different rules.
void linter::look_at_metadata(document& object, boost::json::object const* as_written, bool of_job) {
    refused_metadata_.clear();
    auto const* member = as_written != nullptr ? as_written->if_contains("metadata") : nullptr;
    // Metadata with a wrong type was reported already.
    if (as_written == nullptr || (member != nullptr && !member->is_null() && !member->is_object())) return;
    auto const metadata = member != nullptr && member->is_object() ? member->get_object() : boost::json::object();
    auto const reported = reported_; // one place may have several faults
    auto found = of_job ? created_meta_faults(metadata) : common_meta_faults(metadata);
    if (of_job) std::ranges::move(finalizer_warnings(metadata, nullptr), std::back_inserter(found));
    for (auto const& fault : found) {
        if (reported.contains(one_spelling(fault.place))) continue;
        auto const i = fault.to_issue();
        refused_metadata_.insert(one_spelling(i.path));
        if (i.path == "metadata.generateName") refused_metadata_.insert("metadata.name");
        add(i, object.find(fault.place));
    }
}

/** Checks a job in this order: decoding, metadata, admission, schema, lint rules. A later check does not report a place
    that an earlier check has reported. */
void linter::look_at_job(document& object, written_json const& as_written, prepared_job const* job,
                         rules::job_rules const& kind) {
    if (job != nullptr)
        for (auto const& i : job->faults())
            if (!refused_metadata_.contains(one_spelling(i.path))) add(object, i);
    auto const replaced =
        job != nullptr && as_written.object != nullptr ? replaced_zeros(*as_written.object, *job) : issues();
    auto found = job != nullptr ? job->lint() : issues();
    // A lint rule describes a field of a later release better than the schema.
    std::set<std::string, std::less<>> later;
    for (auto const& i : found)
        if (i.rule.ends_with(".later-field")) later.insert(one_spelling(i.path));
    auto const reported_before = reported_; // one place may have several faults of the schema
    auto by_schema = as_written.object != nullptr ? schema_faults(kind, as_written.text) : issues();
    for (auto& i : by_schema) {
        if (i.path == "<nil>") i.path.clear(); // the name of the whole object in messages of servers
        if (i.message.starts_with("<nil>: ")) i.message.erase(0, i.message.find(' ') + 1);
        if (i.path.starts_with('.')) i.path.erase(0, 1); // as paths of the scale subresource do
        if (later.contains(one_spelling(i.path))) continue;
        if (i.path.empty() || !reported_before.contains(one_spelling(i.path))) add(object, i);
    }
    if (job == nullptr) return;
    auto const reported = reported_;
    std::ranges::copy(replaced, std::back_inserter(found));
    if (local_ && job->is_valid())
        std::ranges::move(local::find_faults(*job, local::isolation::namespaces), std::back_inserter(found));
    for (auto const& i : found)
        if (!reported.contains(one_spelling(i.path))) add(object, i);
}

/// Reports all faults, except that the document is unreadable. Fails if `target` must not be used.
result<void> linter::decode(document& object, model::descriptor const& type, void* target) {
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    auto r = object.decode(type, target, options);
    for (auto const& f : found) add(f);
    if (r || (is_strict(r.error()) && is_collected(r.error(), found))) return {};
    if (!is_illegible(r.error()) && !is_collected(r.error(), found)) add(r.error());
    return r;
}

bool linter::is_illegible(failure const& f) const {
    return at_.item.empty() && (f.code == errc::syntax || f.code == errc::too_deep);
}

void linter::name_object(document& object, document_type const& type) {
    auto const names = object.names();
    at_.kind = type.kind;
    at_.namespace_ = names.namespace_;
    at_.name = names.name.empty() ? names.generate_name : names.name;
}

bool linter::unreadable(document& whole, failure f) {
    unfilled_ = explain_unfilled(f, whole.text(), whole.first_line());
    auto const at = place(at_.file, f.detail.line, f.detail.column);
    add(issue_of(f), position_of(f));
    report_.findings.back().complained = true;
    f.detail.line = f.detail.column = 0;
    complain(at + f.to_string());
    return false;
}

void linter::add(failure const& f) {
    auto i = issue_of(f);
    if (f.code == errc::unknown_field) i.message += conversion_hint(type_, f);
    add(i, position_of(f));
}

void linter::add(document& object, issue const& i) { add(i, object.find(i.path)); }

void linter::add(issue const& i, text_position at) {
    if (!i.path.empty()) reported_.insert(one_spelling(i.path));
    auto& f = report_.findings.emplace_back(at_);
    f.line = static_cast<std::int64_t>(at.line);
    f.column = static_cast<std::int64_t>(at.column);
    f.what = i;
    if (i.level == issue::severity::error) f.what.message += hint_at_placeholder(i.message);
    if (i.level == issue::severity::error) ++report_.errors;
    if (i.level == issue::severity::warning) ++report_.warnings;
}

} // namespace kftrain::cli
