// Clients of a Service on a node. Usage: client.mjs ADDRESS PORT REQUESTS_PER_SECOND MAX_REQUEST_MS KEEP_ALIVE
// Reports requests to its parent process: those that succeeded by number, and each one that failed with its times.
import { Agent, request } from 'node:http';

const [host, port, rate, maxRequestMs, keepAlive] = process.argv.slice(2);
const agent = keepAlive === 'true' ? new Agent({ keepAlive: true }) : false;
const interval = 1000 / Number(rate);
const timeoutMs = 20_000;
const maxBurst = 20;

// Each connection has a port of its own, so that no request depends on an earlier one: for 10 s after a server has reset a connection, Linux sends
// a new one from its port to the same pod, whatever the rules say (nf_conntrack_tcp_timeout_close).
const ports = { first: 10_000, last: 65_000 };
let lastPort = ports.last;
const nextPort = () => {
  lastPort = lastPort === ports.last ? ports.first : lastPort + 1;
  return lastPort;
};

let report = { sent: 0, succeeded: 0, failures: [] };
let due = performance.now();

setInterval(() => {
  const now = performance.now();
  // After a stall, goes on with the usual rate: a burst would be no load of this rate.
  due = Math.max(due, now - maxBurst * interval);
  for (; due <= now; due += interval) send();
}, 5);

setInterval(() => {
  // The parent process may have closed its end by now.
  process.send(report, () => {});
  report = { sent: 0, succeeded: 0, failures: [] };
}, 200);
process.on('disconnect', () => process.exit());

/** Sends a request. A request on a connection that its server closed while it was idle is sent again, like any HTTP client does. */
function send(isRetry = false, start = Date.now()) {
  const path = `/?ms=${Math.floor(Math.random() * Number(maxRequestMs))}`;
  if (!isRetry) report.sent += 1;
  let isOver = false;
  const fail = (error) => {
    if (isOver) return;
    isOver = true;
    if (sent.reusedSocket && error.code === 'ECONNRESET' && !hasResponse) send(true, start);
    else report.failures.push({ start, end: Date.now(), code: error.code ?? error.message });
  };
  let hasResponse = false;
  const sent = request({ host, port, path, agent, timeout: timeoutMs, localPort: nextPort() }, (response) => {
    hasResponse = true;
    response.resume();
    response.on('error', fail);
    response.on('end', () => {
      isOver = true;
      if (response.statusCode === 200) report.succeeded += 1;
      else report.failures.push({ start, end: Date.now(), code: `HTTP ${response.statusCode}` });
    });
  });
  sent.on('timeout', () => sent.destroy(new Error('TIMEOUT')));
  sent.on('error', fail);
  sent.end();
}
