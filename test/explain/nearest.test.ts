import { describe, expect, it, test } from 'vitest';
import { createEvidence, readPath } from '../../src/explain/evidence.ts';
import { describeDifferences, findNearest, isClose, isTypo } from '../../src/explain/nearest.ts';

test.each([
  ['web', 'wbe', true],
  ['web', 'Web', true],
  ['web', 'webapp', true],
  ['web', 'web-frontend', true],
  ['web', 'my-web', true],
  ['orders', 'order', true],
  ['checkout', 'chekout', true],
  ['web', 'webhook', false],
  ['web', 'db', false],
  ['api', 'web', false],
  ['payments', 'products', false],
])('%s and %s are a typo of each other: %s', (a, b, expected) => {
  expect(isTypo(a, b)).toBe(expected);
  expect(isTypo(b, a)).toBe(expected);
});

describe('findNearest', () => {
  const find = (selector: Record<string, string>, ...labels: Record<string, string>[]) => findNearest(selector, labels, (each) => each);

  it('prefers fewer differences, then more similar values, then the first object', () => {
    expect(find({ app: 'web', tier: 'x' }, { app: 'db' }, { app: 'web' })?.object).toStrictEqual({ app: 'web' });
    expect(find({ app: 'web' }, { app: 'payments' }, { app: 'webs' })?.object).toStrictEqual({ app: 'webs' });
    expect(find({ app: 'web' }, { app: 'a', n: '1' }, { app: 'a', n: '2' })?.object).toStrictEqual({ app: 'a', n: '1' });
  });

  it('finds a wanted value under a related key', () => {
    expect(find({ app: 'web' }, { 'app.kubernetes.io/name': 'web' })?.differences).toStrictEqual([
      { key: 'app', wanted: 'web', actual: undefined, otherKey: 'app.kubernetes.io/name' },
    ]);
    expect(find({ app: 'web' }, { team: 'web' })).toBeUndefined();
  });

  it('takes a value that is null for an empty text', () => {
    const selector = { app: null } as unknown as Record<string, string>;
    expect(find(selector, { app: 'a' })?.differences).toStrictEqual([{ key: 'app', wanted: '', actual: 'a', otherKey: undefined }]);
  });

  it('reads labels only as own properties', () => {
    expect(find({ toString: 'x' }, {})).toBeUndefined();
    expect(find({ app: 'web' })).toBeUndefined();
  });
});

test.each([
  [{ app: 'web' }, { app: 'webapp' }, true, 'has app=webapp instead of app=web'],
  [{ app: 'web' }, { app: 'db' }, false, 'has app=db instead of app=web'],
  [{ app: 'web', tier: 'x' }, { app: 'web' }, true, 'lacks tier=x'],
  [{ ap: 'web' }, { app: 'web' }, true, 'has app=web instead of ap=web'],
])('the selector %j and the labels %j are close: %s', (selector, labels, expected, text) => {
  const nearest = findNearest<Record<string, string>>(
    selector as Record<string, string>,
    [labels as Record<string, string>],
    (each) => each,
  );
  expect(nearest && isClose(selector as Record<string, string>, nearest)).toBe(expected);
  expect(describeDifferences(nearest?.differences ?? [])).toBe(text);
});

describe('readPath', () => {
  const pod = {
    metadata: { labels: { 'app.kubernetes.io/name': 'web' } },
    status: {
      conditions: [
        { type: 'Other', reason: 'Ready' },
        { type: 'Ready', status: 'False' },
      ],
      containerStatuses: [{ name: 'app', ready: false }],
    },
  };

  it.each([
    ['status.conditions[Ready].status', 'False'],
    ['status.containerStatuses[0].ready', false],
    ['status.containerStatuses[app].ready', false],
    ['metadata.labels["app.kubernetes.io/name"]', 'web'],
    ['status.conditions[None]', undefined],
    ['status.containerStatuses[1]', undefined],
    ['metadata.toString', undefined],
    ['metadata.labels.app.name', undefined],
  ])('reads %s', (path, value) => {
    expect(readPath(pod, path)).toStrictEqual(value);
  });

  it('is evidence as JSON, "absent", or cut', () => {
    expect(createEvidence('Pod shop/a', 'status.conditions[Ready].status', pod)).toStrictEqual({
      object: 'Pod shop/a',
      path: 'status.conditions[Ready].status',
      value: '"False"',
    });
    expect(createEvidence('Pod shop/a', 'spec', pod).value).toBe('absent');
    expect(createEvidence('Pod shop/a', 'text', { text: 'x'.repeat(500) }).value).toHaveLength(201);
  });
});
