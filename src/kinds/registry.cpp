#include <kftrain/kinds/registry.hpp>

#include "job/contract/template_lint.hpp"
#include "kinds/document_type.hpp"
#include "kinds/job_documents.hpp"
#include "model/codec/collected_faults.hpp"
#include "model/json/list_items.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/all.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/model/reflect.hpp>

#include <array>
#include <optional>
#include <string>

namespace kftrain {
namespace {

template <class... Kinds> std::array<rules::job_rules const*, sizeof...(Kinds)> addresses(job_list<Kinds...>) {
    return {&job_rules_for<Kinds>()...};
}

/// A list of whatever kinds.
struct any_list {
    any_list() = default;

    std::vector<raw_json> items;
};
BOOST_DESCRIBE_STRUCT(any_list, (), (items))

/// The kind whose list this is, or null.
rules::job_rules const* listed_kind(document_type const& m) noexcept {
    std::string_view kind = m.kind;
    if (!kind.ends_with("List")) return nullptr;
    kind.remove_suffix(4);
    return find_job_rules(m.api_version, kind);
}

result<any_job> read(rules::job_rules const& kind, detail::document_reader& document, decode_options const& options) {
    auto job = kind.primary().make();
    if (auto r = document.decode(*kind.primary().model, job.get(), options); !r) return r.error();
    return any_job(kind, std::move(job));
}

result<any_job> read_as(document_type const& type, detail::document_reader& document, decode_options const& options) {
    auto const* kind = find_job_rules(type.api_version, type.kind);
    if (kind != nullptr) return read(*kind, document, options);
    failure f = detail::unknown_job(type);
    auto const at = document.find("kind");
    f.detail.line = at.line;
    f.detail.column = at.column;
    return f;
}

result<any_job> read_any(detail::document_reader& document, decode_options const& options) {
    auto const type = detail::type_of_document(document, options);
    if (!type) return type.error();
    return read_as(*type, document, options);
}

/// What strict reading collects from here on.
class collected_since {
public:
    explicit collected_since(decode_options const& options)
        : list_(options.strict ? options.found : nullptr), begin_(list_ != nullptr ? list_->size() : 0) {}

    std::span<failure> all() const {
        return list_ != nullptr ? std::span(*list_).subspan(begin_) : std::span<failure>();
    }
    /// Reading goes on behind such a fault.
    bool has(failure const& f) const { return detail::is_collected(f, all()); }

private:
    std::vector<failure>* list_;
    std::size_t begin_;
};

/// As decoding of one object does: what is worse, a value that does not fit, is the error wherever it stands.
void keep_first(std::optional<failure>& first, failure const& f) {
    if (!first || (detail::is_type_fault(f.code) && !detail::is_type_fault(first->code))) first = f;
}

/// Reads the documents of a text; the visitor may be null.
class job_reader {
public:
    job_reader(decode_options const& options, detail::document_visitor* visitor)
        : options_(options), visitor_(visitor) {}

    result<void> take(yaml_document const& document) {
        detail::document_reader reader(document);
        auto const type = detail::type_of_document(reader, options_);
        if (!type) return type.error();
        if (detail::role_of(*type) == detail::document_role::list) return take_list(reader, *type);
        collected_since const found(options_);
        auto job = take_object(reader, *type, reader, "");
        if (job) return {};
        failure f = job.error();
        bool const goes_on = found.has(f);
        visit_faults(*type, found.all());
        if (!goes_on) visit_faults(*type, std::span(&f, 1));
        if (!goes_on) return f;
        keep_first(first_, f);
        return {};
    }

    std::vector<any_job> take_jobs() { return std::move(jobs_); }
    std::optional<failure> const& first_fault() const noexcept { return first_; }

private:
    result<void> take_object(detail::document_reader& object, document_type const& type,
                             detail::document_reader& document, std::string const& item) {
        if (visitor_ != nullptr && detail::role_of(type) == detail::document_role::other) {
            visitor_->visit_other(detail::read_other(type, object, document, item));
            return {};
        }
        auto job = read_as(type, object, options_);
        if (!job) return job.error();
        if (visitor_ != nullptr) visitor_->visit_job(*job, object, document, item);
        jobs_.push_back(*std::move(job));
        return {};
    }

