#include <kftrain/apiserver/api_server.hpp>

#include "apiserver/http/watch_body.hpp"
#include "apiserver/json/json_access.hpp"
#include "base/ascii.hpp"
#include "kube/async/waiting_caller.hpp"
#include "model/rules/name_syntax.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/json.hpp>

namespace kftrain::apiserver {
namespace {

class local_transport final : public kube::transport {
public:
    explicit local_transport(std::shared_ptr<server_core> core, std::shared_ptr<user_info const> user = nullptr)
        : core_(std::move(core)), user_(std::move(user)) {}

    asio::any_io_executor get_executor() const noexcept override { return core_->executor(); }

    void async_open(kube::http_request request,
                    kube::any_handler<void(error_code, kube::streamed_response)> handler) override {
        asio::post(core_->executor(), [core = core_, user = user_, request = std::move(request),
                                       done = kube::waiting_caller<kube::streamed_response>(
                                           std::move(handler), core_->completion_executor())]() mutable {
            kube::streamed_response out;
            if (core->closed()) return done.complete_later(core->executor(), core->why_closed(), std::move(out));
            auto answer = core->serve(request, user.get());
            out.head.status = answer.status;
            out.head.fields = std::move(answer.fields);
            if (answer.upgrade) {
                auto [theirs, ours] = make_stream_pair(core->executor(), out.head.fields);
                out.body = std::move(theirs);
                auto session = make_session(core->executor(), std::move(ours), std::move(*answer.upgrade));
                asio::co_spawn(core->executor(), server_core::run_session(core, std::move(session)), asio::detached);
                return done.complete_later(core->executor(), {}, std::move(out));
            }
            if (answer.list) answer.body = answer.list->rest();
            out.body = take_stream(core, answer);
            if (!out.body) out.body = make_text_body(core->executor(), std::move(answer.body));
            done.complete_later(core->executor(), {}, std::move(out));
        });
    }

private:
    std::shared_ptr<server_core> core_;
    std::shared_ptr<user_info const> user_; ///< null: may do everything
};

failure unusable(std::string what) {
    diagnostics d;
    d.message = std::move(what);
    return {errc::invalid_argument, std::move(d)};
}

} // namespace

api_server::api_server(asio::any_io_executor executor, api_server_options options)
    : core_(std::make_shared<server_core>(std::move(executor), std::move(options))) {}

api_server::~api_server() { core_->close(asio::error::connection_refused); }

asio::any_io_executor api_server::get_executor() const noexcept { return core_->executor(); }

result<void> api_server::register_resource(resource_definition d) {
    if (d.version.empty() || d.kind.empty() || d.plural.empty())
        return unusable("expected a version, a kind and a plural; got version \"" + d.version + "\", kind \"" + d.kind +
                        "\", plural \"" + d.plural + "\"");
    if (!dns_1035_label_faults(d.plural).empty() || !dns_1035_label_faults(to_lower(d.kind)).empty() ||
        (!d.group.empty() && !dns_subdomain_faults(d.group).empty()))
        return unusable("kind \"" + d.kind + "\", plural \"" + d.plural + "\", group \"" + d.group +
                        "\": expected names of DNS, the kind in capitals and small letters");
    for (auto const& c : d.columns)
        if (!is_path(c.path))
            return unusable("column \"" + c.name + "\" of " + d.qualified_plural() + ": path \"" + c.path +
                            "\" is not supported");
    core_->store().add(std::move(d));
    return {};
}

result<void> api_server::add_object(any_object const& object) {
    auto const& type = object.resource();
    auto const& meta = object.metadata();
    auto& store = core_->store();
    auto const kind = store.find(type.group, type.version, type.plural);
    std::string const name = std::string(type.kind) + " \"" + meta.name + "\": ";
    if (!kind) return unusable(name + "the server does not serve this kind");
    auto body = boost::json::parse(object.to_json()).as_object();
    auto made = store.create(*kind, meta.namespace_, body, core_->now());
    if (made && store.definition(*kind).has_status && body.contains("status")) {
        body["metadata"].as_object()["resourceVersion"] = std::to_string(made->object->version());
        made = store.update_status(*kind, meta.namespace_, meta.name, std::move(body), core_->now());
    }
    if (!made) return unusable(name + made.error().message);
    if (auto ok = core_->keep(); !ok) return ok;
    if (!core_->watches().empty()) core_->expire(); // which ends them with an error
    return {};
}

result<void> api_server::keep_in(std::string const& directory) { return core_->keep_in(directory); }

void api_server::set_log_source(std::shared_ptr<pod_log_source> source) {
    core_->requests().set_log_source(std::move(source));
}

void api_server::set_exec_source(std::shared_ptr<pod_exec_source> source) {
    core_->requests().set_exec_source(std::move(source));
}

void api_server::close(error_code why) { core_->close(why); }

std::shared_ptr<kube::transport> api_server::transport() { return std::make_shared<local_transport>(core_); }

std::shared_ptr<kube::transport> api_server::transport(user_info user) {
    return std::make_shared<local_transport>(core_, std::make_shared<user_info const>(std::move(user)));
}

std::string api_server::service_account_token(std::string_view ns, std::string_view account, object_meta const& pod) {
    auto const& store = core_->store();
    auto const accounts = store.find("", "v1", "serviceaccounts");
    auto const found = accounts ? store.get(*accounts, ns, account) : answer<object_ptr>(refusal());
    auto const uid = found ? std::string((*found)->uid()) : std::string();
    return core_->requests().tokens().issue(ns, account, uid, {"pod", pod.name, pod.uid}, core_->now());
}

object_store const& api_server::store() const noexcept { return core_->store(); }

} // namespace kftrain::apiserver
