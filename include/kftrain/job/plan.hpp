#ifndef KFTRAIN_JOB_PLAN_HPP
#define KFTRAIN_JOB_PLAN_HPP

#include <kftrain/model/core.hpp>
#include <kftrain/model/job.hpp>

#include <any>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <variant>
#include <vector>

namespace kftrain {

/// An object that a job owns.
using child = std::variant<pod, service>;

/// The metadata of a child, whatever its type.
object_meta const& metadata_of(child const&) noexcept;
/// How the API server names the type of a child.
resource_info const& resource_of(child const&) noexcept;

/** What the rules may be told by whoever runs an operator. Each kind that can be told something has a struct of its own
    in its header, e.g. `pytorch_operator_options`; what is not set has that struct's defaults, which are upstream's. */
class operator_options {
public:
    operator_options() = default;

    template <class T> operator_options& set(T options) {
        values_[typeid(T)] = std::move(options);
        return *this;
    }
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
};

struct create_child {
    create_child() = default;
    explicit create_child(child c) : object(std::move(c)) {}

    child object;
};

struct delete_child {
    delete_child() = default;
    delete_child(resource_info const& t, object_meta const& m) : type(&t), name(m.name), uid(m.uid) {}

    resource_info const* type = nullptr;
    std::string name;
    std::string uid; ///< only an object with this uid is meant
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

/// The job's `.status` is to become this.
struct write_status {
    write_status() = default;
    explicit write_status(raw_json s) : status(std::move(s)) {}

    raw_json status;
};

/// The job itself is to be deleted, because its time to live has passed.
struct delete_job {
    delete_job() = default;
};

using action = std::variant<create_child, delete_child, raise_event, write_status, delete_job>;

/// What an operator has to do for a job now, in this order.
struct plan {
    plan() = default;

    std::vector<action> actions;
    std::optional<time_point> look_again; ///< plan anew at this time even if nothing changes
};

} // namespace kftrain

#endif
