import { splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../../cluster/cluster.ts';
import { type Fields, mapOf, oneOrMore, optional, type Read, record, text, type ValuesOf } from '../fields.ts';
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
export function findObjects({ list }: Cluster, kind: string, selected: Selection): readonly ApiObject[] {
  const { namespace = 'default', name } = selected;
  const found = list<ApiObject>(kind, namespace).filter((object) => isSelected(selected, object));
  const missing = name?.find((each) => !found.some(({ metadata }) => metadata.name === each));
  if (missing !== undefined) throw new RangeError(`there is no ${kind} ${namespace}/${missing} at this time`);
  if (found.length === 0) throw new RangeError(`there are no ${describeObjects(kind, selected)} at this time`);
  return found;
}

/** For example "Pod shop/web-0, shop/web-1" or "Pods of shop with app=web". */
export function describeObjects(kind: string, { namespace = 'default', name, selector }: Selection): string {
  if (name) return `${kind} ${name.map((each) => `${namespace}/${each}`).join(', ')}`;
  const labels = Object.entries(selector ?? {}).map(([key, value]) => `${key}=${value}`);
  return `${kind}s of ${namespace} with ${labels.join(',')}`;
}
