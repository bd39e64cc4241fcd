import { shown } from '../print/text.ts';
import { isMap } from './checks.ts';
import type { Kind } from './rules.ts';

/** An object of a kind that is read, another one that is passed over, or something that is no object. */
export type Found =
  | { readonly kind: Kind; readonly object: Record<string, unknown>; readonly path: Path }
  | { readonly kind: 'other' }
  | { readonly kind: 'problem'; readonly path: Path; readonly object?: string; readonly message: string };

type Path = readonly (string | number)[];

/** What the list that an item is in says of its kind: items of a typed list, as the API server sends them, have none themselves. */
interface Defaults {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** The objects that a document holds: itself, or the items of a list. */
export function findObjects(document: unknown): Found[] {
  return findIn(document, [], {});
}

/** Lists in lists are taken apart, but not without end: an alias can make a list its own item. */
const deepestList = 10;

function findIn(value: unknown, path: Path, defaults: Defaults): Found[] {
  if (!isMap(value)) return [problem(path, `is ${value === null ? 'empty' : shown(value)}: give a Kubernetes object, a map with apiVersion and kind`)];
  const kind = value['kind'] ?? defaults.kind;
  const apiVersion = value['apiVersion'] ?? defaults.apiVersion;
  if (typeof kind !== 'string' || kind === '') return [missing(path, 'kind', kind, 'Service, Pod, Endpoints or List')];
  if (typeof apiVersion !== 'string' || apiVersion === '') return [missing(path, 'apiVersion', apiVersion, 'v1', kind)];
  if (kind.endsWith('List') && ('items' in value || kind === 'List')) return findInList(value, path, kind, apiVersion);
  if (!isKnown(kind) || isOfAnotherGroup(apiVersion)) return [{ kind: 'other' }];
  if (apiVersion !== 'v1') return [problem(path, `apiVersion is ${shown(apiVersion)}: give v1`, kind)];
  return [{ kind, object: value, path }];
}

function findInList(list: Record<string, unknown>, path: Path, kind: string, apiVersion: string): Found[] {
  const items = list['items'];
  if (items === null || items === undefined) return [];
  if (!Array.isArray(items)) return [problem([...path, 'items'], `items is ${shown(items)}: give a list`, kind)];
  if (path.length / 2 >= deepestList) return [problem(path, `stands in more than ${deepestList} lists: give each list by itself`, kind)];
  const defaults = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
  return items.flatMap((item, i) => findIn(item, [...path, 'items', i], defaults));
}

const known: readonly Kind[] = ['Service', 'Pod', 'Endpoints'];
const isKnown = (kind: string): kind is Kind => (known as readonly string[]).includes(kind);

/** Another's API may use the same word for its kind, as serving.knative.dev does; the groups of Kubernetes itself do not. */
const isOfAnotherGroup = (apiVersion: string): boolean => {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '';
  return group.includes('.') && !group.endsWith('.k8s.io');
};

const missing = (path: Path, field: string, value: unknown, want: string, object?: string): Found =>
  problem(path, `${field} is ${value === undefined || value === null || value === '' ? 'missing' : shown(value)}: give ${want}`, object);

const problem = (path: Path, message: string, object?: string): Found => ({ kind: 'problem', path, message, ...(object !== undefined && { object }) });
