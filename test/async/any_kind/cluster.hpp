#ifndef KFTRAIN_TEST_ASYNC_ANY_KIND_CLUSTER_HPP
#define KFTRAIN_TEST_ASYNC_ANY_KIND_CLUSTER_HPP

#include "support/faulty_transport.hpp"
#include "support/simulated_time.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/job_operator.hpp>
#include <kftrain/job/any_job.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>

#include <array>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The operators of all registered kinds over one API server in the process; the test plays kubelet and user. No kind
/// is named.
namespace any_kind {

using namespace kftrain;
using namespace std::chrono_literals;

using lines = std::vector<std::string>;

/// A job as its author wrote it.
struct known_job {
    std::string name; ///< of its file and kind
    any_job job;
};

/// The jobs of examples/manifests, test/bench/jobs and test/async/jobs; at least one of every registered kind.
std::vector<known_job> const& known_jobs();

/// A request of an operator and the object that it is about.
struct operator_request {
    explicit operator_request(kube::http_request const&);

    bool makes_child() const { return creates && !ns.empty() && plural != "events"; }
    std::string child() const { return plural + " " + name; }

    kube::http_request const* request;
    bool writes, creates;
    std::string ns, plural;
    std::string name; ///< of a created object: its name, or the prefix of a generated one
};

/// The outcome of a request: a fault that replaces the usual answer, or nothing.
using judge = std::function<std::optional<test::fault>(operator_request const&)>;

/// How far the pods of a job are.
enum class stage { created, running, first_succeeded, all_succeeded };
inline constexpr std::array all_stages{stage::created, stage::running, stage::first_succeeded, stage::all_succeeded};

class cluster {
public:
    /// `flags`: the flags of the operators.
    explicit cluster(lines const& flags = {}, bool collect_garbage = true);
    ~cluster();
    cluster(cluster const&) = delete;
    cluster& operator=(cluster const&) = delete;

    /// For a client of the test's own.
    std::shared_ptr<kube::transport> transport() { return server_.transport(); }

    /// Starts operators of all kinds; `by` sees each of their requests first.
    void start_operators(judge by = {});
    void stop_operators();
    /// Keeps back what the watches of the operators bring, or delivers it.
    void hold_watches(bool on);

    /// Creates the job in a namespace of its own or one that exists, under its name or another.
    void submit(known_job const&, std::string const& ns, std::string const& name = "");
    void remove(known_job const&, std::string const& ns, std::string const& name = "");
    /// Stores what the request would create under another controller, and deletes it after that time.
    void put_rival(operator_request const&, std::chrono::milliseconds);
    /// Plays kubelet in all namespaces until nothing happens any more.
    void advance_to(stage);

    /** The objects of a namespace, one line each: plural, name, content. Leaves out values that differ from run to run
        (times, versions, uids, random texts) and the fields that contain them, events, and the fields of other
        managers. */
    lines objects_in(std::string const& ns, std::string const& refused = "") const;
    /// Fails unless the wanted objects are created within some seconds over all such calls. `what` names the job.
    void expect_objects(std::string const& ns, lines const& wanted, std::string const& what,
                        std::string const& refused = "");
    /// Uids of the objects, by plural and name with a blank between, as the next two take them.
    std::map<std::string, std::string> uids_in(std::string const& ns) const;
    /// One object, word by word; empty if there is none.
    std::string exact(std::string const& object, std::string const& ns) const;
    void remove_object(std::string const& object, std::string const& ns);
    /// Events as `Warning Reason Message`.
    lines events_in(std::string const& ns) const;

    /// A client that is not an operator.
    kube::client const& user() const noexcept { return user_; }

    void run(std::chrono::milliseconds);
    /// Until nothing is written for this long. False: it never came to rest.
    bool calm(std::chrono::milliseconds quiet = 60ms, std::chrono::milliseconds limit = 10min);

    std::map<std::string, std::size_t> writes; ///< of operators of jobs, events included, by namespace
    std::map<std::string, std::size_t> steps;  ///< those without events
    lines logged;                              ///< by operators of jobs to their log, of which key and why

private:
    struct part;
    using stored = std::function<void(std::string const& plural, boost::json::object&)>;

    std::string call(result<kube::http_request>);
    std::string owner_in(std::string const& ns);
    void each_object(std::string const& ns, stored const&) const;
    std::string without_chance(std::string text, std::string const& ns,
                               std::map<std::string, std::string> const& by_uid) const;
    void set_phase(boost::json::object const& pod, std::string const& phase);
    void each_pod(std::function<void(boost::json::object const&)> const&) const;

    /// Plays what a kubelet does at this stage with the existing pods; returns false if it does nothing.
    bool play();

    stage reached_ = stage::created;
    int patience_ = 60; ///< how often expect_objects() looks again

    boost::asio::io_context io_;
    test::simulated_time& time_ = test::simulated_time::install_free(io_);
    operator_options operator_options_;
    std::vector<std::shared_ptr<rules::job_rules const>> rules_; // the server's resources refer to them
    std::size_t made_ = 0;                                       ///< uids and texts that would be random elsewhere
    apiserver::api_server server_;
    kube::client user_;
    std::list<control::controller_operator> controllers_;
    std::unique_ptr<part> operators_;
};

/// How a job does that nothing happens to.
struct undisturbed_life {
    lines children;         ///< that the operator of its kind created until it ran, in order
    std::size_t steps = 0;  ///< its writes until then, without events
    std::size_t writes = 0; ///< with events
    std::map<stage, lines> objects;
};

/// In the order of known_jobs(); lived once for each set of flags.
std::vector<undisturbed_life> const& undisturbed(lines const& flags = {});

} // namespace any_kind

#endif
