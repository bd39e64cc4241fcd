import type { EndpointAddress, EndpointPort, EndpointsInput, Pod, Service } from '../../src/types/index.ts';
import type { EndpointsGateName } from '../../src/versions/gates.ts';
import type { FeatureGates } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

/** The compared aspect of the written object, the plan or the explanation. */
export type Aspect = 'action' | 'addresses' | 'subsets' | 'ports' | 'count' | 'labels' | 'annotations' | 'problems';

/** Objects whose outcome is `off` if the gate is closed and `on` if it is open, regardless of the other gates of the release. */
export interface GateFixture {
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly current?: EndpointsInput;
  /** The resourceVersion in the response to an update; the sync is then repeated with the same objects. */
  readonly responseVersion?: string;
  readonly timeZone?: string;
  /** Feature gates that the gate depends on. */
  readonly featureGates?: FeatureGates;
  readonly aspect: Aspect;
  readonly off: unknown;
  readonly on: unknown;
}

const managedByLabels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
const target = { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'uid-a' };
const address = (fields: Partial<EndpointAddress> = {}): EndpointAddress => ({
  ip: '10.0.0.1',
  nodeName: 'n1',
  targetRef: target,
  ...fields,
});
const port: EndpointPort = { name: 'http', port: 8080, protocol: 'TCP' };
const makeStoredEndpoints = (fields: EndpointsInput): EndpointsInput => ({
  ...fields,
  metadata: { name: 'web', namespace: 'shop', resourceVersion: '5', labels: managedByLabels, ...fields.metadata },
});
const podsOverCapacity = Array.from({ length: 1001 }, (_, i) => makePod(`p${i}`, { ip: `10.0.${i >> 8}.${i & 255}` }));
const podWithIPs = (...ips: [string, ...string[]]): Pod => makePod('a', { status: { podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) } });

/** Two ports whose order changes with each of the three hash methods. */
const twoPortService = makeService({
  ports: [
    { name: 'http', port: 80, protocol: 'TCP', targetPort: 8000 },
    { name: 'https', port: 443, protocol: 'TCP', targetPort: 8001 },
  ],
});
const [http, https] = [
  { name: 'http', port: 8000, protocol: 'TCP' },
  { name: 'https', port: 8001, protocol: 'TCP' },
];

/** A second sync whose cache does not show the update of resourceVersion 5 yet. */
const laggingCache = {
  service: makeService(),
  pods: [makePod()],
  current: makeStoredEndpoints({ subsets: [] }),
  aspect: 'action',
} as const;

