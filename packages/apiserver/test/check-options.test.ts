import { expect, test } from 'vitest';
import { createApiServer } from '../src/index.ts';

const widgets = { group: 'example.com', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };

test.each<[object, string]>([
  [{ eventTTL: -1 }, 'eventTTL is -1: give a whole number of at least 0'],
  [{ eventTTL: 1.5 }, 'eventTTL is 1.5: give a whole number of at least 0'],
  [{ maxEvents: 'x' }, 'maxEvents is "x": give a whole number of at least 1'],
  [{ maxEvents: Number.NaN }, 'maxEvents is NaN: give a whole number of at least 1'],
  [{ maxEventBytes: 0 }, 'maxEventBytes is 0: give a whole number of at least 1'],
  [{ objects: {} }, 'objects is {}: give a list'],
  [{ data: '' }, 'data is "": give a folder'],
  [{ data: { folder: 'x' } }, 'data is {"folder":"x"}: give a folder'],
  [{ background: 'no' }, 'background is "no": give true or false'],
  [{ admission: [{}] }, 'admission[0] has neither mutate nor validate: give the result of createFunctionAdmission'],
  [{ resources: [{}] }, 'resources[0].resource is undefined: give a resource such as {'],
  [{ resources: [{ resource: { ...widgets, plural: undefined } }] }, 'resources[0].resource.plural is undefined: give a plural'],
  [{ resources: [{ resource: { ...widgets, plural: 'x/y' } }] }, 'resources[0].resource.plural is "x/y": give a plural'],
  [{ resources: [{ resource: { ...widgets, group: 'A B' } }] }, 'resources[0].resource.group is "A B": give a DNS name'],
  [{ resources: [{ resource: { ...widgets, namespaced: 1 } }] }, 'resources[0].resource.namespaced is 1: give true or false'],
  [{ resources: [{ resource: { ...widgets, group: '', plural: 'pods' } }] }, 'resources[0].resource: v1/pods is served already'],
  [{ resources: [{ resource: widgets }, { resource: widgets }] }, 'resources[1].resource: example.com/v1/widgets is served already'],
])('createApiServer refuses %j and names the option', async (options, message) => {
  const failure: unknown = await createApiServer(options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RangeError);
  expect((failure as RangeError).message.startsWith(message)).toBe(true);
});

test.each<[object, string]>([
  [{ tokens: ['x'] }, 'tokens[0] has no token: give { token: "…" }'],
  [{ serverNames: ['*bad name'] }, 'serverNames: "*bad name" is neither a DNS name nor an IP address'],
  [{ limits: { bogus: 3 } }, 'limits.bogus is not a limit; the limits are bodyBytes, '],
])('listen refuses %j and names the option', async (options, message) => {
  await using server = await createApiServer();
  const failure: unknown = await server.listen(options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RangeError);
  expect((failure as RangeError).message.startsWith(message)).toBe(true);
});
