#include "apiserver/access/access_request.hpp"

#include "apiserver/text/refusals.hpp"

namespace kftrain::apiserver {

refusal access_refusal(user_info const& user, access_request const& r, std::string const& reason) {
    auto text = "User " + in_quotes(user.name) + " cannot " + r.verb;
    if (r.resource.empty()) {
        text += " path " + in_quotes(r.path);
    } else {
        text += " resource " + in_quotes(r.subresource.empty() ? r.resource : r.resource + "/" + r.subresource);
        text += " in API group " + in_quotes(r.group);
        text += r.ns.empty() ? " at the cluster scope" : " in the namespace " + in_quotes(r.ns);
    }
    if (!reason.empty()) text += ": " + reason;
    auto subject = r.resource;
    if (!r.group.empty()) subject += "." + r.group;
    if (r.resource.empty()) {
        text.insert(0, "forbidden: ");
    } else {
        text.insert(0, subject + (r.name.empty() ? "" : " " + in_quotes(r.name)) + " is forbidden: ");
    }
    refusal out(403, kftrain::reason::forbidden, std::move(text));
    out.name = r.name;
    out.group = r.group;
    out.kind = r.resource;
    return out;
}

} // namespace kftrain::apiserver
