#include "kube/calls/client_core.hpp"
#include "kube/http/header_fields.hpp"

#include <utility>

namespace kftrain::kube {

client::client(std::shared_ptr<transport> t, client_options options)
    : state_(std::make_shared<state>(std::move(t), std::move(options))) {}

client client::with_transport(std::shared_ptr<transport> t) const {
    client other(std::make_shared<state>(std::move(t), *state_));
    other.any_thread_ = any_thread_;
    return other;
}

client client::thread_safe() const {
    client same(state_);
    same.any_thread_ = true;
    return same;
}

detail::start_place client::place() const { return detail::start_place(get_executor(), state_->check, any_thread_); }

asio::any_io_executor client::get_executor() const noexcept { return state_->link->get_executor(); }
std::shared_ptr<transport> const& client::get_transport() const noexcept { return state_->link; }
client_options const& client::options() const noexcept { return state_->options; }

diagnostics client::redact(diagnostics d) const {
    detail::hide_in(d, [&](std::string text) { return state_->link->redact(std::move(text)); });
    return d;
}

namespace detail {

std::vector<std::string> log_warnings(client::state& s, http_request const& request, http_fields const& answer) {
    constexpr std::size_t most_remembered = 256;
    constexpr std::size_t most_texts = 64; // of one answer
    constexpr std::size_t longest_text = 4096;
    auto texts = read_warnings(answer);
    if (texts.size() > most_texts) texts.resize(most_texts);
    for (auto& text : texts) {
        text = s.link->redact(std::move(text)); // before it is cut: half a secret is none that can be found
        if (text.size() > longest_text) text = text.substr(0, longest_text) + "...";
        server_warning warning;
        warning.method = request.method;
        warning.target = request.target;
        warning.text = text;
        if (s.options.on_warning) s.options.on_warning(warning);
        if (s.warned.size() >= most_remembered && !s.warned.contains(text)) s.warned.erase(s.warned.begin());
        if (s.warned.insert(text).second)
            s.options.logger(log_level::warning, "the server sent a warning",
                             {{"request", request.method + " " + request.target}, {"warning", text}});
    }
    return texts;
}

} // namespace detail
} // namespace kftrain::kube
