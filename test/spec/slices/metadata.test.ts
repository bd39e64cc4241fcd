import { describe, expect, it } from 'vitest';
import {
  areSliceLabelsCorrect,
  generateNameFor,
  isManagedBy,
  isOwnedBy,
  newSlice,
  ownerReferenceTo,
  setTriggerTime,
  sliceLabels,
} from '../../../src/spec/slices/metadata.ts';
import type { EndpointSliceInput, StringMap } from '../../../src/types/index.ts';
import { makeService } from '../objects.ts';
import { controller, httpPort, makeSlice, managedByLabel, owner, ownLabels, serviceNameLabel, triggerTime } from './objects.ts';

const headlessLabel = 'service.kubernetes.io/headless';
const serviceWithLabels = (labels: StringMap, spec = {}) => makeService(spec, { labels });

describe('sliceLabels', () => {
  it.each<[string, ReturnType<typeof makeService>, StringMap]>([
    ['no labels', makeService(), {}],
    ['labels of its own', serviceWithLabels({ z: '1', a: '' }), { a: '', z: '1' }],
    ['reserved labels', serviceWithLabels({ [serviceNameLabel]: 'x', [managedByLabel]: 'me', [headlessLabel]: 'x' }), {}],
    ['clusterIP None', makeService({ clusterIP: 'None' }), { [headlessLabel]: '' }],
    ['a null clusterIP', serviceWithLabels({ [headlessLabel]: 'x' }, { clusterIP: null }), { [headlessLabel]: '' }],
    ['a label __proto__', serviceWithLabels(JSON.parse('{"__proto__":"x"}') as StringMap), JSON.parse('{"__proto__":"x"}') as StringMap],
  ])('returns the labels of a Service with %s', (_, service, expected) => {
    const labels = sliceLabels(service);
    expect(Object.entries(labels).sort()).toEqual(Object.entries({ ...expected, ...ownLabels }).sort());
    expect(Object.keys(labels)).toEqual(Object.keys(labels).toSorted());
  });

  it('returns labels for a Service without fields', () => {
    expect(sliceLabels({})).toEqual({ [headlessLabel]: '', [serviceNameLabel]: '', [managedByLabel]: controller });
  });
});

it.each<[StringMap | null, StringMap | null, boolean]>([
  [null, null, true],
  [ownLabels, {}, true],
  [{ ...ownLabels, [headlessLabel]: 'x' }, null, true],
  [{ a: '1' }, { a: '1' }, true],
  [{ a: '1' }, { a: '2' }, false],
  [{ a: '1' }, {}, false],
  [{}, { a: '' }, false],
  [{}, { [managedByLabel]: 'me' }, true],
])('areSliceLabelsCorrect, for the labels %j and the Service labels %j, returns %s', (labels, serviceLabels, expected) => {
  expect(areSliceLabelsCorrect({ metadata: { labels } }, { metadata: { labels: serviceLabels } })).toBe(expected);
});

describe('isManagedBy', () => {
  it.each<[string, EndpointSliceInput, boolean]>([
    ['managed by the controller', makeSlice('s', []), true],
    ['managed by a different controller', makeSlice('s', [], { metadata: { labels: { ...ownLabels, [managedByLabel]: 'mesh' } } }), false],
    ['without managed-by label', makeSlice('s', [], { metadata: { labels: { [serviceNameLabel]: 'web' } } }), false],
    ['of a different Service', makeSlice('s', [], { metadata: { labels: { ...ownLabels, [serviceNameLabel]: 'db' } } }), false],
    ['of no Service', makeSlice('s', [], { metadata: { labels: { [managedByLabel]: controller } } }), false],
    ['of a different namespace', makeSlice('s', [], { metadata: { namespace: 'other' } }), false],
    ['without labels', makeSlice('s', [], { metadata: { labels: null } }), false],
    ['without metadata', { addressType: 'IPv4' }, false],
    ['of null', { metadata: null }, false],
  ])('for a slice %s', (_, slice, expected) => {
    expect(isManagedBy(slice, makeService(), controller)).toBe(expected);
  });

  it('treats an absent namespace as an empty one', () => {
    const labels = { [serviceNameLabel]: '', [managedByLabel]: controller };
    expect(isManagedBy({ metadata: { labels } }, { metadata: { namespace: '' } }, controller)).toBe(true);
    expect(isManagedBy({ metadata: { namespace: 'x', labels } }, {}, controller)).toBe(false);
  });
});

