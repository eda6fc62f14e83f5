#include "client.hpp"

#include "api.hpp"
#include "engine.hpp"
#include "limits.hpp"

#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/training_client.hpp>
#include <kftrain/version.hpp>

#include <pybind11/functional.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include <chrono>
#include <optional>

namespace kftrain::python {
namespace {

/// Kind, namespace, name and uid.
using reference = std::tuple<std::string, std::string, std::string, std::string>;

job_reference reference_of(reference const& r) {
    auto const& [kind, ns, name, uid] = r;
    return {*unwrap(find_job_kind(kind)), ns, name, uid};
}

std::vector<rules::job_rules const*> kinds_of(std::vector<std::string> const& names) {
    std::vector<rules::job_rules const*> all;
    for (auto const& name : names) all.push_back(unwrap(find_job_kind(name)));
    return all;
}

/// The stream ends without an error.
template <class Item> auto item_handler(std::shared_ptr<call> const& c) {
    return asio::bind_cancellation_slot(c->signal.slot(), [c](error_code ec, Item item) {
        if (ec == asio::error::eof)
            c->finish({}, [] { return py::object(py::none()); });
        else if (ec)
            c->finish(ec, {});
        else
            c->finish(ec, later(std::move(item)));
    });
}

/// A job_watch or job_log_stream, which is used on the thread of the engine only.
template <class Stream, class Item> class stream {
public:
    template <class Open>
    stream(std::shared_ptr<engine> const& e, Open open) : stream_(e, std::make_unique<std::shared_ptr<Stream>>()) {
        *stream_ = std::make_shared<Stream>();
        e->run([s = *stream_, open = std::move(open)] { *s = open(); });
    }
    stream(stream const&) = delete;
    stream& operator=(stream const&) = delete;
    ~stream() {
        auto const& e = stream_.get_engine();
        if (!e->forked()) e->run([s = *stream_] { *s = Stream(); });
    }

    /// Completes with the next item as JSON, or with None at the end.
    std::shared_ptr<call> next(limit const& timeout) {
        auto wait = options_of<kube::next_options>(timeout);
        return stream_.get_engine()->begin([s = *stream_, wait](std::shared_ptr<call> const& c) mutable {
            s->async_next(wait.with_detail(c->detail), item_handler<Item>(c));
        });
    }

    std::shared_ptr<call> position() {
        return stream_.get_engine()->begin(
            [s = *stream_](std::shared_ptr<call> const& c) { c->finish({}, later(s->position().to_string())); });
    }

private:
    in_engine<std::shared_ptr<Stream>> stream_;
};

using watch_stream = stream<job_watch, job_change>;
using log_stream = stream<job_log_stream, log_line>;

/// A page of jobs: (jobs, token of the next page, unread).
call::make_result later(job_page page) {
    return [page = std::make_shared<job_page>(std::move(page))]() -> py::object {
        py::list jobs;
        for (auto& job : page->items) jobs.append(value_of(std::move(job)));
        py::list unread;
        for (auto const& text : page->unread) unread.append(python_str(text));
        return py::make_tuple(jobs, page->continue_, unread);
    };
}

/// A training_client and the engine that it runs on.
class core_client {
public:
    core_client(std::shared_ptr<engine> const& e, kube::config const& config, std::string const& ns)
        : client_(e, connect(e, config, ns)), known_(e, discover(client_->get_client())) {}
    core_client(core_client const&) = delete;
    core_client& operator=(core_client const&) = delete;
    ~core_client() {
        runner().close(); // the thread no longer uses the client when it is destroyed
    }

    static std::shared_ptr<core_client> open(std::string const& kubeconfig, std::string const& context,
                                             std::string const& ns) {
        auto const where = kube::default_config_options().with_kubeconfig(kubeconfig).with_context(context);
        auto const config = unwrap(kube::default_config(kube::process_environment(), where));
        return std::make_shared<core_client>(std::make_shared<engine>(), config, ns);
    }

    engine& runner() const { return *client_.get_engine(); }
    std::string const& get_namespace() const { return client_->get_namespace(); }
    void close() {
        py::gil_scoped_release const released;
        runner().close();
    }

