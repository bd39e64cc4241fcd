import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import type { Kind } from '../view/kind.ts';

/** What is wrong with an object as far as rules look at it; undefined where nothing is. The API server sends nothing of the kind. */
export function wrongShape(object: unknown, kind: Kind): string | undefined {
  if (!isMap(object)) return 'it is no object';
  const { metadata } = object;
  if (!isAbsent(metadata) && !isMap(metadata)) return 'its metadata is no object';
  const wrong = metadata && ['labels', 'annotations'].find((name) => !isAbsent(metadata[name]) && !isTextMap(metadata[name]));
  if (wrong) return `its ${wrong} are no texts`;
  return kind === 'Endpoints' ? wrongSubsets(object) : wrongEndpoints(object);
}

/** An object of one kind whose shape was looked at. */
export type Shaped = EndpointsInput | EndpointSliceInput;

function wrongSubsets({ subsets }: Fields): string | undefined {
  if (!isListOf(subsets, isMap)) return 'its subsets are no list of objects';
  for (const { addresses, notReadyAddresses, ports } of subsets ?? []) {
    for (const list of [addresses, notReadyAddresses]) if (!isListOf(list, isAddress)) return 'its addresses are no list of addresses';
    if (!isListOf(ports, isMap)) return 'its ports are no list of objects';
  }
  return undefined;
}

function wrongEndpoints({ endpoints, ports }: Fields): string | undefined {
  if (!isListOf(endpoints, isEndpoint)) return 'its endpoints are no list of endpoints';
  return isListOf(ports, isMap) ? undefined : 'its ports are no list of objects';
}

type Fields = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrAbsent = (value: unknown): boolean => isAbsent(value) || isText(value);
const isTextMap = (value: unknown): boolean => isMap(value) && Object.values(value).every(isText);

function isListOf<T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] | undefined | null {
  return isAbsent(value) || (Array.isArray(value) && value.every(is));
}

const isReference = (value: unknown): boolean => isAbsent(value) || (isMap(value) && Object.values(value).every(isTextOrAbsent));

const isAddress = (value: unknown): value is Fields =>
  isMap(value) &&
  isText(value['ip']) &&
  isReference(value['targetRef']) &&
  ['hostname', 'nodeName'].every((name) => isTextOrAbsent(value[name]));

const isEndpoint = (value: unknown): value is Fields =>
  isMap(value) &&
  isListOf(value['addresses'], isText) &&
  (isAbsent(value['conditions']) || isMap(value['conditions'])) &&
  isReference(value['targetRef']) &&
  isHints(value['hints']) &&
  ['hostname', 'nodeName', 'zone'].every((name) => isTextOrAbsent(value[name]));

const isHints = (value: unknown): boolean =>
  isAbsent(value) || (isMap(value) && ['forZones', 'forNodes'].every((name) => isListOf(value[name], isMap)));