    result<void> take_list(detail::document_reader& document, document_type const& meta) {
        decode_options lenient = options_;
        lenient.strict = false;
        auto const list = document.decode<any_list>(lenient);
        if (!list) return list.error();
        auto const* known = listed_kind(meta);
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            detail::document_reader item(yaml_document(list->items[i].text, 1));
            collected_since const found(options_);
            document_type type;
            auto r = take_item(item, known, type, document, item_path(i));
            bool const goes_on = r || found.has(r.error());
            visit_faults(type, found.all());
            for (auto& f : found.all()) place_in_list(f, i);
            if (r) continue;
            failure f = r.error();
            if (!goes_on) visit_faults(type, std::span(&f, 1));
            place_in_list(f, i);
            if (!goes_on) return f;
            keep_first(first_, f);
        }
        return {};
    }

    result<void> take_item(detail::document_reader& item, rules::job_rules const* known, document_type& type,
                           detail::document_reader& document, std::string const& path) {
        auto found = detail::type_of_document(item, options_);
        if (!found) return found.error();
        type = *std::move(found);
        if (known != nullptr) {
            type.api_version = known->primary().info->api_version();
            type.kind = known->primary().info->kind;
        }
        return take_object(item, type, document, path);
    }

    void visit_faults(document_type const& type, std::span<failure> faults) {
        if (visitor_ != nullptr && !faults.empty()) visitor_->visit_faults(type, faults);
    }

    decode_options options_;
    detail::document_visitor* visitor_;
    std::vector<any_job> jobs_;
    std::optional<failure> first_{};
};

result<std::vector<any_job>> read_jobs(std::string_view text, decode_options const& options,
                                       detail::document_visitor* visitor) {
    job_reader reader(options, visitor);
    auto const documents = split_yaml(text);
    for (auto const& document : documents)
        if (auto r = reader.take(yaml_document(document.text, options.first_line + document.first_line - 1)); !r)
            return r.error();
    if (reader.first_fault()) return *reader.first_fault();
    if (documents.empty()) return parse_job(text, options).error();
    return reader.take_jobs();
}

} // namespace

std::span<rules::job_rules const* const> known_job_rules() noexcept {
    static auto const kinds = addresses(known_jobs());
    return kinds;
}

rules::job_rules const* find_job_rules(std::string_view api_version, std::string_view kind) noexcept {
    for (auto const* k : known_job_rules())
        if (auto const& info = *k->primary().info; info.kind == kind && info.api_version() == api_version) return k;
    return nullptr;
}

std::vector<lint_rule> lint_rules() {
    auto const of_templates = template_lint_rules();
    auto const shared = replica_lint_rules();
    std::vector<lint_rule> all(of_templates.begin(), of_templates.end());
    all.insert(all.end(), shared.begin(), shared.end());
    for (auto const* k : known_job_rules()) {
        auto const own = k->lint_rules();
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

result<void> read_operator_flag(operator_options& options, std::string_view flag) {
    auto const refused = [&](std::string why) {
        failure f;
        f.code = errc::invalid_argument;
        f.detail.message = "flag " + std::string(flag) + ": " + std::move(why);
        return f;
    };
    auto const assigned = flag.find('=');
    if (!flag.starts_with("--") || assigned == flag.npos) return refused("expected --name=value");
    auto const name = flag.substr(2, assigned - 2), value = flag.substr(assigned + 1);
    auto const read_in = [&](std::span<operator_flag const> flags) -> std::optional<result<void>> {
        for (auto const& f : flags)
            if (f.name == name) return f.read(options, value);
        return std::nullopt;
    };
    std::optional<result<void>> read;
    for (auto const* k : known_job_rules())
        if (!read) read = read_in(k->flags());
    if (!read) return refused("unknown flag of an operator");
    if (!*read) return refused(read->error().detail.message);
    return {};
}

result<any_job> parse_job(std::string_view text, decode_options const& options) {
    detail::document_reader document(yaml_document(text, options.first_line));
    return read_any(document, options);
}

result<any_job> to_job(any_object const& object) {
    if (object.empty()) return rules::cannot("object", "expected a job, got an empty object");
    auto const* kind = find_job_rules(object.resource().api_version(), object.resource().kind);
    if (kind != nullptr && kind->primary().model == object.type().model) return any_job(*kind, object.erased().get());
    return parse_job(object.to_json());
}

result<std::vector<any_job>> parse_jobs(std::string_view text, decode_options const& options) {
    return read_jobs(text, options, nullptr);
}

result<std::vector<any_job>> detail::parse_jobs(std::string_view text, decode_options const& options,
                                                document_visitor& visitor) {
    return read_jobs(text, options, &visitor);
}

} // namespace kftrain
