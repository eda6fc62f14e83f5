#ifndef KFTRAIN_JOB_PLAN_HPP
#define KFTRAIN_JOB_PLAN_HPP

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/recipe.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/model/patch.hpp>
#include <kftrain/objects/core.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// The vocabulary for the rules of a controller: plans and their parts.
namespace kftrain::rules {

/// A reference to an object by name, and by uid if an object of the same name must not be used instead.
struct target {
    target() = default;
    target(resource_info const& t, std::string ns, std::string n, std::string u = {})
        : type(&t), namespace_(std::move(ns)), name(std::move(n)), uid(std::move(u)) {}
    /// Refers to exactly the object with this metadata.
    target(resource_info const& t, object_meta const& m) : target(t, m.namespace_, m.name, m.uid) {}

    resource_info const* type = nullptr; ///< names of the kind on servers; must outlive the target
    std::string namespace_;              ///< empty for cluster scope
    std::string name;                    ///< name of the object
    std::string uid;                     ///< only an object with this uid; empty: any object of this name

    friend bool operator==(target const&, target const&) = default;
};

/** The text of events about a write. In the texts `{}` stands for the name of the object or, upon failure, for the
    message of the server; then `{name}` stands for the name. An empty reason: no event. The views must outlive the
    plan; usually they are literals. */
struct event_messages {
    constexpr event_messages() = default;
    constexpr event_messages(std::string_view r, std::string_view t, std::string_view fr = {}, std::string_view ft = {})
        : done_reason(r), done_text(t), failed_reason(fr), failed_text(ft) {}

    std::string_view done_reason, done_text;     ///< a Normal event
    std::string_view failed_reason, failed_text; ///< a Warning
};

/// Whether the usual refusal of a write is an error: that the object already exists or, for a deletion, that it no
/// longer exists.
enum class on_refusal : std::uint8_t { fail, ignore };

/// The part of an object that is written.
enum class subresource : std::uint8_t { none, status };

using propagation = meta::deletion_propagation;

/// How a controller writes the status of its objects.
enum class status_form : std::uint8_t {
    subresource,  ///< PUT to the subresource `status`
    whole_object, ///< PUT of the object, for kinds without that subresource
    merge_patch,  ///< a JSON merge patch to the subresource `status`, unless nothing differs
    none,         ///< the status is not written
};

/// Create the object, in the namespace of its metadata or, if that is empty, of the primary object.
struct create {
    create() = default;
    explicit create(any_object o, event_messages w = event_messages()) : object(std::move(o)), event(w) {}

    any_object object;                    ///< as it is sent, except for content from `made`
    event_messages event;                 ///< events about success and failure
    on_refusal exists = on_refusal::fail; ///< result if an object of this name exists
    std::vector<recipe> made;             ///< content that is generated right before the object is sent
};

/// Replace the stored object of this type and name. The resourceVersion selects the replaced state.
struct replace {
    replace() = default;
    explicit replace(any_object o, subresource p = subresource::none) : object(std::move(o)), part(p) {}

    any_object object;                    ///< the new state
    subresource part = subresource::none; ///< the written part; none: the object itself
    event_messages event;                 ///< events about success and failure
    std::vector<recipe> made;             ///< content that is generated right before the object is sent
};

/** Set the fields of the object and their owner `manager`, by server-side apply; the object is created if it does
    not exist. On servers without server-side apply (415) the object is read, merged and replaced; there, fields of
    an earlier apply are not removed. */
struct apply {
    apply() = default;
    apply(any_object o, std::string m) : object(std::move(o)), manager(std::move(m)) {}

    any_object object;    ///< contains only the fields to set
    std::string manager;  ///< field manager, e.g. the name of the controller
    bool force = true;    ///< take over fields of other managers
    event_messages event; ///< events about success and failure
};

/// Change the object by a patch.
struct patch {
    patch() = default;
    patch(target t, patch_type k, std::string x, subresource p = subresource::none)
        : of(std::move(t)), type(k), text(std::move(x)), part(p) {}

