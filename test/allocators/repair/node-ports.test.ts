import { expect, it } from 'vitest';
import type { RangeSnapshot } from '../../../src/allocators/addresses/bitmap.ts';
import { createPortAllocator } from '../../../src/allocators/ports.ts';
import { repairNodePorts } from '../../../src/allocators/repair/node-ports.ts';
import { drawLowest, listOf, service } from '../support.ts';

const range = '30000-30009';
const snapshotWith = (...ports: number[]): RangeSnapshot => {
  const allocator = createPortAllocator({ range, draw: drawLowest });
  for (const port of ports) allocator.allocate(port);
  return allocator.snapshot();
};
const allocatedPorts = (snapshot: RangeSnapshot): number[] => {
  const ports = createPortAllocator({ range, draw: drawLowest });
  ports.restore(snapshot);
  return listOf(ports);
};
const serviceWith = (...nodePorts: number[]) => service({ ports: nodePorts.map((nodePort) => ({ nodePort, protocol: 'TCP' })) });

it('repairNodePorts reports ports that are not allocated, allocated twice or out of range', () => {
  const services = [serviceWith(30001, 30002), serviceWith(30001), serviceWith(80, 0)];
  const { findings, leaks, range: rebuilt } = repairNodePorts({ services, range, stored: snapshotWith(30001, 30005) });
  expect(findings.map(({ code, message }) => [code, message])).toEqual([
    ['PortNotAllocated', 'Port 30002 is not allocated; repairing'],
    ['PortAlreadyAllocated', 'Port 30001 was assigned to multiple services; please recreate service'],
    ['PortOutOfRange', 'Port 80 is not within the port range 30000-30009; please recreate service'],
  ]);
  expect(leaks).toEqual([{ value: 30005, released: false }]);
  expect(allocatedPorts(rebuilt)).toEqual([30001, 30002, 30005]);
});

it('repairNodePorts accepts a port under two protocols since 1.19, but never twice under one', () => {
  const serviceWithTwoProtocols = service({
    ports: [{ nodePort: 30001 }, { nodePort: 30001, protocol: 'UDP' }],
    healthCheckNodePort: 30002,
  });
  const codes = (version: string, each = serviceWithTwoProtocols): string[] =>
    repairNodePorts({ services: [each], range, stored: snapshotWith(30001, 30002), version }).findings.map(({ code }) => code);
  expect(codes('1.19')).toEqual([]);
  expect(codes('1.18')).toEqual(['PortAlreadyAllocated']);
  expect(codes('1.37', serviceWith(30001, 30001))).toEqual(['PortAlreadyAllocated']);
});

it('repairNodePorts treats the health check node port as TCP', () => {
  const countFindings = (protocol: string): number =>
    repairNodePorts({
      services: [service({ ports: [{ nodePort: 30001, protocol }], healthCheckNodePort: 30001 })],
      range,
      stored: snapshotWith(30001),
    }).findings.length;
  expect([countFindings('UDP'), countFindings('TCP')]).toEqual([0, 1]);
});

it('repairNodePorts releases a leak in the third round', () => {
  const counts = new Map([[30005, 0]]);
  const { leaks, range: rebuilt } = repairNodePorts({ services: [], range, stored: snapshotWith(30005), counts });
  expect([leaks, allocatedPorts(rebuilt)]).toEqual([[{ value: 30005, released: true }], []]);
});
