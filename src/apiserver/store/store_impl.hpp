#ifndef KFTRAIN_SRC_APISERVER_STORE_STORE_IMPL_HPP
#define KFTRAIN_SRC_APISERVER_STORE_STORE_IMPL_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include "apiserver/checks/body_type.hpp"
#include "apiserver/definitions/crd_resources.hpp"
#include "apiserver/json/json_access.hpp"
#include "apiserver/store/object_facts.hpp"

#include <compare>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <unordered_map>

namespace kftrain::apiserver {

/// Keys of objects in the order in which these were last written, and when.
class write_order {
public:
    void touch(std::string const& key, time_point now) {
        drop(key);
        places_[key] = order_.insert(order_.end(), {key, now});
    }
    void drop(std::string const& key) {
        auto const at = places_.find(key);
        if (at == places_.end()) return;
        order_.erase(at->second);
        places_.erase(at);
    }
    std::size_t size() const noexcept { return order_.size(); }
    bool empty() const noexcept { return order_.empty(); }
    std::pair<std::string, time_point> const& oldest() const noexcept { return order_.front(); }

private:
    using list = std::list<std::pair<std::string, time_point>>;

    list order_;
    std::unordered_map<std::string, list::iterator> places_;
};

struct object_store::impl {
    /// `namespace/name`, in whose order lists are.
    using object_key = std::string;
    using object_map = std::map<object_key, object_ptr, std::less<>>;

    struct kind_state {
        resource_definition definition;
        field_paths selectable;
        object_map objects;
        std::deque<watch_event> log;
        std::size_t log_bytes = 0;
        std::uint64_t trimmed = 0; ///< the version of the last event that was dropped
        std::uint64_t last = 0;
        bool expires = false;
        write_order written{}; ///< of the objects, if they expire

        std::string crd; ///< the name of the CustomResourceDefinition that made it; empty: the program did
        /// For a further version of a resource: the kind that stores its objects.
        std::optional<kind_id> objects_of;
        bool served = true;             ///< false: requests do not find it
        bool removed = false;           ///< with its definition
        bool adapts = false;            ///< stored objects may have the form of another schema
        std::string cleaned_for;        ///< the name of the deleted definition that waits for the objects to go
        std::uint64_t registration = 0; ///< see object_store::registration()
    };
    struct place {
        kind_id kind;
        object_key key;
        auto operator<=>(place const&) const = default;
    };
    /// A stored object, which lives as long as the entry.
    struct located {
        kind_id kind = 0;
        stored_object const* object = nullptr;

        place where() const { return {kind, key_of(*object)}; }
    };

    /// A ResourceQuota, and what the objects of its namespace use of it.
    struct counted_quota {
        place where{};
        core::resource_quota_spec spec;
        std::string spec_text;
        resource_list used; ///< by the names in `spec.hard`
    };

    object_store_options options_;
    std::vector<std::unique_ptr<kind_state>> kinds_;
    std::uint64_t version_ = 1;
    std::size_t object_bytes_ = 0;
    std::size_t log_bytes_ = 0;
    std::unordered_map<std::string_view, located> by_uid_;        ///< keys are part of the objects
    std::unordered_map<std::string, std::set<place>> dependents_; ///< by the uid of the owner
    std::set<place> garbage_;                                     ///< to be examined by collect_garbage()
    std::optional<kind_id> crds_;                                 ///< the kind CustomResourceDefinition
    std::optional<kind_id> quota_kind_, limit_range_kind_, priority_kind_;
    std::map<std::string, std::map<std::string, counted_quota>, std::less<>> quotas_; ///< by namespace and name
    std::set<object_key> unaccepted_; ///< definitions whose names others have
    std::uint64_t registrations_ = 0;
    std::vector<std::pair<store_change, std::string>> unclaimed_; ///< restored objects of kinds that are yet to come

    static object_key key_of(std::string_view ns, std::string_view name);
    static object_key key_of(stored_object const&);

