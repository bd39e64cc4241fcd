import { expect, it } from 'vitest';
import { TraceError } from '../../src/trace/index.ts';
import { runTrace, shop } from './shop.ts';

it('traceTarget throws a TraceError for an empty target, an unknown pod and an unknown node', () => {
  expect(() => runTrace('', shop)).toThrow(TraceError);
  expect(() => runTrace('web', shop, { from: 'pod/x' })).toThrow(TraceError);
  expect(() => runTrace('web', shop, { node: 'x' })).toThrow(TraceError);
});
