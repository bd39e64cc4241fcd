import { createMirror, mirrorEndpoints } from '../../../src/index.ts';
import type { EndpointSliceInput, EndpointsInput, Service } from '../../../src/types/index.ts';
import { toEndpointPort } from './expected.ts';
import { checkKeys, type Fields, pickMetadata } from './objects.ts';
import { checkSliceList, checkSliceWrites } from './slices.ts';

/** Endpoints "shop/web" from a short form: `subsets` with lists of IPs or complete addresses. */
export function toEndpoints(fields: Fields): EndpointsInput {
  checkKeys('endpoints', fields, ['labels', 'annotations', 'uid', 'deletionTimestamp', 'resourceVersion', 'subsets']);
  const list = (addresses: unknown) =>
    (addresses as unknown[]).map((each) => (typeof each === 'string' ? { ip: each } : (each as { ip: string })));
  return {
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-endpoints', ...pickMetadata(fields) },
    subsets: ((fields['subsets'] ?? []) as Fields[]).map(({ ready, notReady, ports, ...rest }) => {
      checkKeys('subset', rest, []);
      return {
        ...(ready !== undefined && { addresses: list(ready) }),
        ...(notReady !== undefined && { notReadyAddresses: list(notReady) }),
        ...(ports !== undefined && { ports: (ports as unknown[]).map(toEndpointPort) }),
      };
    }),
  };
}

/** Checks the mirrored slices, and the plan of a mirror over the existing slices. */
export function checkMirroring(
  version: string,
  endpoints: EndpointsInput,
  service: Service,
  current: readonly EndpointSliceInput[],
  expected: Fields,
): void {
  checkKeys('mirroring', expected, ['slices', 'slicePlan']);
  if (expected['slices'] !== undefined) checkSliceList(mirrorEndpoints(endpoints, { version }), expected['slices']);
  if (expected['slicePlan'] === undefined) return;
  const plan = createMirror({ version }).mirror({ key: 'shop/web', endpoints, service, current });
  checkSliceWrites(plan, expected['slicePlan'] as Fields);
}
