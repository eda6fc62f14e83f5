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

/// Remembers the last version that an informer showed.
class version_mark {
public:
    /// Whether `shown` is older than what was shown before, as it is when the server was restored from an older state:
    /// what was written in between is gone, and nobody must wait for it.
    bool falls_to(std::string const& shown);

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
    bool will_show(resource_info const& t, std::string_view ns, std::string_view name, string_map const* its) const;
    /// Whether everything that was written for one object is visible here.
    bool shows(pending_writes& written) const;

    object_type const* type;
    std::string namespace_;
    kube::informer_options selection;
    label_query labels;
    std::string key; ///< in pending_writes
    kube::any_informer objects;
    version_mark shown;
};

/// A primary object that another one leads to.
struct led {
    explicit led(std::string k, std::string u = {}) : key(std::move(k)), uid(std::move(u)) {}

    std::string key;
    std::string uid; ///< the one that is meant, of those that bear the name in turn; empty: whichever it is
};

/// Whether one of them is the object of this key and uid.
bool leads_to(std::vector<led> const& list, std::string_view key, std::string_view uid);

/** The objects that a controller looks at, and by its rows which of them belong together. All look-ups go by an index.
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

    /// Needs every event of the primary objects.
    void take_primary(kube::any_event const& e);
    /// The effect of an event of a source on one row.
    struct effect {
        effect() = default;

        std::size_t row = 0;
        std::vector<led> before, after; ///< whereto the object led before, and leads, or led when it was deleted

        /// Of both, each once.
        std::vector<std::string> keys() const;
    };
    /// Needs every event of a source.
    std::vector<effect> take(std::size_t source, kube::any_event const& e);

    bool all_synced() const;
    /// The objects of the rows for this primary object.
    rules::world look_at(void const* primary) const;
    /// The informers of an object of this type, by their keys in pending_writes; see followed::will_show().
    std::vector<std::string> informers_of(resource_info const& type, std::string_view ns, std::string_view name,
                                          string_map const* labels) const;
    /// Whether the informers show everything that was written for an object.
    bool caught_up(pending_writes& written) const;
    /// Keys of the sources whose server has lost writes; the first key, which is empty, stands for the primary objects.
    std::vector<std::string> fallen();

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
    /// The primary objects that a row leads to from this object.
    std::vector<led> leads_from(row const& r, void const* object) const;
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