    std::optional<kind_id> find_kind(std::string_view group, std::string_view version, std::string_view plural) const;
    object_ptr find(kind_id, object_key const&) const;
    /// The kind that has the objects of this one.
    kind_id stored(kind_id k) const noexcept { return kinds_[k]->objects_of.value_or(k); }
    answer<object_ptr> get(kind_id, std::string_view ns, std::string_view name) const;

    /// The namespace of this name if it is being deleted.
    std::optional<place> namespace_place(std::string_view ending) const;

    // object_store.cpp: the only functions that change the state
    object_ptr put(place const&, json::object&& value);
    object_ptr erase(place const&, json::object&& last);
    void index(place const&, stored_object const&);
    void unindex(place const&, stored_object const&);
    /// The state under the version of the next write.
    object_ptr next_state(kind_id, json::object&& value) const;
    object_ptr put(place const&, object_ptr state);
    void wake_waiters_for(stored_object const& gone);

    // object_store.cpp: copies of the state, in a journal
    std::string version_of(kind_id) const;
    void report(place const&, std::uint64_t version, std::string_view text) const;
    answer<void> restore(kind_id, store_change const&, time_point now);
    answer<void> restore_definition(place const&, time_point now);
    /// Restores what waited for this kind.
    void claim(kind_id);
    store_change change_of(kind_id, stored_object const&) const;

    // object_store_definitions.cpp: versions of a resource
    /// A stored object in the version of this kind.
    json::object read_as(kind_id, stored_object const&, json::storage_ptr memory = {}) const;
    object_ptr shown_as(kind_id, object_ptr) const;
    answer<written> shown_as(kind_id, answer<written>) const;
    /// Sets the version in which objects are stored.
    void store_as(kind_id, json::object&) const;
    kind_id new_kind();
    void remove_kind(kind_id);

    // object_store_definitions.cpp: CustomResourceDefinitions
    answer<crd_resources> define(json::object& crd, bool changed, std::vector<std::string>& warnings, time_point now);
    void serve(place const& crd, crd_resources&&);
    void clean_for(json::object const& crd);
    deletion remove_definition(place const&, object_ptr state, time_point now);
    void examine_definition(place const&, object_ptr const& crd, time_point now);
    void drop_kinds(place const& crd);
    bool is_built_in(json::object const& crd) const;
    answer<void> check_room(kind_id, std::string_view name) const;

    // object_store.cpp: the log of changes
    void record(kind_state&, change_kind, object_ptr object, object_ptr previous);
    void drop_oldest(kind_state&);

    // object_store.cpp: limits and expiry
    /// As next_state(), for a write of a client: fails if the object or the store becomes too large.
    answer<object_ptr> sized_state(place const&, json::object&& value) const;
    void commit(place const&, object_ptr const& state, time_point now);
    answer<object_ptr> commit(place const&, json::object&& value, time_point now);
    void expire(kind_id, time_point now);

    // object_store_write.cpp
    enum class part { object, status, scale };
    /// `typed` is the body in the type of the kind.
    answer<written> create(kind_id, std::string_view ns, json::object&& body, typed_body const& typed, time_point now,
                           write_options const&, json::array const* managed = nullptr);
    /// Checks the form of a body, and creates the object. `managed`: who manages its fields.
    answer<written> create_checked(kind_id, std::string_view ns, json::object&& body, time_point now,
                                   write_options const&, json::array const* managed = nullptr);
    /// Without `typed` the body is yet to be read, without `was` the stored state.
    answer<written> write(kind_id, std::string_view ns, std::string_view name, json::object&& body, part,
                          time_point now, write_options const&, typed_body typed = nullptr,
                          json::object const* was = nullptr, json::array const* managed = nullptr);
    answer<written> change(kind_id, std::string_view ns, std::string_view name, json::object&& body, part,
                           time_point now, write_options const&, json::object const* was, json::array const* managed);
    answer<std::vector<std::string>> admit(resource_definition const&, json::object& object, stored_object const* old,
                                           json::object const* was);

