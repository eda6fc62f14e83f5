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

#include <algorithm>
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

/** Reads a job_watch or a job_log_stream item by item. An item stays here until a result is fetched, so that a call
    that is cancelled or abandoned loses none, and does not disturb the next one.
    @par Thread safety Unsafe: used and destroyed on the thread of the engine. */
template <class Stream, class Item> class item_reader : public std::enable_shared_from_this<item_reader<Stream, Item>> {
public:
    explicit item_reader(std::function<Stream()> open) : open_(std::move(open)) {}
    item_reader(item_reader const&) = delete;
    item_reader& operator=(item_reader const&) = delete;
    ~item_reader() {
        if (waiter_) waiter_->finish(asio::error::operation_aborted, {});
    }

    void open() { stream_ = open_(); }

    void next(std::shared_ptr<call> c, kube::next_options const& options) {
        if (waiter_ && !waiter_->done()) return c->finish(errc::already_running, {});
        waiter_ = std::move(c);
        options_ = options;
        waiter_->signal.slot().assign([weak = this->weak_from_this(), of = std::weak_ptr<call>(waiter_)](auto) {
            if (auto const cancelled = of.lock()) cancelled->finish(asio::error::operation_aborted, {});
            if (auto const self = weak.lock()) self->stop();
        });
        if (serve()) return;
        // A call that was cancelled may still read, with its own time limit.
        if (reading_)
            stop();
        else
            read();
    }

    std::string position() const { return stream_.position().to_string(); }

private:
    struct slot {
        std::optional<Item> take() {
            std::lock_guard const lock(mutex);
            return std::exchange(item, std::nullopt);
        }

        std::mutex mutex;
        std::optional<Item> item;
    };

    /// Completes the call that waits with the item that was not fetched; false if there is none.
    bool serve() {
        {
            std::lock_guard const lock(slot_->mutex);
            if (!slot_->item) return false;
        }
        std::exchange(waiter_, nullptr)->finish({}, [from = slot_]() -> py::object {
            auto item = from->take();
            return item ? later(*std::move(item))() : py::object(py::none());
        });
        return true;
    }

    void stop() {
        stopped_ = true;
        stop_->emit(asio::cancellation_type::total);
    }

    void read() {
        reading_ = true;
        stopped_ = false;
        auto const detail = std::make_shared<diagnostics>();
        // The handler keeps the signal, which has to live longer than the operation.
        auto taken = [weak = this->weak_from_this(), detail, signal = stop_](error_code ec, Item item) {
            if (auto const self = weak.lock()) self->take(ec, std::move(item), std::move(*detail));
        };
        stream_.async_next(options_.with_detail(*detail),
                           asio::bind_cancellation_slot(stop_->slot(), std::move(taken)));
    }

    void take(error_code ec, Item item, diagnostics detail) {
        reading_ = false;
        if (!ec) {
            std::lock_guard const lock(slot_->mutex);
            slot_->item = std::move(item);
        }
        if (!waiter_ || waiter_->done()) return;
        if (!ec) return static_cast<void>(serve());
        if (is_cancelled(ec) && stopped_) return read(); // it was an earlier call that was cancelled
        auto const c = std::exchange(waiter_, nullptr);
        c->detail = std::move(detail);
        if (ec == asio::error::eof) return c->finish({}, [] { return py::object(py::none()); });
        c->finish(ec, {});
    }

    std::function<Stream()> open_;
    Stream stream_;
    kube::next_options options_;
    std::shared_ptr<asio::cancellation_signal> stop_ = std::make_shared<asio::cancellation_signal>();
    std::shared_ptr<slot> slot_ = std::make_shared<slot>();
    std::shared_ptr<call> waiter_;
    bool reading_ = false;
    bool stopped_ = false; ///< what is read, by stop()
};

