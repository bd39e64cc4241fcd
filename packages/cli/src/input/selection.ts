import { isMap } from './checks.ts';
import type { JSONItem, JSONList } from './json-list.ts';
import { textOf } from './json-scan.ts';

/** The objects of the input that a command needs; of a long list in JSON, the others are not read. */
export interface InputScope {
  readonly namespace: string;
  /** Names of Services; empty for all. */
  readonly names: readonly string[];
}

/** The kinds that are needed in their namespace only, with the API version that is read. */
const namespacedVersions: ReadonlyMap<string | undefined, string> = new Map([
  ['Service', 'v1'],
  ['Pod', 'v1'],
  ['Endpoints', 'v1'],
  ['EndpointSlice', 'discovery.k8s.io/v1'],
]);

/**
 * Creates a predicate for the items of a list. It accepts every item in the namespace of the scope, of other kinds, or without a status. From
 * other namespaces it accepts all Services, because a Service can be an alias for any of them, pods that a named Service may select, because
 * a report names them if the Service selects no pods, and the first object of each kind, because messages name the namespaces that have
 * objects. If a selected Service has no uid, it accepts all items: the defaults of this Service depend on them.
 */
export function createItemFilter({ namespace, names }: InputScope, list: JSONList): (item: JSONItem) => boolean {
  const itemDefaults = itemDefaultsOf(list.list);
  const kindOf = (item: JSONItem): string | undefined => item.kind ?? itemDefaults.kind;
  const isInNamespace = (item: JSONItem): boolean => (item.namespace || namespace) === namespace;
  const services = list.items.filter((item) => kindOf(item) === 'Service' && isInNamespace(item));
  if (services.some(({ uid }) => !uid)) return () => true;
  const mayBeSelected = createSelectionFilter(
    list.bytes,
    services.filter(({ name }) => name !== undefined && names.includes(name)),
  );
  const seenGroups = new Set<string>();
  return (item) => {
    const kind = kindOf(item);
    const version = namespacedVersions.get(kind);
    if (isInNamespace(item) || version === undefined || version !== (item.apiVersion ?? itemDefaults.apiVersion)) return true;
    const group = `${kind} ${item.namespace}`;
    const isFirst = !seenGroups.has(group);
    seenGroups.add(group);
    return isFirst || kind === 'Service' || (kind === 'Pod' && (!item.hasStatus || mayBeSelected(item)));
  };
}

/** The kind and API version of items that set none. */
const itemDefaultsOf = ({ kind, apiVersion }: JSONList['list']): { readonly kind?: string; readonly apiVersion?: unknown } =>
  kind === 'List' ? {} : { kind: String(kind).slice(0, -'List'.length), apiVersion };

/** Creates a predicate that accepts at least the pods whose text contains all values of the selector of one of the Services. */
function createSelectionFilter(bytes: Uint8Array, services: readonly JSONItem[]): (pod: JSONItem) => boolean {
  const valuesOfServices = services
    .map((service) => readSelectorValues(textOf(bytes, service.start, service.end)))
    .filter(({ length }) => length > 0);
  if (valuesOfServices.length === 0) return () => false;
  return ({ start, end }) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    return valuesOfServices.some((values) => values.every((value) => text.includes(value)));
  };
}

/** Returns the values in quotes, as in the text of a label. Empty if the text is no valid Service, which is reported later. */
function readSelectorValues(text: string): readonly string[] {
  try {
    const selector = (JSON.parse(text) as { readonly spec?: { readonly selector?: object } }).spec?.selector;
    return isMap(selector) ? Object.values(selector).map((value) => JSON.stringify(value)) : [];
  } catch {
    return [];
  }
}
