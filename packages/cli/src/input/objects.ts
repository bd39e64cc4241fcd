import { parseApiVersion } from 'kube-endpoints/internal/apimachinery';
import { formatValue } from '../print/text.ts';
import { isMap } from './checks.ts';
import { isRelatedKind, isServedRelatedKind, type RelatedKind, workloadKinds } from './related-kinds.ts';
import type { Kind } from './rules.ts';

/** An object of a known kind, and its path in the document. */
export interface ObjectItem {
  readonly kind: Kind;
  readonly object: Record<string, unknown>;
  readonly path: Path;
}

/** Something that is not an object, or an object that cannot be used. */
export interface ProblemItem {
  readonly kind: 'problem';
  readonly path: Path;
  /** The object's kind, if known. */
  readonly object?: string | undefined;
  readonly message: string;
}

/** An item of a document: an object that is read, a problem, or an object that is only counted. */
export type DocumentItem = ObjectItem | ProblemItem | { readonly kind: SkippedKind };

/** "old": an EndpointSlice of v1alpha1; "other": an object of any other kind. */
export type SkippedKind = 'old' | 'other';

type Path = readonly (string | number)[];

/** Defaults for the items of a typed list: the API server omits kind and apiVersion there. */
interface ItemDefaults {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** An object of any kind. */
export interface AnyObject {
  readonly kind: 'object';
  readonly object: Record<string, unknown> & { readonly apiVersion: string; readonly kind: string };
  readonly path: Path;
}

/**
 * Yields the objects of a document: the document itself, or the items of a list.
 * @param firstItemIndex index of the list's first item, if the document is a part of a list
 */
export function* findObjects(document: unknown, firstItemIndex: number): Generator<DocumentItem> {
  for (const item of findObjectsOfAnyKind(document, firstItemIndex, expectedKinds)) yield item.kind === 'problem' ? item : classify(item);
}

/** Yields objects as `findObjects` does, but of all kinds. Items of a typed list get their kind and apiVersion from the list. */
export const findObjectsOfAnyKind = (
  document: unknown,
  firstItemIndex: number,
  expectedKind = 'the kind of the object',
): Generator<AnyObject | ProblemItem> => yieldItems({ value: document, path: [], defaults: {} }, firstItemIndex, expectedKind);

function classify({ object, path }: AnyObject): DocumentItem {
  const { kind, apiVersion } = object;
  if (isRelatedKind(kind)) return isServedRelatedKind(kind, apiVersion) && hasName(object) ? { kind, object, path } : { kind: 'other' };
  if (!isKnownKind(kind) || isGroupOfOtherProject(apiVersion) || isIgnored(object)) return { kind: 'other' };
  if (kind === 'EndpointSlice' && apiVersion === 'discovery.k8s.io/v1alpha1') return { kind: 'old' };
  if (apiVersion !== apiVersions[kind] && !(kind === 'EndpointSlice' && apiVersion === 'discovery.k8s.io/v1beta1'))
    return createProblem(path, `apiVersion is ${formatValue(apiVersion)}: give ${apiVersions[kind]}`, kind);
  return { kind, object, path };
}

/** Nested lists are flattened up to this depth: a YAML alias can make a list its own item. */
const maxListDepth = 10;

interface ListItem {
  readonly value: unknown;
  readonly path: Path;
  readonly defaults: ItemDefaults;
}

function* yieldItems(
  { value, path, defaults }: ListItem,
  firstItemIndex: number,
  expectedKind: string,
): Generator<AnyObject | ProblemItem> {
  if (!isMap(value))
    return yield createProblem(path, `this is ${formatValue(value)}: give a Kubernetes object, a map with apiVersion and kind`);
  const { message } = value;
  if (value['kind'] === 'Status' && typeof message === 'string')
    return yield createProblem(path, `this is an error of the API server, not an object: ${message}`, 'Status');
  const kind = value['kind'] ?? defaults.kind;
  const apiVersion = value['apiVersion'] ?? defaults.apiVersion;
  if (typeof kind !== 'string' || kind === '') return yield createMissingProblem(path, 'kind', kind, expectedKind);
  if (typeof apiVersion !== 'string' || apiVersion === '')
    return yield createMissingProblem(path, 'apiVersion', apiVersion, expectedVersion(kind), kind);
  if (kind !== 'List' && !(kind.endsWith('List') && 'items' in value)) {
    const isTyped = value['kind'] === kind && value['apiVersion'] === apiVersion;
    return yield { kind: 'object', object: (isTyped ? value : { ...value, kind, apiVersion }) as AnyObject['object'], path };
  }
  const items = value['items'];
  if (items === null || items === undefined) return;
  if (!Array.isArray(items)) return yield createProblem([...path, 'items'], `items is ${formatValue(items)}: give a list`, kind);
  if (path.length / 2 >= maxListDepth)
    return yield createProblem(path, `in more than ${maxListDepth} lists: give each list by itself`, kind);
  const itemDefaults = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
  for (const [i, item] of items.entries()) {
    yield* yieldItems({ value: item, path: [...path, 'items', firstItemIndex + i], defaults: itemDefaults }, 0, expectedKind);
  }
}

const expectedKinds = 'Service, Pod, Node, Endpoints, EndpointSlice or List';

const apiVersions: Readonly<Record<Exclude<Kind, RelatedKind>, string>> = {
  Service: 'v1',
  Pod: 'v1',
  Node: 'v1',
  Namespace: 'v1',
  ServiceCIDR: 'networking.k8s.io/v1',
  Endpoints: 'v1',
  EndpointSlice: 'discovery.k8s.io/v1',
  Event: 'v1',
};

/**
 * True for Events that explain nothing about Services, and for ServiceCIDRs of an API version before v1, which may be disabled in the
 * cluster.
 */
const isIgnored = ({ kind, apiVersion, involvedObject, type }: AnyObject['object']): boolean =>
  (kind === 'Event' && (apiVersion !== apiVersions.Event || !isMap(involvedObject) || !isEventOfInterest(type, involvedObject['kind']))) ||
  (kind === 'ServiceCIDR' && apiVersion !== apiVersions.ServiceCIDR);

/** All Events about Services, and warnings about pods, nodes and workloads. */
const isEventOfInterest = (type: unknown, kind: unknown): boolean =>
  kind === 'Service' || (type === 'Warning' && (kind === 'Pod' || kind === 'Node' || (workloadKinds as readonly unknown[]).includes(kind)));

/** A manifest of a Job may have only a generateName. */
const hasName = ({ metadata }: AnyObject['object']): boolean => isMap(metadata) && metadata['name'] !== undefined;

const isKnownKind = (kind: string): kind is keyof typeof apiVersions => Object.hasOwn(apiVersions, kind);
const expectedVersion = (kind: string): string => (isKnownKind(kind) ? apiVersions[kind] : 'v1');

/** True for other projects' groups that reuse a kind name, such as serving.knative.dev; Kubernetes' own groups end with .k8s.io. */
const isGroupOfOtherProject = (apiVersion: string): boolean => {
  const { group } = parseApiVersion(apiVersion);
  return group.includes('.') && !group.endsWith('.k8s.io');
};

const createMissingProblem = (path: Path, field: string, value: unknown, expected: string, object?: string): ProblemItem =>
  createProblem(
    path,
    `${field} is ${value === undefined || value === null || value === '' ? 'missing' : formatValue(value)}: give ${expected}`,
    object,
  );

const createProblem = (path: Path, message: string, object?: string): ProblemItem => ({ kind: 'problem', path, message, object });
