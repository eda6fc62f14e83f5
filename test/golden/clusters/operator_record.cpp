#include "golden/clusters/operator_record.hpp"

#include "golden/kinds/secret_description.hpp"
#include "support/faulty_transport.hpp"
#include "support/noting_transport.hpp"

#include <algorithm>

namespace golden {

using namespace kftrain;

std::string operator_record::filtered(std::string const& piece) {
    std::string kept;
    for (std::size_t at = 0, end = 0; at < piece.size(); at = end) {
        end = std::min(piece.find('\n', at), piece.size() - 1) + 1;
        std::string_view const line(piece.data() + at, end - at);
        bool const moment = line.find(R"("type":"MODIFIED")") != line.npos &&
                            line.find(R"("deletionGracePeriodSeconds":0)") != line.npos;
        leaving.any = leaving.any || moment;
        if (!moment || leaving.shown) kept += line;
    }
    return kept;
}

std::shared_ptr<kube::transport> operator_record::link_to(std::shared_ptr<kube::transport> server) {
    auto noting = std::make_shared<test::noting_transport>(std::move(server));
    noting->on_write = [this](kube::http_request const& sent, unsigned status, std::string const& body) {
        note(sent, status, body);
    };
    auto link = std::make_shared<test::faulty_transport>(std::move(noting));
    link->on_answer = [this](std::string& piece) { piece = filtered(piece); };
    return link;
}

json::value operator_record::described_status(json::object const& job) const {
    auto const& status = child_of(job, "status");
    return own_.described_status ? own_.described_status(status) : as_conditions(status);
}

std::string operator_record::reported(std::string text) const {
    for (auto const& [uid, name] : uids_)
        for (std::size_t at = 0; (at = text.find(uid, at)) != text.npos; at += name.size())
            text.replace(at, uid.size(), name);
    return spell ? spell(std::move(text)) : text;
}

void operator_record::rewrite(json::value& v) const {
    if (v.is_string()) v = reported(std::string(v.get_string()));
    if (v.is_array())
        for (auto& e : v.get_array()) rewrite(e);
    if (!v.is_object()) return;
    json::object all;
    for (auto& [key, value] : v.get_object()) {
        rewrite(value);
        all[reported(std::string(key))] = std::move(value);
    }
    v = std::move(all);
}

/// Notes a phase that goes on once, because it is chance how often a status that hardly differs is written.
void operator_record::note_status(json::object const& job) {
    auto reported = described_status(job);
    if (!own_.whole && reported.is_string() && reported.get_string() == phase_) return;
    if (reported.is_string()) phase_ = reported.get_string();
    seen.conditions.push_back(std::move(reported));
}

namespace {

bool is_apply(kube::http_request const& request) {
    return std::ranges::any_of(request.fields, [](auto const& field) {
        return field.first == "Content-Type" && field.second.starts_with("application/apply-patch");
    });
}

} // namespace

void operator_record::note(kube::http_request const& sent, unsigned status, std::string const& answer) {
    auto path = reported(sent.target.substr(0, sent.target.find('?')));
    auto method = sent.method;
    if (is_apply(sent)) { // it creates what is not there
        method = "POST";
        path = path.substr(0, path.rfind('/'));
    }
    json::value body = sent.body.empty() ? json::value() : json::parse(sent.body);
    if (path.find("/events") != std::string::npos) {
        auto const& e = body.as_object();
        auto const reason = text(e, "reason"), message = text(e, "message");
        // Recordings do not keep failures that come from a name that is taken, or from an object that is gone.
        bool const left_out =
            reason.starts_with("Failed") && (message.ends_with("already exists") || message.ends_with("not found"));
        if (status < 300 && !left_out)
            seen.events.emplace(text(e, "type"), reason, names_.reported(message), involved_object(e));
        return;
    }
    if (path.ends_with("/status")) {
        if (status < 300 && path == job_path_ + "/status") note_status(body.as_object());
        return;
    }
    bool const itself = own_.whole && path == job_path_;
    if (itself && own_.random_id)
        if (auto const id = text(child_of(body.as_object(), "spec"), "RuntimeId"); !id.empty()) names_.learn_id(id);
    if (own_.random_names && method == "POST" && path.ends_with("/pods"))
        names_.learn_pod(text(child_of(body.as_object(), "metadata"), "name"));
    if (itself && status < 300) note_status(body.as_object());
    names_.rewrite(body);
    describe_secret(body);
    rewrite(body);
    request r(method, path, "");
    if (method != "DELETE") r.body = normal_body(body);
    r.name =
        method == "POST" ? text(child_of(r.body.as_object(), "metadata"), "name") : path.substr(path.rfind('/') + 1);
    if (status < 300 && method == "POST") {
        auto const made = json::parse(answer).as_object();
        name_uid(text(child_of(made, "metadata"), "uid"), text(body.as_object(), "kind") + "/" + r.name);
    }
    if (status >= 400) {
        r.code = status;
        r.message = names_.reported(text(json::parse(answer).as_object(), "message"));
    }
    // Recordings leave out conflicts that an outdated cache causes.
    if (r.code == 409 && method == "PUT") return;
    if (r.code == 404 && method == "DELETE") return;
    seen.requests.push_back(std::move(r));
}

} // namespace golden
