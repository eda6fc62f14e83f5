#ifndef KFTRAIN_SRC_CONTROL_PLANS_PLAN_ACTIONS_HPP
#define KFTRAIN_SRC_CONTROL_PLANS_PLAN_ACTIONS_HPP

#include "control/plans/plan_executor.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <span>
#include <string>
#include <tuple>

namespace kftrain::control {

/// How one action of a plan went.
struct action_outcome {
    action_outcome() = default;

    failure problem;
    bool outdated = false; ///< see plan_outcome
    std::optional<rules::emit_event> event;
    std::string message; ///< of the server, if the write failed
};

/// Performs single actions of one plan, several at the same time. It must live until they have ended.
class plan_actions {
public:
    plan_actions(kube::client client, plan_subject subject, std::shared_ptr<pending_writes> written)
        : client_(std::move(client)), subject_(std::move(subject)), written_(std::move(written)) {}

    boost::asio::awaitable<action_outcome> perform(rules::action const& a);

private:
    using awaitable_outcome = boost::asio::awaitable<action_outcome>;
    using answered = boost::asio::awaitable<std::tuple<error_code, std::string>>;

    awaitable_outcome perform(rules::create const& action);
    awaitable_outcome perform(rules::replace const& action);
    awaitable_outcome perform(rules::apply const& action);
    awaitable_outcome perform(rules::patch const& action);
    awaitable_outcome perform(rules::remove const& action);
    awaitable_outcome perform(rules::scale const& action);
    awaitable_outcome perform(rules::change_self const& action);
    awaitable_outcome perform(rules::write_status const& action);
    awaitable_outcome perform(rules::emit_event const& action);

    /// A write: its action, its object and the messages of its events.
    struct write {
        write(std::string_view d, resource_info const& t, std::string ns, std::string n)
            : doing(d), type(&t), namespace_(std::move(ns)), name(std::move(n)) {}

        std::string_view doing;
        resource_info const* type;
        std::string namespace_, name;
        rules::event_messages messages;
        string_map const* labels = nullptr; ///< of the object that is sent
        bool reports_conflict = false;      ///< as a failure, by its event
        bool was_read = false;              ///< if the object is gone, it was deleted since then
    };
    write writing(std::string_view doing, any_object const& object) const;
    static write writing(std::string_view doing, rules::target const& of);
    /// Sends it and notes the version written.
    awaitable_outcome send(write w, result<kube::http_request> r);
    /// The object that the server stored for a creation with a lost answer, if it did.
    boost::asio::awaitable<std::optional<std::string>> find_stored(write const& w, object_meta const& sent);
    /// For servers without server-side apply.
    awaitable_outcome merge_and_put(write w, any_object wanted);
    action_outcome ended(write const& w, error_code ec, diagnostics const& why) const;
    answered call(result<kube::http_request> r, diagnostics& why);

    boost::asio::awaitable<result<any_object>> filled(any_object object, std::span<rules::recipe const> recipes);
    boost::asio::awaitable<result<rules::content>> make(rules::recipe const& recipe);
    failure failed(write const& w, error_code ec, diagnostics const& why) const;
    void note(write const& w, std::string_view answer);
    bool is_primary(write const& w) const;
    std::vector<std::string> informers_of(write const& w) const;

    kube::client client_;
    plan_subject const subject_;
    std::shared_ptr<pending_writes> written_;
    bool changed_self_ = false; ///< the plan has older versions of its objects
};

} // namespace kftrain::control

#endif
