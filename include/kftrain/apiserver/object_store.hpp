#ifndef KFTRAIN_APISERVER_OBJECT_STORE_HPP
#define KFTRAIN_APISERVER_OBJECT_STORE_HPP

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/model/change_kind.hpp>
#include <kftrain/model/patch.hpp>
#include <kftrain/model/scalars.hpp>

#include <boost/json/fwd.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

class object_facts;

/// One state of an object: its text, and frequently used parts of it. Immutable.
class stored_object {
public:
    /// `selectable` are the field paths by which objects of its kind can be selected.
    stored_object(boost::json::object const& value, std::uint64_t version,
                  std::shared_ptr<std::vector<std::string> const> selectable = nullptr);
    ~stored_object();
    stored_object(stored_object const&) = delete;
    stored_object& operator=(stored_object const&) = delete;

    /// Returns the value; each call parses the text again.
    boost::json::object parsed() const;
    std::uint64_t version() const noexcept { return version_; }
    std::string_view name() const noexcept;
    std::string_view namespace_() const noexcept;
    std::string_view uid() const noexcept;
    /// Returns the JSON text, starting with apiVersion and kind.
    std::string_view text() const noexcept { return text_; }
    /// For the server itself.
    object_facts const& facts() const noexcept { return *facts_; }
    /// Returns its memory use: an estimate that includes the overhead of the allocator for each piece.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    std::uint64_t version_;
    std::string text_;
    std::unique_ptr<object_facts const> facts_; // into text_
    std::size_t bytes_ = 0;
};

using object_ptr = std::shared_ptr<stored_object const>;

/// Identifies a served kind within its store.
using kind_id = std::size_t;

struct watch_event {
    watch_event() = default;

    change_kind kind = change_kind::added;
    std::uint64_t version = 0;
    object_ptr object;   ///< the new state; for `deleted` the last one, with the version of the deletion
    object_ptr previous; ///< refers to text_
};

/// The query of a list request. Selectors have the syntax of the query parameters.
struct list_query {
    list_query() = default;

    std::string namespace_; ///< empty: all namespaces
    std::string label_selector;
    std::string field_selector;
    std::string continue_;
    std::string resource_version;
    std::string resource_version_match;
    std::size_t limit = 0; ///< 0: no limit
};

struct list_page {
    list_page() = default;

    std::uint64_t version = 0; ///< the same for all pages of one list
    std::vector<object_ptr> items;
    std::string continue_; ///< empty on the last page
    std::optional<std::uint64_t> remaining;
};

/// A successful write.
struct written {
    written() = default;

    object_ptr object;
    std::vector<std::string> warnings;
    bool created = false; ///< by apply(), which creates an object that does not exist
};

/// How a write is carried out.
struct write_options {
    write_options() = default;
    write_options(field_validation v) : validation(v) {}

    field_validation validation = field_validation::warn; ///< for fields that the kind does not have
    /// Faults of the text of the body, e.g. `duplicate field "spec.x"`, which are reported before unknown fields.
    std::vector<std::string> faults;
    bool dry_run = false; ///< returns the result of the write, or its errors, and stores nothing
    /// Name of the client in `metadata.managedFields`; must be set for apply().
    std::string manager;
    bool force = false; ///< apply() takes fields from other managers instead of returning a conflict
};

struct delete_options {
    delete_options() = default;

    std::optional<std::int64_t> grace_period_seconds;
    std::string propagation; ///< Background (also when empty), Foreground or Orphan
    std::optional<std::string> uid;
    std::optional<std::string> resource_version;
    bool dry_run = false; ///< checks the deletion, and deletes nothing
};

struct deletion {
    deletion() = default;

    object_ptr object;
    /// false: deletionTimestamp is set, and the kubelet, a finalizer or a dependent delays the deletion
    bool gone = false;
};

/// A change of the contents of a store, as a journal keeps it.
struct store_change {
    store_change() = default;

    std::string group;
    std::string api_version; ///< e.g. v1; empty for a kind of a CustomResourceDefinition, whose versions share objects
    std::string plural;
    std::string namespace_; ///< empty for objects without a namespace
    std::string name;
    std::uint64_t version = 0; ///< of the object, or of its deletion
    std::string_view text;     ///< the new state as JSON, which others own; empty: the object was deleted
};

struct object_store_options {
    object_store_options() = default;

