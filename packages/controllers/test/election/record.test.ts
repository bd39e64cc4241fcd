import { describe, expect, test } from 'vitest';
import { createMicroTimeGenerator, createSpec, noRecord, parseRecord } from '../../src/election/record.ts';

const spec = {
  holderIdentity: 'a',
  leaseDurationSeconds: 15,
  acquireTime: '2026-01-31T12:00:00.000001Z',
  renewTime: '2026-01-31T12:00:02.000000Z',
  leaseTransitions: 3,
};

test('parseRecord returns holder, duration, acquireTime and transitions', () => {
  const { text, ...record } = parseRecord({ metadata: {}, spec });
  expect(record).toEqual({ holder: 'a', durationSeconds: 15, acquireTime: spec.acquireTime, transitions: 3 });
});

test.each(Object.keys(spec))('a change of %s changes the text of a record', (field) => {
  expect(parseRecord({ spec: { ...spec, [field]: 7 } }).text).not.toBe(parseRecord({ spec }).text);
});

test('a change of another field does not change the text of a record', () => {
  expect(parseRecord({ spec: { ...spec, strategy: 'OldestEmulationVersion' }, metadata: { labels: {} } }).text).toBe(
    parseRecord({ spec }).text,
  );
});

describe('parseRecord', () => {
  test.each([null, undefined, 'lease', {}, { spec: null }, { spec: [] }, { spec: 'a' }])(
    'uses defaults for the malformed Lease %j',
    (lease) => {
      expect(parseRecord(lease)).toMatchObject({ holder: '', durationSeconds: undefined, acquireTime: undefined, transitions: 0 });
    },
  );

  test.each([
    [{ holderIdentity: 5 }, { holder: '' }],
    [{ leaseDurationSeconds: 0 }, { durationSeconds: undefined }],
    [{ leaseDurationSeconds: -15 }, { durationSeconds: undefined }],
    [{ leaseDurationSeconds: '15' }, { durationSeconds: undefined }],
    [{ leaseDurationSeconds: 1.5 }, { durationSeconds: undefined }],
    [{ acquireTime: 'noon' }, { acquireTime: undefined }],
    [{ acquireTime: 0 }, { acquireTime: undefined }],
    [{ leaseTransitions: -1 }, { transitions: 0 }],
    [{ leaseTransitions: null }, { transitions: 0 }],
  ])('ignores the invalid field %j', (invalid, expected) => {
    expect(parseRecord({ spec: { ...spec, ...invalid } })).toMatchObject(expected);
  });
});

test('createSpec writes the record and keeps other fields of the spec', () => {
  const values = { holder: 'b', durationSeconds: 15, acquireTime: spec.acquireTime, renewTime: spec.renewTime, transitions: 4 };
  expect(createSpec(values)).toEqual({ ...spec, holderIdentity: 'b', leaseTransitions: 4 });
  expect(createSpec(values, { metadata: {}, spec: { preferredHolder: 'c' } })).toMatchObject({ preferredHolder: 'c', holderIdentity: 'b' });
  expect(createSpec(values, { metadata: {}, spec: null })).toEqual(createSpec(values));
});

test('noRecord equals the record of a Lease without a holder', () => {
  expect({ ...parseRecord({ spec: {} }), text: '' }).toEqual(noRecord);
});

test('times have microseconds and differ from the previous one even if the clock does not advance', () => {
  const times = createMicroTimeGenerator({ now: () => Date.UTC(2026, 0, 31, 12, 0, 0, 7) }, () => 0.9999);
  expect([times(), times(), times()]).toEqual([
    '2026-01-31T12:00:00.007999Z',
    '2026-01-31T12:00:00.007000Z',
    '2026-01-31T12:00:00.007999Z',
  ]);
});
