import { expect, it } from 'vitest';
import type { ServiceFailure } from '../../../src/allocators/index.ts';
import {
  allocateHealthCheck,
  initNodePorts,
  releaseAllNodePorts,
  releaseHealthCheck,
  releaseNodePorts,
  updateHealthCheck,
  updateNodePorts,
} from '../../../src/allocators/service/node-ports.ts';
import { startTransaction } from '../../../src/allocators/service/transaction.ts';
import type { AllocatablePort } from '../../../src/allocators/service/types.ts';
import { createAllocators, draft, settings } from '../support.ts';

const startTestTransaction = (ports?: string) => startTransaction(createAllocators(['IPv4'], '1.36', ports), false);
const describeFailure = (failure: ServiceFailure | undefined): string =>
  failure?.reason === 'Invalid'
    ? failure.causes.map(({ field, message }) => `${field}: ${message}`).join()
    : `${failure?.reason}: ${failure?.message}`;

it.each<[string, AllocatablePort[], number[], number[]]>([
  ['a random node port for each port', [{ port: 80 }, { port: 81 }], [30000, 30001], [30000, 30001]],
  [
    'one node port for a port with two protocols',
    [
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'TCP' },
    ],
    [30000, 30000],
    [30000],
  ],
  [
    'the node port requested for the second protocol',
    [{ port: 53 }, { port: 53, protocol: 'UDP', nodePort: 30007 }],
    [30007, 30007],
    [30007],
  ],
  [
    'both node ports that are requested for one port',
    [
      { port: 53, nodePort: 30007 },
      { port: 53, protocol: 'UDP', nodePort: 30008 },
    ],
    [30007, 30008],
    [30007, 30008],
  ],
])('initNodePorts allocates %s', (_, ports, nodePorts, allocated) => {
  const service = draft({ type: 'NodePort', ports });
  const transaction = startTestTransaction();
  expect(initNodePorts(service, transaction, settings)).toBeUndefined();
  expect([service.ports.map(({ nodePort }) => nodePort), transaction.ports.allocated()]).toEqual([nodePorts, allocated]);
});

it('initNodePorts allocates only requested ports without allocateLoadBalancerNodePorts', () => {
  const service = draft({
    type: 'LoadBalancer',
    allocateLoadBalancerNodePorts: false,
    ports: [{ port: 80 }, { port: 81, nodePort: 30003 }],
  });
  expect(initNodePorts(service, startTestTransaction(), settings)).toBeUndefined();
  expect(service.ports.map(({ nodePort }) => nodePort)).toEqual([0, 30003]);
});

it('initNodePorts returns the failure of an allocation', () => {
  const init = (ports: AllocatablePort[]): string =>
    describeFailure(initNodePorts(draft({ type: 'NodePort', ports }), startTestTransaction('30000-30001'), settings));
  expect(init([{ port: 1 }, { port: 2 }, { port: 3 }])).toBe('InternalError: failed to allocate a nodePort: range is full');
  expect(init([{ port: 1, nodePort: 80 }])).toContain('spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range');
  expect(
    init([
      { port: 1, nodePort: 30000 },
      { port: 2, nodePort: 30000, protocol: 'UDP' },
    ]),
  ).toBe('spec.ports[1].nodePort: Invalid value: 30000: provided port is already allocated');
});

it('updateNodePorts allocates new ports and releases removed ones', () => {
  const service = draft({ type: 'NodePort', ports: [{ nodePort: 30001 }, { nodePort: 30004 }, { nodePort: 30004, protocol: 'UDP' }, {}] });
  const transaction = startTestTransaction();
  expect(
    updateNodePorts(service, draft({ type: 'NodePort', ports: [{ nodePort: 30001 }, { nodePort: 30002 }] }), transaction, settings),
  ).toBeUndefined();
  expect([transaction.ports.allocated(), transaction.ports.released()]).toEqual([[30004, 30000], [30002]]);
});

it('updateNodePorts returns the failure of an allocation', () => {
  const update = (ports: AllocatablePort[], old: AllocatablePort[] = []): string =>
    describeFailure(
      updateNodePorts(draft({ type: 'NodePort', ports }), draft({ type: 'NodePort', ports: old }), startTestTransaction('30000'), settings),
    );
  expect(update([{ nodePort: 30001 }])).toContain('spec.ports[0].nodePort: Invalid value: 30001');
  expect(update([{}, {}])).toBe('InternalError: failed to allocate a nodePort: range is full');
  expect(update([{ nodePort: 30000 }, { nodePort: 30000 }], [{ nodePort: 30000 }])).toBe('Unknown: duplicate nodePort: {TCP 30000}');
});

it('node ports are released if the new type of the Service uses none, or the Service is deleted', () => {
  const old = draft({ type: 'NodePort', ports: [{ nodePort: 30001 }, {}] });
  const released = (type: string): readonly number[] => {
    const transaction = startTestTransaction();
    releaseNodePorts(draft({ type }), old, transaction);
    return transaction.ports.released();
  };
  expect(['ClusterIP', 'ExternalName', 'LoadBalancer'].map(released)).toEqual([[30001], [30001], []]);
  const transaction = startTestTransaction();
  releaseAllNodePorts(old, transaction);
  expect(transaction.ports.released()).toEqual([30001]);
});

it('allocateHealthCheck allocates the requested node port, or any free one if none is requested', () => {
  const allocate = (healthCheckNodePort: number, ports?: string): [string, number] => {
    const service = draft({ healthCheckNodePort });
    const transaction = startTestTransaction(ports);
    if (ports) transaction.ports.allocateNext();
    return [describeFailure(allocateHealthCheck(service, transaction)), service.healthCheckNodePort];
  };
  expect([allocate(0), allocate(30003)], 'undefined: no failure').toEqual([
    ['undefined: undefined', 30000],
    ['undefined: undefined', 30003],
  ]);
  expect(allocate(0, '30000')[0]).toBe('InternalError: failed to allocate a HealthCheck NodePort 0: range is full');
  expect(allocate(30000, '30000')[0]).toBe(
    'InternalError: failed to allocate requested HealthCheck NodePort 30000: provided port is already allocated',
  );
});

it('updateHealthCheck allocates or releases the port when the Service starts or stops needing it', () => {
  const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30007 };
  const update = (spec: object, old: object): (readonly number[])[] => {
    const transaction = startTestTransaction();
    updateHealthCheck(draft(spec), draft(old), transaction);
    return [transaction.ports.allocated(), transaction.ports.released()];
  };
  expect([update(local, {}), update({}, local), update(local, local), update({}, {})]).toEqual([
    [[30007], []],
    [[], [30007]],
    [[], []],
    [[], []],
  ]);
  const transaction = startTestTransaction();
  releaseHealthCheck(draft(local), transaction);
  expect(transaction.released()).toEqual([{ kind: 'healthCheckNodePort', value: 30007 }]);
});