    std::function<std::string()> make_uid; ///< a new unique text on each call; must be set
    std::size_t watch_log_limit = 4096;    ///< number of events kept per kind; an older watch gets 410 Expired
    /// Memory limit for the kept events of all kinds, in bytes of store_usage::log_bytes. Beyond it the kind with the
    /// most event bytes drops its oldest events.
    std::size_t watch_log_bytes = std::size_t{256} << 20U;
    /// Maximum size of the text of an object in bytes; a longer one is not stored and gives 500, as from a server with
    /// etcd.
    std::size_t object_limit = std::size_t{3} << 19U;
    /// Maximum memory for all objects in bytes of store_usage::object_bytes. Beyond it the server only deletes,
    /// removes finalizers and stores what does not make an object larger: other writes give 500, as from a server whose
    /// etcd is full.
    std::size_t storage_limit = std::size_t{2} << 30U;
    /// Objects of the kinds `events` are deleted this long after their last write, even with finalizers. 0: never.
    std::chrono::seconds event_ttl = std::chrono::hours(1);
    /// The number of objects of each of these kinds to keep: beyond it, those with the oldest writes are deleted. 0:
    /// all.
    std::size_t event_limit = 10'000;
    /// Objects can be created only in existing namespaces, if namespaces are a kind of the store.
    bool check_namespaces = false;
    /// Maximum number of CustomResourceDefinitions, if they are a kind of the store; one more gives 403.
    std::size_t definition_limit = 200;
    /// Receives each change after it was made, except those of restore(). Must not call the store.
    std::function<void(store_change const&)> on_change;
};

/// The memory use of a store, in bytes as in stored_object::bytes().
struct store_usage {
    store_usage() = default;

    std::size_t objects = 0;
    std::size_t object_bytes = 0;
    std::size_t log_events = 0; ///< kept for watches
    std::size_t log_bytes = 0;  ///< both states of each event, even if other events or the stored objects share them
};

/** The state of an API server: objects of any registered kind under the rules that operators rely on.

    Implemented exactly: one rising resourceVersion over the whole store; uid, creationTimestamp and generation
    belong to the server; conflicts on stale updates; status only through its subresource; updates without a change
    write nothing and send no event; graceful deletion of bound pods; finalizers; Background, Foreground and Orphan
    deletion along owner references, also of objects whose owners no longer existed at their creation; lists of one
    consistent version over many pages.

    Enforced where they apply: schemas, the rules of pods and of changes to them, names of service ports, that ended
    containers stay ended, namespaces, and for new objects ResourceQuotas and LimitRanges. A CustomResourceDefinition
    adds the kind that it describes, in all its versions, and removes it with all objects. Not enforced, unlike a real
    server: other rules of built-in kinds, immutable fields of kinds other than Pod. Service addresses are not
    generated, managed fields only from the first apply() of an object on.

    Pure: no I/O, no clock. The caller passes `now`, calls collect_garbage() while has_garbage() returns true, and
    expire() before reads of events; writes of events do the latter, too.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe.
    @par Upstream apiserver `pkg/registry/generic/registry/store.go`, `pkg/registry/rest/{create,update,delete}.go`;
    kubernetes `pkg/controller/garbagecollector`, v1.31 */
class object_store {
public:
    explicit object_store(object_store_options options);
    ~object_store();
    object_store(object_store const&) = delete;
    object_store& operator=(object_store const&) = delete;

    /// Adds a kind, or replaces the definition of a served one.
    kind_id add(resource_definition definition);
    std::size_t kinds() const noexcept;
    resource_definition const& definition(kind_id) const noexcept;
    /// Returns whether requests find the kind. Watches of a kind that was removed end after its last event.
    bool serves(kind_id) const noexcept;
    /// Returns a number that changes when the identifier of a kind that was removed comes to stand for another kind.
    std::uint64_t registration(kind_id) const noexcept;
    std::optional<kind_id> find(std::string_view group, std::string_view version, std::string_view plural) const;

    /// Returns the version of the last write; at least 1.
    std::uint64_t version() const noexcept;
    /// Returns the version of the last write to a kind; 0 if there was none.
    std::uint64_t version(kind_id) const noexcept;
    store_usage usage() const noexcept;

    answer<object_ptr> get(kind_id, std::string_view ns, std::string_view name) const;
    answer<list_page> list(kind_id, list_query const&) const;
    /** Returns up to `limit` events of a kind after version `since`, oldest first.
        @par Errors 410 Expired if events after `since` were trimmed. */
    answer<std::vector<watch_event>> events(kind_id, std::uint64_t since, std::size_t limit) const;

