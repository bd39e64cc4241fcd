import { expect, it } from 'vitest';
import { createPortAllocator } from '../../../src/allocators/ports.ts';
import { drawLowest, listOf } from '../support.ts';

it('createPortAllocator allocates, refuses and releases ports', () => {
  const ports = createPortAllocator({ range: '30000-30002', draw: drawLowest });
  expect([ports.allocate(30001), ports.allocate(30001)?.message]).toEqual([undefined, 'provided port is already allocated']);
  expect(ports.allocate(30003)).toEqual({
    code: 'not-in-range',
    message: 'provided port is not in the valid range. The range of valid ports is 30000-30002',
  });
  expect([ports.allocateNext().value, ports.allocateNext().value, ports.allocateNext().refusal?.message]).toEqual([
    30000,
    30002,
    'range is full',
  ]);
  ports.release(30001);
  ports.release(80);
  expect([listOf(ports), ports.free(), ports.used(), ports.has(30000), ports.has(80)]).toEqual([[30000, 30002], 1, 2, true, false]);
});

it('the default port range is 30000-32767, with the upper band first since 1.28', () => {
  expect([createPortAllocator({ draw: drawLowest }).range, createPortAllocator({ draw: drawLowest }).free()]).toEqual([
    '30000-32767',
    2768,
  ]);
  const firstPort = (version: string): number | undefined => createPortAllocator({ draw: drawLowest, version }).allocateNext().value;
  expect([firstPort('1.27'), firstPort('1.28')]).toEqual([30000, 30086]);
});

it('a port allocator can be restored from a snapshot of its range, but not from a snapshot of a different range', () => {
  const ports = createPortAllocator({ range: '0-10', draw: drawLowest });
  ports.allocate(10);
  const copy = createPortAllocator({ range: '0-10', draw: drawLowest });
  expect([copy.restore(ports.snapshot()), listOf(copy)]).toEqual([undefined, [10]]);
  expect(copy.restore({ range: '0-11', data: new Uint8Array() })?.message).toBe(
    'the provided port range does not match the current port range',
  );
});
