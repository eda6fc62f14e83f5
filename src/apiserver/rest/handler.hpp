#ifndef KFTRAIN_SRC_APISERVER_REST_HANDLER_HPP
#define KFTRAIN_SRC_APISERVER_REST_HANDLER_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/apiserver/pod_exec_source.hpp>
#include <kftrain/apiserver/pod_log_source.hpp>
#include <kftrain/kube/message.hpp>

#include "apiserver/access/account_tokens.hpp"
#include "apiserver/access/authorizer.hpp"
#include "apiserver/rest/list_text.hpp"
#include "apiserver/rest/open_api.hpp"
#include "apiserver/rest/pod_upgrade.hpp"
#include "apiserver/rest/request_target.hpp"
#include "apiserver/rest/watch_feed.hpp"

#include <memory>
#include <optional>

namespace kftrain::apiserver {

/// The answer to a request: a whole response, or a head that a list, a watch or a stream continues.
struct reply : kube::http_response {
    reply() = default;

    std::optional<list_text> list;
    std::optional<watch_request> watch;
    std::unique_ptr<kube::body_stream> stream;
    std::shared_ptr<upgraded_call> upgrade; ///< with status 101: its streams follow
};

reply make_reply(unsigned status, std::string body, std::string content_type = "application/json");
reply make_reply(refusal const&);

/** Request value to response value: routes, media types, query options. Pure but for the sources of logs and commands,
    which open streams and start processes. */
class handler {
public:
    handler(object_store& store, std::size_t body_limit) : store_(store), body_limit_(body_limit), access_(store) {}

    void set_log_source(std::shared_ptr<pod_log_source> source) { logs_ = std::move(source); }
    void set_exec_source(std::shared_ptr<pod_exec_source> source) { commands_ = std::move(source); }
    /// @param user Null: the caller may do everything.
    reply handle(kube::http_request const&, time_point now, user_info const* user = nullptr);
    account_tokens& tokens() noexcept { return tokens_; }

private:
    /// One request on one kind.
    struct call {
        call(kube::http_request const& r, request_target const& t, time_point n, user_info const* u)
            : request(r), target(t), now(n), user(u) {}

        kube::http_request const& request;
        request_target const& target;
        time_point now;
        user_info const* user; ///< null: may do everything
        std::optional<row_object> table;
        kind_id kind = 0;
        std::string ns, name, subresource;
    };

    answer<reply> route(kube::http_request const&, time_point now, user_info const* user);
    answer<reply> serve(call&);

    // handler.cpp: access
    answer<reply> serve_restricted(kube::http_request const&, time_point now, user_info const& user);
    /// The user for whom the request is to be carried out; nothing without impersonation.
    answer<std::optional<user_info>> impersonated(kube::http_request const&, user_info const& user);
    answer<void> authorize(user_info const&, access_request const&);
    answer<reply> issue_token(call const&);
    answer<bound_object> bound_to(call const&, json::object const& reference);

    // handler.cpp: verbs
    /// Tries a write of roles or bindings, and rejects it if it would give permissions that the caller does not have.
    template <class Write> answer<void> check_grants(call const&, write_options, Write const& write);
    answer<reply> serve_collection(call const&);
    answer<reply> serve_object(call const&);
    answer<reply> serve_status(call const&);
    answer<reply> get(call const&);
    answer<reply> list(call const&);
    answer<reply> watch(call const&);
    answer<reply> create(call const&);
    answer<reply> update(call const&);
    answer<reply> patch(call const&);
    answer<reply> apply(call const&);
    answer<reply> remove(call const&);
    answer<reply> remove_collection(call const&);

    // handler_subresources.cpp
    answer<reply> serve_scale(call const&);
    answer<reply> bind(call const&);
    answer<reply> evict(call const&);
    answer<reply> log(call const&);
    answer<reply> run_in(call const&);
    answer<reply> forward_ports(call const&);

    reply show(call const&, unsigned status, object_ptr const&, std::vector<std::string> const& warnings = {});
    resource_definition const& definition(call const& c) const { return store_.definition(c.kind); }

    object_store& store_;
    std::size_t body_limit_;
    std::shared_ptr<pod_log_source> logs_;
    std::shared_ptr<pod_exec_source> commands_;
    open_api_documents open_api_;
    authorizer access_;
    account_tokens tokens_;
};

} // namespace kftrain::apiserver

#endif