/// An item_reader as Python uses it.
template <class Stream, class Item> class stream {
public:
    using reader = item_reader<Stream, Item>;

    stream(std::shared_ptr<engine> const& e, std::function<Stream()> open)
        : reader_(e, std::make_shared<reader>(std::move(open))) {
        (void)reader_.begin([](reader& r, std::shared_ptr<call> const& c) {
            r.open();
            c->finish({}, {});
        });
    }

    /// Completes with the next item as JSON, or with None at the end.
    std::shared_ptr<call> next(py::kwargs const& given) {
        return reader_.begin([wait = options_of<kube::next_options>(given)](reader& r, std::shared_ptr<call> const& c) {
            r.next(c, wait);
        });
    }

    std::shared_ptr<call> position() {
        return reader_.begin([](reader& r, std::shared_ptr<call> const& c) { c->finish({}, later(r.position())); });
    }

private:
    remote<reader> reader_;
};

using watch_stream = stream<job_watch, job_change>;
using log_stream = stream<job_log_stream, log_line>;

/// Empty if the file cannot be read.
std::string text_of(std::string const& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
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
    std::string const& get_namespace() const { return client_->get_namespace(); }
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
        expect_open();
        auto o = options_of<job_watch_options>(given);
        if (job) o.with_job(reference_of(*job));
        return std::make_unique<watch_stream>(client_.get_engine(), [jobs = *client_, o] { return jobs.watch(o); });
    }

    std::unique_ptr<log_stream> logs(reference const& r, py::kwargs const& given) {
        expect_open();
        return std::make_unique<log_stream>(
            client_.get_engine(), [jobs = *client_, job = reference_of(r), o = options_of<job_log_options>(given)] {
                return jobs.open_logs(job, o);
            });
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

    in_engine<training_client> client_;
    in_engine<kube::discovery> known_;
};

job_reference taken(reference const& r) { return reference_of(r); }
any_job taken(value& v) { return job_of(v); }
template <class T> T taken(T const& argument) { return argument; }

/// A method of CoreClient that begins an operation, with the options as keywords. `Args` are its other arguments.
template <class Options, class... Args, class Start> auto operation(Start start) {
    return [start](core_client const& c, Args... args, py::kwargs const& given) {
        return c.begin<Options>(given, start, taken(args)...);
    };
}

/// The status reports one of these phases. "Created" holds in every phase once the operator has written a status.
wait_condition reports(std::vector<std::string> const& phases) {
    auto const holds = [phases](job_state const& s) {
        auto const wanted = [&](std::string_view phase) { return std::ranges::find(phases, phase) != phases.end(); };
        bool const reported = s.phase != job_phase::created || !s.reason.empty();
        return reported && (wanted("Created") || wanted(to_string(s.phase)));
    };
    wait_condition c("reports a phase", [holds](job_state const* s) { return s != nullptr && holds(*s); }, false);
    return c.with_final_verdict([holds](job_state const& end) { return std::optional(holds(end)); });
}

template <class Stream> void bind_stream(py::module_& m, char const* name) {
    py::class_<Stream> bound(m, name);
    bound.def("next", &Stream::next);
    if constexpr (std::is_same_v<Stream, log_stream>) bound.def("position", &Stream::position);
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

void bind_client(py::module_& m) {
    using kube::call_options;
    py::class_<wait_condition>(m, "Condition", "A condition that Client.wait() waits for; combine with &, | and ~.")
        .def("__and__", [](wait_condition const& a, wait_condition const& b) { return a && b; })
        .def("__or__", [](wait_condition const& a, wait_condition const& b) { return a || b; })
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
    conditions.def("reports", &reports);

    m.def("find_system_authorities", &kube::find_system_authorities);
    bind_stream<watch_stream>(m, "WatchStream");
    bind_stream<log_stream>(m, "LogStream");
    py::class_<core_client, std::shared_ptr<core_client>>(m, "CoreClient")
        .def_static("open", &core_client::open)
        .def_property_readonly("namespace", &core_client::get_namespace)
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
             operation<call_options, reference const&, std::string const&, std::int32_t>(
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
