import { expect, it } from 'vitest';
import { TraceError } from '../../src/trace/index.ts';
import { checkObjects } from '../../src/trace/trace-target.ts';
import { ask, shop } from './shop.ts';

const given = (objects: object) => () => ask('web', { ...shop, ...objects });

it('checkObjects names the list that contains an invalid element', () => {
  expect(given({ pods: undefined })).toThrow('objects.pods: give a list');
  expect(given({ endpoints: [null] })).toThrow('objects.endpoints[0]: give an object, not null');
  expect(given({ slices: [{ endpoints: [{}, null] }] })).toThrow('objects.slices[0].endpoints[1]: give an object, not null');
  expect(given({ services: ['web'] })).toThrow(new TraceError('objects.services[0]: give an object, not "web"'));
  expect(() => checkObjects({ services: [], pods: [] })).not.toThrow();
});
