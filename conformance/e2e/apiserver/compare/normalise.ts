/** Makes the answers of a server comparable with those of a different server that received the same requests. */
export interface Normaliser {
  /** Returns a body, or a part of one, without values that a server chooses itself. */
  clean(value: unknown): unknown;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const SERVICE_IP = /\b10\.96\.\d+\.\d+\b|fd00:10:96::[0-9a-f:]+/g;
const AGE = /^(?:\d+[smhdy])+$/;
const DAY_MS = 86_400_000;

/** Replacements in messages: resourceVersions, and generated names of refused objects. */
const MESSAGE_REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/resource version: \d+ \(\d+\)/g, 'resource version: <rv> (<rv>)'],
  [/resource version: (\d+), current: \d+/g, 'resource version: $1, current: <rv>'],
  [/ResourceVersion in precondition: \d+/g, 'ResourceVersion in precondition: <rv>'],
  [/ResourceVersion in object meta: \d+/g, 'ResourceVersion in object meta: <rv>'],
  [/ResourceVersion in the precondition \(\d+\)/g, 'ResourceVersion in the precondition (<rv>)'],
  [/ResourceVersion in record \(\d+\)/g, 'ResourceVersion in record (<rv>)'],
  // An object quoted in a message.
  [/(\bresourceVersion\\*":\\*")\d+/g, '$1<rv>'],
  // The generated name of a refused object. It occurs only in the error message, so addMetadata never sees it.
  [/\bNot Valid-[a-z0-9]{5}\b/g, 'Not Valid-<generated>'],
];

interface Metadata {
  readonly name?: unknown;
  readonly namespace?: unknown;
  readonly uid?: unknown;
  readonly resourceVersion?: unknown;
  readonly generateName?: unknown;
}

/**
 * Replaces each uid by the name of its object, and each resourceVersion by a counter per object, so that a surplus or missing write is
 * still visible. Current times, generated names, and allocated IPs and ports become placeholders. The entries of managedFields are sorted,
 * but not by time.
 *
 * @param script the text of all requests: IPs and ports that it contains stay unchanged
 */
export function createNormaliser(script: string): Normaliser {
  const requestedValues = new Set([...(script.match(SERVICE_IP) ?? []), ...(script.match(/\b3[0-2]\d{3}\b/g) ?? [])]);
  const replacements = createReplacements();
  const normaliseText = (value: string): string => {
    let result = replacements.replaceInText(value);
    result = result.replaceAll(TIME, (time, fraction) =>
      isRecent(time) ? (fraction === undefined ? '<time>' : '<time with fraction>') : time,
    );
    result = result.replaceAll(SERVICE_IP, (ip) => (requestedValues.has(ip) ? ip : ip.includes(':') ? '<IPv6>' : '<IPv4>'));
    for (const [pattern, replacement] of MESSAGE_REPLACEMENTS) result = result.replaceAll(pattern, replacement);
    return result;
  };
  const normaliseField = (key: string, value: unknown, parent: Metadata): unknown => {
    if (key === 'resourceVersion' && typeof value === 'string' && /^\d+$/.test(value)) return replacements.replaceVersion(value, parent);
    if (key === 'continue' && typeof value === 'string' && value !== '') return '<continue>';
    if (NODE_PORT_FIELDS.has(key) && typeof value === 'number' && value !== 0)
      return requestedValues.has(String(value)) ? value : '<node port>';
    if (key === 'managedFields' && Array.isArray(value)) return value.map(normaliseValue).sort(compareManagedFields);
    if (key === 'cells' && Array.isArray(value))
      return value.map((cell) => (typeof cell === 'string' && AGE.test(cell) ? '<age>' : normaliseValue(cell)));
    return normaliseValue(value);
  };
  const normaliseValue = (value: unknown): unknown => {
    if (typeof value === 'string') return normaliseText(value);
    if (Array.isArray(value)) return value.map(normaliseValue);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [normaliseText(key), normaliseField(key, item, value)]));
  };
  return {
    clean(value) {
      visitMetadata(value, replacements.addMetadata);
      return normaliseValue(value);
    },
  };
}

/**
 * Orders managedFields entries by operation, manager, subresource and apiVersion. The servers sort by time in whole seconds, so their order
 * depends on whether two writes fall into the same second.
 */
function compareManagedFields(one: unknown, other: unknown): number {
  const [a, b] = [one, other].map((entry) => {
    const { operation, manager, subresource, apiVersion } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    return JSON.stringify([operation, manager, subresource, apiVersion]);
  }) as [string, string];
  return a < b ? -1 : a > b ? 1 : 0;
}

const NODE_PORT_FIELDS: ReadonlySet<string> = new Set(['nodePort', 'healthCheckNodePort']);

/** Creates the replacements for uids, resourceVersions and generated names. */
function createReplacements(): {
  addMetadata(metadata: Metadata): void;
  replaceInText(text: string): string;
  replaceVersion(version: string, metadata: Metadata): string;
} {
  const uidPlaceholders = new Map<string, string>();
  const countByName = new Map<string, number>();
  const placeholdersByUid = new Map<string, Map<string, string>>();
  const generatedNames = new Map<string, string>();
  return {
    addMetadata({ name, namespace, uid, resourceVersion, generateName }) {
      if (typeof generateName === 'string' && typeof name === 'string' && generateName !== '' && name.startsWith(generateName)) {
        generatedNames.set(name, `${generateName}<generated>`);
      }
      if (typeof uid !== 'string' || typeof name !== 'string') return;
      if (!uidPlaceholders.has(uid)) {
        const key = `${typeof namespace === 'string' ? `${namespace}/` : ''}${generatedNames.get(name) ?? name}`;
        const count = (countByName.get(key) ?? 0) + 1;
        countByName.set(key, count);
        uidPlaceholders.set(uid, `<uid of ${key}${count > 1 ? ` #${count}` : ''}>`);
      }
      if (typeof resourceVersion !== 'string') return;
      const placeholders = placeholdersByUid.get(uid) ?? new Map<string, string>();
      placeholdersByUid.set(uid, placeholders);
      if (!placeholders.has(resourceVersion)) placeholders.set(resourceVersion, `<rv ${placeholders.size + 1}>`);
    },
    replaceInText(text) {
      let result = text;
      for (const [name, placeholder] of generatedNames) if (result.includes(name)) result = result.replaceAll(name, placeholder);
      return result.replaceAll(UUID, (uid) => uidPlaceholders.get(uid) ?? '<uid>');
    },
    replaceVersion(version, { uid }) {
      const placeholder = typeof uid === 'string' ? placeholdersByUid.get(uid)?.get(version) : undefined;
      return placeholder ?? (version === '0' || version === '1' ? version : '<rv>');
    },
  };
}

function visitMetadata(value: unknown, visit: (metadata: Metadata) => void): void {
  if (value === null || typeof value !== 'object') return;
  const { metadata } = value as { metadata?: unknown };
  if (!Array.isArray(value) && typeof metadata === 'object' && metadata !== null) visit(metadata);
  for (const item of Object.values(value)) visitMetadata(item, visit);
}

function isRecent(time: string): boolean {
  return Math.abs(Date.parse(time) - Date.now()) < DAY_MS;
}
