import { expect, it } from 'vitest';
import { TraceError } from '../../src/trace/index.ts';
import { ask, shop } from './shop.ts';

it('an invalid question throws a TraceError', () => {
  expect(() => ask('', shop)).toThrow(TraceError);
  expect(() => ask('web', shop, { from: 'pod/x' })).toThrow(TraceError);
  expect(() => ask('web', shop, { node: 'x' })).toThrow(TraceError);
});
