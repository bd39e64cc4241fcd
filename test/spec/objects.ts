import type { EndpointAddress, EndpointSubset, Pod, Service } from '../../src/types/index.ts';
import { type Profile, profileFor } from '../../src/versions/index.ts';

/** A Service "shop/web" that selects app=web and maps port 80 to 8080; the given fields replace those of its spec. */
export const makeService = (spec: Service['spec'] = {}, metadata: Service['metadata'] = {}): Service => ({
  metadata: { name: 'web', namespace: 'shop', ...metadata },
  spec: {
    selector: { app: 'web' },
    clusterIP: '10.96.0.1',
    ipFamilies: ['IPv4'],
    ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }],
    ...spec,
  },
});

interface PodParts {
  readonly ip?: string;
  readonly ready?: boolean;
  readonly metadata?: Pod['metadata'];
  readonly spec?: Pod['spec'];
  readonly status?: Pod['status'];
}

/** A ready pod "shop/NAME" on node n1 with the label app=web. */
export const makePod = (name = 'a', { ip = '10.0.0.1', ready = true, metadata, spec, status }: PodParts = {}): Pod => ({
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, labels: { app: 'web' }, ...metadata },
  spec: { nodeName: 'n1', ...spec },
  status: {
    phase: 'Running',
    podIP: ip,
    podIPs: [{ ip }],
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    ...status,
  },
});

/** The address that results from `makePod`. */
export const makeAddress = (name = 'a', ip = '10.0.0.1'): EndpointAddress => ({
  ip,
  nodeName: 'n1',
  targetRef: { kind: 'Pod', namespace: 'shop', name, uid: `uid-${name}` },
});

export const httpPort = { name: 'http', port: 8080, protocol: 'TCP' };

/** `count` addresses, starting at 10.SECOND_OCTET.0.0. */
export const makeAddresses = (count: number, secondOctet = 0): EndpointAddress[] =>
  Array.from({ length: count }, (_, i) => ({ ip: `10.${secondOctet}.${i >> 8}.${i & 255}` }));

export const makeSubset = (ready: number, notReady = 0, port = 80): EndpointSubset => ({
  ...(ready && { addresses: makeAddresses(ready, 1) }),
  ...(notReady && { notReadyAddresses: makeAddresses(notReady, 2) }),
  ports: [{ port }],
});

/** The profile of the newest release with some gates changed. */
export const profileWith = (gates: Partial<Profile> = {}): Profile => ({ ...profileFor(), ...gates });
