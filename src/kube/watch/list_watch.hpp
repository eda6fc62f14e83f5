#ifndef KFTRAIN_SRC_KUBE_WATCH_LIST_WATCH_HPP
#define KFTRAIN_SRC_KUBE_WATCH_LIST_WATCH_HPP

#include "kube/answers/expected_place.hpp"
#include "kube/answers/page_guard.hpp"
#include "kube/answers/undecodable_object.hpp"
#include "kube/calls/client_state.hpp"
#include "kube/watch/followed_collection.hpp"
#include "kube/watch/reflector.hpp"
#include "kube/watch/streamed_list.hpp"
#include "kube/watch/watch_guard.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::kube::detail {

/// Receives what a @ref list_watch sees, on the executor of the client.
class collection_sink {
public:
    virtual ~collection_sink() = default;

    /// These are all objects there are, with those that do not fit the type. May throw by fail() to end the loop.
    virtual void replace(std::vector<erased_object> objects, std::vector<undecodable_object> const& undecodable) = 0;
    virtual void apply(change_kind kind, erased_object object) = 0;
    /// The same for an object that does not fit the type.
    virtual void apply_undecodable(change_kind kind, undecodable_object const& object) = 0;
    /// Returns the known object if an unfinished list has it in the same version; else the object of the list.
    virtual erased_object known(erased_object object) const { return object; }
    /// Called after every step: everything up to this version was delivered.
    virtual void processed(std::string const& /*resource_version*/) {}
    /// The loop repairs it by itself. `step` is constant text.
    virtual void failed(std::string_view step, error_code ec, call_report const& report) = 0;
    /// Asked after every step.
    virtual bool finished() const noexcept { return false; }
};

/** Carries out what a @ref reflector decides. */
class list_watch {
public:
    /// How long a watch may be silent before the server is checked; 0: for ever. Servers with
    /// a watch cache send bookmarks about every minute, and are not checked then.
    static constexpr std::chrono::milliseconds usual_silence{90'000};
    /// How long a streamed list may be silent before the server is taken for one that streams none.
    static constexpr std::chrono::milliseconds usual_patience{30'000};

    list_watch(client c, followed_collection what, reflector::options options, collection_sink& sink,
               std::chrono::milliseconds silence = usual_silence, std::chrono::milliseconds patience = usual_patience);
    list_watch(list_watch const&) = delete;
    list_watch& operator=(list_watch const&) = delete;
    ~list_watch();

    /// Runs until the sink is finished, or cancelled. `*this` must live until then.
    asio::awaitable<void> run();

private:
    using input = reflector::input;

    asio::awaitable<void> follow();
    std::optional<reflector::action> advance(input in, asio::cancellation_state const& cancellation);
    std::optional<input> at_once(reflector::action const& action);
    asio::awaitable<input> perform(reflector::action action);
    asio::awaitable<input> list(reflector_action::list action);
    asio::awaitable<input> open(watch_options params);
    asio::awaitable<input> read();
    asio::awaitable<input> sleep(std::chrono::milliseconds time);
    std::optional<input> next_event();
    std::optional<input> take(watch_event event);
    input undecoded(diagnostics why, error_code ec);
    input failed(std::string_view step, error_code ec, call_report report);
    input lost(error_code ec, call_report const& report);
    void end_watch();
    result<meta::list_meta> decode_page(std::string_view text);
    std::optional<input> take_undecodable(watch_event const& event, failure why);
    void hide_secrets(undecodable_object& m) const;

    bool lacks_streaming() const;
    void remember_missing_streaming();
    void report_missing_streaming();
    std::chrono::milliseconds first_limit() const;
    bool is_overdue() const;
    input overdue();
    void finish_stream(std::string const& version);
    void share_known(std::size_t from);

    client client_;
    followed_collection what_;
    object_type const& type_; ///< of the objects as they are decoded
    expected_place place_;
    reflector machine_;
    collection_sink& sink_;

    std::vector<erased_object> items_;            ///< of pages
    std::vector<undecodable_object> undecodable_; ///< of the list that is under way
    page_guard pages_;                            ///< of that list
    streamed_list streamed_;
    bool found_no_streams_ = false; ///< to be remembered when the list is complete
    std::unique_ptr<body_stream> stream_;
    watch_decoder decoder_;
    std::shared_ptr<watch_guard> guard_; ///< of the watch that is open or being opened
    std::chrono::milliseconds silence_;
    std::chrono::milliseconds patience_;
    std::chrono::milliseconds idle_limit_{0};
    std::chrono::steady_clock::time_point opened_at_;
    std::uint64_t restorations_ = 0; ///< of the server, when it was listed last
    bool doubtful_ = false;          ///< the last watch ended before its time: the server may be another one
    change_kind event_kind_ = change_kind::added;
    erased_object event_object_;
};

} // namespace kftrain::kube::detail

#endif
