import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createRandom } from '../../../../../examples/random.ts';
import { bases } from './manifests.ts';
import { sent as asSent, normalized } from './normalize.ts';
import { recordTables } from './record-tables.ts';
import { type Request, requests } from './requests.ts';
import { collection, connect } from './server.ts';

/**
 * Sends the requests to a real kube-apiserver and writes down what it answers. Usage: record.ts FOLDER PORT [SEED [PER_BASE]], the
 * folder and the port of a control plane that conformance/e2e/cluster/up.sh has started, and that nobody else needs.
 */
const [folder = '', port = '', seed = '11', perBase = '40'] = process.argv.slice(2);
const { send, close } = connect(folder, port);

await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vectors' } });
const stored = new Map<string, Record<string, unknown>>();
for (const { name, resource, object } of bases) {
  const own = { ...object, metadata: { ...(object['metadata'] as object), name: storedName(object) } };
  if (resource.endsWith('WebhookConfigurations')) disarm(own);
  const made = await send('POST', collection(resource), own);
  const { body } = made.status === 409 ? await send('GET', `${collection(resource)}/${storedName(object)}`) : made;
  stored.set(name, body);
  if (body['kind'] === 'Status') throw new Error(`${name}: ${JSON.stringify(body)}`);
}
const lines: string[] = [];
const random = createRandom(Number(seed));
for (const each of requests(Number(perBase), () => random.below(1_000_000) / 1_000_000)) lines.push(JSON.stringify(await answerTo(each)));
writeFileSync(join(import.meta.dirname, 'answers.jsonl.gz'), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
console.log(`${lines.length} answers`);
writeFileSync(join(import.meta.dirname, 'tables.json.gz'), gzipSync(JSON.stringify(await recordTables(send)), { level: 9 }));
close();

/** Existing bases have their own names, so that creating the same base does not conflict. */
function storedName(object: Readonly<Record<string, unknown>>): string {
  return `${(object['metadata'] as { name: string }).name}-there`;
}

/** Prevents webhook calls while the configuration exists. */
function disarm(object: Record<string, unknown>): void {
  object['webhooks'] = (object['webhooks'] as Record<string, unknown>[]).map((hook) => ({
    ...hook,
    objectSelector: { matchLabels: { 'never-on': 'anything' } },
  }));
}

async function answerTo({ resource, verb, base, body }: Request): Promise<unknown> {
  const old = base === undefined ? undefined : (stored.get(base) as { metadata: Record<string, unknown> });
  const sent = old === undefined || typeof body !== 'object' || body === null ? body : inPlaceOf(body as Record<string, unknown>, old);
  const method = verb === 'create' ? 'POST' : 'PUT';
  const name = old === undefined ? '' : `/${old.metadata['name']}`;
  const {
    status,
    body: answer,
    warnings,
  } = await send(method, `${collection(resource)}${name}${verb === 'status' ? '/status' : ''}?dryRun=All`, sent);
  return {
    resource,
    verb,
    ...(old && { old: normalized(resource, old) }),
    body: old === undefined ? body : asSent(resource, sent),
    code: status,
    answer: normalized(resource, answer),
    ...(warnings.length > 0 && { warnings }),
  };
}

function inPlaceOf(body: Record<string, unknown>, old: { metadata: Record<string, unknown> }): Record<string, unknown> {
  const { metadata } = body;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return body;
  const { name, resourceVersion } = old.metadata;
  const own = metadata as Record<string, unknown>;
  const spec = body['spec'];
  const before = old as unknown as Record<string, Record<string, unknown> | undefined>;
  const placed = { ...body, metadata: { ...own, name, resourceVersion } };
  // Only Services that keep their addresses are compared.
  if (body['kind'] !== 'Service' || typeof spec !== 'object' || spec === null || Array.isArray(spec)) return placed;
  return { ...placed, spec: { ...spec, clusterIP: before['spec']?.['clusterIP'], clusterIPs: before['spec']?.['clusterIPs'] } };
}
