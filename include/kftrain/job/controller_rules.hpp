#ifndef KFTRAIN_JOB_CONTROLLER_RULES_HPP
#define KFTRAIN_JOB_CONTROLLER_RULES_HPP

/** @file The rules of a controller of any object: the objects it watches, the relations that lead from a changed
    object to the primary objects to reconcile, and one pure function from observed state to a plan. */

#include <kftrain/job/plan.hpp>
#include <kftrain/job/world.hpp>

#include <concepts>
#include <span>
#include <type_traits>
#include <variant>

namespace kftrain::rules {

/// Objects whose controller is the primary object.
struct by_controller {};

/// Objects whose controller belongs to the primary object by an earlier row, e.g. pods of a batch Job that the primary
/// object controls.
struct by_controller_of {
    constexpr by_controller_of() = default;
    constexpr explicit by_controller_of(std::string_view r) : relation(r) {}

    std::string_view relation; ///< name of that row or of those rows
};

/// Objects whose labels contain the name of the primary object.
struct by_labels {
    constexpr by_labels() = default;
    constexpr explicit by_labels(std::string_view n, std::string_view ns = {}) : name_key(n), namespace_key(ns) {}

    std::string_view name_key; ///< label whose value is the name of the primary object
    /// Label whose value is its namespace; empty: the primary object is in the same namespace.
    std::string_view namespace_key;
};

/// Objects with the name of the primary object or, if made by named_by(), with a name from its spec.
struct by_name_of_primary {
    constexpr by_name_of_primary() = default;

    std::vector<object_name> (*names)(void const* primary) = nullptr;
    model::descriptor const* of = nullptr; ///< the struct that `names` accepts
};

/// Objects with a field that refers to the primary object. Made by naming().
struct by_reference {
    constexpr by_reference() = default;

    std::optional<object_name> (*primary)(void const* object) = nullptr;
    model::descriptor const* of = nullptr; ///< the struct that `primary` accepts
};

/// Objects in the namespace of the primary object that its selector selects. Made by selected_by().
struct by_selector {
    constexpr by_selector() = default;

    string_map (*selector)(void const* primary) = nullptr; ///< required labels; empty: no object is selected
    model::descriptor const* of = nullptr;                 ///< the struct that `selector` accepts
};

using relation =
    std::variant<by_controller, by_controller_of, by_labels, by_name_of_primary, by_reference, by_selector>;

/// `names` is a lambda without captures, `std::vector<object_name>(K const&)`, of the primary object.
template <resource K, class Names> by_name_of_primary named_by(Names) {
    static_assert(std::is_empty_v<Names> && std::default_initializable<Names>, "names is a lambda without captures");
    by_name_of_primary r;
    r.of = &descriptor_of<K>();
    r.names = [](void const* primary) -> std::vector<object_name> { return Names()(*static_cast<K const*>(primary)); };
    return r;
}

/// The same for a function of the primary object that returns a name in its namespace, or a list of names.
template <resource K, auto Names> by_name_of_primary named_by() {
    return named_by<K>([](K const& object) -> std::vector<object_name> {
        if constexpr (requires { object_name("", Names(object)); })
            return {object_name("", Names(object))};
        else
            return Names(object);
    });
}

/// `primary` is a lambda without captures, `std::optional<object_name>(K const&)`, of the watched object.
template <resource K, class Primary> by_reference naming(Primary) {
    static_assert(std::is_empty_v<Primary> && std::default_initializable<Primary>,
                  "primary is a lambda without captures");
    by_reference r;
    r.of = &descriptor_of<K>();
    r.primary = [](void const* object) -> std::optional<object_name> {
        return Primary()(*static_cast<K const*>(object));
    };
    return r;
}

/// `selector` is a lambda without captures, `string_map(K const&)`, of the primary object.
template <resource K, class Selector> by_selector selected_by(Selector) {
    static_assert(std::is_empty_v<Selector> && std::default_initializable<Selector>,
                  "selector is a lambda without captures");
    by_selector r;
    r.of = &descriptor_of<K>();
    r.selector = [](void const* primary) -> string_map { return Selector()(*static_cast<K const*>(primary)); };
    return r;
}

/// The scope of watched objects.
enum class reach : std::uint8_t {
    same_namespace, ///< the namespace of the primary object
    all_namespaces,
    cluster, ///< for cluster-scoped types
};

/// A row: objects of one type that belong to a primary object by one relation. Rows that follow the same objects share
/// an informer.
struct watched {
    watched() = default;
    watched(std::string_view n, object_type const& t, relation r, reach w = reach::same_namespace)
        : name(n), type(&t), by(r), where(w) {}

