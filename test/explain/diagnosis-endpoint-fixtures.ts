import type { Service } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { type DiagnosisFixture, makeWrittenSlice } from './diagnosis-parts.ts';

const withoutSelector = makeService({ selector: undefined });
const external = (externalName: string): Service => makeService({ type: 'ExternalName', externalName } as Service['spec']);
const dbService: Service = makeService({}, { name: 'db' });
const otherService: Service = makeService({}, { namespace: 'ops', name: 'api' });

/** Causes in slices, external names, addresses and policies. */
export const endpointFixtures: readonly DiagnosisFixture[] = [
  {
    name: 'no endpoints of a Service without a selector',
    service: withoutSelector,
    objects: { slices: [] },
    expected: {
      code: 'NoEndpointsWritten',
      severity: 'error',
      message: 'The Service has no selector and no ready endpoint.',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'spec.selector', value: 'absent' }],
      command: 'kubectl -n shop get endpointslices -l kubernetes.io/service-name=web',
    },
  },
  {
    name: 'a slice with a mistyped label',
    service: withoutSelector,
    objects: { slices: [makeWrittenSlice({}, { 'kubernetes.io/service-name': 'wbe' })] },
    expected: {
      code: 'NoEndpointsWritten',
      severity: 'error',
      message: 'The Service has no selector and no ready endpoint: EndpointSlice web-1 has the label kubernetes.io/service-name=wbe.',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'spec.selector', value: 'absent' }],
      command: 'kubectl -n shop label endpointslice web-1 kubernetes.io/service-name=web --overwrite',
    },
  },
  {
    name: 'a slice with another port',
    service: withoutSelector,
    objects: { slices: [makeWrittenSlice({ ports: [{ name: 'web', port: 8080, protocol: 'TCP' }] })] },
    expected: {
      code: 'WrittenPortsDiffer',
      severity: 'error',
      message: 'The endpoints of the Service have no port named "http" with protocol TCP; they have "web" (8080/TCP).',
      objects: ['service/shop/web'],
      evidence: [
        { object: 'Service shop/web', path: 'spec.ports[0]', value: '{"name":"http","port":80,"protocol":"TCP","targetPort":8080}' },
      ],
      command:
        'kubectl -n shop patch endpointslice web-1 --type=json -p \'[{"op":"replace","path":"/ports/0","value":{"name":"http","port":8080,"protocol":"TCP"}}]\'',
    },
  },
  {
    name: 'an external name that is an IP',
    service: external('10.0.0.7'),
    objects: { services: [] },
    expected: {
      code: 'ExternalNameIsIP',
      severity: 'error',
      message: 'The externalName 10.0.0.7 is an IP address, which DNS does not resolve as a name.',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'spec.externalName', value: '"10.0.0.7"' }],
      command: 'kubectl -n shop edit service web',
    },
  },
  {
    name: 'an external name of a missing Service',
    service: external('bd.shop.svc.cluster.local'),
    objects: { services: [dbService, otherService] },
    expected: {
      code: 'ExternalNameNotFound',
      severity: 'error',
      message: 'The externalName is bd.shop.svc.cluster.local, but namespace "shop" has no Service "bd".',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'spec.externalName', value: '"bd.shop.svc.cluster.local"' }],
      command: 'kubectl -n shop patch service web -p \'{"spec":{"externalName":"db.shop.svc.cluster.local"}}\'',
    },
  },
  {
    name: 'an external name of a missing namespace',
    service: external('db.shopping.svc.cluster.local'),
    objects: { services: [makeService({}, { namespace: 'ops', name: 'db' }), otherService, makeService()] },
    expected: {
      code: 'ExternalNameNotFound',
      severity: 'error',
      message: 'The externalName is db.shopping.svc.cluster.local, but no Service is in namespace "shopping".',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'spec.externalName', value: '"db.shopping.svc.cluster.local"' }],
      command: 'kubectl get services -A',
    },
  },
  {
    name: 'an external name without the domain of the cluster',
    service: external('db.shop.svc'),
    objects: { services: [dbService] },
    expected: {
      code: 'ExternalNameIncomplete',
      severity: 'error',
      message:
        'The externalName db.shop.svc is not a complete DNS name, and DNS does not add the domain of the cluster; db.shop.svc.cluster.local is probably meant.',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'spec.externalName', value: '"db.shop.svc"' }],
      command: 'kubectl -n shop patch service web -p \'{"spec":{"externalName":"db.shop.svc.cluster.local"}}\'',
    },
  },
  {
    name: 'slices that lack a ready pod',
    service: makeService(),
    objects: {
      pods: [makePod(), makePod('b', { ip: '10.0.0.2' })],
      slices: [makeWrittenSlice({ endpoints: [{ addresses: ['10.0.0.1'] }] })],
    },
    expected: {
      code: 'SlicesOutOfDate',
      severity: 'warning',
      message: 'The EndpointSlices of the Service are out of date: they lack 1 ready pod (b).',
      objects: ['endpointslice/shop/web-1'],
      evidence: [{ object: 'EndpointSlice shop/web-1', path: 'endpoints', value: '[{"addresses":["10.0.0.1"]}]' }],
      command: 'kubectl -n shop get endpointslices -l kubernetes.io/service-name=web',
    },
  },
  {
    name: 'pods without an address of the second family',
    service: makeService({ ipFamilies: ['IPv4', 'IPv6'] }),
    objects: { pods: [makePod()] },
    expected: {
      code: 'FamilyMissingInPods',
      severity: 'warning',
      message: 'The Service has the families IPv4 and IPv6, but these of its 1 ready pods have no IPv6 address: a.',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'spec.ipFamilies', value: '["IPv4","IPv6"]' }],
      command: 'kubectl -n shop edit service web',
    },
  },
  {
    name: 'policies that deny all traffic',
    service: makeService(),
    objects: { pods: [makePod()], denyingPolicies: () => ['NetworkPolicy shop/deny'] },
    expected: {
      code: 'PoliciesDenyAll',
      severity: 'error',
      message:
        'Network policies deny all traffic to port 8080/TCP of the only ready pod: no rule of NetworkPolicy shop/deny allows this port.',
      objects: ['service/shop/web'],
      evidence: [
        { object: 'Service shop/web', path: 'spec.ports[0]', value: '{"name":"http","port":80,"protocol":"TCP","targetPort":8080}' },
      ],
      command: 'kubectl -n shop describe networkpolicies',
    },
  },
  {
    name: 'an input without pods',
    service: makeService(),
    objects: {},
    expected: {
      code: 'PodsNotGiven',
      severity: 'warning',
      message: 'Unknown: the input has no Pods and no workloads, so it does not show what the selector app=web matches.',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'spec.selector', value: '{"app":"web"}' }],
      command: 'kubectl -n shop get services,pods,endpointslices,nodes -o json',
    },
  },
];