it.each<[string, EndpointSliceInput['metadata'], boolean]>([
  ['the Service', { ownerReferences: [{ ...owner, uid: 's1' }] }, true],
  [
    'the Service and another owner',
    {
      ownerReferences: [
        { ...owner, uid: 'x' },
        { ...owner, uid: 's1' },
      ],
    },
    true,
  ],
  ['an earlier Service of its name', { ownerReferences: [{ ...owner, uid: 's0' }] }, false],
  ['Endpoints with its UID', { ownerReferences: [{ ...owner, uid: 's1', kind: 'Endpoints' }] }, false],
  ['an object of another API version with its UID', { ownerReferences: [{ ...owner, uid: 's1', apiVersion: 'v2' }] }, false],
  ['no object', { ownerReferences: [] }, false],
  ['no object', { ownerReferences: null }, false],
  ['no object', null, false],
])('isOwnedBy: a slice owned by %s', (_, metadata, expected) => {
  expect(isOwnedBy({ metadata }, makeService({}, { uid: 's1' }))).toBe(expected);
});

it('isOwnedBy accepts a Service and an owner without a UID', () => {
  expect(isOwnedBy({ metadata: { ownerReferences: [{ kind: 'Service', apiVersion: 'v1' }] } }, makeService())).toBe(true);
});

it('newSlice is complete except for endpoints', () => {
  expect(newSlice(makeService({}, { uid: 's1', labels: { a: '1' } }), 'IPv6', [httpPort])).toEqual({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { generateName: 'web-', namespace: 'shop', labels: { ...ownLabels, a: '1' }, ownerReferences: [{ ...owner, uid: 's1' }] },
    addressType: 'IPv6',
    endpoints: [],
    ports: [httpPort],
  });
  expect(newSlice({ metadata: { name: null, namespace: null, uid: null } }, 'IPv4', []).metadata).toMatchObject({
    generateName: '',
    namespace: '',
    ownerReferences: [{ name: '', uid: '' }],
  });
  expect(newSlice({}, 'IPv4', []).metadata.generateName).toBe('');
});

it('ownerReferenceTo returns a controller reference', () => {
  expect(ownerReferenceTo('Endpoints', 'web', 'u')).toEqual({ ...owner, kind: 'Endpoints', uid: 'u' });
});

it.each([
  ['web', 'web-'],
  ['web-', 'web--'],
  ['web.', 'web.-'],
  ['web_', 'web_-'],
  ['we_b', 'we_b'],
  ['Web', 'Web'],
  ['a', 'a-'],
  ['A', 'A-'],
  ['', ''],
  ['-web', '-web'],
  ['web.shop', 'web.shop-'],
  ['web..shop', 'web..shop'],
  ['web.-shop', 'web.-shop'],
  ['web-.shop', 'web-.shop'],
  ['x'.repeat(253), `${'x'.repeat(253)}-`],
  ['x'.repeat(254), 'x'.repeat(254)],
])('generateNameFor %j is %j', (name, expected) => {
  expect(generateNameFor(name)).toBe(expected);
});

describe('setTriggerTime', () => {
  const stamp = (annotations: Record<string, string> | undefined, time: string | undefined) => {
    const slice = newSlice(makeService(), 'IPv4', []);
    if (annotations) slice.metadata.annotations = annotations;
    setTriggerTime(slice, time);
    return 'annotations' in slice.metadata ? JSON.stringify(slice.metadata.annotations) : undefined;
  };

  it.each([
    [undefined, undefined, undefined],
    [undefined, 't', `{"${triggerTime}":"t"}`],
    [{ [triggerTime]: 'old' }, 't', `{"${triggerTime}":"t"}`],
    [{ [triggerTime]: 'old' }, undefined, undefined],
    [{ z: '1', a: '2' }, 't', `{"a":"2","${triggerTime}":"t","z":"1"}`],
    [{ z: '1', [triggerTime]: 'old' }, undefined, '{"z":"1"}'],
  ])('turns the annotations %j and the time %s into %s', (annotations, time, expected) => {
    expect(stamp(annotations, time)).toBe(expected);
  });
});
