#ifndef KFTRAIN_TEST_SUPPORT_OBJECT_OPERATIONS_HPP
#define KFTRAIN_TEST_SUPPORT_OBJECT_OPERATIONS_HPP

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace kftrain::test {

/** Blocking reads and writes of objects that must succeed, for a `Self` that has an io_context `io` and a client
    `user`. The namespace is `default` unless another is named. */
template <class Self> struct object_operations {
    /// Starts an operation that must succeed; returns its result.
    template <class T, class Start> T ask(Start start) {
        auto r = kube::run_blocking<T>(executor(), diagnostics(), std::move(start));
        BOOST_REQUIRE_MESSAGE(r.has_value(), (r ? "" : r.error().to_string()));
        return *std::move(r);
    }
    template <class K> kube::api<K> objects(std::string const& ns = "default") const { return {self().user, ns}; }
    template <class K> K create(K const& object, std::string const& ns = "default") {
        return ask<K>([&](auto h) { objects<K>(ns).async_create(object, std::move(h)); });
    }
    template <class K> K get(std::string const& name, std::string const& ns = "default") {
        return ask<K>([&](auto h) { objects<K>(ns).async_get(name, std::move(h)); });
    }
    template <class K> std::vector<K> all(std::string const& ns = "default") {
        return ask<object_list<K>>([&](auto h) { objects<K>(ns).async_list(std::move(h)); }).items;
    }
    /// Reads an object, changes it and writes it, or its status.
    template <class K, class Change> K change(std::string const& name, Change how, std::string const& ns = "default") {
        auto next = get<K>(name, ns);
        how(next);
        return ask<K>([&](auto h) { objects<K>(ns).async_replace(next, std::move(h)); });
    }
    template <class K, class Change>
    K change_status(std::string const& name, Change how, std::string const& ns = "default") {
        auto next = get<K>(name, ns);
        how(next);
        return ask<K>([&](auto h) { objects<K>(ns).async_replace_status(next, std::move(h)); });
    }
    template <class K> void remove(std::string const& name, std::string const& ns = "default") {
        kube::run_blocking(executor(), diagnostics(), [&](auto h) {
            objects<K>(ns).async_delete(name, std::move(h));
        }).value();
    }
    /// Removes a pod at once, as a kubelet does at the end.
    void remove_pod(std::string const& name, std::string const& ns = "default") {
        kube::delete_options now;
        now.grace_period_seconds = 0;
        kube::run_blocking(executor(), diagnostics(), [&](auto h) {
            objects<pod>(ns).async_delete(name, now, std::move(h));
        }).value();
    }

private:
    friend Self;
    object_operations() = default;

    Self& self() { return static_cast<Self&>(*this); }
    Self const& self() const { return static_cast<Self const&>(*this); }
    auto executor() { return self().io.get_executor(); }
};

} // namespace kftrain::test

#endif
