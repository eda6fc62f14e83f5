#ifndef KFTRAIN_SRC_KUBE_LIST_WATCH_HPP
#define KFTRAIN_SRC_KUBE_LIST_WATCH_HPP

#include "kube/client_core.hpp"
#include "kube/followed_collection.hpp"
#include "kube/reflector.hpp"
#include "kube/streamed_list.hpp"
#include "kube/watch_guard.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::kube::detail {

/// Namespace and name.
using object_place = std::pair<std::string, std::string>;

/// Receives what a @ref list_watch sees, on the executor of the client.
class collection_sink {
public:
    virtual ~collection_sink() = default;

    /// These are all objects there are, but for those of the names in `unread`, which could not be decoded. May throw by fail()
    /// to end the loop.
    virtual void replace(std::vector<erased_object> objects, std::vector<object_place> const& unread) = 0;
    virtual void apply(watch_event::kind type, erased_object object) = 0;
    /// The same object, if the one of a list that is not complete yet is known in this version; else the one of the list.
    virtual erased_object known(erased_object object) const { return object; }
    /// Called after every step: everything up to this version was delivered.
    virtual void processed(std::string const& /*resource_version*/) {}
    /// The loop repairs it by itself. `step` is constant text.
    virtual void failed(std::string_view step, error_code ec, call_report const& report) = 0;
    /// An object could not be decoded and is passed over.
    virtual void undecodable(failure const& why) = 0;
    /// Asked after every step.
    virtual bool finished() const noexcept { return false; }
};

/// The text was JSON, but no object of the kind.
bool is_misfit(error_code ec) noexcept;

/** Carries out what a @ref reflector decides. */
class list_watch {
public:
    /// How long a watch may say nothing before the server is asked whether it still lives; 0: for ever. Servers with
    /// a watch cache send bookmarks about every minute, and are not asked then.
    static constexpr std::chrono::milliseconds usual_silence{90'000};
    /// How long a list that is streamed may tell nothing before the server is taken for one that streams none.
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
    std::optional<reflector::action> advance(input in, asio::cancellation_state const& asked_to_end);
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
    void pass_over(std::string_view text, failure const& why);

    bool knows_no_streams() const;
    void remember_no_streams();
    void tell_no_streams();
    std::chrono::milliseconds first_limit() const;
    bool is_overdue() const;
    input overdue();
    void finish_stream(std::string const& version);
    void share_known(std::size_t from);

    client client_;
    followed_collection what_;
    object_type const& type_; ///< of the objects as they are decoded
    reflector machine_;
    collection_sink& sink_;

    std::vector<erased_object> items_; ///< of pages
    std::vector<object_place> unread_; ///< of the list that is under way
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
    watch_event::kind event_type_ = watch_event::kind::added;
    erased_object event_object_;
};

} // namespace kftrain::kube::detail

#endif
