#ifndef KFTRAIN_JOB_PLAN_HPP
#define KFTRAIN_JOB_PLAN_HPP

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/model/core.hpp>
#include <kftrain/model/job.hpp>

#include <any>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <variant>
#include <vector>

namespace kftrain {

/// An object that a job owns: a pod, a service, whatever its kind needs.
using child = any_object;

/// A type of children that the operator of a kind has to watch.
struct child_type {
    child_type() = default;
    child_type(object_type const& t, std::string_view s) : type(&t), selector(s) {}

    object_type const* type = nullptr;
    std::string_view selector; ///< label selector that all of them satisfy; empty if they bear no labels
};

/** What the rules may be told by whoever runs an operator. Each kind that can be told something has a struct of its own
    in its header, e.g. `pytorch_operator_options`; what is not set has that struct's defaults, which are upstream's. A value:
    copies are independent.
    @par Thread safety Distinct objects: safe. Shared objects: safe as long as none is changed. */
class operator_options {
public:
    operator_options() = default;

    /// Takes the place of what was set of this type.
    template <class T> operator_options& set(T options) {
        values_[typeid(T)] = std::move(options);
        return *this;
    }
    /// A copy of what was set of this type, else its defaults.
    template <class T> T get() const {
        auto const it = values_.find(typeid(T));
        return it == values_.end() ? T() : std::any_cast<T const&>(it->second);
    }

private:
    std::map<std::type_index, std::any> values_;
};

/// What exists in the cluster for a job. Snapshots: shared, never changed.
struct observed {
    observed() = default;

    std::vector<std::shared_ptr<pod const>> pods;         ///< controlled by the job
    std::vector<std::shared_ptr<service const>> services; ///< controlled by the job
    /// Of the other types that the kind watches: what the job controls, and what bears its name.
    std::vector<any_object> others;

    /// Puts an object into the list that it belongs to.
    void add(any_object);
    /// The object of this type and name among `others`, or null.
    template <resource K> K const* find(std::string_view name) const noexcept {
        for (auto const& o : others)
            if (auto const* k = o.get_if<K>(); k != nullptr && k->metadata.name == name) return k;
        return nullptr;
    }
};

/** How events tell of a write. With the words "pod": `SuccessfulCreatePod`, "Created pod: x", or `FailedCreatePod`,
    "Error creating: ...". All members are literals. */
struct event_words {
    constexpr event_words() = default;
    constexpr explicit event_words(std::string_view n, std::string_view e = {}) : noun(n), error_prefix(e) {}

    std::string_view noun;         ///< of the object; empty: no event is raised
    std::string_view error_prefix; ///< before the server's message
};

/// The job's `.status` is to become this.
struct write_status {
    write_status() = default;
    explicit write_status(raw_json s) : status(std::move(s)) {}

    raw_json status;
};

/// The object is to be created.
struct create_child {
    create_child() = default;
    explicit create_child(child c, event_words w = event_words()) : object(std::move(c)), words(w) {}

    child object;
    event_words words;
    std::optional<write_status> otherwise; ///< if it is refused: written instead of all that follows
};

/// The stored object of this type and name is to become this one. Its resourceVersion says which state is replaced.
struct replace_child {
    replace_child() = default;
    explicit replace_child(child c) : object(std::move(c)) {}

    child object;
    std::optional<write_status> otherwise; ///< if it is refused: written instead of all that follows
};

/// The object of this type, name and uid is to be deleted.
struct delete_child {
    delete_child() = default;
    delete_child(resource_info const& t, object_meta const& m, event_words w = event_words())
        : type(&t), name(m.name), uid(m.uid), words(w) {}

    resource_info const* type = nullptr;
    std::string name;
    std::string uid; ///< only an object with this uid is meant
    event_words words;
};

/// An Event about the job.
struct raise_event {
    raise_event() = default;
    raise_event(std::string t, std::string r, std::string m)
        : type(std::move(t)), reason(std::move(r)), message(std::move(m)) {}

    std::string type; ///< Normal or Warning
    std::string reason;
    std::string message;

    friend bool operator==(raise_event const&, raise_event const&) = default;
};

/// The job itself is to be deleted, because its time to live has passed.
struct delete_job {
    delete_job() = default;
};

using action = std::variant<create_child, replace_child, delete_child, raise_event, write_status, delete_job>;

/// What an operator has to do for a job now, in this order.
struct plan {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(plan);

    std::vector<action> actions;
    std::optional<time_point> look_again; ///< plan anew at this time even if nothing changes
};

} // namespace kftrain

#endif