    target of;                            ///< its uid is ignored
    patch_type type = patch_type::merge;  ///< format of `text`
    std::string text;                     ///< the patch as JSON
    subresource part = subresource::none; ///< the written part; none: the object itself
    event_messages event;                 ///< events about success and failure
};

/// Delete the object.
struct remove {
    remove() = default;
    explicit remove(target t, event_messages w = event_messages()) : of(std::move(t)), event(w) {}

    target of;                            ///< with a uid, only this object is deleted
    std::optional<propagation> how;       ///< absent: the default of the server
    event_messages event;                 ///< events about success and failure
    on_refusal gone = on_refusal::ignore; ///< result if there is none of this name; then no event is emitted
};

/// Set the number of replicas of the object, by its subresource `scale`.
struct scale {
    scale() = default;
    scale(target t, std::int32_t n) : of(std::move(t)), replicas(n) {}

    target of;                 ///< its uid is ignored
    std::int32_t replicas = 0; ///< the new number
    event_messages event;      ///< events about success and failure
};

/// Replace the primary object itself: metadata, finalizers, spec.
struct change_self {
    change_self() = default;
    explicit change_self(any_object o) : object(std::move(o)) {}

    any_object object;        ///< the new state
    std::vector<recipe> made; ///< content that is generated right before the object is sent
};

/** Set the status of the primary object to that of this object, which is otherwise equal; sent in the status form of
    the controller. After a change_self of the same plan it replaces the written object. */
struct write_status {
    write_status() = default;
    explicit write_status(any_object o) : object(std::move(o)) {}

    any_object object; ///< the primary object with the new status
    /// For a refusal (step::refused): returns a copy of the object that includes the message of the server. Null: the
    /// object is written unchanged.
    any_object (*filled)(any_object const& object, std::string_view message) = nullptr;
};

/// A status that contains the reason of a refused write. `put` is a lambda without captures, `void(K&, std::string_view
/// said)`.
template <resource K, class Put> write_status status_of_refusal(K object, Put) {
    static_assert(std::is_empty_v<Put> && std::default_initializable<Put>, "put is a lambda without captures");
    write_status status{any_object(std::move(object))};
    status.filled = [](any_object const& stored, std::string_view message) {
        K next = *stored.get_if<K>();
        Put()(next, message);
        return any_object(std::move(next));
    };
    return status;
}

/// Emit an Event.
struct emit_event {
    emit_event() = default;
    emit_event(std::string t, std::string r, std::string m)
        : type(std::move(t)), reason(std::move(r)), message(std::move(m)) {}

    std::string type;            ///< Normal or Warning
    std::string reason;          ///< one word in CamelCase, e.g. `SuccessfulCreatePod`
    std::string message;         ///< details as text
    std::optional<target> about; ///< object of the event; absent: the primary object

    friend bool operator==(emit_event const&, emit_event const&) = default;
};

using action = std::variant<create, replace, apply, patch, remove, scale, change_self, write_status, emit_event>;

/** Actions that belong together. They run in sequence or concurrently. A concurrent step starts with one action at a
    time, and one more after each success, up to the limit of the operator. Either way they start in this order,
    events are emitted in this order, and no action starts after a failure. */
struct step {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(step);

    std::vector<action> actions; ///< in the order in which they start
    bool side_by_side = false;   ///< whether they run concurrently
    /// Written upon failure unless the same status is already stored; not written if the object was changed in the
    /// meantime.
    std::optional<write_status> refused;
};

/// The memory of a controller about one object from plan to plan, as a derived class. Immutable, so that plans can
/// share it.
class memory {
public:
    virtual ~memory() = default;
};

/// The actions of a controller for an object now: one step after the other, until one fails.
struct plan {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(plan);

    std::vector<step> steps;              ///< in the order in which they run
    std::optional<time_point> requeue_at; ///< plan again at this time even if nothing changes
    /// State passed to the next make_plan() of the object if all steps succeed; null keeps the current state.
    std::shared_ptr<memory const> remember;
};

} // namespace kftrain::rules

#endif
