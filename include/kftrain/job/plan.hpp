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

/// What the rules of a controller are written in: plans, and what they are made of.
namespace kftrain::rules {

/// An object by its name, and by its uid where another of the same name would not do.
struct target {
    target() = default;
    target(resource_info const& t, std::string ns, std::string n, std::string u = {})
        : type(&t), namespace_(std::move(ns)), name(std::move(n)), uid(std::move(u)) {}
    /// Exactly the object that this is the metadata of.
    target(resource_info const& t, object_meta const& m) : target(t, m.namespace_, m.name, m.uid) {}

    resource_info const* type = nullptr;
    std::string namespace_; ///< empty for cluster scope
    std::string name;
    std::string uid; ///< only an object with this uid is meant; empty: whichever bears the name

    friend bool operator==(target const&, target const&) = default;
};

/** How events tell of a write. In the texts `{}` stands for the name of the object, or, upon failure, for what the server
    said. An empty reason: nothing is told. What the views show must outlive the plan; they are literals as a rule. */
struct words {
    constexpr words() = default;
    constexpr words(std::string_view r, std::string_view t, std::string_view fr = {}, std::string_view ft = {})
        : done_reason(r), done_text(t), failed_reason(fr), failed_text(ft) {}

    std::string_view done_reason, done_text;     ///< a Normal event
    std::string_view failed_reason, failed_text; ///< a Warning
};

/// What the usual refusal of a write is: that the object exists already, or, of a deletion, that it is gone.
enum class refusal_is : std::uint8_t { failure, no_error };

/// Which part of an object is written.
enum class subresource : std::uint8_t { none, status };

using propagation = meta::deletion_propagation;

/// How a controller writes the status of its objects.
enum class status_form : std::uint8_t {
    subresource,  ///< PUT to the subresource `status`
    whole_object, ///< PUT of the object, of kinds without that subresource
    merge_patch,  ///< a JSON merge patch to the subresource `status`, unless nothing differs
    none,         ///< it is written by nobody
};

/// The object is to be created, in the namespace that its metadata names, or else in that of the primary object.
struct create {
    create() = default;
    explicit create(any_object o, words w = words()) : object(std::move(o)), told(w) {}

    any_object object;
    words told;
    refusal_is exists = refusal_is::failure; ///< if an object of this name exists
    std::vector<recipe> made;                ///< fill it right before it is sent
};

/// The stored object of this type and name is to become this one. Its resourceVersion says which state is replaced.
struct replace {
    replace() = default;
    explicit replace(any_object o, subresource p = subresource::none) : object(std::move(o)), part(p) {}

    any_object object;
    subresource part = subresource::none;
    words told;
    std::vector<recipe> made;
};

/** Fields of the object are to be as here and to belong to `manager`, by server-side apply; it is created if there is none.
    Servers without server-side apply (415) are asked for the object, which is then merged and replaced: fields that
    an earlier apply set are not taken away there. */
struct apply {
    apply() = default;
    apply(any_object o, std::string m) : object(std::move(o)), manager(std::move(m)) {}

    any_object object;
    std::string manager;
    bool force = true; ///< fields of other managers are taken over
    words told;
};

/// The object is to be changed by a patch.
struct patch {
    patch() = default;
    patch(target t, patch_type k, std::string x, subresource p = subresource::none)
        : of(std::move(t)), type(k), text(std::move(x)), part(p) {}

    target of; ///< its uid is not looked at
    patch_type type = patch_type::merge;
    std::string text;
    subresource part = subresource::none;
    words told;
};

/// The object is to be deleted.
struct remove {
    remove() = default;
    explicit remove(target t, words w = words()) : of(std::move(t)), told(w) {}

    target of;
    std::optional<propagation> how; ///< absent: the server's default
    words told;
    refusal_is gone = refusal_is::no_error; ///< if there is none of this name; nothing is told then
};

/// The object is to have this many replicas, by its subresource `scale`.
struct scale {
    scale() = default;
    scale(target t, std::int32_t n) : of(std::move(t)), replicas(n) {}

    target of; ///< its uid is not looked at
    std::int32_t replicas = 0;
    words told;
};

/// The primary object itself is to become this one: metadata, finalizers, spec.
struct change_self {
    change_self() = default;
    explicit change_self(any_object o) : object(std::move(o)) {}

    any_object object;
    std::vector<recipe> made;
};

/** The status of the primary object is to be that of this one, which otherwise equals it; sent in the controller's form. Behind a
    change_self of the same plan it replaces what that one wrote. */
struct write_status {
    write_status() = default;
    explicit write_status(any_object o) : object(std::move(o)) {}

    any_object object;
    /// Where it tells of a refusal (step::refused): a copy of the object with what the server said. Null: it is written as it is.
    any_object (*filled)(any_object const& object, std::string_view said) = nullptr;
};

/// A status that tells why a write was refused. `put` is a lambda without captures, `void(K&, std::string_view said)`.
template <resource K, class Put> write_status status_of_refusal(K object, Put) {
    static_assert(std::is_empty_v<Put> && std::default_initializable<Put>, "put is a lambda without captures");
    write_status status{any_object(std::move(object))};
    status.filled = [](any_object const& stored, std::string_view said) {
        K next = *stored.get_if<K>();
        Put()(next, said);
        return any_object(std::move(next));
    };
    return status;
}

/// An Event is to tell this.
struct tell {
    tell() = default;
    tell(std::string t, std::string r, std::string m)
        : type(std::move(t)), reason(std::move(r)), message(std::move(m)) {}

    std::string type; ///< Normal or Warning
    std::string reason;
    std::string message;
    std::optional<target> about; ///< absent: the primary object

    friend bool operator==(tell const&, tell const&) = default;
};

using action = std::variant<create, replace, apply, patch, remove, scale, change_self, write_status, tell>;

/** Actions that belong together. They are carried out one after the other, or, side by side, several at a time: one at first,
    and one more with each success, as many as the operator may have under way. Either way they begin in this order, events
    are told in this order, and nothing is begun after a failure. */
struct step {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(step);

    std::vector<action> actions;
    bool side_by_side = false;
    /// Upon failure this is written, unless it is stored like that; not if somebody changed the object meanwhile.
    std::optional<write_status> refused;
};

/// What a controller remembers about one object from plan to plan, in a class of its own. Never changed, so plans may share it.
class memory {
public:
    virtual ~memory() = default;
};

/// What a controller has to do for an object now: one step after the other, until one fails.
struct plan {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(plan);

    std::vector<step> steps;
    std::optional<time_point> look_again; ///< plan anew at this time even if nothing changes
    /// What the next plan for the object is told, if every step succeeds; null: what this one was told.
    std::shared_ptr<memory const> remember;
};

} // namespace kftrain::rules

#endif
