#include "api.hpp"

#include "feed.hpp"
#include "informer.hpp"
#include "objects.hpp"
#include "options.hpp"

#include <kftrain/kube/described.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/logs.hpp>
#include <kftrain/kube/subresources.hpp>
#include <kftrain/kube/watch.hpp>

#include <pybind11/stl.h>

#include <optional>
#include <tuple>

namespace kftrain::python {
namespace {

patch_type patch_type_of(std::string const& name) {
    if (name == "merge") return patch_type::merge;
    if (name == "json") return patch_type::json;
    if (name == "strategic") return patch_type::strategic;
    throw py::value_error("patch type: expected merge, json or strategic, got " + name);
}

/// Fails the call if the object cannot be read.
std::optional<any_object> readable(written_object const& from, kube::any_api const& api,
                                   std::shared_ptr<call> const& c) {
    auto object = object_of(from, api.type());
    if (object) return std::move(*object);
    c->detail = object.error().detail;
    c->finish(object.error().code, {});
    return std::nullopt;
}

auto list_handler(std::shared_ptr<call> const& c) {
    return handler_with<kube::any_list>(c, [](kube::any_list all) { return py::cast(object_items(std::move(all))); });
}

/// Reads all pages; only one at a time is there decoded.
void list_all(kube::any_api const& api, kube::page_options const& options, std::shared_ptr<call> const& c) {
    auto const all = std::make_shared<object_items>();
    auto const take = [all](kube::list_page<kube::any_list> const& page) {
        if (page.restarted) all->clear();
        all->append(page.list.items);
        return true;
    };
    kube::async_list_pages(api, take, options, handler_with<std::string>(c, [all](std::string version) {
                               all->set_version(std::move(version));
                               return py::cast(std::move(*all));
                           }));
}

auto scale_handler(std::shared_ptr<call> const& c) {
    return handler_with<autoscaling::scale>(c,
                                            [](autoscaling::scale s) { return own_object(any_object(std::move(s))); });
}

/// (`added` ..., object, version); no object for a bookmark; an exception for an object that cannot be read.
py::object python_change(read_item<kube::any_change> const& item) {
    if (item.ec) return exception_of(failure(item.ec, item.detail));
    auto const& change = item.value;
    auto const version = python_str(change.resource_version);
    if (!change.kind) return py::make_tuple(py::none(), py::none(), version);
    return py::make_tuple(python_str(to_string(*change.kind)), change.object, version);
}

py::object python_line(read_item<std::string> const& item) { return python_str(item.value); }

using watch_stream = python_stream<kube::any_watch_stream, kube::any_change>;
using line_stream = python_stream<kube::log_stream, std::string>;

/// Returns the time limit of the whole operation.
template <class Options> auto& limit_of(Options& o) {
    if constexpr (requires { o.total_timeout; })
        return o.total_timeout;
    else
        return o.timeout;
}

/// The operations on objects of one type. Namespaces are empty for all namespaces.
class core_api {
public:
    core_api(api_source from, std::string type)
        : from_(std::move(from)), type_(std::make_shared<named_type>(from_.link, from_.known, std::move(type))) {}

    /// Begins an operation: `start(api, arguments..., options, call)` runs on the thread of the engine.
    template <class Options, class Start, class... Args>
    std::shared_ptr<call> begin(std::string const& ns, py::kwargs const& given, Start start, Args... args) const {
        return from_.where->begin([ns, start, type = type_, o = options_of<Options>(given),
                                   all = std::tuple(std::move(args)...)](std::shared_ptr<call> const& c) {
            type->resolve(ns, limit_of(o), c, [=](kube::any_api const& api, time_limit left) {
                auto how = o;
                limit_of(how) = left;
                how.with_detail(c->detail);
                std::apply([&](auto const&... each) { start(api, each..., how, c); }, all);
            });
        });
    }

    std::unique_ptr<watch_stream> watch(std::string const& ns, py::kwargs const& given) const {
        auto open = [ns, type = type_, o = options_of<kube::watch_options>(given)](std::shared_ptr<call> const& c,
                                                                                   time_limit limit, auto opened) {
            type->resolve(ns, limit, c, [=](kube::any_api const& api, time_limit left) {
                auto how = o;
                how.with_detail(c->detail);
                if (left.count() != 0) how.with_timeout(left);
                kube::async_watch(api, how, asio::bind_cancellation_slot(c->signal.slot(), opened));
            });
        };
        return std::make_unique<watch_stream>(from_.where, std::move(open), read_mode::ahead, &python_change);
    }

    std::unique_ptr<line_stream> logs(std::string const& ns, std::string const& pod, py::kwargs const& given) const {
        auto open = [ns, pod, link = from_.link, o = options_of<kube::log_options>(given)](
                        std::shared_ptr<call> const& c, time_limit limit, auto opened) {
            auto how = o;
            how.with_detail(c->detail);
            if (limit.count() != 0) how.with_timeout(limit);
            kube::async_logs(link, ns, pod, how, asio::bind_cancellation_slot(c->signal.slot(), opened));
        };
        return std::make_unique<line_stream>(from_.where, std::move(open), read_mode::ahead, &python_line);
    }

    py::object informer(std::string const& ns, py::kwargs const& given) const {
        return make_informer(from_.where, type_, ns, options_of<kube::informer_options>(given));
    }

