type Json = Record<string, unknown>;

/** Replaces values that differ between servers, and drops those that are not compared. */
export function normalize(resource: string, value: unknown): unknown {
  if (!isObject(value) || value['kind'] === 'Status') return value;
  const copy = structuredClone(value);
  const metadata = copy['metadata'];
  if (isObject(metadata)) {
    for (const name of ['managedFields', 'selfLink']) delete metadata[name];
    if (typeof metadata['uid'] === 'string') metadata['uid'] = 'uid';
    if (typeof metadata['resourceVersion'] === 'string') metadata['resourceVersion'] = '1';
    normalizeConditions(copy, metadata['creationTimestamp']);
    if (typeof metadata['creationTimestamp'] === 'string') metadata['creationTimestamp'] = '2025-01-01T00:00:00Z';
    if (hasGeneratedName(metadata)) metadata['name'] = 'generated';
  }
  const spec = copy['spec'];
  if (resource === 'services' && isObject(spec)) dropAllocations(spec);
  return copy;
}

/** Sets a fixed time for conditions that changed within two seconds of the object's creation. */
function normalizeConditions(object: Json, creationTime: unknown): void {
  const conditions = isObject(object['status']) && Array.isArray(object['status']['conditions']) ? object['status']['conditions'] : [];
  for (const each of conditions as Json[]) {
    const differenceMs = Math.abs(Date.parse(String(each['lastTransitionTime'])) - Date.parse(String(creationTime)));
    if (differenceMs <= 2000) each['lastTransitionTime'] = '2025-01-01T00:00:00Z';
  }
}

/** Normalizes a request body: resourceVersion 1, and no allocated fields. */
export function normalizeBody(resource: string, body: unknown): unknown {
  if (!isObject(body)) return body;
  const copy = structuredClone(body);
  if (isObject(copy['metadata']) && typeof copy['metadata']['resourceVersion'] === 'string') copy['metadata']['resourceVersion'] = '1';
  if (resource === 'services' && isObject(copy['spec'])) dropAllocations(copy['spec']);
  return copy;
}

const hasGeneratedName = ({ name, generateName }: Json): boolean =>
  typeof name === 'string' &&
  typeof generateName === 'string' &&
  generateName !== '' &&
  name.startsWith(generateName.slice(0, 58)) &&
  name.length > generateName.slice(0, 58).length;

/** Drops cluster IPs and node ports, which the replay does not allocate. */
function dropAllocations(spec: Json): void {
  for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort']) {
    if (spec['clusterIP'] === 'None' && name.startsWith('clusterIP')) continue;
    delete spec[name];
  }
  if (Array.isArray(spec['ports'])) for (const port of spec['ports']) if (isObject(port)) delete port['nodePort'];
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
