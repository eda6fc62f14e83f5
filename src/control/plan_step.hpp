#ifndef KFTRAIN_SRC_CONTROL_PLAN_STEP_HPP
#define KFTRAIN_SRC_CONTROL_PLAN_STEP_HPP

#include "control/plan_executor.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>
#include <tuple>

namespace kftrain::control {

/// How one action of a plan went.
struct step_outcome {
    step_outcome() = default;

    failure problem;
    bool outdated = false;           ///< see plan_outcome
    std::optional<raise_event> told; ///< an event that tells of it
};

/** Carries out single actions of one plan. Several may be under way at the same time; it must live
    until they have ended.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/control/{pod,service}_control.go` (event texts) */
class plan_steps {
public:
    plan_steps(kube::client client, any_job job, std::shared_ptr<pending_writes> written)
        : client_(std::move(client)), job_(std::move(job)), written_(std::move(written)) {}

    boost::asio::awaitable<step_outcome> perform(action const& a);

private:
    using going = boost::asio::awaitable<step_outcome>;

    going perform(create_child const& action);
    going perform(replace_child const& action);
    going perform(delete_child const& action);
    going perform(raise_event const& action);
    going perform(write_status const& action);
    going perform(delete_job const&);
    going refused(step_outcome first, std::optional<write_status> const& otherwise);

    struct verb {
        std::string_view reason, done, doing;
    };
    static std::optional<raise_event> words_for(event_words const& words, error_code ec, verb const& v,
                                                resource_info const& type, std::string const& name,
                                                diagnostics const& why);
    failure failed(std::string_view doing, resource_info const& type, std::string const& name, error_code ec,
                   diagnostics const& why) const;
    void note_version(resource_info const& type, std::string version);
    boost::asio::awaitable<std::tuple<error_code, std::string>> call(result<kube::http_request> r, diagnostics& why);

    kube::client client_;
    any_job const job_;
    std::shared_ptr<pending_writes> written_;
};

} // namespace kftrain::control

#endif