    answer<written> create(kind_id, std::string_view ns, boost::json::object body, time_point now,
                           write_options const& = {});
    answer<written> update(kind_id, std::string_view ns, std::string_view name, boost::json::object body,
                           time_point now, write_options const& = {});
    answer<written> update_status(kind_id, std::string_view ns, std::string_view name, boost::json::object body,
                                  time_point now, write_options const& = {});
    /** Applies a patch to the stored object, and writes the result under the rules of update(). Values that belong
        to the server do not change; a `metadata.resourceVersion` in the patch is a condition.
        @param text The patch, as JSON
        @par Errors 400 for a malformed patch; 413 for more than 10000 operations; 415 for a strategic merge patch of
        a kind without a type; 422 for a JSON patch that does not apply, as when a test fails or copies total more
        than 3 MiB, and for a result that does not fit the type; 409 for a stale version; 404 if there is no such
        object
        @par Upstream apiserver `pkg/endpoints/handlers/patch.go`, v0.31.3 */
    answer<written> patch(kind_id, std::string_view ns, std::string_view name, patch_type, std::string_view text,
                          time_point now, write_options const& = {});
    /// The same for the subresource `status`: takes only the status from the result.
    answer<written> patch_status(kind_id, std::string_view ns, std::string_view name, patch_type, std::string_view text,
                                 time_point now, write_options const& = {});
    /** Applies a configuration: creates the object, or merges the configuration into it and removes the fields that the
        manager applied before and that nobody else manages. Records the fields in `metadata.managedFields`.
        @param text The configuration, as JSON
        @par Errors 409 with a cause for each field that another manager set to another value, unless forced; 400 for a
        configuration with managed fields; those of create() and update()
        @par Upstream structured-merge-diff v4 `merge/update.go`; apimachinery `pkg/util/managedfields`, v0.31.3 */
    answer<written> apply(kind_id, std::string_view ns, std::string_view name, std::string_view text, time_point now,
                          write_options const&);
    /// The same for the subresource `status`.
    answer<written> apply_status(kind_id, std::string_view ns, std::string_view name, std::string_view text,
                                 time_point now, write_options const&);
    /** Returns the subresource `scale` as an object Scale of autoscaling/v1.
        @par Errors 404 for a kind without one; 500 if the object does not contain the number of desired replicas */
    answer<std::string> get_scale(kind_id, std::string_view ns, std::string_view name) const;
    /// The same of a state of an object, which need not be stored.
    answer<std::string> get_scale(kind_id, stored_object const&) const;
    /** Writes `spec.replicas` of a Scale object to its path in the kind, under the rules of update().
        @return The object itself; see get_scale() for the representation
        @par Upstream apiextensions-apiserver `pkg/registry/customresource/etcd.go`, v0.31.3 */
    answer<written> update_scale(kind_id, std::string_view ns, std::string_view name, boost::json::object const& scale,
                                 time_point now, write_options const& = {});
    /// Patches the Scale object, under the rules of update_scale(). Strategic merge patches are rejected.
    answer<written> patch_scale(kind_id, std::string_view ns, std::string_view name, patch_type, std::string_view text,
                                time_point now, write_options const& = {});
    answer<deletion> remove(kind_id, std::string_view ns, std::string_view name, delete_options const&, time_point now);
    /// Assigns a pod to a node, once.
    answer<written> bind_pod(kind_id, std::string_view ns, std::string_view name, std::string_view node, time_point now,
                             write_options const& = {});

    /** Puts objects back as another store had them, with their versions, in place of those of the same name. Objects of
        a kind that is not there are kept until add() adds it. Watches of earlier versions get 410 Expired.
        @param version The version of the last change of that store
        @par Errors 500 for a text that is no object, and for a definition that cannot be served */
    answer<void> restore(std::vector<store_change> const& objects, std::uint64_t version, time_point now);
    /// Calls `take` with each object, definitions first, and with those that wait for their kind.
    void snapshot(std::function<void(store_change const&)> const& take) const;

    /// Returns whether consequences of deletions are still to be carried out.
    bool has_garbage() const noexcept;
    /// Carries out the consequences of earlier deletions: dependents, foreground deletion, contents of namespaces.
    void collect_garbage(time_point now);

    /** Deletes the objects that have expired by `now`; watches receive their deletion.
        @par Upstream kubernetes `pkg/registry/core/event/storage`, v1.31, and the leases of etcd */
    void expire(time_point now);

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace kftrain::apiserver

#endif
