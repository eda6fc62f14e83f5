#ifndef KFTRAIN_JOB_PLAN_WRITER_HPP
#define KFTRAIN_JOB_PLAN_WRITER_HPP

#include <kftrain/job/plan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kftrain::rules {

/** Sorts actions into steps as they come: creations of one type that follow each other go side by side, and so do removals;
    all else goes one after the other. Events in between stay where they are.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class plan_writer {
public:
    plan_writer() = default;

    /// Side by side with the creations of this type that came right before it.
    void create(rules::create c);
    /// Side by side with the removals that came right before it.
    void remove(rules::remove r);
    /// An event.
    void tell(rules::tell e) { told_.emplace_back(std::move(e)); }
    void tell(std::string type, std::string reason, std::string message) {
        tell(rules::tell(std::move(type), std::move(reason), std::move(message)));
    }
    /// After all that came before; what comes next waits for it.
    void add(action a);
    /// The same, as a step of its own: see step::refused.
    void add(action a, write_status refused);

    /// The steps so far. The writer is as new then.
    std::vector<step> take();

private:
    /// The actions of the step of this group, which goes on at their end.
    std::vector<action>& join(void const* group);
    void flush();

    std::vector<step> steps_;
    std::vector<action> told_;    ///< in the last step if that goes on
    void const* group_ = nullptr; ///< what the last step can be joined by; null: by what goes one after the other
    bool closed_ = true;          ///< the last step can be joined by nothing
};

} // namespace kftrain::rules

#endif
