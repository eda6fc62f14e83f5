#include "api.hpp"

#include "feed.hpp"
#include "informer.hpp"
#include "objects.hpp"

#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/logs.hpp>
#include <kftrain/kube/subresources.hpp>
#include <kftrain/kube/watch.hpp>

#include <pybind11/stl.h>

#include <cmath>

namespace kftrain::python {
namespace {

patch_type patch_type_of(std::string const& name) {
    if (name == "merge") return patch_type::merge;
    if (name == "json") return patch_type::json;
    if (name == "strategic") return patch_type::strategic;
    throw py::value_error("patch type: expected merge, json or strategic, got " + name);
}

std::optional<kube::propagation> propagation_of(std::string const& name) {
    if (name.empty()) return std::nullopt;
    if (name == "Orphan") return kube::propagation::orphan;
    if (name == "Background") return kube::propagation::background;
    if (name == "Foreground") return kube::propagation::foreground;
    throw py::value_error("propagation: expected Orphan, Background or Foreground, got " + name);
}

kube::write_options write_options_of(limit const& timeout, bool dry_run, std::string const& manager) {
    return options_of<kube::write_options>(timeout).with_dry_run(dry_run).with_field_manager(manager);
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

/// The operations on objects of one type. Namespaces are empty for all namespaces.
class core_api {
public:
    core_api(api_source from, std::string type)
        : from_(std::move(from)), type_(std::make_shared<named_type>(from_.link, from_.known, std::move(type))) {}

    std::shared_ptr<call> get(std::string const& ns, std::string const& name, limit const& timeout) {
        return begin(ns, timeout, [name](auto const& api, limit const& left, auto const& c) {
            api.async_get(name, options_of<kube::call_options>(left).with_detail(c->detail), object_handler(c));
        });
    }

    /// Without a size, reads all pages.
    std::shared_ptr<call> list(std::string const& ns, std::string const& labels, std::string const& fields,
                               std::uint32_t size, std::string const& next, std::string const& version,
                               limit const& timeout) {
        return begin(ns, timeout, [=](auto const& api, limit const& left, auto const& c) {
            auto const to_python = [](kube::any_list all) { return py::cast(object_items(std::move(all))); };
            if (size == 0 && next.empty()) {
                auto o = kube::page_options().with_label_selector(labels).with_field_selector(fields);
                o.with_resource_version(version).with_detail(c->detail);
                if (left) o.with_total_timeout(milliseconds_of(*left));
                return kube::async_list_all(api, o, handler_with<kube::any_list>(c, to_python));
            }
            auto o = options_of<kube::list_options>(left).with_label_selector(labels).with_field_selector(fields);
            o.with_limit(size).with_continue(next).with_resource_version(version).with_detail(c->detail);
            api.async_list(o, handler_with<kube::any_list>(c, to_python));
        });
    }

    std::shared_ptr<call> create(std::string const& ns, py::handle object, bool dry_run, std::string const& manager,
                                 limit const& timeout) {
        return begin(ns, timeout,
                     [=, from = written_object_of(object)](auto const& api, limit const& left, auto const& c) {
                         auto const o = write_options_of(left, dry_run, manager).with_detail(c->detail);
                         if (auto const made = readable(from, api, c)) api.async_create(*made, o, object_handler(c));
                     });
    }

    std::shared_ptr<call> replace(std::string const& ns, py::handle object, bool status, bool dry_run,
                                  std::string const& manager, limit const& timeout) {
        return begin(ns, timeout,
                     [=, from = written_object_of(object)](auto const& api, limit const& left, auto const& c) {
                         auto const o = write_options_of(left, dry_run, manager).with_detail(c->detail);
                         auto const made = readable(from, api, c);
                         if (!made) return;
                         if (status) return api.async_replace_status(*made, o, object_handler(c));
                         api.async_replace(*made, o, object_handler(c));
                     });
    }

    std::shared_ptr<call> patch(std::string const& ns, std::string const& name, std::string const& text,
                                std::string const& type, bool status, bool dry_run, std::string const& manager,
                                limit const& timeout) {
        kube::patch_body const body(patch_type_of(type), text);
        return begin(ns, timeout, [=](auto const& api, limit const& left, auto const& c) {
            auto const o = write_options_of(left, dry_run, manager).with_detail(c->detail);
            if (status) return api.async_patch_status(name, body, o, object_handler(c));
            api.async_patch(name, body, o, object_handler(c));
        });
    }

    std::shared_ptr<call> apply(std::string const& ns, py::handle object, std::string const& manager, bool force,
                                bool dry_run, limit const& timeout) {
        return begin(ns, timeout,
                     [=, from = written_object_of(object)](auto const& api, limit const& left, auto const& c) {
                         auto o = options_of<kube::apply_options>(left).with_field_manager(manager).with_force(force);
                         o.with_dry_run(dry_run).with_detail(c->detail);
                         if (auto const made = readable(from, api, c)) api.async_apply(*made, o, object_handler(c));
                     });
    }

    std::shared_ptr<call> remove(std::string const& ns, std::string const& name, std::string const& uid,
                                 std::optional<std::int64_t> grace, std::string const& propagation, bool dry_run,
                                 limit const& timeout) {
        auto const how = delete_options_of(grace, propagation, dry_run).with_precondition_uid(uid);
        return begin(ns, timeout, [=](auto const& api, limit const& left, auto const& c) {
            auto o = how;
            if (left) o.with_timeout(milliseconds_of(*left));
            api.async_delete(name, o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> remove_all(std::string const& ns, std::string const& labels, std::string const& fields,
                                     std::optional<std::int64_t> grace, std::string const& propagation, bool dry_run,
                                     limit const& timeout) {
        auto const how = delete_options_of(grace, propagation, dry_run);
        return begin(ns, timeout, [=](auto const& api, limit const& left, auto const& c) {
            auto o = how;
            if (left) o.with_timeout(milliseconds_of(*left));
            auto const which = kube::list_options().with_label_selector(labels).with_field_selector(fields);
            api.async_delete_collection(which, o.with_detail(c->detail), handler_of(c));
        });
    }

    std::shared_ptr<call> get_scale(std::string const& ns, std::string const& name, limit const& timeout) {
        return begin(ns, timeout, [name](auto const& api, limit const& left, auto const& c) {
            auto const o = options_of<kube::call_options>(left).with_detail(c->detail);
            kube::async_get_scale(api, name, o, scale_handler(c));
        });
    }

    std::shared_ptr<call> set_scale(std::string const& ns, std::string const& name, std::int32_t replicas, bool dry_run,
                                    std::string const& manager, limit const& timeout) {
        return begin(ns, timeout, [=](auto const& api, limit const& left, auto const& c) {
            auto const o = write_options_of(left, dry_run, manager).with_detail(c->detail);
            kube::async_set_scale(api, name, replicas, o, scale_handler(c));
        });
    }

    std::unique_ptr<watch_stream> watch(std::string const& ns, std::string const& labels, std::string const& fields,
                                        std::string const& version) {
        auto open = [=, type = type_](std::shared_ptr<call> const& c, limit const& timeout, auto opened) {
            type->resolve(ns, timeout, c, [=](kube::any_api const& api, limit const& left) {
                auto o = options_of<kube::watch_options>(left).with_label_selector(labels).with_field_selector(fields);
                o.with_resource_version(version).with_detail(c->detail);
                kube::async_watch(api, o, asio::bind_cancellation_slot(c->signal.slot(), opened));
            });
        };
        return std::make_unique<watch_stream>(from_.where, std::move(open), read_mode::ahead, &python_change);
    }

    std::unique_ptr<line_stream> logs(std::string const& ns, std::string const& pod, std::string const& container,
                                      bool follow, bool previous, bool timestamps, std::optional<std::int64_t> tail,
                                      limit const& since, std::optional<std::int64_t> bytes) {
        auto o = kube::log_options().with_container(container).with_follow(follow).with_previous(previous);
        o.with_timestamps(timestamps);
        o.tail_lines = tail;
        o.limit_bytes = bytes;
        if (since) o.since_seconds = static_cast<std::int64_t>(std::ceil(*since));
        auto open = [=, link = from_.link](std::shared_ptr<call> const& c, limit const& timeout, auto opened) {
            auto how = o;
            if (timeout) how.with_timeout(milliseconds_of(*timeout));
            kube::async_logs(link, ns, pod, how.with_detail(c->detail),
                             asio::bind_cancellation_slot(c->signal.slot(), opened));
        };
        return std::make_unique<line_stream>(from_.where, std::move(open), read_mode::ahead, &python_line);
    }

    py::object informer(std::string const& ns, std::string const& labels, std::string const& fields) {
        return make_informer(from_.where, type_, ns,
                             kube::informer_options().with_label_selector(labels).with_field_selector(fields));
    }

    /// Completes after this time.
    std::shared_ptr<call> sleep(double seconds) {
        return from_.where->begin([seconds, &context = from_.where->context()](std::shared_ptr<call> const& c) {
            auto const timer = std::make_shared<asio::steady_timer>(context, milliseconds_of(seconds));
            timer->async_wait(asio::bind_cancellation_slot(
                c->signal.slot(), [c, timer](error_code ec) { c->finish(ec, [] { return py::object(py::none()); }); }));
        });
    }

private:
    static kube::delete_options delete_options_of(std::optional<std::int64_t> grace, std::string const& propagation,
                                                  bool dry_run) {
        auto o = kube::delete_options().with_dry_run(dry_run);
        o.grace_period_seconds = grace;
        o.propagation_policy = propagation_of(propagation);
        return o;
    }

    template <class F> std::shared_ptr<call> begin(std::string const& ns, limit const& timeout, F f) {
        return from_.where->begin([=, type = type_](std::shared_ptr<call> const& c) {
            type->resolve(ns, timeout, c, [=](kube::any_api const& api, limit const& left) { f(api, left, c); });
        });
    }

    api_source from_;
    std::shared_ptr<named_type> type_;
};

} // namespace

py::object make_api(api_source from, std::string type) {
    return py::cast(std::make_shared<core_api>(std::move(from), std::move(type)));
}

void bind_api(py::module_& m) {
    watch_stream::bind(m, "ObjectStream");
    line_stream::bind(m, "LineStream");
    py::class_<core_api, std::shared_ptr<core_api>>(m, "CoreApi")
        .def("get", &core_api::get)
        .def("list", &core_api::list)
        .def("create", &core_api::create)
        .def("replace", &core_api::replace)
        .def("patch", &core_api::patch)
        .def("apply", &core_api::apply)
        .def("delete", &core_api::remove)
        .def("delete_all", &core_api::remove_all)
        .def("get_scale", &core_api::get_scale)
        .def("set_scale", &core_api::set_scale)
        .def("watch", &core_api::watch)
        .def("logs", &core_api::logs)
        .def("informer", &core_api::informer)
        .def("sleep", &core_api::sleep);
}

} // namespace kftrain::python
