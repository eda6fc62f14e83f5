#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/selector.hpp"
#include "apiserver/store/store_impl.hpp"

#include <charconv>

#include "model/scalars/base64.hpp"

namespace kftrain::apiserver {
namespace {

refusal invalid_options(std::string field, std::string cause, std::string message) {
    refusal r(422, reason::invalid, "ListOptions.meta.k8s.io \"\" is invalid: " + field + ": " + message);
    r.group = "meta.k8s.io";
    r.kind = "ListOptions";
    r.causes.emplace_back(std::move(cause), std::move(message), std::move(field));
    return r;
}

bool parse_version(std::string_view text, std::uint64_t& out) {
    auto const end = text.data() + text.size();
    auto const [at, ec] = std::from_chars(text.data(), end, out);
    return !text.empty() && at == end && ec == std::errc();
}

struct page_start {
    std::uint64_t version = 0;
    std::string after;
};

std::string print_token(page_start const& p) {
    json::object token;
    token["v"] = "meta.k8s.io/v1";
    token["rv"] = p.version;
    token["start"] = p.after;
    return base64_encode(json::serialize(token));
}

answer<page_start> parse_token(std::string const& text) {
    page_start out;
    auto const decoded = base64_decode(text);
    if (!decoded) return bad_request("continue key is not valid: not base64");
    auto const token = parse_object(*decoded);
    auto const version = token ? integer_in(*token, "rv") : std::nullopt;
    if (!version || *version <= 0 || text_in(*token, "v") != "meta.k8s.io/v1")
        return bad_request("continue key is not valid: server does not recognize this encoded version");
    out.version = static_cast<std::uint64_t>(*version);
    out.after = text_in(*token, "start");
    return out;
}

/// The version that the query requests, or nothing for the newest.
answer<std::optional<std::uint64_t>> exact_version(list_query const& q, std::uint64_t current) {
    auto const& match = q.resource_version_match;
    std::uint64_t wanted = 0;
    if (match.empty() || match == "Exact" || match == "NotOlderThan") {
        if (!match.empty() && q.resource_version.empty())
            return invalid_options("resourceVersionMatch", "FieldValueForbidden",
                                   "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided");
        if (match == "Exact" && q.resource_version == "0")
            return invalid_options("resourceVersionMatch", "FieldValueForbidden",
                                   "Forbidden: resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
    } else {
        return invalid_options("resourceVersionMatch", "FieldValueNotSupported",
                               "Unsupported value: " + in_quotes(match) +
                                   ": supported values: \"Exact\", \"NotOlderThan\", \"\"");
    }
    if (q.resource_version.empty()) return std::optional<std::uint64_t>();
    if (!parse_version(q.resource_version, wanted))
        return bad_request("resourceVersion: " + invalid_value(q.resource_version, "expected a decimal number"));
    if (wanted > current) return version_too_large(wanted, current);
    bool const exact = match == "Exact" || (match.empty() && q.limit != 0 && wanted != 0); // the latter is legacy
    return exact ? std::optional<std::uint64_t>(wanted) : std::nullopt;
}

} // namespace

answer<list_page> object_store::list(kind_id kind, list_query const& q) const {
    auto const& state = *impl_->kinds_[impl_->stored(kind)];
    auto const wanted = selector::parse(definition(kind), q.namespace_, q.label_selector, q.field_selector);
    if (!wanted) return wanted.error();
    list_page page;
    page.version = impl_->version_;
    page_start start;
    std::optional<std::uint64_t> exact;
    if (!q.continue_.empty()) {
        if (!q.resource_version.empty())
            return bad_request("specifying resource version is not allowed when using continue");
        auto token = parse_token(q.continue_);
        if (!token) return token.error();
        start = std::move(*token);
        exact = start.version;
        if (*exact > impl_->version_) return version_too_large(*exact, impl_->version_);
    } else {
        auto requested = exact_version(q, impl_->version_);
        if (!requested) return requested.error();
        exact = *requested;
    }

    // An older state is the newest one with the later events taken back.
    impl::object_map past;
    auto const* objects = &state.objects;
    if (exact) {
        page.version = *exact;
        if (*exact < state.trimmed)
            return expired(q.continue_.empty()
                               ? "The resourceVersion for the provided list is too old."
                               : "The provided continue parameter is too old to display a consistent list result. You "
                                 "must start a new list without the continue parameter.");
        if (*exact < state.last) {
            past = state.objects;
            for (auto e = state.log.rbegin(); e != state.log.rend() && e->version > *exact; ++e)
                past[impl::key_of(*e->object)] = e->previous;
            std::erase_if(past, [](auto const& item) { return !item.second; });
            objects = &past;
        }
    }

    auto const prefix = q.namespace_.empty() ? std::string() : q.namespace_ + "/";
    auto at = start.after.empty() ? objects->lower_bound(prefix) : objects->upper_bound(start.after);
    for (; at != objects->end() && at->first.starts_with(prefix); ++at) {
        if (!wanted->matches(*at->second)) continue;
        if (q.limit != 0 && page.items.size() == q.limit) {
            start.version = page.version;
            start.after = impl::key_of(*page.items.back());
            page.continue_ = print_token(start);
            break;
        }
        page.items.push_back(at->second);
    }
    if (!page.continue_.empty() && q.label_selector.empty() && q.field_selector.empty()) {
        std::uint64_t rest = 0;
        for (; at != objects->end() && at->first.starts_with(prefix); ++at) ++rest;
        page.remaining = rest;
    }
    for (auto& item : page.items) item = impl_->shown_as(kind, std::move(item));
    return page;
}

} // namespace kftrain::apiserver
