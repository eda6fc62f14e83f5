#include "client.hpp"

#include "api.hpp"
#include "engine.hpp"
#include "feed.hpp"
#include "options.hpp"

#include <kftrain/facade/described.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/version.hpp>

#include <pybind11/functional.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <tuple>

namespace kftrain::python {
namespace {

/// Kind, namespace, name and uid.
using reference = std::tuple<std::string, std::string, std::string, std::string>;

job_reference reference_of(reference const& r) {
    auto const& [kind, ns, name, uid] = r;
    return {*unwrap(find_job_kind(kind)), ns, name, uid};
}

/// The result as JSON; an exception for a failure.
template <class Result> py::object python_result(read_item<Result> const& item) {
    if (item.ec) return exception_of(failure(item.ec, item.detail));
    return python_str(item.value.to_json());
}

using watch_stream = python_stream<job_watch, job_change>;
using log_stream = python_stream<job_log_stream, log_line>;

/// Empty if the file cannot be read.
std::string text_of(std::string const& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A training_client and the engine that it runs on.
class core_client {
public:
    core_client(std::shared_ptr<engine> const& e, kube::config const& config, std::string const& ns)
        : server_(config.server), client_(e, connect(e, config, ns)), known_(e, discover(client_->get_client())) {}
    core_client(core_client const&) = delete;
    core_client& operator=(core_client const&) = delete;
    ~core_client() {
        runner().close(); // the thread no longer uses the client when it is destroyed
    }

    static std::shared_ptr<core_client> open(std::string const& kubeconfig, std::string const& context,
                                             std::string const& ns, std::string const& authorities) {
        auto const where = kube::default_config_options().with_kubeconfig(kubeconfig).with_context(context);
        auto config = unwrap(kube::default_config(kube::process_environment(), where));
        if (!authorities.empty() && config.ca_pem.empty() && config.server.starts_with("https://")) {
            config.ca_file = authorities;
            config.ca_pem = text_of(authorities);
        }
        return {new core_client(std::make_shared<engine>(), config, ns), &destroy_without_gil<core_client>};
    }

    engine& runner() const { return *client_.get_engine(); }
    std::shared_ptr<engine> const& get_engine() const { return client_.get_engine(); }
    std::string const& get_namespace() const { return client_->get_namespace(); }
    std::string const& get_server() const noexcept { return server_; }
    void close() {
        py::gil_scoped_release const released;
        runner().close();
    }

    /// Begins an operation: `start(jobs, arguments..., options, handler)` runs on the thread of the engine.
    template <class Options, class Start, class... Args>
    std::shared_ptr<call> begin(py::kwargs const& given, Start start, Args... args) const {
        return runner().begin([jobs = *client_, o = options_of<Options>(given), start,
                               all = std::tuple(std::move(args)...)](std::shared_ptr<call> const& c) mutable {
            o.detail = &c->detail;
            std::apply([&](auto&... each) { start(jobs, std::move(each)..., o, handler_of(c)); }, all);
        });
    }

    std::unique_ptr<watch_stream> watch(std::optional<reference> const& job, py::kwargs const& given) {
        auto o = options_of<job_watch_options>(given);
        if (job) o.with_job(reference_of(*job));
        return stream<watch_stream>([jobs = *client_, o] { return jobs.watch(o); }, &python_result<job_change>);
    }

    std::unique_ptr<log_stream> logs(reference const& r, py::kwargs const& given) {
        auto open = [jobs = *client_, job = reference_of(r), o = options_of<job_log_options>(given)] {
            return jobs.open_logs(job, o);
        };
        return stream<log_stream>(std::move(open), &python_result<log_line>);
    }

    py::object api(std::string const& type) {
        expect_open();
        return make_api(api_source{client_.get_engine(), client_->get_client(), *known_}, type);
    }

private:
    static std::unique_ptr<training_client> connect(std::shared_ptr<engine> const& e, kube::config const& config,
                                                    std::string const& ns) {
        auto link = unwrap(kube::make_https_transport(e->context().get_executor(), config));
        auto const how = kube::client_options().with_user_agent("kftrain-python/" + std::string(version()));
        return std::make_unique<training_client>(kube::client(std::move(link), how),
                                                 ns.empty() ? config.namespace_ : ns);
    }

    static std::unique_ptr<kube::discovery> discover(kube::client const& link) {
        // A program may define a type and use it at once.
        auto const how = kube::discovery_options().with_min_refresh_interval(std::chrono::milliseconds(0));
        return std::make_unique<kube::discovery>(link, how);
    }

    template <class Stream, class Open, class Convert> std::unique_ptr<Stream> stream(Open open, Convert to_python) {
        expect_open();
        auto opens = [open = std::move(open)](auto const&, time_limit, auto const& opened) { opened({}, open()); };
        return std::make_unique<Stream>(client_.get_engine(), std::move(opens), read_mode::on_demand, to_python);
    }

    void expect_open() const { runner().expect_open(); }

    std::string server_;
    in_engine<training_client> client_;
    in_engine<kube::discovery> known_;
};

job_reference taken(reference const& r) { return reference_of(r); }
std::int32_t taken(std::int64_t const& number) { return int32_of(number); }
any_job taken(value& v) { return job_of(v); }
template <class T> T taken(T const& argument) { return argument; }

/// A method of CoreClient that begins an operation, with the options as keywords. `Args` are its other arguments.
template <class Options, class... Args, class Start> auto operation(Start start) {
    return [start](core_client const& c, Args... args, py::kwargs const& given) {
        return c.begin<Options>(given, start, taken(args)...);
    };
}

} // namespace

call::make_result later(job_page page) {
    return [page = std::make_shared<job_page>(std::move(page))]() -> py::object {
        py::list jobs;
        for (auto& job : page->items) jobs.append(value_of(std::move(job)));
        py::list unread;
        for (auto const& text : page->unread) unread.append(python_str(text));
        return py::make_tuple(jobs, page->continue_, unread);
    };
}

call::make_result later(job_timeline timeline) {
    return [t = std::make_shared<job_timeline>(std::move(timeline))]() -> py::object {
        return py::make_tuple(python_str(t->to_json()), python_str(t->to_text()), python_str(t->to_svg()),
                              python_str(t->to_html()));
    };
}

void bind_client(py::module_& m) {
    using kube::call_options;
    py::class_<wait_condition>(m, "Condition", "A condition that Client.wait() waits for; combine with &, | and ~.")
        .def(
            "__and__", [](wait_condition const& a, wait_condition const& b) { return a && b; }, py::is_operator())
        .def(
            "__or__", [](wait_condition const& a, wait_condition const& b) { return a || b; }, py::is_operator())
        .def("__invert__", [](wait_condition const& a) { return !a; })
        .def("__bool__",
             [](wait_condition const&) -> bool {
                 throw py::type_error("combine conditions by | and &, not by `or` and `and`");
             })
        .def("__repr__", [](wait_condition const& c) { return "<Condition: " + c.what() + ">"; });
    auto conditions = m.def_submodule("until");
    conditions.def("finished", &until::finished);
    conditions.def("succeeded", &until::succeeded);
    conditions.def("failed", &until::failed);
    conditions.def("running", &until::running);
    conditions.def("all_ranks_ready", &until::all_ranks_ready);
    conditions.def("ranks_ready", &until::ranks_ready, py::arg("role"), py::arg("members"));
    conditions.def("suspended", &until::suspended);
    conditions.def("deleted", &until::deleted);

    m.def("find_system_authorities", &kube::find_system_authorities);
    watch_stream::bind(m, "WatchStream");
    log_stream::bind(m, "LogStream").def("position", &log_stream::position);
    py::class_<core_client, std::shared_ptr<core_client>>(m, "CoreClient")
        .def_static("open", &core_client::open)
        .def_property_readonly("namespace", &core_client::get_namespace)
        .def_property_readonly("server", &core_client::get_server)
        .def_property_readonly("engine", &core_client::get_engine)
        .def("close", &core_client::close)
        .def("submit", operation<submit_options, value&>([](auto& jobs, any_job job, auto& o, auto handler) {
                 jobs.async_submit(std::move(job), o, std::move(handler));
             }))
        .def("get", operation<call_options, reference const&>([](auto& jobs, job_reference job, auto& o, auto handler) {
                 jobs.async_get(std::move(job), o, std::move(handler));
             }))
        .def("list", operation<job_list_options>(
                         [](auto& jobs, auto& o, auto handler) { jobs.async_list(o, std::move(handler)); }))
        .def("wait", operation<kube::wait_options, reference const&, wait_condition const&>(
                         [](auto& jobs, job_reference job, wait_condition until, auto& o, auto handler) {
                             jobs.async_wait(std::move(job), std::move(until), o, std::move(handler));
                         }))
        .def("scale",
             operation<call_options, reference const&, std::string const&, std::int64_t>(
                 [](auto& jobs, job_reference job, std::string role, std::int32_t members, auto& o, auto handler) {
                     jobs.async_scale(std::move(job), std::move(role), members, o, std::move(handler));
                 }))
        .def("suspend",
             operation<call_options, reference const&>([](auto& jobs, job_reference job, auto& o, auto handler) {
                 jobs.async_suspend(std::move(job), o, std::move(handler));
             }))
        .def("resume",
             operation<call_options, reference const&>([](auto& jobs, job_reference job, auto& o, auto handler) {
                 jobs.async_resume(std::move(job), o, std::move(handler));
             }))
        .def("update", operation<kube::write_options, value&>([](auto& jobs, any_job job, auto& o, auto handler) {
                 jobs.async_update(std::move(job), o, std::move(handler));
             }))
        .def("patch",
             operation<kube::write_options, reference const&, std::string const&, bool>(
                 [](auto& jobs, job_reference job, std::string text, bool is_json_patch, auto& o, auto handler) {
                     kube::patch_body body(is_json_patch ? patch_type::json : patch_type::merge, std::move(text));
                     jobs.async_patch(std::move(job), std::move(body), o, std::move(handler));
                 }))
        .def("apply", operation<kube::apply_options, value&>([](auto& jobs, any_job job, auto& o, auto handler) {
                 jobs.async_apply(std::move(job), o, std::move(handler));
             }))
        .def("events",
             operation<job_event_options, reference const&>([](auto& jobs, job_reference job, auto& o, auto handler) {
                 jobs.async_events(std::move(job), o, std::move(handler));
             }))
        .def("explain",
             operation<explain_options, reference const&>([](auto& jobs, job_reference job, auto& o, auto handler) {
                 jobs.async_explain(std::move(job), o, std::move(handler));
             }))
        .def("timeline",
             operation<timeline_options, reference const&>([](auto& jobs, job_reference job, auto& o, auto handler) {
                 jobs.async_timeline(std::move(job), o, std::move(handler));
             }))
        .def("progress",
             operation<call_options, reference const&>([](auto& jobs, job_reference job, auto& o, auto handler) {
                 jobs.async_progress(std::move(job), o, std::move(handler));
             }))
        .def("plan", operation<call_options, value&>([](auto& jobs, any_job job, auto& o, auto handler) {
                 jobs.async_plan(std::move(job), o, std::move(handler));
             }))
        .def("preflight", operation<preflight_options, value&>([](auto& jobs, any_job job, auto& o, auto handler) {
                 jobs.async_preflight(std::move(job), o, std::move(handler));
             }))
        .def("delete",
             operation<job_delete_options, reference const&>([](auto& jobs, job_reference job, auto& o, auto handler) {
                 jobs.async_delete(std::move(job), o, std::move(handler));
             }))
        .def("watch", &core_client::watch)
        .def("logs", &core_client::logs)
        .def("raw",
             operation<call_options, std::string const&, std::string const&, std::string const&, std::string const&>(
                 [](auto& jobs, std::string method, std::string target, std::string type, std::string body, auto& o,
                    auto handler) {
                     kube::http_request request;
                     request.method = std::move(method);
                     request.target = std::move(target);
                     request.body = std::move(body);
                     if (!type.empty()) request.fields.set("Content-Type", std::move(type));
                     jobs.get_client().async_call(std::move(request), o, std::move(handler));
                 }))
        .def("api", &core_client::api);
}

} // namespace kftrain::python
