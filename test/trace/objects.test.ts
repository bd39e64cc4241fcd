import { expect, it } from 'vitest';
import { TraceError } from '../../src/trace/index.ts';
import { ask, shop } from './shop.ts';

it('a question that cannot be answered is told from a bug', () => {
  expect(() => ask('', shop)).toThrow(TraceError);
  expect(() => ask('web', shop, { from: 'pod/x' })).toThrow(TraceError);
  expect(() => ask('web', shop, { node: 'x' })).toThrow(TraceError);
});
