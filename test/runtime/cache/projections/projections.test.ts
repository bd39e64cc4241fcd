import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/port/index.ts';
import { createProjections, projectPod } from '../../../../src/runtime/cache/index.ts';

const metadata = { name: 'a', namespace: 'shop', uid: 'u', resourceVersion: '7' };
const more = { annotations: { note: 'x' }, managedFields: [{ manager: 'm' }], ownerReferences: [{ kind: 'ReplicaSet', name: 'r' }] };

const richPod: ApiObject = {
  metadata: { ...metadata, ...more, labels: { app: 'web' } },
  spec: {
    nodeName: 'n1',
    restartPolicy: 'Always',
    hostname: 'h',
    subdomain: 'web',
    volumes: [{ name: 'v' }],
    containers: [
      { name: 'quiet', image: 'i' },
      { name: 'main', image: 'i', ports: [{ name: 'http', containerPort: 80, protocol: 'TCP', hostPort: 80 }] },
    ],
    initContainers: [
      { name: 'once', ports: [{ name: 'x', containerPort: 1 }] },
      { name: 'sidecar', restartPolicy: 'Always', ports: [{ name: 'y', containerPort: 2 }] },
    ],
  },
  status: {
    phase: 'Running',
    hostIP: '1.1.1.1',
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
    containerStatuses: [{}],
    conditions: [
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'R', message: 'm', lastProbeTime: null },
    ],
  },
};

describe('the projection of a pod', () => {
  const { pod } = createProjections();

  it('keeps what endpoints are made of', () => {
    expect(pod(richPod)).toEqual({
      metadata: { ...metadata, labels: { app: 'web' } },
      spec: {
        containers: [{ ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }] }],
        initContainers: [{ restartPolicy: 'Always', ports: [{ name: 'y', containerPort: 2 }] }],
        nodeName: 'n1',
        restartPolicy: 'Always',
        hostname: 'h',
        subdomain: 'web',
      },
      status: {
        phase: 'Running',
        podIP: '10.0.0.1',
        podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'R', message: 'm' }],
      },
    });
  });

  it('is the same without sharing', () => {
    expect(projectPod(richPod)).toEqual(pod(richPod));
  });

  it('shares labels, ports and conditions with pods that have the same', () => {
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const raw = (name: string): ApiObject =>
      JSON.parse(JSON.stringify({ ...richPod, metadata: { ...richPod.metadata, name }, status: { conditions: [ready] } })) as ApiObject;
    const [one, other] = [pod(raw('a')), pod(raw('b'))];
    expect(one.metadata?.labels).toBe(other.metadata?.labels);
    expect(one.spec?.containers).toBe(other.spec?.containers);
    expect(one.status?.conditions).toBe(other.status?.conditions);
  });

  it('makes do with little', () => {
    expect(pod({ metadata: { name: 'a' } })).toEqual({ metadata: { name: 'a' }, spec: { containers: [] }, status: {} });
  });
});

