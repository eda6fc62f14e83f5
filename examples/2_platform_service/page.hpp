// The page of the service: lists jobs, and follows one of them. It loads nothing else.
#ifndef EXAMPLE_PAGE_HPP
#define EXAMPLE_PAGE_HPP

#include <string_view>

namespace service {

inline constexpr std::string_view page = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Training jobs</title>
<style>
:root { color-scheme: light dark; --ink: #1f2328; --dim: #59636e; --line: #d1d9e0; --back: #fff; --raised: #f6f8fa;
  --link: #0969da; --good: #1a7f37; --bad: #d1242f; --busy: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --dim: #9198a1; --line: #3d444d; --back: #0d1117;
  --raised: #161b22; --link: #4493f8; --good: #3fb950; --bad: #f85149; --busy: #d29922; } }
* { box-sizing: border-box }
@media (max-width: 40rem) { .wide { display: none } }
body { margin: 0 auto; padding: 1rem; max-width: 70rem; background: var(--back); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem }
a { color: var(--link) } p { margin: .25rem 0 } .dim { color: var(--dim) }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100% }
caption { text-align: left; color: var(--dim); padding-bottom: .25rem }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
th { font-weight: 600; white-space: nowrap } td.name { overflow-wrap: anywhere; min-width: 8rem }
.phase { font-weight: 600 } .Succeeded { color: var(--good) } .Failed { color: var(--bad) }
.Running, .Ready { color: var(--link) } .Restarting, .Pending { color: var(--busy) }
pre { margin: 0; padding: .75rem; height: 20rem; overflow: auto; background: var(--raised);
  border: 1px solid var(--line); border-radius: 6px; font: 13px/1.45 ui-monospace, monospace;
  white-space: pre-wrap; overflow-wrap: anywhere }
pre .dim { user-select: none } input, button { font: inherit; padding: .25rem .5rem; max-width: 100% }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center } [hidden] { display: none }
</style>
<main>
<form id="login" hidden><label for="token">Token</label>
<input id="token" type="password" autocomplete="current-password" required><button>Use</button></form>
<p id="status" class="dim" role="status">Connecting…</p>
<section id="list"><h1>Training jobs</h1>
<div class="scroll" tabindex="0" role="region" aria-label="Jobs"><table><caption id="count"></caption>
<thead><tr><th scope="col">Job<th scope="col">State<th scope="col" class="wide">Created
<tbody id="jobs"></table></div></section>
<section id="job" hidden><p><a href="#">All jobs</a></p><h1 id="title"></h1><p id="state"></p><p id="why"></p>
<h2>Replicas</h2><div class="scroll" tabindex="0" role="region" aria-label="Replicas"><table>
<thead><tr><th scope="col">Rank<th scope="col">Role<th scope="col">Pod<th scope="col">State
<tbody id="ranks"></table></div>
<h2 id="output-title">Output</h2>
<pre id="output" tabindex="0" role="log" aria-labelledby="output-title"></pre></section>
</main>
<script>
"use strict";
const $ = id => document.getElementById(id);
const showStatus = text => { $("status").textContent = text; };
function element(name, text, style) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text; // never markup: names and output belong to others
  if (style) e.className = style;
  return e;
}
async function request(path, options = {}) {
  const token = sessionStorage.getItem("token");
  const headers = {...options.headers, ...(token ? {Authorization: "Bearer " + token} : {})};
  const answer = await fetch(path, {...options, headers, cache: "no-store"});
  if (answer.ok) return answer;
  const message = (await answer.json().catch(() => ({}))).message || answer.statusText;
  throw Object.assign(new Error(message), {status: answer.status});
}
// Server-sent events by fetch, because EventSource sends no token.
async function events(path, signal, on, connected) {
  const answer = await request(path, {headers: {Accept: "text/event-stream"}, signal});
  showStatus("Connected");
  connected();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = "";;) {
    const {value, done} = await reader.read();
    if (done) return "lost";
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const field = name => part.split("\n").filter(l => l.startsWith(name)).map(l => l.slice(name.length)).join("\n");
      const kind = field("event: "), data = field("data: ");
      if (kind === "end") return "end";
      if (kind === "failed") throw Object.assign(new Error(JSON.parse(data).message), {status: 500});
      if (data) on(JSON.parse(data));
    }
  }
}
// Follows a stream, and connects again unless it has ended. `begin` is called before each attempt.
async function follow(path, signal, begin, on, connected = () => {}) {
  while (!signal.aborted) {
    begin();
    try {
      if (await events(path, signal, on, connected) === "end") return;
      showStatus("Connection lost. Connecting again…");
    } catch (error) {
      if (signal.aborted) return;
      if (error.status === 401) return login();
      if (error.status === 404 || error.status === 400) return showStatus(error.message);
      showStatus("No connection: " + error.message);
    }
    await new Promise(done => setTimeout(done, 2000));
  }
}
function login() {
  showStatus("This service needs a token.");
  $("login").hidden = false;
  $("token").focus();
}
$("login").onsubmit = event => {
  event.preventDefault();
  sessionStorage.setItem("token", $("token").value);
  $("login").hidden = true;
  show();
};
function place(job) {
  const kind = job.kind + "." + job.apiVersion.split("/").pop();
  return [kind, job.namespace, job.name].map(encodeURIComponent).join("/");
}
function summary(job) {
  const roles = (job.roles || []).map(r => `${r.role} ${(r.ready || 0) + (r.succeeded || 0)}/${r.wanted || 0}`);
  return [job.phase, ...roles].join(", ");
}
function list(signal) {
  const rows = new Map();
  const begin = () => { rows.clear(); $("jobs").replaceChildren(); $("count").textContent = ""; };
  const count = () => { $("count").textContent = rows.size === 1 ? "1 job" : (rows.size || "No") + " jobs"; };
  follow("/watch", signal, begin, job => {
    const key = place(job);
    if (job.change === "deleted") { rows.get(key)?.remove(); rows.delete(key); }
    else {
      const row = element("tr"), cell = element("td", undefined, "name"), link = element("a", job.name);
      link.href = "#" + key;
      cell.append(link, element("div", `${job.kind} in ${job.namespace}`, "dim"));
      row.append(cell, element("td", summary(job), "phase " + job.phase),
                 element("td", job.created ? new Date(job.created).toLocaleString() : "", "wide"));
      if (rows.has(key)) rows.get(key).replaceWith(row); else $("jobs").append(row);
      rows.set(key, row);
    }
    count();
  }, count);
}
async function explain(path, signal) {
  try {
    const why = await (await request(path + "/explanation", {signal})).json();
    $("why").textContent = why.causes?.length ? "Cause: " + why.causes[0].summary : "";
  } catch (error) { /* the state has the reason, too */ }
}
function one(key, signal) {
  const path = "/jobs/" + key, output = $("output");
  $("title").textContent = key.split("/").map(decodeURIComponent).join(" ");
  for (const id of ["state", "why"]) $(id).textContent = "";
  for (const id of ["ranks", "output"]) $(id).replaceChildren();
  follow(path + "/watch", signal, () => {}, job => {
    $("state").textContent = job.change === "deleted" ? "Deleted" : summary(job);
    $("state").className = "phase " + job.phase;
    if (job.phase === "Failed") explain(path, signal);
    $("ranks").replaceChildren(...(job.ranks || []).map(r => {
      const row = element("tr");
      row.append(element("td", r.rank ?? "–"), element("td", r.role), element("td", r.pod || "–", "name"),
                 element("td", r.reason ? `${r.phase}: ${r.reason}` : r.phase, "phase " + r.phase));
      return row;
    }));
  });
  follow(path + "/logs?tail=500", signal, () => output.replaceChildren(), line => {
    const isAtEnd = output.scrollHeight - output.scrollTop - output.clientHeight < 40;
    const row = element("div");
    row.append(element("span", `[${line.rank ?? line.pod}] `, "dim"), line.text);
    output.append(row);
    if (output.childElementCount > 2000) output.firstChild.remove();
    if (isAtEnd) output.scrollTop = output.scrollHeight;
  });
}
let current = new AbortController();
function show() {
  current.abort();
  current = new AbortController();
  let key = location.hash.slice(1);
  try { decodeURIComponent(key); } catch (error) { key = ""; } // of a damaged link
  $("list").hidden = key !== "";
  $("job").hidden = key === "";
  document.title = key ? decodeURIComponent(key.split("/").pop()) + " – Training jobs" : "Training jobs";
  showStatus("Connecting…");
  if (key) one(key, current.signal); else list(current.signal);
}
addEventListener("hashchange", show);
show();
</script>
</html>
)html";

} // namespace service

#endif