    py::object command(std::string const& ns, std::string const& pod,
                       std::optional<std::vector<std::string>> const& words, py::kwargs const& given) const {
        return make_command(from_, ns, pod, words, given);
    }
    py::object forwarder(std::string const& ns, std::string const& pod) const { return make_forwarder(from_, ns, pod); }
    std::shared_ptr<call> evict(std::string const& ns, std::string const& pod, py::kwargs const& given) const {
        auto const o = options_of<kube::delete_options>(given);
        return from_.where->begin([ns, pod, link = from_.link, o](std::shared_ptr<call> const& c) {
            kube::async_evict(link, ns, pod, kube::delete_options(o).with_detail(c->detail), handler_of(c));
        });
    }

    /// Completes after the time limit.
    std::shared_ptr<call> sleep(py::kwargs const& given) const {
        auto const o = options_of<kube::next_options>(given);
        return from_.where->begin([o, &context = from_.where->context()](std::shared_ptr<call> const& c) {
            auto const timer = std::make_shared<asio::steady_timer>(context, o.timeout);
            timer->async_wait(asio::bind_cancellation_slot(
                c->signal.slot(), [c, timer](error_code ec) { c->finish(ec, [] { return py::object(py::none()); }); }));
        });
    }

private:
    api_source from_;
    std::shared_ptr<named_type> type_;
};

written_object taken(py::handle object) { return written_object_of(object); }
std::int32_t taken(std::int64_t const& number) { return int32_of(number); }
template <class T> T taken(T const& argument) { return argument; }

/// A method of CoreApi that begins an operation, with the options as keywords. `Args` are its other arguments.
template <class Options, class... Args, class Start> auto operation(Start start) {
    return [start](core_api const& a, std::string const& ns, Args... args, py::kwargs const& given) {
        return a.begin<Options>(ns, given, start, taken(args)...);
    };
}

} // namespace

py::object make_api(api_source from, std::string type) {
    return py::cast(std::make_shared<core_api>(std::move(from), std::move(type)));
}

void bind_api(py::module_& m) {
    m.def(
        "object_type",
        [](std::string const& name) -> std::optional<described_type> {
            auto const* const type = find_known_type(name);
            return type != nullptr ? std::optional(described_type(*type->model)) : std::nullopt;
        },
        "The type of objects with a name such as `pods`; None if the library models none or more than one.");
    watch_stream::bind(m, "ObjectStream");
    line_stream::bind(m, "LineStream");
    py::class_<core_api, std::shared_ptr<core_api>>(m, "CoreApi")
        .def("get", operation<kube::call_options, std::string const&>(
                        [](auto& api, std::string const& name, auto& o, auto& c) {
                            api.async_get(name, o, object_handler(c));
                        }))
        .def("list",
             operation<kube::list_options>([](auto& api, auto& o, auto& c) { api.async_list(o, list_handler(c)); }))
        .def("list_all", operation<kube::page_options>([](auto& api, auto& o, auto& c) { list_all(api, o, c); }))
        .def("create",
             operation<kube::write_options, py::handle>([](auto& api, written_object const& from, auto& o, auto& c) {
                 if (auto const made = readable(from, api, c)) api.async_create(*made, o, object_handler(c));
             }))
        .def("replace", operation<kube::write_options, py::handle, bool>(
                            [](auto& api, written_object const& from, bool status, auto& o, auto& c) {
                                auto const made = readable(from, api, c);
                                if (!made) return;
                                if (status) return api.async_replace_status(*made, o, object_handler(c));
                                api.async_replace(*made, o, object_handler(c));
                            }))
        .def("patch", operation<kube::write_options, std::string const&, std::string const&, std::string const&, bool>(
                          [](auto& api, std::string const& name, std::string const& text, std::string const& type,
                             bool status, auto& o, auto& c) {
                              kube::patch_body const body(patch_type_of(type), text);
                              if (status) return api.async_patch_status(name, body, o, object_handler(c));
                              api.async_patch(name, body, o, object_handler(c));
                          }))
        .def("apply",
             operation<kube::apply_options, py::handle>([](auto& api, written_object const& from, auto& o, auto& c) {
                 if (auto const made = readable(from, api, c)) api.async_apply(*made, o, object_handler(c));
             }))
        .def("delete", operation<kube::delete_options, std::string const&>(
                           [](auto& api, std::string const& name, auto& o, auto& c) {
                               api.async_delete(name, o, handler_of(c));
                           }))
        .def("delete_all", operation<kube::delete_options, std::string const&, std::string const&>(
                               [](auto& api, std::string const& labels, std::string const& fields, auto& o, auto& c) {
                                   kube::list_options which;
                                   which.with_label_selector(labels).with_field_selector(fields);
                                   api.async_delete_collection(which, o, handler_of(c));
                               }))
        .def("get_scale", operation<kube::call_options, std::string const&>(
                              [](auto& api, std::string const& name, auto& o, auto& c) {
                                  kube::async_get_scale(api, name, o, scale_handler(c));
                              }))
        .def("set_scale", operation<kube::write_options, std::string const&, std::int64_t>(
                              [](auto& api, std::string const& name, std::int32_t replicas, auto& o, auto& c) {
                                  kube::async_set_scale(api, name, replicas, o, scale_handler(c));
                              }))
        .def("watch", &core_api::watch)
        .def("logs", &core_api::logs)
        .def("command", &core_api::command)
        .def("forwarder", &core_api::forwarder)
        .def("evict", &core_api::evict)
        .def("informer", &core_api::informer)
        .def("sleep", &core_api::sleep);
}

} // namespace kftrain::python