    std::shared_ptr<call> submit(value& v, limit const& timeout, std::string const& key, bool idempotent,
                                 bool dry_run) {
        auto o = options_of<submit_options>(timeout)
                     .with_idempotency_key(key)
                     .with_idempotent(idempotent)
                     .with_dry_run(dry_run);
        return begin([job = job_of(v), o](auto& jobs, auto const& c) mutable {
            jobs.async_submit(std::move(job), o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> get(reference const& r, limit const& timeout) {
        return begin(
            [job = reference_of(r), o = options_of<kube::call_options>(timeout)](auto& jobs, auto const& c) mutable {
                jobs.async_get(job, o.with_detail(c->detail), handler_of(c));
            });
    }

    std::shared_ptr<call> list(std::vector<std::string> const& kinds, std::string const& ns, bool all_namespaces,
                               std::string const& selector, std::uint32_t size, std::string const& next,
                               limit const& timeout) {
        auto o = options_of<job_list_options>(timeout)
                     .with_namespace(ns)
                     .with_all_namespaces(all_namespaces)
                     .with_label_selector(selector)
                     .with_limit(size)
                     .with_continue(next);
        o.kinds = kinds_of(kinds);
        return begin([o](auto& jobs, auto const& c) mutable {
            jobs.async_list(o.with_detail(c->detail),
                            asio::bind_cancellation_slot(c->signal.slot(), [c](error_code ec, job_page page) {
                                if (ec) return c->finish(ec, {});
                                c->finish(ec, later(std::move(page)));
                            }));
        });
    }

    std::shared_ptr<call> wait(reference const& r, wait_condition const& until, limit const& timeout) {
        auto o = options_of<kube::wait_options>(timeout);
        return begin([job = reference_of(r), until, o](auto& jobs, auto const& c) mutable {
            jobs.async_wait(job, until, o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> scale(reference const& r, std::string const& role, std::int32_t members,
                                limit const& timeout) {
        auto o = options_of<kube::call_options>(timeout);
        return begin([job = reference_of(r), role, members, o](auto& jobs, auto const& c) mutable {
            jobs.async_scale(job, role, members, o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> suspend(reference const& r, bool on, limit const& timeout) {
        auto o = options_of<kube::call_options>(timeout);
        return begin([job = reference_of(r), on, o](auto& jobs, auto const& c) mutable {
            if (on)
                jobs.async_suspend(job, o.with_detail(c->detail), handler_of(c));
            else
                jobs.async_resume(job, o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> update(value& v, bool dry_run, std::string const& manager, limit const& timeout) {
        auto o = options_of<kube::write_options>(timeout).with_dry_run(dry_run).with_field_manager(manager);
        return begin([job = job_of(v), o](auto& jobs, auto const& c) mutable {
            jobs.async_update(std::move(job), o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> patch(reference const& r, std::string const& text, bool is_json_patch, bool dry_run,
                                std::string const& manager, limit const& timeout) {
        auto o = options_of<kube::write_options>(timeout).with_dry_run(dry_run).with_field_manager(manager);
        kube::patch_body const body(is_json_patch ? patch_type::json : patch_type::merge, text);
        return begin([job = reference_of(r), body, o](auto& jobs, auto const& c) mutable {
            jobs.async_patch(job, body, o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> apply(value& v, std::string const& manager, bool force, bool dry_run, limit const& timeout) {
        auto o = options_of<kube::apply_options>(timeout).with_field_manager(manager).with_force(force).with_dry_run(
            dry_run);
        return begin([job = job_of(v), o](auto& jobs, auto const& c) mutable {
            jobs.async_apply(std::move(job), o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> events(reference const& r, bool children, std::size_t most, limit const& timeout) {
        auto o = options_of<job_event_options>(timeout).with_children(children).with_most(most);
        return begin([job = reference_of(r), o](auto& jobs, auto const& c) mutable {
            jobs.async_events(job, o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> explain(reference const& r, std::size_t log_lines, limit const& timeout) {
        auto o = options_of<explain_options>(timeout).with_log_lines(log_lines);
        return begin([job = reference_of(r), o](auto& jobs, auto const& c) mutable {
            jobs.async_explain(job, o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> plan(value& v, limit const& timeout) {
        auto o = options_of<kube::call_options>(timeout);
        return begin([job = job_of(v), o](auto& jobs, auto const& c) mutable {
            jobs.async_plan(std::move(job), o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> preflight(value& v, bool follow, bool change, limit const& timeout) {
        auto o = options_of<preflight_options>(timeout).with_follow(follow).with_change(change);
        return begin([job = job_of(v), o](auto& jobs, auto const& c) mutable {
            jobs.async_preflight(std::move(job), o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> remove(reference const& r, bool wait, bool foreground, limit const& timeout) {
        auto o = options_of<job_delete_options>(timeout).with_wait(wait).with_foreground(foreground);
        return begin([job = reference_of(r), o](auto& jobs, auto const& c) mutable {
            jobs.async_delete(job, o.with_detail(c->detail), handler_of(c));
        });
    }

    std::unique_ptr<watch_stream> watch(std::vector<std::string> const& kinds, std::string const& ns,
                                        bool all_namespaces, std::string const& selector, bool pods,
                                        std::optional<reference> const& job) {
        expect_open();
        auto o = job_watch_options()
                     .with_namespace(ns)
                     .with_all_namespaces(all_namespaces)
                     .with_label_selector(selector)
                     .with_pods(pods);
        o.kinds = kinds_of(kinds);
        if (job) o.with_job(reference_of(*job));
        return std::make_unique<watch_stream>(client_.get_engine(), [jobs = *client_, o] { return jobs.watch(o); });
    }

    std::unique_ptr<log_stream> logs(reference const& r, std::vector<std::string> const& roles,
                                     std::vector<std::int32_t> const& ranks, std::vector<std::string> const& containers,
                                     bool follow, bool previous, bool timestamps, std::optional<std::int64_t> tail,
                                     limit const& since, std::string const& position, limit const& timeout) {
        expect_open();
        job_log_options o;
        if (timeout) o.timeout = milliseconds_of(*timeout);
        o.roles = roles;
        o.ranks = ranks;
        o.containers = containers;
        o.follow = follow;
        o.previous = previous;
        o.timestamps = timestamps;
        o.tail = tail;
        if (since) o.since = std::chrono::ceil<std::chrono::seconds>(std::chrono::duration<double>(*since));
        if (!position.empty()) o.resume_after = unwrap(log_position::parse(position));
        return std::make_unique<log_stream>(
            client_.get_engine(), [jobs = *client_, job = reference_of(r), o] { return jobs.open_logs(job, o); });
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

    void expect_open() const {
        if (runner().forked())
            throw std::runtime_error("a client cannot be used after a fork: create one in each process");
        if (runner().closed()) throw std::runtime_error("the client is closed");
    }

    template <class Start> std::shared_ptr<call> begin(Start start) {
        return runner().begin(
            [jobs = *client_, start = std::move(start)](std::shared_ptr<call> const& c) mutable { start(jobs, c); });
    }

    in_engine<training_client> client_;
    in_engine<kube::discovery> known_;
};

template <class Stream> void bind_stream(py::module_& m, char const* name) {
    py::class_<Stream> bound(m, name);
    bound.def("next", &Stream::next);
    if constexpr (std::is_same_v<Stream, log_stream>) bound.def("position", &Stream::position);
}

} // namespace

void bind_client(py::module_& m) {
    py::class_<wait_condition>(m, "Condition", "A condition that Client.wait() waits for; combine with &, | and ~.")
        .def("__and__", [](wait_condition const& a, wait_condition const& b) { return a && b; })
        .def("__or__", [](wait_condition const& a, wait_condition const& b) { return a || b; })
        .def("__invert__", [](wait_condition const& a) { return !a; })
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

    bind_stream<watch_stream>(m, "WatchStream");
    bind_stream<log_stream>(m, "LogStream");
    py::class_<core_client, std::shared_ptr<core_client>>(m, "CoreClient")
        .def_static("open", &core_client::open)
        .def_property_readonly("namespace", &core_client::get_namespace)
        .def("close", &core_client::close)
        .def("submit", &core_client::submit)
        .def("get", &core_client::get)
        .def("list", &core_client::list)
        .def("wait", &core_client::wait)
        .def("scale", &core_client::scale)
        .def("suspend", &core_client::suspend)
        .def("update", &core_client::update)
        .def("patch", &core_client::patch)
        .def("apply", &core_client::apply)
        .def("events", &core_client::events)
        .def("explain", &core_client::explain)
        .def("plan", &core_client::plan)
        .def("preflight", &core_client::preflight)
        .def("delete", &core_client::remove)
        .def("watch", &core_client::watch)
        .def("logs", &core_client::logs)
        .def("api", &core_client::api);
}

} // namespace kftrain::python
