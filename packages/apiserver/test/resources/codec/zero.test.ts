import { expect, it } from 'vitest';
import { zeroOf } from '../../../src/resources/codec/zero.ts';
import { structType } from '../../../src/resources/schema/index.ts';

it.each([
  [{ kind: 'text', go: 'string' }, ''],
  [{ kind: 'bool', go: 'bool' }, false],
  [{ kind: 'integer', go: 'int32', min: 0, max: 1 }, 0],
  [{ kind: 'quantity', go: 'resource.Quantity' }, '0'],
  [{ kind: 'time', go: 'v1.Time' }, undefined],
] as const)('of %j is %j', (type, zero) => expect(zeroOf(type)).toBe(zero));

it('of what holds others is new each time', () => {
  const type = structType('core.Pod');
  expect(zeroOf(type)).toEqual({});
  expect(zeroOf(type)).not.toBe(zeroOf(type));
  expect(zeroOf({ kind: 'list', go: '[]v1.Pod', of: type })).toEqual([]);
});
