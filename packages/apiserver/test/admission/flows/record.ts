import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthority } from '../support/certificates.ts';
import { startWebhookServer } from '../support/webhook-server.ts';
import { behaviours } from './behaviours.ts';
import { type Call, createConfiguration, type Flow, flowResources } from './flow.ts';
import { flows } from './flows.ts';
import { createOutcome, type Outcome } from './outcome.ts';

/**
 * Runs the flows against kube-apiserver and records their outcomes. Usage: record.ts FOLDER PORT, the folder and the
 * port of a control plane that conformance/e2e/cluster/up.sh has started for this purpose alone.
 */
const [folder = '', port = ''] = process.argv.slice(2);
const token = readFileSync(join(folder, 'token'), 'utf8');
const agent = new Agent({ keepAlive: true, ca: readFileSync(join(folder, 'certs', 'apiserver.crt'), 'utf8') });
const authority = await createAuthority();
const server = await startWebhookServer(await authority.issue(['127.0.0.1', 'hook.flows.svc']), behaviours);

interface Answer {
  readonly code: number;
  readonly body: Record<string, unknown>;
  readonly warnings: readonly string[];
}

function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = {
    authorization: `Bearer ${token}`,
    'user-agent': 'flows',
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const clientRequest = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const header = response.headers['warning'] ?? '';
        const warnings = String(header)
          .split(/, (?=299 )/)
          .filter(Boolean)
          .map((each) => JSON.parse(Buffer.from(each.replace(/^299 - /, ''), 'latin1').toString('utf8')) as string);
        resolve({
          code: response.statusCode ?? 0,
          body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>,
          warnings,
        });
      });
    });
    clientRequest.on('error', reject);
    clientRequest.end(text);
  });
}

function pathOf(resource: string, { name, subresource, query }: Partial<Call> = {}): string {
  const flowResource = flowResources[resource];
  if (!flowResource) throw new Error(resource);
  const { group, version, plural, namespaced } = flowResource;
  const segments = [
    group === '' ? 'api' : `apis/${group}`,
    version,
    ...(namespaced ? ['namespaces/flows'] : []),
    plural,
    ...(name ? [name] : []),
    ...(subresource ? [subresource] : []),
  ];
  return `/${segments.join('/')}${query ? `?${query}` : ''}`;
}

const methods = { create: 'POST', update: 'PUT', patch: 'PATCH', delete: 'DELETE', deletecollection: 'DELETE' };
const configurationsPath = '/apis/admissionregistration.k8s.io/v1';

async function run(flow: Flow): Promise<Outcome> {
  for (const { resource, body } of flow.existingObjects ?? []) {
    const created = await send('POST', pathOf(resource), body);
    if (created.code !== 201) throw new Error(`${flow.name}: ${JSON.stringify(created.body)}`);
  }
  const configurationPaths: string[] = [];
  for (const [kind, hooksByName] of [
    ['Mutating', flow.mutating],
    ['Validating', flow.validating],
  ] as const) {
    for (const [name, hooks] of Object.entries(hooksByName ?? {})) {
      const created = await send(
        'POST',
        `${configurationsPath}/${kind.toLowerCase()}webhookconfigurations`,
        createConfiguration(kind, name, hooks, server.port, authority.certificate),
      );
      if (created.code !== 201) throw new Error(`${flow.name}: ${JSON.stringify(created.body)}`);
      configurationPaths.push(`${kind.toLowerCase()}webhookconfigurations/${name}`);
    }
  }
  // Configurations and their deletion take effect with a delay.
  await sleep(400);
  server.clearReceivedReviews();
  const { verb, resource, body } = flow.call;
  const answer = await send(methods[verb], pathOf(resource, flow.call), body);
  const outcome = createOutcome(flow, answer, [...server.receivedReviews], server.port);
  for (const path of configurationPaths) await send('DELETE', `${configurationsPath}/${path}`);
  await sleep(300);
  await deleteObjects();
  return outcome;
}

async function deleteObjects(): Promise<void> {
  for (const resource of ['configMaps', 'pods', 'events'])
    await send('DELETE', pathOf(resource), resource === 'pods' ? { gracePeriodSeconds: 0 } : undefined);
  for (const name of ['ruled']) await send('DELETE', `/api/v1/namespaces/${name}`);
  for (const name of ['n1']) await send('DELETE', `/api/v1/nodes/${name}`);
}

for (const name of ['flows', 'other']) {
  await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { team: 'a' } } });
}
await deleteObjects();
if (new Set(flows.map(({ name }) => name)).size < flows.length) throw new Error('two flows have the same name');
const lines: string[] = [];
for (const flow of flows) lines.push(JSON.stringify({ name: flow.name, ...(await run(flow)) }));
writeFileSync(join(import.meta.dirname, 'outcomes.jsonl'), `${lines.join('\n')}\n`);
console.log(`${flows.length} flows`);
agent.destroy();
await server.close();
