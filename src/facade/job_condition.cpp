#include <kftrain/facade/job_condition.hpp>

namespace kftrain {

job_condition operator&&(job_condition a, job_condition b) {
    auto what = a.what() + " and " + b.what();
    bool const of_pods = a.of_pods() || b.of_pods();
    return {std::move(what),
            [a = std::move(a), b = std::move(b)](job_state const* state) { return a(state) && b(state); }, of_pods};
}

job_condition operator||(job_condition a, job_condition b) {
    auto what = a.what() + " or " + b.what();
    bool const of_pods = a.of_pods() || b.of_pods();
    return {std::move(what),
            [a = std::move(a), b = std::move(b)](job_state const* state) { return a(state) || b(state); }, of_pods};
}

job_condition operator!(job_condition a) {
    auto what = "not " + a.what();
    bool const of_pods = a.of_pods();
    return {std::move(what), [a = std::move(a)](job_state const* state) { return !a(state); }, of_pods};
}

namespace until {

job_condition finished() {
    return {"finished", [](job_state const* s) { return s != nullptr && is_finished(s->phase); }, false};
}

} // namespace until
} // namespace kftrain
