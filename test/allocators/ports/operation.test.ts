import { expect, it } from 'vitest';
import { createPortAllocator, startPortOperation } from '../../../src/allocators/ports.ts';
import { drawLowest, listOf } from '../support.ts';

const createPorts = (range = '30000-30003') => {
  const ports = createPortAllocator({ range, draw: drawLowest });
  ports.allocate(30003);
  return ports;
};

it('a port operation allocates at once and releases on commit', () => {
  const ports = createPorts();
  const operation = startPortOperation(ports);
  operation.allocate(30001);
  operation.allocateNext();
  operation.releaseDeferred(30003);
  expect([operation.allocated(), operation.released(), listOf(ports)]).toEqual([[30001, 30000], [30003], [30000, 30001, 30003]]);
  operation.commit();
  operation.rollback();
  expect(listOf(ports)).toEqual([30000, 30001]);
});

it('a rollback releases the allocated ports, only once', () => {
  const ports = createPorts();
  const operation = startPortOperation(ports);
  expect(operation.allocate(30003)?.code).toBe('allocated');
  operation.allocate(30001);
  operation.releaseDeferred(30003);
  operation.rollback();
  ports.allocate(30001);
  operation.rollback();
  operation.commit();
  expect(listOf(ports)).toEqual([30001, 30003]);
});

it('a failed allocation records nothing', () => {
  const ports = createPorts('30003');
  const operation = startPortOperation(ports);
  expect([operation.allocateNext().refusal?.code, operation.allocated()]).toEqual(['full', []]);
});

it('a dry run returns placeholders and does not change the ports', () => {
  const ports = createPorts();
  const operation = startPortOperation(ports, { dryRun: true });
  expect([operation.allocateNext(), operation.allocateNext()]).toEqual([{ value: 32769 }, { value: 32770 }]);
  expect([operation.allocate(1), operation.allocate(1)?.code, operation.allocate(30003)?.code]).toEqual([
    undefined,
    'allocated',
    'allocated',
  ]);
  operation.releaseDeferred(30003);
  operation.commit();
  expect(listOf(ports)).toEqual([30003]);
});

it('a dry run looks for a free port only below port 100', () => {
  const ports = createPortAllocator({ range: '1-200', draw: drawLowest });
  ports.allocate(91);
  const operation = startPortOperation(ports, { dryRun: true });
  operation.allocate(90);
  expect(operation.allocateNext()).toEqual({ value: 92 });
});
