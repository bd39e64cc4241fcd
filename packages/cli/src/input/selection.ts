import type { JSONItem, JSONList } from './json-list.ts';

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
 * Creates a predicate for the items of a list. It accepts every item in the namespace of the scope, of other kinds, or without a status,
 * and from other namespaces all Services, because a Service can be an alias for any of them, and the first object of each kind, because
 * messages name the namespaces in which there are objects. If a selected Service has no uid, it accepts all items: the defaults of this Service depend on them.
 */
export function createItemFilter(
  { namespace }: InputScope,
  { list, items }: Pick<JSONList, 'list' | 'items'>,
): (item: JSONItem) => boolean {
  const itemDefaults = itemDefaultsOf(list);
  const kindOf = (item: JSONItem): string | undefined => item.kind ?? itemDefaults.kind;
  const isInNamespace = (item: JSONItem): boolean => (item.namespace || namespace) === namespace;
  if (items.some((item) => kindOf(item) === 'Service' && isInNamespace(item) && !item.uid)) return () => true;
  const seenGroups = new Set<string>();
  return (item) => {
    const kind = kindOf(item);
    const version = namespacedVersions.get(kind);
    if (isInNamespace(item) || version === undefined || version !== (item.apiVersion ?? itemDefaults.apiVersion)) return true;
    const group = `${kind} ${item.namespace}`;
    const isFirst = !seenGroups.has(group);
    seenGroups.add(group);
    return isFirst || kind === 'Service' || (kind === 'Pod' && !item.hasStatus);
  };
}

/** The kind and API version of items that set none. */
const itemDefaultsOf = ({ kind, apiVersion }: JSONList['list']): { readonly kind?: string; readonly apiVersion?: unknown } =>
  kind === 'List' ? {} : { kind: String(kind).slice(0, -'List'.length), apiVersion };
