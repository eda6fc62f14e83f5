#include "facade/read_jobs.hpp"

#include "base/failure_at.hpp"
#include "base/in_quotes.hpp"
#include "facade/job_arguments.hpp"
#include "facade/job_operation.hpp"
#include "kube/answers/expected_place.hpp"
#include "kube/answers/page_guard.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/calls/client_state.hpp"
#include "kube/watch/followed_collection.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/then_complete.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/as_tuple.hpp>

#include <algorithm>
#include <charconv>

namespace kftrain {

job_list_options& job_list_options::with_kind(rules::job_rules const& kind) {
    kinds.push_back(&kind);
    return *this;
}

namespace {

namespace asio = boost::asio;
namespace request = kube::request;

constexpr std::uint32_t usual_page = 500;
constexpr std::string_view whole_list = "list of jobs";

/// The place at which a list continues: the kind and the token of the server. Written `NUMBER:TOKEN`.
struct list_place {
    list_place() = default;

    std::size_t kind = 0;
    std::string token;

    std::string to_string() const { return std::to_string(kind) + ":" + token; }
    static std::optional<list_place> parse(std::string_view text, std::size_t kinds) {
        list_place p;
        if (text.empty()) return p;
        auto const colon = text.find(':');
        if (colon == text.npos) return std::nullopt;
        auto const [end, ec] = std::from_chars(text.data(), text.data() + colon, p.kind);
        if (ec != std::errc() || end != text.data() + colon || p.kind >= kinds) return std::nullopt;
        p.token = text.substr(colon + 1);
        return p;
    }
};

class listing {
public:
    listing(kube::client c, job_list_options o)
        : client_(std::move(c)), options_(std::move(o)), kinds_(selected_kinds(options_.kinds)) {}

    asio::awaitable<job_page> run() {
        if (auto const fault = fault_of_kinds(options_.kinds)) fail_with(*fault, options_.detail);
        auto const from = list_place::parse(options_.continue_, kinds_.size());
        if (!from) refuse_token();
        list_place place = *from;
        guard_.begin(place.token);
        while (place.kind < kinds_.size() && !full()) {
            kube::detail::call_report report;
            auto [ec, text] = co_await kube::detail::call(client_, page(place), options_.common(), report);
            if (ec) {
                note(*kinds_[place.kind], ec, report.detail);
                place = next_kind(place);
                continue;
            }
            place.token = taken(*kinds_[place.kind], text);
            if (place.token.empty()) place = next_kind(place);
        }
        if (read_ == 0 && last_error_) fail_with(failure(last_error_, last_detail_), options_.detail);
        if (place.kind < kinds_.size()) list_.continue_ = place.to_string();
        if (options_.detail != nullptr) *options_.detail = diagnostics();
        co_return std::move(list_);
    }

private:
    list_place next_kind(list_place const& p) {
        guard_ = kube::detail::page_guard();
        list_place next;
        next.kind = p.kind + 1;
        return next;
    }

    std::size_t taken_jobs() const noexcept { return list_.items.size() + list_.unread_jobs; }
    bool full() const noexcept { return options_.limit != 0 && taken_jobs() >= options_.limit; }

    result<kube::http_request> page(list_place const& place) const {
        kube::list_options o;
        o.label_selector = options_.label_selector;
        o.continue_ = place.token;
        o.limit = options_.limit == 0 ? usual_page
                                      : std::min(usual_page, options_.limit - static_cast<std::uint32_t>(taken_jobs()));
        return collection(*kinds_[place.kind]).list(o);
    }

    kube::detail::followed_collection collection(rules::job_rules const& kind) const {
        return {kind.primary(), options_.all_namespaces ? std::string() : options_.namespace_};
    }

    /// Takes a page; returns the token of the next one.
    std::string taken(rules::job_rules const& kind, std::string const& text) {
        std::vector<erased_object> items;
        std::vector<kube::detail::undecodable_object> undecodable;
        auto metadata = collection(kind).decode_page(text, items, undecodable);
        if (!metadata) {
            note(kind, metadata.error().code, client_.redact(metadata.error().detail));
            return {};
        }
        for (auto const& item : items) list_.items.emplace_back(kind, item.get());
        for (auto const& m : undecodable) list_.unread.push_back(client_.redact(m.named().detail).message);
        list_.unread_jobs += undecodable.size();
        ++read_;
        if (auto const ends = guard_.take(metadata->continue_, items.empty() && undecodable.empty()); !ends) {
            note(kind, ends.error().code, ends.error().detail);
            return {};
        }
        return std::move(metadata->continue_);
    }