export const gateFixtures: Readonly<Record<EndpointsGateName, GateFixture>> = {
  externalNameSkipped: {
    service: makeService({ type: 'ExternalName', clusterIP: '' }),
    pods: [makePod()],
    aspect: 'action',
    off: 'create',
    on: 'none',
  },
  terminalPodsExcluded: {
    service: makeService(),
    pods: [makePod('a', { spec: { restartPolicy: 'Always' }, status: { phase: 'Failed' } })],
    aspect: 'addresses',
    off: { ready: [address()], notReady: [] },
    on: { ready: [], notReady: [] },
  },
  publishNotReadyAddressesRead: {
    service: makeService({ publishNotReadyAddresses: true }),
    pods: [makePod('a', { ready: false })],
    aspect: 'addresses',
    off: { ready: [], notReady: [address()] },
    on: { ready: [address()], notReady: [] },
  },
  tolerateUnreadyAnnotationIgnored: {
    service: makeService({}, { annotations: { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true' } }),
    pods: [makePod('a', { ready: false })],
    aspect: 'addresses',
    off: { ready: [address()], notReady: [] },
    on: { ready: [], notReady: [address()] },
  },
  addressOfServiceFamily: {
    service: makeService({ ipFamilies: ['IPv6'], clusterIP: 'fd00::a' }),
    pods: [podWithIPs('10.0.0.1', 'fd00::1')],
    aspect: 'addresses',
    off: { ready: [address()], notReady: [] },
    on: { ready: [address({ ip: 'fd00::1' })], notReady: [] },
  },
  ipFamilyRead: {
    service: makeService({ ipFamily: 'IPv6', ipFamilies: undefined, clusterIP: 'None' }),
    pods: [podWithIPs('10.0.0.1', 'fd00::1')],
    featureGates: { IPv6DualStack: true },
    aspect: 'addresses',
    off: { ready: [address()], notReady: [] },
    on: { ready: [address({ ip: 'fd00::1' })], notReady: [] },
  },
  ipFamiliesRead: {
    service: makeService({ ipFamilies: ['IPv6'], clusterIP: '10.96.0.1' }),
    pods: [podWithIPs('10.0.0.1', 'fd00::1')],
    featureGates: { IPv6DualStack: true },
    aspect: 'addresses',
    off: { ready: [address()], notReady: [] },
    on: { ready: [address({ ip: 'fd00::1' })], notReady: [] },
  },
  addressCanonicalized: {
    service: makeService(),
    pods: [podWithIPs('010.0.0.1')],
    aspect: 'addresses',
    off: { ready: [address({ ip: '010.0.0.1' })], notReady: [] },
    on: { ready: [address()], notReady: [] },
  },
  emptyIPFamiliesPanic: {
    service: makeService({ ipFamilies: [] }),
    pods: [makePod()],
    aspect: 'problems',
    off: [],
    on: ['EmptyIPFamiliesPanic'],
  },
  targetResourceVersionOmitted: {
    service: makeService(),
    pods: [makePod('a', { metadata: { resourceVersion: '7' } })],
    aspect: 'addresses',
    off: { ready: [address({ targetRef: { ...target, resourceVersion: '7' } })], notReady: [] },
    on: { ready: [address()], notReady: [] },
  },
  appProtocolCopied: {
    service: makeService({ ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080, appProtocol: 'h2' }] }),
    pods: [makePod()],
    aspect: 'ports',
    off: [port],
    on: [{ ...port, appProtocol: 'h2' }],
  },
  sidecarPortsFound: {
    service: makeService({ ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }] }),
    pods: [
      makePod('a', {
        spec: { initContainers: [{ restartPolicy: 'Always', ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] }] },
      }),
    ],
    aspect: 'ports',
    off: [],
    on: [port],
  },
  emptySubsetsOmitted: { service: makeService(), pods: [], aspect: 'subsets', off: [], on: undefined },
  headlessPortOmitted: {
    service: makeService({ clusterIP: 'None', ports: [] }),
    pods: [makePod()],
    aspect: 'ports',
    off: [{ port: 0, protocol: 'TCP' }],
    on: [],
  },
  portlessSubsetsKept: {
    service: makeService({ ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 0 }] }),
    pods: [makePod()],
    aspect: 'ports',
    off: [{ name: 'http', port: 0, protocol: 'TCP' }],
    on: [],
  },
  appProtocolPrinted: { service: twoPortService, pods: [makePod()], aspect: 'ports', off: [http, https], on: [https, http] },
  orderedByFNV: { service: twoPortService, pods: [makePod()], aspect: 'ports', off: [https, http], on: [http, https] },
  overCapacityWarned: {
    service: makeService(),
    pods: podsOverCapacity,
    aspect: 'annotations',
    off: {},
    on: { 'endpoints.kubernetes.io/over-capacity': 'warning' },
  },
  overCapacityTruncated: { service: makeService(), pods: podsOverCapacity, aspect: 'count', off: 1001, on: 1000 },
  triggerTimeAnnotated: {
    service: makeService({}, { creationTimestamp: '2026-07-01T12:00:00Z' }),
    pods: [],
    timeZone: 'UTC',
    aspect: 'annotations',
    off: {},
    on: { 'endpoints.kubernetes.io/last-change-trigger-time': '2026-07-01T12:00:00Z' },
  },
  headlessLabelSet: {
    service: makeService({ clusterIP: 'None' }),
    pods: [],
    aspect: 'labels',
    off: {},
    on: { 'service.kubernetes.io/headless': '' },
  },
  triggerTimeInUTC: {
    service: makeService({}, { creationTimestamp: '2026-07-01T12:00:00Z' }),
    pods: [],
    timeZone: 'Europe/Berlin',
    aspect: 'annotations',
    off: { 'endpoints.kubernetes.io/last-change-trigger-time': '2026-07-01T14:00:00+02:00' },
    on: { 'endpoints.kubernetes.io/last-change-trigger-time': '2026-07-01T12:00:00Z' },
  },
  managedByLabel: {
    service: makeService({}, { labels: { app: 'web' } }),
    pods: [],
    aspect: 'labels',
    off: { app: 'web' },
    on: { app: 'web', ...managedByLabels },
  },
  serviceLabelsNotMutated: {
    service: { ...makeService({ clusterIP: 'None' }), metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } } },
    pods: [makePod()],
    current: makeStoredEndpoints({
      metadata: { labels: { app: 'web', 'service.kubernetes.io/headless': '' } },
      subsets: [{ addresses: [address()], ports: [port] }],
    }),
    responseVersion: '6',
    aspect: 'action',
    off: 'none',
    on: 'update',
  },
  headlessLabelNotCompared: {
    service: makeService({ clusterIP: 'None' }),
    pods: [makePod()],
    current: { metadata: { labels: { 'service.kubernetes.io/headless': '' } }, subsets: [{ addresses: [address()], ports: [port] }] },
    aspect: 'action',
    off: 'update',
    on: 'none',
  },
  targetResourceVersionNotCompared: {
    service: makeService(),
    pods: [makePod('a', { metadata: { resourceVersion: '8' } })],
    current: {
      subsets: [{ addresses: [address({ targetRef: { ...target, resourceVersion: '7' } })], ports: [port] }],
    },
    aspect: 'action',
    off: 'update',
    on: 'none',
  },
  repackedBeforeComparing: {
    service: makeService(),
    pods: [makePod('a'), makePod('b', { ip: '10.0.0.2' })],
    current: makeStoredEndpoints({
      subsets: [{ addresses: [address({ ip: '10.0.0.2', targetRef: { ...target, name: 'b', uid: 'uid-b' } }), address()], ports: [port] }],
    }),
    aspect: 'action',
    off: 'update',
    on: 'none',
  },
  staleObjectsRetried: { ...laggingCache, responseVersion: '6', off: 'update', on: 'retry' },
  staleOnlyAfterChange: { ...laggingCache, responseVersion: '5', off: 'retry', on: 'update' },
};
