#ifndef KFTRAIN_SRC_CONTROL_WATCHED_WORLD_HPP
#define KFTRAIN_SRC_CONTROL_WATCHED_WORLD_HPP

#include "control/child_index.hpp"
#include "control/plans/plan_executor.hpp"

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/kube/any_informer.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/shared_informers.hpp>
#include <kftrain/model/selector.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::control {

/// The last resource version that an informer had.
class version_mark {
public:
    /// Records a version. Returns whether it is older than the one before, as after the server was restored from an
    /// older state: what was written in between is gone, and no plan must wait for it.
    bool observe(std::string const& version);

private:
    std::string last_;
};

/// The objects that one informer follows, for one row or several.
struct followed {
    followed(object_type const& t, std::string ns, std::string_view label_selector, std::string_view field_selector,
             kube::shared_informers const& shared, kube::client const& c);

    bool is(object_type const& t, std::string_view ns, std::string_view label_selector,
            std::string_view field_selector) const;
    /// Whether an informer here will receive an object of this type; without labels, whether it has.
    bool receives(resource_info const& t, std::string_view ns, std::string_view name, string_map const* its) const;
    /// Whether the informer has everything that was written for one object.
    bool has_observed(pending_writes& written) const;

    object_type const* type;
    std::string namespace_;
    kube::informer_options selection;
    label_query labels;
    std::string key; ///< in pending_writes
    kube::any_informer objects;
    version_mark shown;
};

/// Identifies the primary object of another one.
struct primary_ref {
    explicit primary_ref(std::string k, std::string u = {}) : key(std::move(k)), uid(std::move(u)) {}

    std::string key;
    std::string uid; ///< of several objects that have the name one after the other; empty: any of them
};

/// Whether the list has the primary object with this key and uid.
bool contains_primary(std::vector<primary_ref> const& list, std::string_view key, std::string_view uid);

/** The objects that a controller watches, and by its rows which of them belong together. All look-ups use an index.
    @par Thread safety Unsafe. */
class watched_world {
public:
    watched_world(rules::controller_rules const& r, kube::shared_informers const& shared, kube::client const& c,
                  std::string const& ns);
    watched_world(watched_world const&) = delete;
    watched_world& operator=(watched_world const&) = delete;

    /// The informer of the primary objects, and those of the rows.
    kube::any_informer& primaries() { return primaries_; }
    kube::any_informer const& primaries() const { return primaries_; }
    std::vector<followed>& sources() { return sources_; }
    std::vector<followed> const& sources() const { return sources_; }

    /// To be called with every event of the primary objects.
    void take_primary(kube::any_event const& e);
    /// The effect of an event of a source on one row.
    struct effect {
        effect() = default;

        std::size_t row = 0;
        std::vector<primary_ref> before; ///< primary objects before the event
        std::vector<primary_ref> after;  ///< primary objects after it

        /// Of both, each once.
        std::vector<std::string> keys() const;
    };
    /// To be called with every event of a source.
    std::vector<effect> take(std::size_t source, kube::any_event const& e);

    bool all_synced() const;
    /// The objects of the rows for this primary object.
    rules::world world_of(void const* primary) const;
    /// The informers of an object of this type, by their keys in pending_writes; see followed::receives().
    std::vector<std::string> informers_of(resource_info const& type, std::string_view ns, std::string_view name,
                                          string_map const* labels) const;
    /// Whether the informers have everything that was written for an object.
    bool has_observed(pending_writes& written) const;
    /// Keys of the sources whose server has lost writes; the first key, which is empty, stands for the primary objects.
    std::vector<std::string> rolled_back();

private:
    struct row {
        row(rules::watched const& r, std::size_t s, child_index i) : rule(&r), source(s), objects(std::move(i)) {}

        rules::watched const* rule;
        std::size_t source;
        child_index objects;           ///< by the uid of the controller, or the key of the primary object
        name_index named;              ///< for by_name_of_primary
        selector_index selected;       ///< for by_selector
        std::vector<std::size_t> over; ///< for by_controller_of: the rows in between
    };

    std::size_t follow(rules::watched const& w, kube::shared_informers const& shared, kube::client const& c,
                       std::string const& ns);
    child_index index_for(rules::watched const& w) const;
    object_meta const& meta_of(row const& r, void const* object) const;
    /// The primary objects of this object, by a row.
    std::vector<primary_ref> primaries_of(row const& r, void const* object) const;
    std::vector<any_object> belong_to(row const& r, void const* primary) const;
    std::vector<std::string> names_in(row const& r, void const* primary) const;
    /// The key of a primary object that an object names.
    std::string primary_key(object_meta const& from, rules::object_name const& name) const;

    object_type const* primary_;
    kube::any_informer primaries_;
    version_mark primaries_shown_;
    std::vector<followed> sources_;
    std::vector<row> rows_;
};

} // namespace kftrain::control

#endif