    std::string_view name; ///< the name by which a plan reads them from the world; rows of one name are merged
    /// A full or partially decoded type: the values of Secrets should not be kept (see `observed_secret_type()`).
    object_type const* type = nullptr;
    relation by;                                     ///< how an object leads to its primary object
    reach where = reach::same_namespace;             ///< namespaces in which objects are watched
    std::string_view label_selector, field_selector; ///< both limit the watched objects; empty: no limit
    bool changes = false; ///< plans receive every change, see world::changes(); not with by_controller_of

    watched& with_label_selector(std::string_view s) { return label_selector = s, *this; }
    watched& with_field_selector(std::string_view s) { return field_selector = s, *this; }
    watched& with_changes(bool on = true) { return changes = on, *this; }
};

/** The rules of a controller. Pure: no clock, no I/O. Write the rules as a struct and wrap it in controller_of.
    @par Thread safety Safe: nothing changes after construction. */
class controller_rules {
public:
    virtual ~controller_rules() = default;

    /// Returns the type of the primary objects.
    virtual object_type const& primary() const noexcept = 0;
    /// Returns the name of the controller in events.
    virtual std::string_view name() const noexcept = 0;
    virtual status_form status() const noexcept { return status_form::subresource; }
    /// Returns whether the controller also plans for objects that are being deleted, as a controller with finalizers
    /// must.
    virtual bool looks_at_deleted() const noexcept { return false; }
    /// Returns whether make_plan() may return actions for this state of an object. For other states the operator makes
    /// no plan and keeps no memory.
    virtual bool plans_for(void const* /*object*/) const { return true; }
    /// Returns the same rows each time; they live as long as this object.
    virtual std::span<watched const> watches() const noexcept = 0;
    /// `remembered` is the memory of the last successful plan of this object, null at first. Exceptions count as
    /// failures: they are logged, and the plan is retried later.
    virtual plan make_plan(void const* object, world const&, std::shared_ptr<memory const> remembered,
                           time_point now) const = 0;
};

/// The input of a plan.
template <resource K> struct look {
    look(K const& o, rules::world const& w, std::shared_ptr<memory const> m, time_point t)
        : object(o), world(w), remembered(std::move(m)), now(t) {}

    K const& object;                          ///< the primary object
    rules::world const& world;                ///< the observed objects
    std::shared_ptr<memory const> remembered; ///< memory of the last successful plan of the object; null at first
    time_point now;                           ///< current time of the operator
};

/// Implements the controller by a struct of rules, on top of `Base`: controller_rules, or a class derived from it. Does
/// not implement make_plan().
template <class Rules, class Base> class controller_part : public Base {
    using object = typename Rules::object;

public:
    /// `from` is the constructor argument of the struct.
    template <class From> explicit controller_part(std::in_place_t, From&& from) : rules_(std::forward<From>(from)) {}

    object_type const& primary() const noexcept final {
        if constexpr (requires { Rules::primary(); })
            return Rules::primary();
        else
            return object_type_of<object>;
    }
    std::string_view name() const noexcept final { return Rules::name; }
    status_form status() const noexcept final {
        if constexpr (requires { Rules::status; })
            return Rules::status;
        else
            return status_form::subresource;
    }
    bool looks_at_deleted() const noexcept final {
        if constexpr (requires { Rules::looks_at_deleted; })
            return Rules::looks_at_deleted;
        else
            return false;
    }
    bool plans_for(void const* job) const final {
        if constexpr (requires(object const& o) { Rules::plans_for(o); })
            return Rules::plans_for(*static_cast<object const*>(job));
        else
            return true;
    }
    std::span<watched const> watches() const noexcept final {
        using rows = decltype(rules_.watches());
        static_assert(std::is_lvalue_reference_v<rows> || std::is_same_v<rows, std::span<watched const>>,
                      "watches() returns a span of, or a reference to, rows that live as long as the rules");
        return rules_.watches();
    }

protected:
    Rules const& own() const noexcept { return rules_; }

private:
    Rules rules_;
};

/** Rules of a struct with: `using object = K;`, `static constexpr std::string_view name`, `watches() const`, a range
    of `watched` that lives as long as the struct, and `make_plan(look<K> const&) const`. Optional, to override
    controller_rules: `static constexpr status_form status`, `static constexpr bool looks_at_deleted`, `static bool
    plans_for(K const&)`, and `static object_type const& primary()`, a type that decodes a part of K. */
template <class Rules> class controller_of final : public controller_part<Rules, controller_rules> {
public:
    explicit controller_of(Rules rules = Rules())
        : controller_part<Rules, controller_rules>(std::in_place, std::move(rules)) {}

    plan make_plan(void const* primary_object, world const& related, std::shared_ptr<memory const> remembered,
                   time_point now) const override {
        using K = typename Rules::object;
        K const& stored = *static_cast<K const*>(primary_object);
        return this->own().make_plan(look<K>(stored, related, std::move(remembered), now));
    }
};

} // namespace kftrain::rules

#endif
