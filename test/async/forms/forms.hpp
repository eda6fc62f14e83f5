#ifndef KFTRAIN_TEST_ASYNC_FORMS_FORMS_HPP
#define KFTRAIN_TEST_ASYNC_FORMS_FORMS_HPP

#include "local/cluster/job_resources.hpp"
#include "support/sample_jobs.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <future>
#include <type_traits>
#include <utility>

/** Every operation has the forms (args), (args, token), (args, options) and (args, options, token). The macros below
    call an operation in all its forms, with a callback, a future, an awaitable and the default token. Each form must
    complete once, with the same code. test/layers/operation_forms.py finds operations that no macro names. */
namespace operation_forms {

using namespace kftrain;
namespace asio = boost::asio;

/// An API server in the process with a pod `a` and a finished PyTorchJob `digits`.
struct pod_and_job {
    pod_and_job() {
        BOOST_REQUIRE(server.register_resource(local::resource_for(job_rules_for<pytorch_job>())).has_value());
        stored_pod.metadata.name = "a";
        stored_pod.metadata.namespace_ = "default";
        auto& container = stored_pod.spec.containers.emplace_back();
        container.name = "main";
        container.image = "none";
        server.add_object(any_object(stored_pod)).value();

        job.metadata.name = "digits";
        job.metadata.namespace_ = "default";
        test::add_replicas(job.spec.pytorch_replica_specs, "Master", 1, "pytorch");
        pytorch_job finished = job;
        auto& condition = finished.status.conditions.emplace_back();
        condition.type = "Succeeded";
        condition.status = "True";
        server.add_object(any_object(finished)).value();
    }

    /// Runs the io_context until this holds, or for far too long.
    template <class Condition> void until(Condition holds) {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        io.restart();
        while (!holds() && io.run_one_until(end) != 0) {}
        BOOST_REQUIRE(holds());
    }

    asio::io_context io;
    apiserver::api_server server{io.get_executor()};
    kube::client client{server.transport()};
    pod stored_pod;
    pytorch_job job;
};

/// Completes the forms of one operation and compares their codes.
class form_check {
public:
    form_check(pod_and_job& w, error_code wanted) : cluster_(w), wanted_(wanted) {}

    auto callback() {
        return [this](error_code ec, auto&&...) { take(ec); };
    }
    void called() { completes(); }

    template <class Operation> void operator()(Operation operation) {
        std::move(operation)(callback());
        completes();
    }
    template <class T> void operator()(std::future<T> result) {
        cluster_.until([&] { return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
        try {
            result.get();
            take(error_code());
        } catch (boost::system::system_error const& e) {
            take(e.code());
        }
        completes();
    }
    template <class T> void operator()(asio::awaitable<T> result) {
        asio::co_spawn(cluster_.io, std::move(result), [this](std::exception_ptr const& thrown, auto&&...) {
            try {
                if (thrown) std::rethrow_exception(thrown);
                take(error_code());
            } catch (boost::system::system_error const& e) {
                take(e.code());
            }
        });
        completes();
    }
    /// A blocking form.
    template <class T> void operator()(result<T> const& r) {
        BOOST_TEST((r ? error_code() : r.error().code) == wanted_);
    }

private:
    void take(error_code ec) {
        ++calls_;
        BOOST_TEST(ec == wanted_);
    }
    void completes() {
        cluster_.until([&] { return calls_ != 0; });
        BOOST_TEST(std::exchange(calls_, 0) == 1);
    }

    pod_and_job& cluster_;
    error_code wanted_;
    int calls_ = 0;
};

} // namespace operation_forms

/// The forms without options of `CALL(args...)`.
#define KFTRAIN_PLAIN_FORMS(CHECK, CALL, ...)                                                                          \
    CHECK(CALL(__VA_ARGS__));                                                                                          \
    CALL(__VA_ARGS__ __VA_OPT__(, ) CHECK.callback());                                                                 \
    CHECK.called();                                                                                                    \
    CHECK(CALL(__VA_ARGS__ __VA_OPT__(, ) boost::asio::use_future));                                                   \
    CHECK(CALL(__VA_ARGS__ __VA_OPT__(, ) boost::asio::use_awaitable))

/// The forms with options.
#define KFTRAIN_OPTION_FORMS(CHECK, OPTIONS, CALL, ...)                                                                \
    CHECK(CALL(__VA_ARGS__ __VA_OPT__(, ) OPTIONS()));                                                                 \
    CHECK(CALL(__VA_ARGS__ __VA_OPT__(, ){}));                                                                         \
    CALL(__VA_ARGS__ __VA_OPT__(, ) OPTIONS(), CHECK.callback());                                                      \
    CHECK.called();                                                                                                    \
    CALL(__VA_ARGS__ __VA_OPT__(, ){}, CHECK.callback());                                                              \
    CHECK.called();                                                                                                    \
    CHECK(CALL(__VA_ARGS__ __VA_OPT__(, ) OPTIONS(), boost::asio::use_future));                                        \
    CHECK(CALL(__VA_ARGS__ __VA_OPT__(, ) OPTIONS(), boost::asio::use_awaitable))

/** A member OPERATION of OBJECT, which has the type TYPE. WANTED is the code with which each form completes. OBJECT is
    evaluated for each form. */
#define CHECK_FORMS(TYPE, OBJECT, OPERATION, OPTIONS, WANTED, ...)                                                     \
    BOOST_TEST_CONTEXT(#TYPE "::" #OPERATION) {                                                                        \
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(OBJECT)>, TYPE>);                                    \
        form_check check(w, WANTED);                                                                                   \
        KFTRAIN_PLAIN_FORMS(check, OBJECT.OPERATION, __VA_ARGS__);                                                     \
        KFTRAIN_OPTION_FORMS(check, OPTIONS, OBJECT.OPERATION, __VA_ARGS__);                                           \
    }

/// A member whose options cannot be left out.
#define CHECK_FORMS_WITH_OPTIONS(TYPE, OBJECT, OPERATION, OPTIONS, WANTED, ...)                                        \
    BOOST_TEST_CONTEXT(#TYPE "::" #OPERATION) {                                                                        \
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(OBJECT)>, TYPE>);                                    \
        form_check check(w, WANTED);                                                                                   \
        KFTRAIN_OPTION_FORMS(check, OPTIONS, OBJECT.OPERATION, __VA_ARGS__);                                           \
    }

