#include "apiserver/rest/handler.hpp"

#include "apiserver/checks/object_patch.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "apiserver/rest/handler_options.hpp"
#include "base/joined.hpp"

#include <algorithm>
#include <limits>

namespace kftrain::apiserver {
namespace {

/// The container whose log is meant.
answer<std::string> pick_container(json::object const& pod, std::string_view wanted) {
    std::vector<std::string> all, main;
    if (auto const* spec = object_in(pod, "spec"))
        for (auto const* list : {"initContainers", "containers"})
            if (auto const* containers = array_in(*spec, list))
                for (auto const& c : *containers)
                    if (c.is_object()) {
                        all.emplace_back(text_in(c.get_object(), "name"));
                        if (std::string_view(list) == "containers") main.push_back(all.back());
                    }
    std::string const pod_name(text_in(metadata_of(pod), "name"));
    if (!wanted.empty()) {
        for (auto const& name : all)
            if (name == wanted) return name;
        return bad_request("container " + std::string(wanted) + " is not valid for pod " + pod_name);
    }
    if (main.size() == 1) return main.front();
    return bad_request("a container name must be specified for pod " + pod_name + ", choose one of: [" +
                       joined(main, " ") + "]");
}

/// The status of a container, or null.
json::object const* container_status(json::object const& pod, std::string_view container) {
    auto const* status = object_in(pod, "status");
    for (auto const* list : {"initContainerStatuses", "containerStatuses"}) {
        auto const* entries = status != nullptr ? array_in(*status, list) : nullptr;
        if (entries == nullptr) continue;
        for (auto const& e : *entries)
            if (e.is_object() && text_in(e.get_object(), "name") == container) return &e.get_object();
    }
    return nullptr;
}

/// Why a pod that ended before its containers has no log of this one; empty for any other.
std::string never_begun(json::object const& pod, log_request const& r) {
    auto const* status = object_in(pod, "status");
    if (status == nullptr || text_in(*status, "phase") != "Failed" || container_status(pod, r.container) != nullptr)
        return {};
    auto why = "container " + in_quotes(r.container) + " in pod " + in_quotes(r.pod) + " is not available";
    for (auto const* member : {"reason", "message"})
        if (auto const text = text_in(*status, member); !text.empty()) why.append(": ").append(text);
    return why;
}

/// Finds which run of the container is meant; a refusal when there is no log to read.
std::optional<refusal> choose_run(log_request& r, json::object const* status) {
    auto const name = "container " + in_quotes(r.container) + " in pod " + in_quotes(r.pod);
    auto const* waiting = status != nullptr ? at_path(*status, "state.waiting") : nullptr;
    auto const* before = status != nullptr ? at_path(*status, "lastState.terminated") : nullptr;
    if (r.previous && (before == nullptr || !before->is_object()))
        return bad_request("previous terminated " + name + " not found");
    if (status == nullptr) return {};
    bool const waits = waiting != nullptr && waiting->is_object();
    if (waits && before == nullptr) {
        auto const why = text_in(waiting->get_object(), "reason");
        return bad_request(name + " is waiting to start: " + (why.empty() ? "ContainerCreating" : std::string(why)));
    }
    auto const restarts = integer_in(*status, "restartCount").value_or(0);
    // While it waits, the run that ended last is the present one, too.
    auto const run = restarts - (r.previous && !waits ? 1 : 0);
    if (run >= 0 && run <= std::numeric_limits<std::int32_t>::max()) r.run = static_cast<std::int32_t>(run);
    return {};
}

reply created_status() {
    return make_reply(201, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})");
}

/// A request to a pod, such as for a port.
template <class Request> Request request_to(stored_object const& pod) {
    Request r;
    r.namespace_ = pod.namespace_();
    r.pod = pod.name();
    r.pod_uid = pod.uid();
    return r;
}

/// A request to a container for its log or a command, and the pod.
template <class Request> struct container_request {
    json::object pod;
    Request request;
};

/// @param wanted The name of the container; may be empty if the pod has only one
template <class Request>
answer<container_request<Request>> request_to_container(answer<object_ptr> const& pod, std::string_view wanted) {
    if (!pod) return pod.error();
    container_request<Request> out{(*pod)->parsed(), request_to<Request>(**pod)};
    auto container = pick_container(out.pod, wanted);
    if (!container) return container.error();
    out.request.container = *std::move(container);
    return out;
}

std::optional<refusal> without_node(json::object const& pod) {
    auto const* node = at_path(pod, "spec.nodeName");
    if (node != nullptr && node->is_string()) return std::nullopt;
    return bad_request("pod " + std::string(text_in(metadata_of(pod), "name")) + " does not have a host assigned");
}

reply switched(accepted_upgrade accepted) {
    reply out;
    out.status = 101;
    out.fields = std::move(accepted.fields);
    out.upgrade = std::make_shared<upgraded_call>();
    out.upgrade->protocol = accepted.protocol;
    return out;
}

} // namespace

