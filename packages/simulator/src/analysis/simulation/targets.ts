import { compareText, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../../cluster/cluster.ts';
import { type Fields, mapOf, oneOrMore, optional, type Read, record, text, type ValuesOf, wholeNumber } from '../fields.ts';
import type { Container } from './processes.ts';

const maxNames = 1000;

/** Objects by their names or labels. */
export interface Selection {
  /** Default: "default". */
  readonly namespace?: string | undefined;
  readonly name?: readonly string[] | undefined;
  /** Labels that all have to match. */
  readonly selector?: Readonly<Record<string, string>> | undefined;
}

const selectionFields = {
  namespace: optional(text('a namespace such as shop')),
  name: optional(oneOrMore(text('a name such as web-0'), maxNames)),
  selector: optional(mapOf(text('a label value such as web'))),
};

/** At most so many of the selected objects: the oldest ones that are not being deleted. */
export interface Count {
  readonly count?: number | undefined;
}

export const countFields: { readonly count: Read<number | undefined> } = { count: optional(wholeNumber(1, maxNames)) };

/** A map that selects objects, with further fields. @throws RangeError unless it has either names or labels */
export const selection = <F extends Fields>(fields: F): Read<Selection & ValuesOf<F>> => {
  const read = record({ ...fields, ...selectionFields }) as Read<Selection & ValuesOf<F>>;
  return (path, value) => {
    const found = read(path, value);
    if ((found.name === undefined) === (found.selector === undefined))
      throw new RangeError(`${path}: give either name or selector, such as name: web-0 or selector: { app: web }`);
    return found;
  };
};

/** Containers of selected pods: all, or those of a name and an image. */
export interface ContainerSelection extends Selection {
  readonly container?: string | undefined;
  readonly image?: string | undefined;
}

/** The fields of a selection of containers, besides those of their pods. */
export const containerFields: {
  readonly container: Read<string | undefined>;
  readonly image: Read<string | undefined>;
} = { container: optional(text('the name of a container')), image: optional(text('an image such as web:2')) };

function isSelected({ namespace = 'default', name, selector }: Selection, { metadata }: ApiObject): boolean {
  if (metadata.namespace !== namespace) return false;
  return name
    ? name.includes(metadata.name ?? '')
    : Object.entries(selector ?? {}).every(([key, value]) => metadata.labels?.[key] === value);
}

/** Whether a selection contains a container of a running pod. */
export function selectsContainer(
  { get }: Pick<Cluster, 'get'>,
  selected: ContainerSelection,
  { pod, container, image }: Container,
): boolean {
  if ((selected.container ?? container) !== container || (selected.image ?? image) !== image) return false;
  const { namespace, name } = splitMetaNamespaceKey(pod);
  const object = get<ApiObject>('Pod', namespace, name);
  return object !== undefined && isSelected(selected, object);
}

/**
 * The objects of a selection that exist now, in the order of their keys.
 * @throws RangeError if a name does not exist, or no object has the labels
 */
export function findObjects({ list }: Cluster, kind: string, selected: Selection & Count): readonly ApiObject[] {
  const { namespace = 'default', name, count } = selected;
  const all = list<ApiObject>(kind, namespace).filter((object) => isSelected(selected, object));
  const found = count === undefined ? all : oldestOf(all).slice(0, count);
  const missing = name?.find((each) => !found.some(({ metadata }) => metadata.name === each));
  if (missing !== undefined) throw new RangeError(`there is no ${kind} ${namespace}/${missing} at this time`);
  if (found.length === 0) throw new RangeError(`there are no ${describeObjects(kind, selected)} at this time`);
  return found;
}

/** Those that are not being deleted, in the order of their creation. */
const oldestOf = (objects: readonly ApiObject[]): ApiObject[] =>
  objects
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .toSorted((a, b) => compareText(String(a.metadata.creationTimestamp), String(b.metadata.creationTimestamp)));

/** For example "Pod shop/web-0, shop/web-1", "Pods of shop with app=web" or "1 of the Pods of shop with app=web". */
export function describeObjects(kind: string, { namespace = 'default', name, selector, count }: Selection & Count): string {
  if (name) return `${kind} ${name.map((each) => `${namespace}/${each}`).join(', ')}`;
  const labels = Object.entries(selector ?? {}).map(([key, value]) => `${key}=${value}`);
  return `${count === undefined ? '' : `${count} of the `}${kind}s of ${namespace} with ${labels.join(',')}`;
}
