#ifndef KFTRAIN_JOB_CONTROLLER_RULES_HPP
#define KFTRAIN_JOB_CONTROLLER_RULES_HPP

/** @file
    The rules of a controller of any object: what it watches, by which relation a changed object leads to the primary objects
    to look at again, and one pure function from what is observed to a plan. */

#include <kftrain/job/plan.hpp>
#include <kftrain/job/world.hpp>

#include <concepts>
#include <ranges>
#include <type_traits>
#include <variant>

namespace kftrain::rules {

/// Objects whose controller is the primary object.
struct by_controller {};

/// Objects whose controller belongs to the primary object by an earlier row, e.g. pods of a batch Job that it controls.
struct by_controller_of {
    constexpr by_controller_of() = default;
    constexpr explicit by_controller_of(std::string_view r) : relation(r) {}

    std::string_view relation; ///< name of that row, or rows
};

/// Objects whose labels name the primary object.
struct by_labels {
    constexpr by_labels() = default;
    constexpr explicit by_labels(std::string_view n, std::string_view ns = {}) : name_key(n), namespace_key(ns) {}

    std::string_view name_key;
    std::string_view namespace_key; ///< empty: the primary object is in the namespace of the object
};

/// Objects that bear the name of the primary object, or, made by named_by(), those that it names in its spec.
struct by_name_of_primary {
    constexpr by_name_of_primary() = default;

    std::vector<object_name> (*names)(void const* primary) = nullptr;
    model::descriptor const* of = nullptr; ///< the struct that `names` takes
};

/// Those that name the primary object in a field. Made by naming().
struct by_reference {
    constexpr by_reference() = default;

    std::optional<object_name> (*primary)(void const* object) = nullptr;
    model::descriptor const* of = nullptr; ///< the struct that `primary` takes
};

using relation = std::variant<by_controller, by_controller_of, by_labels, by_name_of_primary, by_reference>;

/// `names` is a lambda without captures, `std::vector<object_name>(K const&)`, of the primary object.
template <resource K, class Names> by_name_of_primary named_by(Names) {
    static_assert(std::is_empty_v<Names> && std::default_initializable<Names>, "names is a lambda without captures");
    by_name_of_primary r;
    r.of = &descriptor_of<K>();
    r.names = [](void const* primary) -> std::vector<object_name> { return Names()(*static_cast<K const*>(primary)); };
    return r;
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

/// Where watched objects are.
enum class reach : std::uint8_t {
    same_namespace, ///< that of the primary object
    all_namespaces,
    cluster, ///< of a type of cluster scope
};

/// A row: objects of one type that belong to a primary object by one relation. Rows that follow the same share an informer.
struct watched {
    watched() = default;
    watched(std::string_view n, object_type const& t, relation r, reach w = reach::same_namespace)
        : name(n), type(&t), by(r), where(w) {}

    std::string_view name; ///< how a plan asks the world for it; rows of one name are seen together
    /// Full, or one of which a part is decoded: of Secrets nobody should keep the values (see `observed_secret_type()`).
    object_type const* type = nullptr;
    relation by;
    reach where = reach::same_namespace;
    std::string_view label_selector, field_selector;
    bool changes = false; ///< plans are told of every change, see world::changes(); not with by_controller_of

    watched& with_label_selector(std::string_view s) { return label_selector = s, *this; }
    watched& with_field_selector(std::string_view s) { return field_selector = s, *this; }
    watched& with_changes(bool on = true) { return changes = on, *this; }
};

/** The rules of a controller. Pure: no clock, no I/O. Rules are written as a struct, of which controller_of makes this.
    @par Thread safety Safe: nothing changes after construction. */
class controller_rules {
public:
    virtual ~controller_rules() = default;

    /// The type of the objects that it is about.
    virtual object_type const& primary() const noexcept = 0;
    /// How it calls itself in events.
    virtual std::string_view name() const noexcept = 0;
    virtual status_form status() const noexcept { return status_form::subresource; }
    /// Whether it plans for objects that are being deleted, too, as who sets finalizers has to.
    virtual bool looks_at_deleted() const noexcept { return false; }
    /// The same rows each time; they live as long as this.
    virtual std::span<watched const> watches() const noexcept = 0;
    /// `remembered` is what the last plan of this object that succeeded said, null at first. An exception is a failure: it is
    /// logged, and the plan made again later.
    virtual plan make_plan(void const* object, world const&, std::shared_ptr<memory const> remembered,
                           time_point now) const = 0;
};

/// What a plan is made from.
template <resource K> struct look {
    look(K const& o, rules::world const& w, std::shared_ptr<memory const> m, time_point t)
        : object(o), world(w), remembered(std::move(m)), now(t) {}

    K const& object;
    rules::world const& world;
    std::shared_ptr<memory const> remembered;
    time_point now;
};

/// What is told of the controller by a struct of rules, on top of `Base`: controller_rules, or a class derived from it.
template <class Rules, class Base> class controller_part : public Base {
    using object = typename Rules::object;

public:
    /// `from` is what the struct is made from.
    template <class From> explicit controller_part(std::in_place_t, From&& from) : rules_(std::forward<From>(from)) {}

    object_type const& primary() const noexcept final { return object_type_of<object>; }
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
    std::span<watched const> watches() const noexcept final {
        static_assert(std::ranges::borrowed_range<decltype(rules_.watches())>,
                      "watches() gives a span of, or a reference to, what lives as long as the rules");
        return rules_.watches();
    }
    plan make_plan(void const* job, world const& seen, std::shared_ptr<memory const> remembered,
                   time_point now) const final {
        return rules_.make_plan(look<object>(*static_cast<object const*>(job), seen, std::move(remembered), now));
    }

protected:
    Rules const& own() const noexcept { return rules_; }

private:
    Rules rules_;
};

/** Rules of a struct with: `using object = K;`, `static constexpr std::string_view name`, `watches() const`, a range of `watched`
    that lives as long as the struct, and `make_plan(look<K> const&) const`; if they differ from what controller_rules says,
    `static constexpr status_form status` and `static constexpr bool looks_at_deleted`. */
template <class Rules> class controller_of final : public controller_part<Rules, controller_rules> {
public:
    explicit controller_of(Rules rules = Rules())
        : controller_part<Rules, controller_rules>(std::in_place, std::move(rules)) {}
};

} // namespace kftrain::rules

#endif