answer<reply> handler::log(call const& c) {
    if (c.request.method != "GET") return method_not_allowed();
    auto called = request_to_container<log_request>(store_.get(c.kind, c.ns, c.name), c.target.get("container"));
    if (!called) return called.error();
    auto& [object, r] = *called;
    r.previous = c.target.flag("previous");
    r.follow = c.target.flag("follow");
    r.timestamps = c.target.flag("timestamps");
    struct {
        char const* name;
        std::optional<std::int64_t>& to;
        std::int64_t least;
    } const numbers[] = {
        {"tailLines", r.tail_lines, 0}, {"limitBytes", r.limit_bytes, 1}, {"sinceSeconds", r.since_seconds, 1}};
    for (auto const& n : numbers) {
        auto const value = c.target.number(n.name);
        if (!value) return value.error();
        if (*value && **value < n.least)
            return bad_request(std::string(n.name) + ": must be at least " + std::to_string(n.least));
        n.to = *value;
    }
    if (auto const since = c.target.get("sinceTime"); !since.empty()) {
        time_point t{};
        if (!parse_scalar(since, t)) return bad_request("sinceTime: " + invalid_value(since, "expected RFC 3339"));
        if (r.since_seconds) return bad_request("at most one of `sinceTime` or `sinceSeconds` may be specified");
        r.since_time = std::string(since);
    }
    if (auto const stream = c.target.get("stream"); !stream.empty() && stream != "All")
        return bad_request("stream: only All is supported by this server");
    auto out = make_reply(200, "", "text/plain");
    auto const* node = at_path(object, "spec.nodeName");
    if (node == nullptr || !node->is_string()) return out; // not on a node yet: an empty log, as upstream
    if (auto refused = choose_run(r, container_status(object, r.container))) return *refused;
    if (!logs_) return refusal(503, reason::service_unavailable, "this server has no kubelet that serves logs");
    auto opened = logs_->open_log(r);
    if (auto why = opened ? std::string() : never_begun(object, r); !why.empty()) return bad_request(std::move(why));
    if (!opened) return opened.error();
    out.stream = std::move(*opened);
    return out;
}

answer<reply> handler::run_in(call const& c) {
    bool const attaches = c.subresource == "attach";
    if (c.request.method != "GET" && c.request.method != "POST") return method_not_allowed();
    auto called = request_to_container<exec_request>(store_.get(c.kind, c.ns, c.name), c.target.get("container"));
    if (!called) return called.error();
    auto& [object, r] = *called;
    if (auto none = without_node(object)) return *none;
    r.input = c.target.flag("stdin");
    r.output = c.target.flag("stdout");
    r.tty = c.target.flag("tty");
    r.error_output = c.target.flag("stderr") && !r.tty;
    if (!attaches) r.command = c.target.get_all("command");
    if (!attaches && (r.command.empty() || r.command.front().empty()))
        return bad_request("you must specify at least one command");
    auto const has_nul = [](std::string const& text) { return text.find('\0') != text.npos; };
    if (auto const cut = std::ranges::find_if(r.command, has_nul); cut != r.command.end())
        return bad_request("command: expected a text without NUL bytes, got " + in_quotes(*cut));
    if (!r.input && !r.output && !r.error_output)
        return bad_request("you must specify at least 1 of stdin, stdout, stderr");
    auto accepted = accept_for_command(c.request);
    if (!accepted) return accepted.error();
    if (!commands_) return refusal(503, reason::service_unavailable, "this server has no kubelet that runs commands");
    auto started = attaches ? commands_->start_attach(r) : commands_->start_exec(r);
    if (!started) return started.error();
    auto out = switched(*std::move(accepted));
    out.upgrade->process = std::move(*started);
    out.upgrade->streams = std::move(r);
    return out;
}

