import { computeEndpoints, createReconciler } from 'kube-endpoints';
import { serviceNameLabel } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import type { Inventory } from '../input/collection.ts';
import { byKey, keyOf, nameOf, namespaceOf } from '../scope.ts';

/** What somebody writes, and what is stored. */
export interface Write {
  readonly kind: 'Endpoints' | 'EndpointSlice';
  readonly operation: 'CREATE' | 'UPDATE';
  readonly object: EndpointsInput | EndpointSliceInput;
  readonly oldObject?: EndpointsInput | EndpointSliceInput;
  /** "namespace/name" of the Service it belongs to; undefined where it names none. */
  readonly service: string | undefined;
}

type Objects = Pick<Inventory, 'endpoints' | 'slices'>;

/** The objects of the input as somebody writes them, Endpoints first, each by namespace and name. */
export function writesOf(given: Objects, old: Objects | undefined): readonly Write[] {
  const write = writer(old);
  return [
    ...given.endpoints.toSorted(byKey).map((object) => write('Endpoints', object)),
    ...given.slices.toSorted(byKey).map((object) => write('EndpointSlice', object)),
  ];
}

/** What a release's controllers would write for the Services, over what is stored: that of --old, else the Endpoints and slices given. */
export function computedWrites(given: Inventory, old: Objects | undefined, version: string): readonly Write[] {
  const stored = old ?? given;
  const write = writer(stored);
  const services = given.services.toSorted(byKey);
  const endpoints = services.flatMap((service) => {
    const object = computeEndpoints(service, given.pods, { version });
    return object ? [write('Endpoints', object)] : [];
  });
  if (!profileFor(version).slicesAreV1) return endpoints;
  return [
    ...endpoints,
    ...services.flatMap((service) => slicesFor(service, given, stored, version).map((slice) => write('EndpointSlice', slice))),
  ];
}

/** Slices that stay as they are are not written. */
function slicesFor(service: Service, { pods, nodes }: Inventory, { slices }: Objects, version: string): readonly EndpointSliceInput[] {
  const key = keyOf(service);
  const current = slices.filter((slice) => ownerOf(slice) === key);
  const { create, update } = createReconciler({ version }).reconcileSlices({ key, service, pods, current, nodes });
  return [...update, ...create];
}

function writer(old: Objects | undefined): (kind: Write['kind'], object: EndpointsInput | EndpointSliceInput) => Write {
  const stored = {
    Endpoints: new Map((old?.endpoints ?? []).map((object) => [keyOf(object), object])),
    EndpointSlice: new Map((old?.slices ?? []).map((object) => [keyOf(object), object])),
  };
  return (kind, object) => {
    const oldObject = nameOf(object) === '' ? undefined : stored[kind].get(keyOf(object));
    const service = kind === 'Endpoints' ? keyOf(object) : ownerOf(object as EndpointSliceInput);
    const named: typeof object = Object.assign({ kind }, object);
    return oldObject
      ? { kind, operation: 'UPDATE', object: named, oldObject, service }
      : { kind, operation: 'CREATE', object: named, service };
  };
}

/** The Service that a slice says it is of. */
export function ownerOf(slice: EndpointSliceInput): string | undefined {
  const name = slice.metadata?.labels?.[serviceNameLabel];
  return name ? `${namespaceOf(slice)}/${name}` : undefined;
}
