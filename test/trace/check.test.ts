import { expect, it } from 'vitest';
import { TraceError } from '../../src/trace/index.ts';
import { checkObjects } from '../../src/trace/trace-target.ts';
import { runTrace, shop } from './shop.ts';

const traceWith = (objects: object) => () => runTrace('web', { ...shop, ...objects });

it('checkObjects names the list that contains an invalid element', () => {
  expect(traceWith({ pods: undefined })).toThrow('objects.pods: give a list');
  expect(traceWith({ endpoints: [null] })).toThrow('objects.endpoints[0]: give an object, not null');
  expect(traceWith({ slices: [{ endpoints: [{}, null] }] })).toThrow('objects.slices[0].endpoints[1]: give an object, not null');
  expect(traceWith({ services: ['web'] })).toThrow(new TraceError('objects.services[0]: give an object, not "web"'));
  expect(() => checkObjects({ services: [], pods: [] })).not.toThrow();
});