/// A member without options.
#define CHECK_FORMS_WITHOUT_OPTIONS(TYPE, OBJECT, OPERATION, WANTED)                                                   \
    BOOST_TEST_CONTEXT(#TYPE "::" #OPERATION) {                                                                        \
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(OBJECT)>, TYPE>);                                    \
        form_check check(w, WANTED);                                                                                   \
        KFTRAIN_PLAIN_FORMS(check, OBJECT.OPERATION);                                                                  \
    }

/// A function OPERATION of namespace kube whose first argument is OBJECT.
#define CHECK_FREE_FORMS(TYPE, OBJECT, OPERATION, OPTIONS, WANTED, ...)                                                \
    BOOST_TEST_CONTEXT(#TYPE ", " #OPERATION) {                                                                        \
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(OBJECT)>, TYPE>);                                    \
        form_check check(w, WANTED);                                                                                   \
        KFTRAIN_PLAIN_FORMS(check, kube::OPERATION, OBJECT __VA_OPT__(, ) __VA_ARGS__);                                \
        KFTRAIN_OPTION_FORMS(check, OPTIONS, kube::OPERATION, OBJECT __VA_OPT__(, ) __VA_ARGS__);                      \
    }

/// The blocking form of an operation whose options cannot be left out.
#define CHECK_BLOCKING_FORM_WITH_OPTIONS(OBJECT, FUNCTION, OPTIONS, WANTED, ...)                                       \
    BOOST_TEST_CONTEXT(#FUNCTION) {                                                                                    \
        form_check check(w, WANTED);                                                                                   \
        check(OBJECT.FUNCTION(__VA_ARGS__ __VA_OPT__(, ) OPTIONS()));                                                  \
        check(OBJECT.FUNCTION(__VA_ARGS__ __VA_OPT__(, ){}));                                                          \
    }

/// The blocking form of an operation of the facade.
#define CHECK_BLOCKING_FORM(OBJECT, FUNCTION, OPTIONS, WANTED, ...)                                                    \
    BOOST_TEST_CONTEXT(#FUNCTION) {                                                                                    \
        form_check check(w, WANTED);                                                                                   \
        check(OBJECT.FUNCTION(__VA_ARGS__));                                                                           \
    }                                                                                                                  \
    CHECK_BLOCKING_FORM_WITH_OPTIONS(OBJECT, FUNCTION, OPTIONS, WANTED, __VA_ARGS__)

#endif
