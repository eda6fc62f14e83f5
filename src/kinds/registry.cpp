#include <kftrain/kinds/registry.hpp>

#include "model/collected_faults.hpp"
#include "model/list_items.hpp"

#include <kftrain/kinds/all.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/model/reflect.hpp>

#include <array>
#include <optional>
#include <string>

namespace kftrain {
namespace {

template <class... Kinds> std::array<job_kind const*, sizeof...(Kinds)> addresses(job_list<Kinds...>) {
    return {&job_kind_of<Kinds>()...};
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
    std::string known;
    for (auto const* k : job_kinds())
        known += (known.empty() ? "" : ", ") + k->resource->api_version() + " " + std::string(k->resource->kind);
    f.detail.path = found.kind.empty() ? "kind" : "";
    f.detail.message = found.kind.empty() && found.api_version.empty()
                           ? "expected apiVersion and kind of a job, found neither"
                           : "apiVersion \"" + found.api_version + "\" and kind \"" + found.kind +
                                 "\" name no known job kind; known are: " + known;
    return f;
}

/// The kind whose list this is, or null.
job_kind const* listed_kind(document_type const& m) noexcept {
    std::string_view kind = m.kind;
    if (!kind.ends_with("List")) return nullptr;
    kind.remove_suffix(4);
    return find_job_kind(m.api_version, kind);
}

bool is_list(document_type const& m) noexcept {
    return (m.api_version == "v1" && m.kind == "List") || listed_kind(m) != nullptr;
}

result<any_job> read(job_kind const& kind, std::string_view text, decode_options const& options) {
    any_job job(kind);
    if (auto r = job.read_yaml(text, options); !r) return r.error();
    return job;
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

result<void> read_list(std::string_view text, document_type const& meta, decode_options const& options,
                       std::vector<any_job>& out) {
    decode_options lenient = options;
    lenient.strict = false;
    auto const list = from_yaml<any_list>(text, lenient);
    if (!list) return list.error();
    auto const* known = listed_kind(meta);
    std::optional<failure> first;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        auto const& item = list->items[i].text;
        collected_since const found(options);
        auto job = known != nullptr ? read(*known, item, options) : parse_job(item, options);
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

std::span<job_kind const* const> job_kinds() noexcept {
    static auto const kinds = addresses(known_jobs());
    return kinds;
}

job_kind const* find_job_kind(std::string_view api_version, std::string_view kind) noexcept {
    for (auto const* k : job_kinds())
        if (k->resource->kind == kind && k->resource->api_version() == api_version) return k;
    return nullptr;
}

std::vector<lint_rule> lint_rules() {
    auto const shared = replica_lint_rules();
    std::vector<lint_rule> all(shared.begin(), shared.end());
    for (auto const* k : job_kinds()) {
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
    auto read = read_in(replica_operator_flags());
    for (auto const* k : job_kinds())
        if (!read) read = read_in(k->operator_flags());
    if (!read) return refused("tells no rules of kftrain anything");
    if (!*read) return refused(read->error().detail.message);
    return {};
}

result<any_job> parse_job(std::string_view text, decode_options const& options) {
    auto const meta = type_of_document(text, options);
    if (!meta) return meta.error();
    auto const* kind = find_job_kind(meta->api_version, meta->kind);
    if (kind == nullptr) return unknown_kind(*meta);
    return read(*kind, text, options);
}

result<std::vector<any_job>> parse_jobs(std::string_view text, decode_options const& options) {
    std::vector<any_job> all;
    std::optional<failure> first;
    auto const documents = split_yaml(text);
    for (auto const& document : documents) {
        decode_options here = options;
        here.first_line = options.first_line + document.first_line - 1;
        auto const meta = type_of_document(document.text, here);
        if (!meta) return meta.error();
        collected_since const found(options);
        if (is_list(*meta)) {
            auto r = read_list(document.text, *meta, here, all);
            if (!r && !found.has(r.error())) return r.error();
            if (!r) keep_first(first, r.error());
            continue;
        }
        auto job = parse_job(document.text, here);
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
