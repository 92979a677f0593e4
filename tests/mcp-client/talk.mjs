// Has each client talk to `agentd mcp`: agree on a version, list the tools, call them rightly, wrongly and twice.
// Usage: node talk.mjs AGENTD

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as older from "@modelcontextprotocol/sdk/client/index.js";
import * as olderStdio from "@modelcontextprotocol/sdk/client/stdio.js";
import * as newer from "@modelcontextprotocol/client";
import * as newerStdio from "@modelcontextprotocol/client/stdio";

const agentd = process.argv[2];
const clients = [
  ["@modelcontextprotocol/sdk", older.Client, olderStdio.StdioClientTransport, {}],
  ["@modelcontextprotocol/client", newer.Client, newerStdio.StdioClientTransport, {}],
  // It asks for `server/discover` first, and must find out that we begin with `initialize`.
  [
    "@modelcontextprotocol/client, auto",
    newer.Client,
    newerStdio.StdioClientTransport,
    { versionNegotiation: { mode: "auto" } },
  ],
];

const review = {
  verdict: "fail",
  summary: "The last record is lost.",
  findings: [{ severity: "high", location: "src/export.rs:41", issue: "It is dropped.", recommendation: "Flush." }],
  checks: [{ command: "cargo test", result: "212 passed" }],
};

for (const [name, Client, Transport, options] of clients) {
  const root = mkdtempSync(join(tmpdir(), "agentd-mcp-"));
  const change = join(root, "agentd/changes/add-login");
  mkdirSync(change, { recursive: true });
  execFileSync("git", ["init", "-q"], { cwd: root });
  const connect = async (role) => {
    const client = new Client({ name: "talk", version: "1" }, options);
    const args = ["-C", root, "mcp", "--outbox", "agentd/changes/add-login", "--role", role];
    await client.connect(new Transport({ command: agentd, args, stderr: "inherit" }));
    return client;
  };

  const reviewer = await connect("reviewer");
  assert.equal(reviewer.getServerVersion().name, "agentd");
  await reviewer.ping();
  const { tools } = await reviewer.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ["submit_review", "submit_done"]);
  assert.deepEqual(tools[0].inputSchema.required, ["verdict", "summary", "findings", "checks"]);
  const call = async (tool, args) => {
    const result = await reviewer.callTool({ name: tool, arguments: args });
    return [result.content[0].text, result.isError ?? false];
  };

  const [faults, isError] = await call("submit_review", { verdict: "maybe", findings: [{ severity: "huge" }] });
  assert.equal(isError, true);
  for (const field of ["verdict", "summary", "findings[0].severity", "findings[0].issue", "checks"]) {
    assert.ok(faults.includes(`- \`${field}\`: `), `${field} is not in\n${faults}`);
  }
  assert.equal(existsSync(join(change, "07_review")), false, "nothing is written");

  assert.deepEqual(await call("submit_review", review), [
    "Recorded submit_review. Wrote 07_review/review.md.",
    false,
  ]);
  assert.deepEqual(await call("submit_review", review), [
    "The same submit_review was already recorded: nothing changed.",
    false,
  ]);
  const [replaced] = await call("submit_review", { ...review, summary: "Two records are lost." });
  assert.match(replaced, /^Replaced the earlier submit_review\./);
  assert.match(readFileSync(join(change, "07_review/review.md"), "utf8"), /^VERDICT: FAIL\n/);
  await assert.rejects(reviewer.callTool({ name: "submit_plan", arguments: {} }), /-32602|no tool/);
  await reviewer.ping();
  await reviewer.close();

  const planner = await connect("planner");
  assert.equal((await planner.listTools()).tools.length, 5);
  await planner.close();
  rmSync(root, { recursive: true });
  console.log(`${name}: ok`);
}
