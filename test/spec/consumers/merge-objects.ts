import type { EndpointInput, EndpointSliceInput } from '../../../src/types/index.ts';

/** The slice "shop/web-NAME" of the Service "shop/web", with port "http" 8080; the given fields replace its own. */
export const makeSlice = (
  name: string,
  endpoints: readonly EndpointInput[],
  fields: Partial<EndpointSliceInput> = {},
  labels: Readonly<Record<string, string>> = {},
): EndpointSliceInput => ({
  metadata: { name: `web-${name}`, namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web', ...labels } },
  addressType: 'IPv4',
  endpoints,
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  ...fields,
});

/** An endpoint of the pod "shop/p-UID". */
export const makeEndpoint = (
  address: string,
  uid: string,
  conditions: EndpointInput['conditions'] = { ready: true, serving: true, terminating: false },
  fields: Partial<EndpointInput> = {},
): EndpointInput => ({
  addresses: [address],
  conditions,
  targetRef: { kind: 'Pod', namespace: 'shop', name: `p-${uid}`, uid },
  ...fields,
});

export const ready = { ready: true, serving: true, terminating: false };
export const notReady = { ready: false, serving: false, terminating: false };
export const terminating = { ready: false, serving: true, terminating: true };

export const controllerLabels = { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
export const mirrorLabels = { 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' };
export const headlessLabels = { 'service.kubernetes.io/headless': '' };