    // object_store_delete.cpp: namespaces
    answer<void> check_namespace(resource_definition const&, std::string_view ns, std::string_view name) const;
    deletion remove_namespace(place const&, object_ptr state, time_point now);
    void examine_namespace(place const&, object_ptr const& ns, time_point now);

    // object_store_admission.cpp
    void count_in_quotas(place const&, stored_object const* before, stored_object const* after);
    void note_quota(place const&, stored_object const* quota);
    void examine_quota(place const&, object_ptr const& quota);
    answer<void> check_quotas(resource_definition const&, std::string_view ns, json::object const& object,
                              json::object const* old = nullptr) const;
    template <class Each> void each_limit_range(std::string_view ns, Each each) const;
    void set_limit_defaults(resource_definition const&, std::string_view ns, json::object& object) const;
    /// The class of this name, or the default class for an empty name; null if there is none.
    object_ptr priority_class_of(std::string_view name) const;
    /// Sets the priority of a pod from its class.
    answer<void> set_priority(resource_definition const&, json::object& object) const;
    /// Refuses a second default PriorityClass.
    answer<void> check_default_class(resource_definition const&, json::object const& object, bool created) const;
    answer<void> check_limits(resource_definition const&, std::string_view ns, json::object const& object) const;

    // object_store_apply.cpp: patches
    answer<written> patch(kind_id, std::string_view ns, std::string_view name, patch_type, std::string_view text, part,
                          time_point now, write_options const&);

    // object_store_apply.cpp: server-side apply
    /// Records which fields a write changed, if fields of the object are recorded.
    void track(resource_definition const&, json::object const& was, json::object& next, part, time_point now,
               write_options const&) const;
    answer<written> apply(kind_id, std::string_view ns, std::string_view name, std::string_view text, part,
                          time_point now, write_options const&);

    // object_store_delete.cpp: deletion
    answer<deletion> remove(place const&, delete_options const&, time_point now);
    deletion finish(place const&, object_ptr const& state);
    deletion remove_and_release(place const&, object_ptr const& state, time_point now);
    deletion remove_gracefully(place const&, object_ptr const& state, delete_options const&, time_point now);
    void examine(place const&, time_point now);

    // object_store_delete.cpp: dependents
    void orphan_dependents(std::string_view uid);
    void examine_owners(place const&, object_ptr const& dependent, time_point now);
    void examine_foreground(place const&, object_ptr const& owner, time_point now);
    void drop_reference(place const&, object_ptr const& object, std::function<bool(std::string_view uid)> const& drops);
    void unblock_owners(place const&, object_ptr const& object);
    bool owner_exists(stored_object const& dependent, object_facts::owner const&) const;
    /// The object of this uid, if it waits in foreground deletion for its dependents.
    object_ptr waiting_owner(std::string_view uid) const;
    std::set<place> dependents_of(std::string_view uid) const;
    std::set<std::string, std::less<>> waiting_above(object_ptr from) const;
    /// Owners that wait for their dependents are to be examined again when the references to them change.
    void wake_owners(stored_object const& before, stored_object const& after);
    bool still_held(std::string_view owner) const;
};

std::string print_time(time_point);
bool is_namespace(resource_definition const&) noexcept;
bool is_deleting(json::object const& object) noexcept;
bool has_finalizers(json::object const& object) noexcept;
bool holds_finalizer(json::object const& object, std::string_view finalizer) noexcept;
inline constexpr std::string_view foreground_finalizer = "foregroundDeletion";
inline constexpr std::string_view orphan_finalizer = "orphan";
void drop_finalizer(json::object& object, std::string_view finalizer);
/// Marks the object for deletion at that time.
void mark_deleted(json::object& object, time_point when, std::int64_t grace);
/// Whether this is a namespace without which no server is: it cannot be deleted.
bool is_immortal(resource_definition const&, std::string_view name) noexcept;

} // namespace kftrain::apiserver

#endif
