import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readTestList } from '../kubernetes/list.ts';
import { type Explanation, explanations } from './compare/explanations.ts';

/** The path of the page. `node conformance/e2e/apiserver/differences-page.ts --write` regenerates it. */
export const PAGE_PATH: string = join(import.meta.dirname, '..', '..', '..', 'docs', 'semantics', 'api-differences.md');

export function createPage(list: readonly Explanation[]): string {
  const items = list.flatMap(({ title, reason }, n) => wrapListItem(`${n + 1}. **${title}.** ${reason}`));
  const listItems = (texts: readonly string[]): string[] => texts.flatMap((text) => wrapListItem(`- ${text}`, '  '));
  const uncovered = [...UNCOVERED_HEADING, ...listItems(missingFeatures)];
  const connections = [...CONNECTIONS_HEADING, ...listItems(connectionLimits)];
  return `${[...INTRODUCTION, ...items, ...uncovered, ...createTestSection(), ...connections, ...LINKS].join('\n')}\n`;
}

/** Says which of Kubernetes' own tests pass. */
function createTestSection(): string[] {
  const tests = readTestList();
  const count = (setup: string): number => tests.filter(({ needs }) => needs === setup).length;
  const failing = tests.filter(({ reason }) => reason !== undefined);
  const text =
    `Of the end-to-end tests of Kubernetes 1.36.3, ${tests.length} pass on a real API server whose nodes exist only in the API. ` +
    '`npm run e2e:kubernetes` runs the unmodified program with them against the embedded API server: ' +
    `${count('server')} with nothing else, ${count('endpoints')} about endpoints with the controllers of this project, and with ` +
    `\`-- --with-controller-manager\` also ${count('manager')} that need a real kube-controller-manager. ` +
    '[The list](../../conformance/e2e/kubernetes/tests.txt) has their names. ' +
    (failing.length === 0 ? 'All of them pass.' : `All of them pass, except ${failing.length}:`);
  const items = failing.flatMap(({ name, reason }) => wrapListItem(`- ${name}: ${reason}`, '  '));
  return ['', "## Kubernetes' own tests", '', ...wrapListItem(text, ''), ...(items.length > 0 ? ['', ...items] : [])];
}

export function readPage(): string {
  return readFileSync(PAGE_PATH, 'utf8');
}

const WIDTH = 140;
const INTRODUCTION = [
  '# Differences from kube-apiserver',
  '',
  'The embedded API server responds like kube-apiserver 1.36. An end-to-end test sends more than 1,500 requests to it and to a real',
  'kube-apiserver and compares the responses field by field. It fails for any difference that is not in this list, and for any entry that',
  'matches no difference. Values that a server chooses itself are not compared: uids, times, resourceVersions, generated names, allocated',
  'addresses and ports, continue tokens.',
  '',
];

const UNCOVERED_HEADING = ['', '## Differences that the comparison does not cover', '', 'Missing features that a client may notice:', ''];

/** Known differences that no request of the comparison shows. */
const missingFeatures: readonly string[] = [
  '**The ServiceAccount plugin.** Pods get no ServiceAccount and no token volume, as with `--disable-admission-plugins ServiceAccount`.',
  '**Protection of storage.** The finalizers `kubernetes.io/pvc-protection` and `kubernetes.io/pv-protection` are not added, because no ' +
    'controller would remove them.',
  '**IPAddresses.** Cluster IPs are not recorded as IPAddresses, and ServiceCIDRs other than `kubernetes` do not add ranges.',
  '**Budgets without a controller.** As in a real server, a disruption controller has to set the status of a PodDisruptionBudget; without ' +
    'one, evictions of its pods are refused.',
  '**CEL.** The error for an expression that cannot be parsed has another text after "Syntax error", and only the first error of an ' +
    'expression is reported. The controller that checks the types of admission policies is missing.',
  '**Integers above 2^53.** They are preserved. Objects of the in-process client contain them as values of type bigint, and managedFields name an ' +
    'item of a set by all digits of such an integer, where the real server rounds it.',
  '**Pod validation.** There are no warnings for overlapping volumes, no validation of Windows-specific fields, and no RuntimeClasses, so ' +
    'that `overhead` is accepted without one.',
  '**Protobuf bodies of custom resources.** They get 415, because custom resources have no protobuf form. The real server panics and closes the ' +
    'connection.',
  '**Health checks.** `/healthz?verbose`, `/livez?verbose` and `/readyz?verbose` list the checks of the real server. They pass as soon as the ' +
    'server listens, except `shutdown`, which fails while the server closes.',
  '**YAML.** Answers have the same content with other indentation and quotes. In requests, aliases may add 3 MiB of text, merge keys 10,000 ' +
    'fields, and a value may have 250,000 lines and 500,000 escapes; more is refused.',
  '**Priority and fairness.** FlowSchemas classify requests as in the real server, and answers have the UIDs of the FlowSchema and the ' +
    'priority level as headers, but requests are never queued: beyond `limits.inFlight`, they are refused. Of the metrics of flows, there is ' +
    '`apiserver_flowcontrol_nominal_limit_seats`.',
  '**ComponentStatuses.** The conditions of `controller-manager` and `scheduler` are always unknown, because the server does not probe them.',
  '**Authorization.** By default, every client with a token has all permissions. With RBAC, the differences are those of ' +
    '[authorization](authorization.md).',
];

const CONNECTIONS_HEADING = [
  '',
  '## Connections',
  '',
  'The real server accepts any number of connections. This server limits them, so that clients that only connect cannot shut out others:',
  '',
];

const connectionLimits: readonly string[] = [
  '**Number.** Up to 4,096 connections can be open (`limits.connections` of `listen`). Beyond this, the server closes the oldest connection on ' +
    'which no complete request with a valid token has arrived, else the longest idle one. Connections with a request in ' +
    'progress, such as a watch, stay open; if all are of this kind, a new connection is closed. [`createConnectionLimiter`]',
  '**Connections of one address.** At most a quarter of the limit, but at least 16, can be without such a request. Beyond this, the oldest ' +
    'connection of the address is closed.',
  '**TLS handshakes.** They start one at a time, for each address in turn, and only after a client has sent its first bytes, so that ' +
    'connections without data hardly delay the requests of others. [`limitConnections`]',
  '**HTTP/2.** Clients that offer it get it, as from the real server; with `tls: false` there is only HTTP/1.1. A connection can have 1,000 ' +
    'requests at the same time, in the real server 100, and counts as one connection. It is closed after a request without a valid token, ' +
    'if its client resets too many requests (about 1,000, then 33 per second), or if it is idle for `limits.keepAliveMs`. If the headers of a ' +
    'request exceed `limits.headerBytes`, its stream is reset with ENHANCE_YOUR_CALM, while the real server answers 431. ' +
    '[`createHttp2Sessions`]',
];

const LINKS = [
  '',
  '[`createConnectionLimiter`]: ../../src/apimachinery/connections.ts',
  '[`createHttp2Sessions`]: ../../packages/apiserver/src/server/http2.ts',
  '[`limitConnections`]: ../../src/apimachinery/http-server.ts',
];

function wrapListItem(text: string, indent = '   '): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(word);
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

if (import.meta.main && parseArgs({ options: { write: { type: 'boolean', default: false } } }).values.write) {
  writeFileSync(PAGE_PATH, createPage(explanations));
}
