#ifndef KFTRAIN_JOB_PLAN_WRITER_HPP
#define KFTRAIN_JOB_PLAN_WRITER_HPP

#include <kftrain/job/plan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kftrain::rules {

/** Groups actions into steps: consecutive creations of one type run concurrently, and so do deletions; all other
    actions run in sequence. Events keep their place in the order.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class plan_writer {
public:
    plan_writer() = default;

    /// Runs concurrently with the immediately preceding creations of this type.
    void create(rules::create c);
    /// Runs concurrently with the immediately preceding deletions.
    void remove(rules::remove r);
    /// Appends an event.
    void emit(rules::emit_event e) { events_.emplace_back(std::move(e)); }
    void emit(std::string type, std::string reason, std::string message) {
        emit(rules::emit_event(std::move(type), std::move(reason), std::move(message)));
    }
    /// Runs after all previous actions; later actions wait for it.
    void add(action a);
    /// The same as a separate step: see step::refused.
    void add(action a, write_status refused);

    /// Returns the steps so far and resets the writer.
    std::vector<step> take();

private:
    /// Returns the actions of the step of this group, to be appended to.
    std::vector<action>& join(void const* group);
    void flush();

    std::vector<step> steps_;
    std::vector<action> events_;  ///< belong to the last step if it is continued
    void const* group_ = nullptr; ///< group that may join the last step; null: sequential actions
    bool closed_ = true;          ///< nothing may join the last step
};

} // namespace kftrain::rules

#endif
