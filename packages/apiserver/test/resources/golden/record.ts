import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createRandom } from '../../../../../examples/random.ts';
import { bases } from './manifests.ts';
import { normalize, normalizeBody } from './normalize.ts';
import { recordTables } from './record-tables.ts';
import { createRequests, type Request } from './requests.ts';
import { collectionPath, connect } from './server.ts';

// Sends the requests to a real kube-apiserver and records its answers. Usage: record.ts FOLDER PORT [SEED [PER_BASE]] with the folder and
// the port of a control plane that conformance/e2e/cluster/up.sh has started. It must not be in use: the script creates objects.
const [folder = '', port = '', seed = '11', perBase = '40'] = process.argv.slice(2);
const { send, close } = connect(folder, port);

await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vectors' } });
const stored = new Map<string, Record<string, unknown>>();
for (const { name, resource, object: base } of bases) {
  const object = { ...base, metadata: { ...(base['metadata'] as object), name: storedName(base) } };
  if (resource.endsWith('WebhookConfigurations')) preventWebhookCalls(object);
  const response = await send('POST', collectionPath(resource), object);
  const { body } = response.status === 409 ? await send('GET', `${collectionPath(resource)}/${storedName(base)}`) : response;
  stored.set(name, body);
  if (body['kind'] === 'Status') throw new Error(`${name}: ${JSON.stringify(body)}`);
}
const lines: string[] = [];
const random = createRandom(Number(seed));
for (const each of createRequests(Number(perBase), () => random.below(1_000_000) / 1_000_000))
  lines.push(JSON.stringify(await record(each)));
writeFileSync(join(import.meta.dirname, 'answers.jsonl.gz'), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
console.log(`${lines.length} answers`);
writeFileSync(join(import.meta.dirname, 'tables.json.gz'), gzipSync(JSON.stringify(await recordTables(send)), { level: 9 }));
close();

/** Stored bases have another name, so that creating the same base does not conflict. */
function storedName(object: Readonly<Record<string, unknown>>): string {
  return `${(object['metadata'] as { name: string }).name}-there`;
}

/** Keeps the server from calling the webhooks of a stored configuration. */
function preventWebhookCalls(object: Record<string, unknown>): void {
  object['webhooks'] = (object['webhooks'] as Record<string, unknown>[]).map((hook) => ({
    ...hook,
    objectSelector: { matchLabels: { 'never-on': 'anything' } },
  }));
}

async function record({ resource, verb, base, body }: Request): Promise<unknown> {
  const old = base === undefined ? undefined : (stored.get(base) as { metadata: Record<string, unknown> });
  const sent = old === undefined || typeof body !== 'object' || body === null ? body : asUpdateOf(body as Record<string, unknown>, old);
  const method = verb === 'create' ? 'POST' : 'PUT';
  const name = old === undefined ? '' : `/${old.metadata['name']}`;
  const {
    status,
    body: answer,
    warnings,
  } = await send(method, `${collectionPath(resource)}${name}${verb === 'status' ? '/status' : ''}?dryRun=All`, sent);
  return {
    resource,
    verb,
    ...(old && { old: normalize(resource, old) }),
    body: old === undefined ? body : normalizeBody(resource, sent),
    code: status,
    answer: normalize(resource, answer),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The body as an update of the stored object: with its name and resourceVersion. */
function asUpdateOf(body: Record<string, unknown>, old: { metadata: Record<string, unknown> }): Record<string, unknown> {
  const { metadata } = body;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return body;
  const { name, resourceVersion } = old.metadata;
  const sentMetadata = metadata as Record<string, unknown>;
  const spec = body['spec'];
  const oldObject = old as unknown as Record<string, Record<string, unknown> | undefined>;
  const update = { ...body, metadata: { ...sentMetadata, name, resourceVersion } };
  // An update of a Service keeps its cluster IPs; the replay does not allocate.
  if (body['kind'] !== 'Service' || typeof spec !== 'object' || spec === null || Array.isArray(spec)) return update;
  return { ...update, spec: { ...spec, clusterIP: oldObject['spec']?.['clusterIP'], clusterIPs: oldObject['spec']?.['clusterIPs'] } };
}
