import { describe, expect, it } from 'vitest';
import { createSelectorCache } from '../../src/incremental/selector-cache.ts';
import type { StringMap } from '../../src/types/index.ts';

const service = (selector: StringMap | null | undefined, namespace: string | null = 'shop') => ({
  metadata: { namespace },
  spec: { selector },
});
const pod = (labels: StringMap | null | undefined, namespace: string | null = 'shop') => ({ metadata: { namespace, labels } });
const parseMap = (text: string): StringMap => JSON.parse(text) as StringMap;

function createCache(selectors: Readonly<Record<string, StringMap | null>>) {
  const cache = createSelectorCache();
  for (const [key, selector] of Object.entries(selectors)) cache.set(key, service(selector));
  return cache;
}

describe('servicesFor', () => {
  const cache = createCache({
    z: { app: 'web' },
    a: { app: 'web' },
    db: { app: 'db' },
    both: { app: 'web', tier: 'x' },
    all: {},
    none: null,
  });

  it.each<[StringMap | null | undefined, string[]]>([
    [{ app: 'web' }, ['a', 'all', 'z']],
    [{ app: 'web', tier: 'x' }, ['a', 'all', 'both', 'z']],
    [{ app: 'web', tier: 'y' }, ['a', 'all', 'z']],
    [{ tier: 'x' }, ['all']],
    [{ app: 'db', tier: 'x' }, ['all', 'db']],
    [{}, ['all']],
    [null, ['all']],
    [undefined, ['all']],
  ])('returns for a pod with labels %j: %j', (labels, keys) => {
    expect(cache.servicesFor(pod(labels))).toEqual(keys);
  });

  it('finds Services of the namespace of the pod only', () => {
    const mixed = createSelectorCache();
    mixed.set('shop/a', service({ app: 'web' }));
    mixed.set('other/a', service({ app: 'web' }, 'other'));
    mixed.set('other/all', service({}, 'other'));
    mixed.set('/a', service({ app: 'web' }, null));
    expect(mixed.servicesFor(pod({ app: 'web' }))).toEqual(['shop/a']);
    expect(mixed.servicesFor(pod({ app: 'web' }, 'other'))).toEqual(['other/a', 'other/all']);
    expect(mixed.servicesFor(pod({ app: 'web' }, null))).toEqual(['/a']);
    expect(mixed.servicesFor(pod({ app: 'web' }, 'third'))).toEqual([]);
  });

  it('does not confuse a namespace, label and value that concatenate to the same text', () => {
    const similar = createSelectorCache();
    similar.set('1', service({ b: 'c' }, 'a'));
    similar.set('2', service({ bc: '' }, 'a'));
    similar.set('3', service({ c: '' }, 'ab'));
    expect(similar.servicesFor(pod({ b: 'c', bc: 'x', c: '' }, 'a'))).toEqual(['1']);
    expect(similar.servicesFor(pod({ bc: '' }, 'a'))).toEqual(['2']);
    expect(similar.servicesFor(pod({ c: '' }, 'ab'))).toEqual(['3']);
  });

  it('accepts names of Object.prototype as labels', () => {
    const cacheOfOddLabels = createCache({ p: parseMap('{"__proto__":"x"}'), c: { constructor: 'x' }, t: { toString: 'y', app: 'web' } });
    expect(cacheOfOddLabels.servicesFor(pod(parseMap('{"__proto__":"x"}')))).toEqual(['p']);
    expect(cacheOfOddLabels.servicesFor(pod({ constructor: 'x' }))).toEqual(['c']);
    expect(cacheOfOddLabels.servicesFor(pod({ toString: 'y', app: 'web' }))).toEqual(['t']);
    expect(cacheOfOddLabels.servicesFor(pod({ app: 'web' }))).toEqual([]);
    expect(cacheOfOddLabels.servicesFor(pod({}))).toEqual([]);
  });

  it('accepts objects without metadata or spec', () => {
    const empty = createSelectorCache();
    empty.set('a', {});
    empty.set('b', { spec: { selector: {} } });
    empty.set('c', { metadata: null, spec: null });
    expect(empty.servicesFor({})).toEqual(['b']);
    expect(empty.servicesFor({ metadata: null })).toEqual(['b']);
  });

  it('sorts keys by their UTF-8 bytes', () => {
    const keys = createCache({ '\u{1f600}': {}, '\uffee': {}, b: {}, B: {} });
    expect(keys.servicesFor(pod({}))).toEqual(['B', 'b', '\uffee', '\u{1f600}']);
  });
});