describe('the projection of a Service', () => {
  const { service } = createProjections();

  it('keeps labels, the annotations that are read, and what of its spec decides endpoints', () => {
    const annotations = {
      note: 'x',
      'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true',
      'service.kubernetes.io/topology-aware-hints': 'auto',
      'service.kubernetes.io/topology-mode': 'Auto',
    };
    const { note: _, ...read } = annotations;
    const spec = {
      type: 'ClusterIP',
      selector: { app: 'web' },
      clusterIP: '10.96.0.1',
      ipFamilies: ['IPv4'],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http', appProtocol: 'h2' }],
      publishNotReadyAddresses: true,
      trafficDistribution: 'PreferClose',
    };
    const raw = {
      metadata: { ...metadata, ...more, annotations, labels: { team: 'red' }, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { ...spec, ports: [{ ...spec.ports[0], nodePort: 30_000 }], clusterIPs: ['10.96.0.1'], sessionAffinity: 'None' },
      status: { loadBalancer: {} },
    };
    expect(service(raw)).toEqual({
      metadata: { ...metadata, labels: { team: 'red' }, annotations: read, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec,
    });
  });

  it('tells an empty selector from none', () => {
    expect(service({ metadata, spec: { selector: {} } }).spec?.selector).toEqual({});
    expect(service({ metadata, spec: {} }).spec).not.toHaveProperty('selector');
    expect(service({ metadata })).toEqual({ metadata });
  });
});

it('the projection of a node keeps its zone, its role, whether it is ready, and its CPU', () => {
  const labels = { 'topology.kubernetes.io/zone': 'z', 'node-role.kubernetes.io/control-plane': '', 'kubernetes.io/os': 'linux' };
  const { 'kubernetes.io/os': _, ...read } = labels;
  const raw = {
    metadata: { name: 'n1', uid: 'u', resourceVersion: '7', ...more, labels },
    spec: { podCIDR: '10.0.0.0/24' },
    status: {
      allocatable: { cpu: '4', memory: '1Gi' },
      conditions: [
        { type: 'DiskPressure', status: 'False' },
        { type: 'Ready', status: 'True', lastHeartbeatTime: 'x' },
      ],
      images: [{}],
    },
  };
  const { node } = createProjections();
  expect(node(raw)).toEqual({
    metadata: { name: 'n1', uid: 'u', resourceVersion: '7', labels: read },
    status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
  });
  expect(node({ metadata: { name: 'n2' } })).toEqual({ metadata: { name: 'n2' }, status: {} });
});

it('the projection of a namespace keeps whether it is about to go', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  const { namespace } = createProjections();
  expect(namespace({ metadata: { name: 'shop', uid: 'u', ...more, deletionTimestamp }, status: { phase: 'Terminating' } })).toEqual({
    metadata: { name: 'shop', uid: 'u', deletionTimestamp },
    status: { phase: 'Terminating' },
  });
  expect(namespace({ metadata: { name: 'shop' } })).toEqual({ metadata: { name: 'shop' }, status: {} });
});

const target = { kind: 'Pod', namespace: 'shop', name: 'p', uid: 'u' };
const writable = { ...metadata, ...more, generation: 3, finalizers: ['f'], labels: { team: 'red' } };
const { managedFields: _, ...kept } = writable;

describe('the projection of Endpoints', () => {
  const { endpoints } = createProjections();

  it('keeps all that an update has to send back', () => {
    const subsets = [
      {
        addresses: [{ ip: '10.0.0.1', nodeName: 'n1', targetRef: target }],
        notReadyAddresses: [
          { ip: '10.0.0.2', hostname: 'h', targetRef: { ...target, apiVersion: 'v1', resourceVersion: '3', fieldPath: 'f' } },
          { ip: '10.0.0.3' },
        ],
        ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'h2' }],
      },
    ];
    expect(endpoints({ metadata: writable, subsets })).toEqual({ metadata: kept, subsets });
  });

  it('drops what is empty', () => {
    expect(endpoints({ metadata, subsets: [] })).toEqual({ metadata });
    expect(endpoints({ metadata, subsets: [{ addresses: [], notReadyAddresses: null, ports: [] }] })).toEqual({ metadata, subsets: [{}] });
  });
});

describe('the projection of a slice', () => {
  const { slice } = createProjections();

  it('keeps all that an update has to send back', () => {
    const content = {
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          conditions: { ready: true, serving: true, terminating: false },
          targetRef: target,
          nodeName: 'n1',
          zone: 'z',
        },
        {
          addresses: ['10.0.0.2', '10.0.0.3'],
          conditions: {},
          hostname: 'h',
          hints: { forZones: [{ name: 'z' }] },
          deprecatedTopology: { a: 'b' },
        },
      ],
      ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    };
    expect(slice({ metadata: writable, ...content })).toEqual({ metadata: kept, ...content });
  });

  it('makes lists of what is null', () => {
    const raw = { metadata, addressType: 'IPv4', endpoints: null, ports: null };
    expect(slice(raw)).toEqual({ metadata, addressType: 'IPv4', endpoints: [], ports: [] });
  });
});
