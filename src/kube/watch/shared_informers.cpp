#include <kftrain/kube/shared_informers.hpp>

#include "kube/watch/informer_source.hpp"

#include <optional>
#include <utility>

namespace kftrain::kube {

struct shared_informers::registry {
    explicit registry(client c) : of(std::move(c)) {}

    std::shared_ptr<detail::informer_source> find(std::string const& ns, object_type const& type,
                                                  informer_options const& o) {
        std::erase_if(sources, [](auto const& s) { return s.source.expired(); });
        for (auto const& s : sources) {
            auto const source = s.source.lock();
            // A source that no longer runs has only old states, and would count as synced with them.
            bool const serves = source && (source->is_run() || !source->has_synced());
            auto const& its = serves ? source->options() : o;
            if (serves && s.type == &type && s.ns == ns && its.field_selector == o.field_selector &&
                (its.label_selector.empty() || its.label_selector == o.label_selector))
                return source;
        }
        auto made = std::make_shared<detail::informer_source>(of, detail::followed_collection(type, ns), o);
        sources.push_back({&type, ns, made});
        return made;
    }

    struct entry {
        object_type const* type;
        std::string ns;
        std::weak_ptr<detail::informer_source> source;
    };
    client of;
    std::vector<entry> sources;
};

shared_informers::shared_informers(client c) : registry_(std::make_shared<registry>(std::move(c))) {}

struct detail::shared_registry {
    static shared_informers::registry& of(shared_informers const& shared) { return *shared.registry_; }
};

/// A selector that cannot be parsed is left to the server to refuse.
std::shared_ptr<detail::informer_core> detail::follow(shared_informers const& shared, client const& c, std::string ns,
                                                      object_type const& type, informer_options options) {
    auto query = label_query::parse(options.label_selector);
    if (shared.empty() || !query) return make_informer(c, followed_collection(type, std::move(ns)), std::move(options));
    auto const source = shared_registry::of(shared).find(ns, type, options);
    std::optional<label_query> filter;
    if (source->options().label_selector != options.label_selector) filter = *std::move(query);
    auto view = std::make_shared<informer_core>(source, std::move(filter));
    source->join(view);
    return view;
}

} // namespace kftrain::kube
