#include <kftrain/kinds/registry.hpp>

#include "base/joined.hpp"
#include "kinds/document_type.hpp"
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

failure unknown_kind(document_type const& found) {
    failure f;
    f.code = errc::unknown_kind;
    auto const known = joined(known_job_rules(), ", ", [](auto const* k) {
        return k->primary().info->api_version() + " " + std::string(k->primary().info->kind);
    });
    f.detail.path = found.kind.empty() ? "kind" : "";
    f.detail.message = found.kind.empty() && found.api_version.empty()
                           ? "expected apiVersion and kind of a job, found neither"
                           : "apiVersion \"" + found.api_version + "\" and kind \"" + found.kind +
                                 "\" name no known job kind; known are: " + known;
    return f;
}

/// The kind whose list this is, or null.
rules::job_rules const* listed_kind(document_type const& m) noexcept {
    std::string_view kind = m.kind;
    if (!kind.ends_with("List")) return nullptr;
    kind.remove_suffix(4);
    return find_job_rules(m.api_version, kind);
}

bool is_list(document_type const& m) noexcept {
    return (m.api_version == "v1" && m.kind == "List") || listed_kind(m) != nullptr;
}

result<any_job> read(rules::job_rules const& kind, detail::document_reader& document, decode_options const& options) {
    auto job = kind.primary().make();
    if (auto r = document.decode(*kind.primary().model, job.get(), options); !r) return r.error();
    return any_job(kind, std::move(job));
}

result<any_job> read_as(document_type const& type, detail::document_reader& document, decode_options const& options) {
    auto const* kind = find_job_rules(type.api_version, type.kind);
    if (kind == nullptr) return unknown_kind(type);
    return read(*kind, document, options);
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
    if (!first || (detail::is_misfit(f.code) && !detail::is_misfit(first->code))) first = f;
}

result<void> read_list(detail::document_reader& document, document_type const& meta, decode_options const& options,
                       std::vector<any_job>& out) {
    decode_options lenient = options;
    lenient.strict = false;
    auto const list = document.decode<any_list>(lenient);
    if (!list) return list.error();
    auto const* known = listed_kind(meta);
    std::optional<failure> first;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        detail::document_reader item(yaml_document(list->items[i].text, 1));
        collected_since const found(options);
        auto job = known != nullptr ? read(*known, item, options) : read_any(item, options);
        bool const goes_on = job || found.has(job.error());
        for (auto& f : found.all()) place_in_list(f, i);
        if (job) {
            out.push_back(*std::move(job));
            continue;
        }
        failure f = job.error();
        place_in_list(f, i);
        if (!goes_on) return f;
        keep_first(first, f);
    }
    if (first) return *std::move(first);
    return {};
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
    auto const shared = replica_lint_rules();
    std::vector<lint_rule> all(shared.begin(), shared.end());
    for (auto const* k : known_job_rules()) {
        auto const own = k->lint_rules();
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

result<void> read_operator_flag(operator_options& told, std::string_view flag) {
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
            if (f.name == name) return f.read(told, value);
        return std::nullopt;
    };
    std::optional<result<void>> read;
    for (auto const* k : known_job_rules())
        if (!read) read = read_in(k->flags());
    if (!read) return refused("tells no rules of kftrain anything");
    if (!*read) return refused(read->error().detail.message);
    return {};
}

result<any_job> parse_job(std::string_view text, decode_options const& options) {
    detail::document_reader document(yaml_document(text, options.first_line));
    return read_any(document, options);
}

result<std::vector<any_job>> parse_jobs(std::string_view text, decode_options const& options) {
    std::vector<any_job> all;
    std::optional<failure> first;
    auto const documents = split_yaml(text);
    for (auto const& document : documents) {
        detail::document_reader reader(yaml_document(document.text, options.first_line + document.first_line - 1));
        auto const meta = detail::type_of_document(reader, options);
        if (!meta) return meta.error();
        collected_since const found(options);
        if (is_list(*meta)) {
            auto r = read_list(reader, *meta, options, all);
            if (!r && !found.has(r.error())) return r.error();
            if (!r) keep_first(first, r.error());
            continue;
        }
        auto job = read_as(*meta, reader, options);
        if (!job && !found.has(job.error())) return job.error();
        if (job)
            all.push_back(*std::move(job));
        else
            keep_first(first, job.error());
    }
    if (first) return *std::move(first);
    if (documents.empty()) return parse_job(text, options).error();
    return all;
}

} // namespace kftrain
