#ifndef KFTRAIN_SRC_KUBE_WATCH_REFLECTOR_HPP
#define KFTRAIN_SRC_KUBE_WATCH_REFLECTOR_HPP

#include "kube/watch/watch_decoder.hpp"
#include <kftrain/base/backoff.hpp>
#include <kftrain/base/error.hpp>
#include <kftrain/kube/request.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace kftrain::kube {

/// An input of a @ref reflector.
namespace reflector_input {

/// Begin; also: the action was carried out (replace, apply, sleep).
struct proceed {
    proceed() = default;
};
/// A page of the list arrived and is kept by the caller until `replace`.
struct page {
    page() = default;
    page(std::string v, std::string c) : resource_version(std::move(v)), continue_(std::move(c)) {}
    std::string resource_version;
    std::string continue_;
};
/// The list or the start of the watch failed.
struct failed {
    failed() = default;
    explicit failed(error_code e) : code(e) {}
    error_code code;
    bool resource_version_too_large = false; ///< the server has not reached this version yet
    std::chrono::milliseconds retry_after{0};
};
/// The watch stands.
struct opened {
    opened() = default;
};
/// The watch delivered an event that is no error.
struct event {
    event() = default;
    event(std::optional<change_kind> kind, std::string v, bool all = false)
        : change(kind), resource_version(std::move(v)), ends_initial_list(all) {}
    std::optional<change_kind> change; ///< nothing for a bookmark
    std::string resource_version;
    bool ends_initial_list = false; ///< of a bookmark: everything that was there has come
};
/// The watch ended. No code: cleanly. A code of server_category(): by an ERROR event.
struct ended {
    ended() = default;
    explicit ended(error_code e) : code(e) {}
    error_code code;
    std::chrono::milliseconds retry_after{0};
};

/// Replaces an answer while a watch is opened or open: the server's latest version is older than that of the watch, so
/// the server was restored from an older state.
struct went_back {
    went_back() = default;
};
/// Replaces an answer to a watch that begins with a list: the server does not stream lists. This is either
/// `remembered`, or follows from silence before the bookmark that ends the list.
struct not_streamed {
    not_streamed() = default;
    explicit not_streamed(bool r) : remembered(r) {}
    bool remembered = false;
};

} // namespace reflector_input

/// An action that a @ref reflector requests.
namespace reflector_action {

/// Get this page; forget earlier pages when it has no `continue_`. Answer: page or failed.
struct list {
    list() = default;
    list_options params;
    bool not_streamed =
        false; ///< the server was just found to stream no lists: worth remembering once this one is complete
};
/// Make the pages, or what was gathered, the contents of the store, which is then at this version. Answer: proceed.
struct replace {
    replace() = default;
    std::string resource_version;
};
/// With `params.initial_events`, forget what was gathered before. Answer: opened or failed.
struct watch {
    watch() = default;
    watch_options params;
};
/// Read the next event of the open watch. Answer: event or ended.
struct read {
    read() = default;
};
/// Put the event into the store. Answer: proceed.
struct apply {
    apply() = default;
};
/// Put the event into the list that is being streamed. Answer: proceed.
struct gather {
    gather() = default;
};
/// Answer: proceed.
struct sleep {
    sleep() = default;
    std::chrono::milliseconds time{0};
};

} // namespace reflector_action

/** Decides when to list and when to watch so that a store follows a collection of objects. Pure: it has no clock and
    draws no random number. It never ends by itself.

    Waiting times start at 800 ms and double, and are multiplied by the jitter. While the server is not reached they
    grow to 5 s, since trying costs nobody anything; what it answers makes them grow to 30 s, from the start again after
    it was not reached, after a watch stood for 10 s, and after 2 quiet minutes. What needs no waiting, a watch after
    one that ended in good order, above all, is begun at once five times in a row and then once a second.

    With options::streaming a list is a watch that begins with what is there and marks the end of it; the same watch
    then goes on. One that ends before is started again, the fourth time in a row as a list of pages. A server that
    refuses such a watch, or watches without that bookmark, is sent requests for pages.
    @par Upstream client-go `tools/cache/reflector.go` (list, then watch), which waits up to 30 s whatever is wrong */
class reflector {
public:
    using input = std::variant<reflector_input::proceed, reflector_input::page, reflector_input::failed,
                               reflector_input::opened, reflector_input::event, reflector_input::ended,
                               reflector_input::went_back, reflector_input::not_streamed>;
    using action =
        std::variant<reflector_action::list, reflector_action::replace, reflector_action::watch, reflector_action::read,
                     reflector_action::apply, reflector_action::gather, reflector_action::sleep>;

    struct options {
        options() = default;
        std::string label_selector;
        std::string field_selector;
        std::uint32_t page_size = 500;
        bool streaming = false; ///< lists are streamed where the server does so
    };
    /// The time of an input: steady time since any fixed point, and a random factor in [1, 2).
    struct moment {
        moment() = default;
        moment(std::chrono::milliseconds n, double j) : now(n), jitter(j) {}
        std::chrono::milliseconds now{0};
        double jitter = 1;
    };

    reflector() = default;
    explicit reflector(options o) : options_(std::move(o)) {}

    /// The answer to the previous action, `proceed` at first; hands back the next action.
    action resume(input const& in, moment const& at);

    /// Version of the last thing applied.
    std::string const& resource_version() const noexcept { return version_; }

private:
    enum class step { start, listing, replacing, opening, reading, applying, gathering, resting };

    action on(reflector_input::proceed const&, moment const&);
    action on(reflector_input::page const&, moment const&);
    action on(reflector_input::failed const&, moment const&);
    action on(reflector_input::opened const&, moment const&);
    action on(reflector_input::event const&, moment const&);
    action on(reflector_input::ended const&, moment const&);
    action on(reflector_input::went_back const&, moment const&);
    action on(reflector_input::not_streamed const&, moment const&);

    action relist(moment const&);
    action list_pages();
    action stream_list(moment const&);
    action stream_failed(reflector_input::failed const&, moment const&);
    action stream_event(reflector_input::event const&);
    action list_instead();
    reflector_action::watch watch_from(std::string version, moment const&) const;
    action list_failed(reflector_input::failed const&, moment const&);
    action open(moment const&);
    action open_failed(reflector_input::failed const&, moment const&);
    action rest(step then, moment const&, std::chrono::milliseconds at_least);
    action rest_unreached(step then, moment const&);
    action at_once(step then, moment const&);
    action begin(step then, moment const&);
    action read();
    action gone(moment const&);
    action broken(moment const&);

    options options_;
    step step_ = step::start;
    step after_rest_ = step::listing;

    std::string version_;
    std::string list_version_; // of the first page of the list under way
    list_options list_;
    bool listed_ = false;
    bool version_unavailable_ = false;
    bool paginated_ = false; // the server pages even lists that a cache could answer
    bool whole_list_ = false;
    bool streaming_ = false;   // the watch that is open or being opened has not sent all that is there yet
    bool gone_before_ = false; // and no event since

    backoff backoff_{std::chrono::milliseconds(800), std::chrono::seconds(30)};
    backoff unreached_{std::chrono::milliseconds(800), std::chrono::seconds(5)};
    std::chrono::milliseconds last_rest_{0};
    std::chrono::milliseconds paid_until_{0}; // what is begun at once costs a second each
    std::chrono::milliseconds opened_at_{0};
    std::string event_version_;
    std::uint64_t events_ = 0;
    unsigned broken_watches_ = 0; // in a row, without an event between
};

} // namespace kftrain::kube

#endif