describe('set and delete', () => {
  it('finds a Service only under its latest selector', () => {
    const cache = createCache({ a: { app: 'web' }, b: { app: 'web' } });
    cache.set('a', service({ app: 'db' }));
    expect(cache.servicesFor(pod({ app: 'web' }))).toEqual(['b']);
    expect(cache.servicesFor(pod({ app: 'db' }))).toEqual(['a']);
    cache.set('a', service(null));
    expect(cache.servicesFor(pod({ app: 'db' }))).toEqual([]);
    cache.set('a', service({}));
    expect(cache.servicesFor(pod({ app: 'db' }))).toEqual(['a']);
  });

  it('removes a deleted Service, and ignores an unknown key', () => {
    const cache = createCache({ a: { app: 'web' }, b: { app: 'web' } });
    cache.delete('a');
    cache.delete('a');
    cache.delete('never');
    expect(cache.servicesFor(pod({ app: 'web' }))).toEqual(['b']);
    cache.delete('b');
    expect(cache.servicesFor(pod({ app: 'web' }))).toEqual([]);
    cache.set('a', service({ app: 'web' }));
    expect(cache.servicesFor(pod({ app: 'web' }))).toEqual(['a']);
  });

  it('does not confuse an empty selector with the selector of an empty label', () => {
    const cache = createCache({ empty: { '': '' }, all: {} });
    cache.delete('all');
    expect(cache.servicesFor(pod({ '': '' }))).toEqual(['empty']);
    cache.set('all', service({}));
    cache.delete('empty');
    expect(cache.servicesFor(pod({ '': '' }))).toEqual(['all']);
  });

  it('stays correct when Services that share a label are deleted and set again', () => {
    const cache = createSelectorCache();
    const shared = (i: number) => service({ team: 'shared', app: `app-${i}` });
    for (let i = 0; i < 50; i++) cache.set(`s${i}`, shared(i));
    for (let i = 0; i < 50; i += 2) cache.delete(`s${i}`);
    for (let i = 0; i < 50; i += 4) cache.set(`s${i}`, shared(i));
    for (let i = 0; i < 50; i++) {
      expect(cache.servicesFor(pod({ team: 'shared', app: `app-${i}` }))).toEqual(i % 2 === 1 || i % 4 === 0 ? [`s${i}`] : []);
    }
  });

  it('copies the selector', () => {
    const selector: Record<string, string> = { app: 'web' };
    const cache = createSelectorCache();
    cache.set('a', service(selector));
    selector['app'] = 'db';
    expect(cache.servicesFor(pod({ app: 'web' }))).toEqual(['a']);
  });
});

describe('the index of Services', () => {
  it.each([
    ['first', (i: number): StringMap => ({ team: 'shared', app: `app-${i}` })],
    ['last', (i: number): StringMap => ({ app: `app-${i}`, team: 'shared' })],
    ['first and last', (i: number): StringMap => ({ team: 'shared', app: `app-${i}`, zone: 'shared' })],
  ])('reads only a few Services per pod if a shared label comes %s', (_, labelsOf) => {
    const cache = createSelectorCache();
    for (let i = 0; i < 1000; i++) cache.set(`s${i}`, service(labelsOf(i)));
    let readCount = 0;
    const labels = new Proxy<Record<string, string>>(
      { ...labelsOf(7) },
      {
        get: (target, key: string) => {
          readCount++;
          return target[key];
        },
      },
    );
    expect(cache.servicesFor(pod(labels))).toEqual(['s7']);
    expect(readCount).toBeLessThan(50);
  });

  it.each([{ a: '1' }, { a: '1', b: '2' }])('copies the selector: %j', (selector) => {
    const cache = createSelectorCache();
    const selectorOfCaller: Record<string, string> = { ...selector };
    cache.set('s', service(selectorOfCaller));
    for (const key of Object.keys(selectorOfCaller)) selectorOfCaller[key] = 'changed';
    expect(cache.servicesFor(pod({ ...selector }))).toEqual(['s']);
    expect(cache.servicesFor(pod({ ...selectorOfCaller }))).toEqual([]);
  });
});