answer<reply> handler::forward_ports(call const& c) {
    if (c.request.method != "GET" && c.request.method != "POST") return method_not_allowed();
    auto const found = store_.get(c.kind, c.ns, c.name);
    if (!found) return found.error();
    auto const& pod = **found;
    if (auto none = without_node(pod.parsed())) return *none;
    auto ports = read_ports(c.target);
    if (!ports) return ports.error();
    auto accepted = accept_for_ports(c.request);
    if (!accepted) return accepted.error();
    if (accepted->protocol == upgrade_protocol::channels && ports->empty())
        return bad_request("query parameter \"ports\" is required");
    if (!commands_) return refusal(503, reason::service_unavailable, "this server has no kubelet that forwards ports");
    auto const target = request_to<port_request>(pod);
    auto out = switched(*std::move(accepted));
    out.upgrade->pod = target.pod;
    out.upgrade->pod_uid = target.pod_uid;
    out.upgrade->ports = *std::move(ports);
    out.upgrade->open_port = [source = commands_, target](std::uint16_t port) {
        auto r = target;
        r.port = port;
        return source->open_port(r);
    };
    return out;
}

answer<reply> handler::bind(call const& c) {
    if (c.request.method != "POST") return method_not_allowed();
    auto const body = parse_object(c.request.body);
    if (!body) return body.error();
    if (text_in(metadata_of(*body), "name") != c.name)
        return bad_request("name in URL does not match name in Binding object");
    auto const* target = object_in(*body, "target");
    auto const of_target = [&](std::string_view name) { return target != nullptr ? text_in(*target, name) : ""; };
    // Upstream makes no status of these faults, so that they are the server's.
    std::string faults;
    if (auto const kind = of_target("kind"); !kind.empty() && kind != "Node")
        faults = "target.kind: Unsupported value: " + in_quotes(kind) + ": supported values: \"Node\", \"<empty>\"";
    auto const node = of_target("name");
    if (node.empty())
        faults = faults.empty() ? "target.name: Required value" : "[" + faults + ", target.name: Required value]";
    if (!faults.empty()) return refusal(500, reason::unknown, std::move(faults));
    auto const done = store_.bind_pod(c.kind, c.ns, c.name, node, c.now, write_options_of(c.request, c.target));
    if (!done) return done.error();
    return created_status();
}

/// No budget protects a pod here, so that each eviction is a deletion.
answer<reply> handler::evict(call const& c) {
    if (c.request.method != "POST") return method_not_allowed();
    if (auto ok = check_body_type(c.request, "application/json"); !ok) return ok.error();
    auto const body = parse_object(c.request.body);
    if (!body) return body.error();
    if (auto const kind = text_in(*body, "kind"); kind != "Eviction")
        return bad_request("kind: expected Eviction, got " + in_quotes(kind));
    if (auto const name = text_in(metadata_of(*body), "name"); !name.empty() && name != c.name)
        return bad_request("name in URL does not match name in Eviction object");
    kube::http_request deletion;
    if (auto const* options = object_in(*body, "deleteOptions")) deletion.body = json::serialize(*options);
    auto options = read_remove_options(deletion, c.target);
    if (!options) return options.error();
    options->dry_run = options->dry_run || c.target.get("dryRun") == "All";
    auto const done = store_.remove(c.kind, c.ns, c.name, *options, c.now);
    if (!done) return done.error();
    return created_status();
}

answer<reply> handler::serve_scale(call const& c) {
    auto const& method = c.request.method;
    std::optional<answer<written>> done;
    if (method == "PUT") {
        if (auto ok = check_body_type(c.request, "application/json"); !ok) return ok.error();
        auto const body = parse_object(c.request.body);
        if (!body) return body.error();
        done = store_.update_scale(c.kind, c.ns, c.name, *body, c.now, write_options_of(c.request, c.target));
    } else if (method == "PATCH") {
        auto const media = media_type(c.request.fields.get("Content-Type"));
        auto const type = patch_type_of(media);
        if (!type) return unsupported_media_type(patch_types_of_any());
        done = store_.patch_scale(c.kind, c.ns, c.name, *type, c.request.body, c.now,
                                  write_options_of(c.request, c.target));
    } else if (method != "GET") {
        return method_not_allowed();
    }
    if (done && !*done) return done->error();
    auto text = done ? store_.get_scale(c.kind, *(*done)->object) : store_.get_scale(c.kind, c.ns, c.name);
    if (!text) return text.error();
    return make_reply(200, std::move(*text));
}

} // namespace kftrain::apiserver