    void note(rules::job_rules const& kind, error_code ec, diagnostics const& why) {
        // A page that came too late is for the caller to decide about; so is an invalid selector.
        if (is_gone(ec) || ec == reason::bad_request || ec == errc::invalid_argument || ec == errc::timeout ||
            is_unreached(ec) || is_cancelled(ec))
            fail_with(failure(ec, ec == errc::timeout ? too_late() : why), options_.detail);
        if (is_not_found(ec) && options_.kinds.empty()) {
            ++read_; // not served: there are none
            return;
        }
        last_error_ = ec;
        last_detail_ = why;
        list_.unread.push_back(std::string(kind.primary().info->kind) + ": " + failure(ec, why).to_string());
    }

    /// A request that its deadline ended reports only that it was cancelled.
    diagnostics too_late() const {
        diagnostics d;
        d.message =
            std::string(whole_list) + ": not complete after " + std::to_string(options_.timeout.count()) + " ms";
        return d;
    }

    [[noreturn]] void refuse_token() const {
        fail_with(failure_at("continue", "expected the value of job_page::continue_ of the previous page, got " +
                                             in_quotes(options_.continue_)),
                  options_.detail);
    }

    kube::client client_;
    job_list_options options_;
    std::vector<rules::job_rules const*> kinds_;
    job_page list_;
    kube::detail::page_guard guard_; ///< of the kind that is read
    std::size_t read_ = 0;           ///< pages, and kinds that are not served
    error_code last_error_;
    diagnostics last_detail_;
};

} // namespace

result<any_job> decode_job(rules::job_rules const& kind, std::string const& text) {
    any_job job(kind);
    if (auto const read = job.read_json(text); !read) return read.error();
    if (job.metadata().name.empty())
        return kube::detail::protocol_failure("metadata.name", "expected a " + std::string(kind.primary().info->kind) +
                                                                   ", got an object without a name");
    return job;
}

kube::any_handler<void(error_code, std::string)> decode_job_then(job_handler handler, rules::job_rules const& kind,
                                                                 diagnostics* detail) {
    return kube::detail::then_complete(std::move(handler),
                                       [&kind, detail](job_handler h, error_code ec, std::string const& body) {
                                           if (ec) return std::move(h)(ec, any_job());
                                           auto job = decode_job(kind, body);
                                           if (job) return std::move(h)(error_code(), *std::move(job));
                                           if (detail != nullptr) *detail = job.error().detail;
                                           std::move(h)(job.error().code, any_job());
                                       });
}

void read_job(job_handler handler, kube::client client, job_reference job, kube::call_options options) {
    auto r = request::get(*job.kind->primary().info, job.namespace_, job.name);
    auto same = kube::detail::then_complete(
        std::move(handler), [job, detail = options.detail](job_handler h, error_code ec, any_job found) {
            if (!ec && !job.uid.empty() && found.metadata().uid != job.uid) {
                if (detail != nullptr) {
                    *detail = diagnostics();
                    detail->message = was_replaced(job.to_string());
                }
                return std::move(h)(make_error_code(errc::deleted), any_job());
            }
            std::move(h)(ec, std::move(found));
        });
    auto then = decode_job_then(job_handler(std::move(same)), *job.kind, options.detail);
    kube::detail::client_access::start(client, std::move(then), std::move(r), std::move(options));
}

asio::awaitable<any_job> await_job(kube::client client, job_reference job, kube::call_options options) {
    auto const executor = client.get_executor();
    auto begin = [client, job = std::move(job), options = std::move(options)](job_handler h) {
        read_job(std::move(h), client, job, options);
    };
    auto outcome = co_await kube::detail::initiate<void(error_code, any_job)>(
        executor, asio::as_tuple(asio::use_awaitable), std::move(begin));
    if (auto const ec = std::get<0>(outcome)) kube::detail::fail(ec);
    co_return std::move(std::get<1>(outcome));
}

void training_client::get_(job_handler handler, job_reference job, kube::call_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    read_job(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

result<any_job> training_client::get(job_reference const& job, kube::call_options options) const {
    return kube::detail::blocking_form<any_job>(place(), std::move(options),
                                                [&](auto h, auto o) { get_(std::move(h), job, std::move(o)); });
}

void training_client::list_(handler_of<job_page> handler, job_list_options options) const {
    if (options.namespace_.empty()) options.namespace_ = namespace_;
    kube::detail::deadline limit(options.timeout, options.detail, std::string(whole_list));
    auto l = std::make_shared<listing>(client_, std::move(options));
    kube::detail::spawn(get_executor(), run_shared(std::move(l)), std::move(limit), std::move(handler));
}

result<job_page> training_client::list(job_list_options options) const {
    return kube::detail::blocking_form<job_page>(place(), std::move(options),
                                                 [&](auto h, auto o) { list_(std::move(h), std::move(o)); });
}

} // namespace kftrain
