#include <kftrain/kinds/registry.hpp>

#include "job/lint/template_lint.hpp"
#include "model/codec/collected_faults.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/all.hpp>
#include <kftrain/kinds/documents.hpp>

#include <array>
#include <optional>
#include <string>

namespace kftrain {
namespace {

template <class... Kinds> std::array<rules::job_rules const*, sizeof...(Kinds)> addresses(job_list<Kinds...>) {
    return {&job_rules_for<Kinds>()...};
}

/// As decoding of one object does: what is worse, a value that does not fit, is the error wherever it stands.
void keep_first(std::optional<failure>& first, failure const& f) {
    if (!first || (detail::is_type_fault(f.code) && !detail::is_type_fault(first->code))) first = f;
}

/// Reads all jobs of a text. Strict reading that collects faults continues after each.
class job_reader {
public:
    job_reader(decode_options const& options, job_kinds kinds) : options_(options), kinds_(kinds) {}

    result<void> take(yaml_document const& text) {
        auto objects = objects_of(text, options_, kinds_);
        if (!objects) return objects.error();
        for (auto& object : *objects)
            if (auto r = take_object(object); !r) return r;
        return {};
    }

    std::vector<any_job> take_jobs() { return std::move(jobs_); }
    std::optional<failure> const& first_fault() const noexcept { return first_; }

private:
    result<void> take_object(document& object) {
        auto* const list = options_.strict ? options_.found : nullptr;
        std::size_t const before = list != nullptr ? list->size() : 0;
        auto job = parse_job(object, options_, kinds_);
        auto const found = list != nullptr ? std::span(*list).subspan(before) : std::span<failure>();
        bool const can_continue = job || is_collected(job.error(), found);
        for (auto& one : found) one.detail.path = object.path_of(one.detail.path);
        if (job) {
            jobs_.push_back(*std::move(job));
            return {};
        }
        failure f = job.error();
        f.detail.path = object.path_of(f.detail.path);
        if (!can_continue) return f;
        keep_first(first_, f);
        return {};
    }

    decode_options options_;
    job_kinds kinds_;
    std::vector<any_job> jobs_;
    std::optional<failure> first_{};
};

} // namespace

job_kinds known_job_rules() noexcept {
    static auto const kinds = addresses(known_jobs());
    return kinds;
}

rules::job_rules const* find_job_rules(std::string_view api_version, std::string_view kind, job_kinds kinds) noexcept {
    for (auto const* k : kinds)
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

result<any_job> parse_job(std::string_view text, decode_options const& options, job_kinds kinds) {
    document whole(text, options.first_line);
    return parse_job(whole, options, kinds);
}

result<any_job> to_job(any_object const& object, job_kinds kinds) {
    if (object.empty()) return rules::cannot("object", "expected a job, got an empty object");
    auto const* kind = find_job_rules(object.resource().api_version(), object.resource().kind, kinds);
    if (kind != nullptr && kind->primary().model == object.type().model) return any_job(*kind, object.erased().get());
    return parse_job(object.to_json(), {}, kinds);
}

result<std::vector<any_job>> parse_jobs(std::string_view text, decode_options const& options, job_kinds kinds) {
    job_reader reader(options, kinds);
    auto const documents = split_yaml(text);
    for (auto const& one : documents)
        if (auto r = reader.take(yaml_document(one.text, options.first_line + one.first_line - 1)); !r)
            return r.error();
    if (reader.first_fault()) return *reader.first_fault();
    if (documents.empty()) return parse_job(text, options, kinds).error();
    return reader.take_jobs();
}

} // namespace kftrain
