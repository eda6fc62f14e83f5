#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLAN_REQUEST_QUEUE_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLAN_REQUEST_QUEUE_HPP

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::volcano {

/** An event for which a job must be examined; the action is decided when its turn comes. Equal pending requests are
    merged.
    @par Upstream volcano v1.9.0 `pkg/controllers/apis/request.go` */
struct request {
    request() = default;
    explicit request(std::string e) : event(std::move(e)) {}

    std::string event; ///< OutOfSync, PodFailed, ...; may be empty
    std::string task;
    std::int32_t exit_code = 0;
    std::int32_t version = 0; ///< of the job when the pod was created
    std::string action;       ///< of a command; empty: as the policies say
    std::string pod, pod_uid; ///< since v1.11

    friend bool operator==(request const&, request const&) = default;
    friend std::strong_ordering operator<=>(request const&, request const&) = default;
};

/// Whether both request the same, for any pod.
bool is_alike(request const&, request const&) noexcept;

/** Pending requests, each once, first in, first out. Copies share their common part, so that a copy costs next to
    nothing however many requests wait: there is a copy for each plan, and a request for each pod. */
class request_queue {
public:
    request_queue() = default;

    bool empty() const noexcept { return batches_.empty(); }
    /// Appends the requests that are not pending already, in this order.
    void add(std::vector<request> const& more);
    void add(request one) { add(std::vector<request>{std::move(one)}); }
    /// The first; there must be one.
    request const& front() const noexcept { return batches_.front()->in_order[taken_]; }
    void pop();

private:
    /// Never changed.
    struct batch {
        explicit batch(std::vector<request> all);

        std::vector<request> in_order;
        std::vector<std::size_t> by_value; ///< numbers of them
    };

    bool contains(request const&) const;
    std::size_t size_of(std::size_t number) const noexcept;
    std::vector<request> waiting_in(std::size_t number) const;

    std::vector<std::shared_ptr<batch const>> batches_; ///< each less than half as long as the one before it
    std::size_t taken_ = 0;                             ///< of the first batch
};

} // namespace kftrain::volcano

#endif
