#include "api.hpp"

#include <kftrain/kinds/types.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <string_view>

namespace kftrain::python {
namespace {

std::string lower_case(std::string_view text) {
    std::string all(text);
    std::ranges::transform(all, all.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return all;
}

/// The parts of `pods`, `deployments.apps`, `mpijobs.v1.kubeflow.org`, `v1/Pod` or `apps/v1/Deployment`.
struct type_name {
    std::string name; ///< in lower case
    std::string group;
    std::string version; ///< empty: any
    bool any_group = true;

    bool fits(std::string_view of_group, std::string_view of_version) const {
        return (any_group || group == of_group) && (version.empty() || version == of_version);
    }
    bool is(std::string_view other) const { return !other.empty() && lower_case(other) == name; }
};

type_name parts_of(std::string const& text) {
    type_name parts;
    if (auto const slash = text.rfind('/'); slash != std::string::npos) {
        auto const api_version = text.substr(0, slash);
        auto const middle = api_version.find('/');
        parts.any_group = false;
        parts.name = lower_case(text.substr(slash + 1));
        parts.version = middle == std::string::npos ? api_version : api_version.substr(middle + 1);
        if (middle != std::string::npos) parts.group = api_version.substr(0, middle);
        return parts;
    }
    auto const dot = text.find('.');
    parts.name = lower_case(text.substr(0, dot));
    auto rest = dot == std::string::npos ? std::string() : text.substr(dot + 1);
    if (rest.size() >= 2 && rest[0] == 'v' && std::isdigit(static_cast<unsigned char>(rest[1])) != 0) {
        auto const end = std::min(rest.find('.'), rest.size());
        parts.version = rest.substr(0, end);
        rest.erase(0, std::min(end + 1, rest.size()));
    }
    parts.any_group = rest.empty();
    parts.group = std::move(rest);
    return parts;
}

} // namespace

object_type const* find_known_type(std::string const& name) {
    auto const wanted = parts_of(name);
    object_type const* found = nullptr;
    for (auto const* const t : known_types()) {
        auto const& info = *t->info;
        if (info.list || info.plural.empty() || !wanted.fits(info.group, info.version)) continue;
        if (!wanted.is(info.plural) && !wanted.is(info.kind)) continue;
        if (found != nullptr) return nullptr;
        found = t;
    }
    return found;
}

void named_type::find(kube::api_catalog const& catalog) {
    auto const wanted = parts_of(name_);
    for (auto const& r : catalog.resources()) {
        auto const is = [&](std::string_view text) { return wanted.is(text); };
        if (!wanted.fits(r.group, r.version)) continue;
        if (!is(r.plural) && !is(r.kind) && !is(r.singular) && std::ranges::none_of(r.short_names, is)) continue;
        auto const dynamic = r.type();
        auto const* const known = find_type(dynamic.resource().api_version(), r.kind);
        type_ = (known != nullptr ? *known : dynamic.type()).share();
        return;
    }
}

void named_type::resolve(std::string ns, time_limit limit, std::shared_ptr<call> const& c, use_api use) {
    if (type_ == nullptr)
        if (auto const* const known = find_known_type(name_)) type_ = known->share();
    if (type_ != nullptr) return use(api_in(std::move(ns)), limit);

    using clock = std::chrono::steady_clock;
    auto const left = [limit, start = clock::now()] {
        if (limit.count() == 0) return limit;
        return std::max(time_limit(1), limit - std::chrono::duration_cast<time_limit>(clock::now() - start));
    };
    auto const options = [c, left] {
        auto o = kube::call_options().with_detail(c->detail);
        if (auto const l = left(); l.count() != 0) o.with_timeout(l);
        return o;
    };
    auto finished = [self = shared_from_this(), c, left, ns = std::move(ns),
                     use = std::move(use)](error_code ec, std::shared_ptr<kube::api_catalog const> catalog) {
        if (ec) return c->finish(ec, {});
        self->find(*catalog);
        if (self->type_ != nullptr) return use(self->api_in(ns), left());
        c->detail.message = "the server has no type of objects '" + self->name_ + "'";
        c->finish(errc::unknown_kind, {});
    };
    // Reads the catalog again if it does not have the name; the next call takes it from the cache.
    auto const wanted = parts_of(name_);
    auto const found = [self = shared_from_this(), c, options, finished](error_code ec,
                                                                         std::optional<kube::served_resource> const&) {
        if (ec) return c->finish(ec, {});
        self->discovery_.async_catalog(options(), asio::bind_cancellation_slot(c->signal.slot(), finished));
    };
    discovery_.async_find(wanted.group.empty() ? wanted.name : wanted.name + "." + wanted.group, options(),
                          asio::bind_cancellation_slot(c->signal.slot(), found));
}

} // namespace kftrain::python
