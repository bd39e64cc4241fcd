import { beforeEach, describe, expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { decodeToken } from '../../src/store/continue-token.ts';
import { createStore, type ListParameters, type Store } from '../../src/store/index.ts';
import { pod, podFields, pods, statusOf } from './support.ts';

const key = (name: string, namespace = 'default') => ({ namespace, name });
let store: Store;

/** Creates the pods of revisions 2 to 7: a to d in "default", a and z in "other". */
beforeEach(() => {
  store = createStore({ selectableFields: () => podFields });
  for (const [index, name] of ['d', 'b', 'a', 'c'].entries()) store.create(pods, key(name), pod(name, { half: index < 2 ? '1' : '2' }));
  for (const name of ['z', 'a']) store.create(pods, key(name, 'other'), pod(name, { half: '2' }, 'other'));
});

/** For example "default/a default/b", the resourceVersion and the remaining item count. */
function formatList(options: ListParameters): string {
  const { items, metadata } = store.list(pods, options);
  const names = items.map((item) => `${item.metadata.namespace}/${item.metadata.name}`).join(' ');
  return [names, `@${metadata.resourceVersion}`, metadata.remainingItemCount, metadata.continue === undefined ? undefined : 'more']
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}
const relabel = (name: string, half: string): void => {
  store.update(pods, key(name), (current) => ({ ...current, metadata: { ...current.metadata, labels: { half } } }));
};

describe('the objects of a list and their order', () => {
  test.each([
    [{}, 'default/a default/b default/c default/d other/a other/z @7'],
    [{ namespace: 'other' }, 'other/a other/z @7'],
    [{ namespace: 'othe' }, '@7'],
    [{ labelSelector: 'half=1' }, 'default/b default/d @7'],
    [{ labelSelector: 'half!=1', namespace: 'default' }, 'default/a default/c @7'],
    [{ fieldSelector: 'metadata.name=a' }, 'default/a other/a @7'],
    [{ fieldSelector: 'metadata.name=a,metadata.namespace=other' }, 'other/a @7'],
    [{ fieldSelector: 'metadata.name=a', namespace: 'other' }, 'other/a @7'],
    [{ fieldSelector: 'metadata.name=a', namespace: 'other', labelSelector: 'half=1' }, '@7'],
    [{ fieldSelector: 'metadata.name=a,metadata.namespace=other', namespace: 'default' }, '@7'],
    [{ fieldSelector: 'metadata.namespace=other' }, 'other/a other/z @7'],
    [{ fieldSelector: 'metadata.name=x', namespace: 'other' }, '@7'],
  ])('options %j list %j', (options, expected) => expect(formatList(options)).toBe(expected));

  test('returns no items for a resource without objects', () => {
    expect(store.list({ ...pods, plural: 'widgets' })).toEqual({ items: [], metadata: { resourceVersion: '7' } });
  });
});

describe('the version of a list', () => {
  beforeEach(() => {
    store.delete(pods, key('a'));
    relabel('b', '2');
    store.create(pods, key('e'), pod('e'));
  });
  const currentItems = 'default/b default/c default/d default/e';

  test.each([
    [{}, `${currentItems} @10`],
    [{ resourceVersion: '0' }, `${currentItems} @10`],
    [{ resourceVersion: '7' }, `${currentItems} @10`],
    [{ resourceVersion: '7', resourceVersionMatch: 'NotOlderThan' }, `${currentItems} @10`],
    [{ resourceVersion: '10', resourceVersionMatch: 'NotOlderThan', limit: 2 }, 'default/b default/c @10 2 more'],
    [{ resourceVersion: '7', resourceVersionMatch: 'Exact' }, 'default/a default/b default/c default/d @7'],
    [{ resourceVersion: '8', resourceVersionMatch: 'Exact' }, 'default/b default/c default/d @8'],
    [{ resourceVersion: '1', resourceVersionMatch: 'Exact' }, '@1'],
    [{ resourceVersion: '7', limit: 2 }, 'default/a default/b @7 2 more'],
    [{ resourceVersion: '7', limit: 4 }, 'default/a default/b default/c default/d @7'],
    [{ resourceVersion: '0', limit: 2 }, `${currentItems} @10`],
    [{ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan', limit: 2 }, `${currentItems} @10`],
    [{ resourceVersion: '7', resourceVersionMatch: 'Exact', labelSelector: 'half=1' }, 'default/b default/d @7'],
    [{ resourceVersion: '7', resourceVersionMatch: 'Exact', fieldSelector: 'metadata.name=a' }, 'default/a @7'],
    [{ resourceVersion: '7', limit: 1, fieldSelector: 'metadata.name=a' }, '@10'],
  ])('options %j list %j', (options, expected) => expect(formatList({ namespace: 'default', ...options })).toBe(expected));

  test.each([
    { resourceVersion: '11' },
    { resourceVersion: '11', resourceVersionMatch: 'Exact' },
    { resourceVersion: '11', resourceVersionMatch: 'NotOlderThan' },
    { resourceVersion: '11', limit: 1 },
  ])('refuses %j as too large', (options) => {
    const { code, message } = statusOf(() => store.list(pods, options));
    expect([code, message]).toEqual([504, 'Timeout: Too large resource version: 11, current: 10']);
  });

  test('lists an older version until the log is compacted beyond it', () => {
    store.compact(8);
    expect(formatList({ namespace: 'other', resourceVersion: '8', resourceVersionMatch: 'Exact' })).toBe('other/a other/z @8');
    expect(statusOf(() => store.list(pods, { resourceVersion: '7', resourceVersionMatch: 'Exact' }))).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: 'The resourceVersion for the provided list is too old.',
    });
    expect(formatList({ namespace: 'other', resourceVersion: '7' })).toBe('other/a other/z @10');
  });
});

describe('pages of a list', () => {
  /** Lists all pages; calls `between` after each page. */
  function listPages(options: ListParameters, between: (page: number) => void = () => {}): string[] {
    const formatted: string[] = [];
    let token: string | undefined;
    do {
      const page: ListParameters = token === undefined ? options : { ...options, continue: token, resourceVersion: '' };
      formatted.push(formatList(page));
      token = store.list(pods, page).metadata.continue;
      between(formatted.length);
    } while (token !== undefined);
    return formatted;
  }

  test('show one snapshot, regardless of writes between them', () => {
    const changeStore = (page: number): void => {
      if (page === 1) store.delete(pods, key('c'));
      if (page === 1) store.create(pods, key('bb'), pod('bb'));
      if (page === 2) store.delete(pods, key('z', 'other'));
    };
    expect(listPages({ limit: 2 }, changeStore)).toEqual([
      'default/a default/b @7 4 more',
      'default/c default/d @7 2 more',
      'other/a other/z @7',
    ]);
    expect(formatList({})).toBe('default/a default/b default/bb default/d other/a @10');
  });

  test('cover one namespace', () => {
    expect(listPages({ namespace: 'default', limit: 3 })).toEqual(['default/a default/b default/c @7 1 more', 'default/d @7']);
  });

  test('omit the remaining item count with a selector', () => {
    expect(listPages({ limit: 1, labelSelector: 'half=1' })).toEqual(['default/b @7 more', 'default/d @7 more', '@7']);
    expect(listPages({ limit: 5, fieldSelector: 'metadata.name!=z' })).toEqual([
      'default/a default/b default/c default/d other/a @7 more',
      '@7',
    ]);
  });

  test('have a token relative to the listed prefix', () => {
    const token = (options: ListParameters) => decodeToken(store.list(pods, options).metadata.continue ?? '');
    expect(token({ limit: 1 })).toEqual({ startKey: 'default/a\u0000', revision: 7 });
    expect(token({ limit: 1, namespace: 'other' })).toEqual({ startKey: 'a\u0000', revision: 7 });
  });

  test('offer a token for the current state after a compaction', () => {
    const { continue: token = '' } = store.list(pods, { limit: 2 }).metadata;
    store.create(pods, key('bb'), pod('bb'));
    store.delete(pods, key('c'));
    store.compact(8);
    const status = statusOf(() => store.list(pods, { limit: 2, continue: token }));
    expect(status).toMatchObject({ code: 410, reason: 'Expired' });
    expect(status.message).toMatch(/^The provided continue parameter is too old to display a consistent list result\. .* in the list\.$/);
    const newToken = String(status.metadata['continue']);
    expect(decodeToken(newToken)).toEqual({ startKey: 'default/b\u0000', revision: -1 });
    expect(formatList({ limit: 2, continue: newToken })).toBe('default/bb default/d @9 2 more');
  });

  test('end with a page of all remaining objects for a token with resourceVersion "0"', () => {
    const { continue: token = '' } = store.list(pods, { limit: 2 }).metadata;
    expect(formatList({ limit: 2, continue: token, resourceVersion: '0' })).toBe('default/c default/d other/a other/z @7');
  });

  test('refuse a token with a future revision', () => {
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":99,"start":"a"}').toString('base64url');
    expect(statusOf(() => store.list(pods, { continue: token })).code).toBe(504);
  });
});

test('list options are checked in the order of kube-apiserver', () => {
  const invalidOptions = { labelSelector: 'a b', fieldSelector: 'spec.x=1', resourceVersionMatch: 'Exact', continue: '!' };
  expect(statusOf(() => store.list(pods, invalidOptions)).message).toMatch(/^unable to parse requirement/);
  const { labelSelector: _, ...next } = invalidOptions;
  expect(statusOf(() => store.list(pods, next))).toMatchObject({
    code: 422,
    reason: 'Invalid',
    message:
      'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion ' +
      'is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided]',
    details: { group: 'meta.k8s.io', kind: 'ListOptions' },
  });
  expect(statusOf(() => store.list(pods, { fieldSelector: 'spec.x=1', continue: '!' })).message).toBe('field label not supported: spec.x');
  expect(statusOf(() => store.list(pods, { continue: '!' })).message).toMatch(/^invalid continue token/);
});

describe('snapshot', () => {
  const key = (name: string) => ({ namespace: 'default', name });

  test('lists the exact state of every revision in the log', () => {
    const step = fc.tuple(fc.constantFrom('create', 'update', 'delete'), fc.constantFrom('a', 'b', 'c', 'd'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const store = createStore();
        const snapshots = [{ revision: store.revision, items: store.list(pods).items }];
        for (const [index, [action, name]] of steps.entries()) {
          try {
            if (action === 'create') store.create(pods, key(name), pod(name));
            else if (action === 'delete') store.delete(pods, key(name));
            else store.update(pods, key(name), (current) => ({ ...current, spec: { index } }));
          } catch {
            continue;
          }
          snapshots.push({ revision: store.revision, items: store.list(pods).items });
        }
        for (const { revision, items } of snapshots) {
          const { items: listed, metadata } = store.list(pods, { resourceVersion: String(revision), resourceVersionMatch: 'Exact' });
          expect(listed).toEqual(items);
          expect(metadata.resourceVersion).toBe(String(revision));
        }
      }),
    );
  });
});
