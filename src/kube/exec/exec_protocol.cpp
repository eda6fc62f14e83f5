#include "kube/exec/exec_protocol.hpp"

#include "base/make_failure.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <charconv>

namespace kftrain::kube::detail {
namespace {

namespace json = boost::json;

failure unreadable(std::string message) { return make_failure(errc::protocol, std::move(message)); }

} // namespace

std::string write_exec_end(exec_end const& end) {
    json::object status{{"metadata", json::object()}};
    if (end.exit_code == 0) {
        status["status"] = "Success";
        return json::serialize(status);
    }
    status["status"] = "Failure";
    if (!end.exit_code) {
        status["message"] = "Internal error occurred: " + end.message;
        status["reason"] = "InternalError";
        status["details"] = json::object{{"causes", json::array{json::object{{"message", end.message}}}}};
        status["code"] = 500;
        return json::serialize(status);
    }
    auto const code = std::to_string(*end.exit_code);
    status["message"] = "command terminated with non-zero exit code: exit status " + code;
    status["reason"] = "NonZeroExitCode";
    status["details"] = json::object{{"causes", json::array{json::object{{"reason", "ExitCode"}, {"message", code}}}}};
    return json::serialize(status);
}

result<int> read_exec_end(std::string_view text) {
    auto const status = from_json<meta::api_status>(text);
    if (!status || (status->status != "Success" && status->status != "Failure"))
        return unreadable("expected a Status of the command, got: " + std::string(text.substr(0, 200)));
    if (status->status == "Success") return 0;
    call_report report;
    auto const ec = decode_status(text, report);
    if (status->reason != "NonZeroExitCode") return failure(ec, std::move(report.detail));
    for (auto const& cause : report.detail.causes) {
        int code = 0;
        auto const* const end = cause.message.data() + cause.message.size();
        auto const read = std::from_chars(cause.message.data(), end, code);
        if (cause.reason == "ExitCode" && read.ec == std::errc() && read.ptr == end) return code;
    }
    return unreadable("the server reported a failed command without its exit code: " +
                      std::string(text.substr(0, 200)));
}

std::vector<std::string> list_of(http_fields const& fields, std::string_view name) {
    std::vector<std::string> tokens;
    for (auto rest : fields.get_all(name)) {
        while (!rest.empty()) {
            auto const comma = rest.find(',');
            auto token = rest.substr(0, comma);
            rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
            auto const begin = token.find_first_not_of(" \t");
            if (begin == std::string_view::npos) continue;
            tokens.emplace_back(token.substr(begin, token.find_last_not_of(" \t") - begin + 1));
        }
    }
    return tokens;
}

} // namespace kftrain::kube::detail
