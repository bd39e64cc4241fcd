import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { adopt } from '../../src/store/adopt.ts';
import { freezeLike, sizeOf, type Tally } from '../../src/store/intern.ts';
import { share } from '../../src/store/shared.ts';

const tally = (): Tally => ({ fresh: 0, replaced: 0 });
const isFrozen = (value: unknown): boolean =>
  value === null || typeof value !== 'object' || (Object.isFrozen(value) && Object.values(value).every(isFrozen));

const name = fc.constantFrom('a', 'b', 'constructor', '__proto__');
const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom<unknown>('', 'x', 0, 1, true, null), tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  map: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
}));
const object = fc.record({ metadata: fc.record({ name: fc.constant('a'), labels: json.map }), spec: json.value, status: json.value });

/** Frozen by copying, for comparison. */
const stored = (given: object, resourceVersion: string): ApiObject => {
  const { metadata, ...rest } = structuredClone(given) as ApiObject;
  return freezeLike({ metadata: {} }, { metadata: { ...metadata, resourceVersion }, ...rest });
};

describe('adopt', () => {
  it('returns an object equal to a frozen copy', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        const earlier = stored(before, '1');
        const given = structuredClone(after) as unknown as ApiObject;
        const sizes = tally();
        const adopted = adopt(earlier, given, '2', sizes);
        const same = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after));
        expect(adopted === undefined).toBe(same);
        if (!adopted) return;
        expect(adopted).toBe(given);
        expect(adopted).toEqual(stored(after, '2'));
        expect(isFrozen(adopted)).toBe(true);
        // The sizes differ only by resourceVersions, which have the same length here.
        expect(Math.abs(sizeOf(earlier) + sizes.fresh - sizes.replaced - sizeOf(adopted))).toBeLessThanOrEqual(sizeOf(adopted.metadata));
      }),
    );
  });

  it('shares unchanged parts with the earlier object', () => {
    const earlier = stored(
      { metadata: { name: 'a', labels: { a: 'b' } }, spec: { ports: [{ port: 80 }] }, status: { phase: 'Pending' } },
      '1',
    );
    const next = structuredClone({ ...earlier, status: { phase: 'Running' } }) as ApiObject;
    const adopted = adopt(earlier, next, '2', tally()) as ApiObject;
    expect(adopted['spec']).toBe(earlier['spec']);
    expect(adopted.metadata.labels).toBe(earlier.metadata.labels);
    expect(adopted.metadata.resourceVersion).toBe('2');
    expect(earlier.metadata.resourceVersion).toBe('1');
  });

  it('copies frozen values, because others may hold them', () => {
    const inner = { b: { c: 1 } };
    const frozen = Object.freeze({ a: inner });
    const adopted = adopt(undefined, { metadata: { name: 'a' }, spec: frozen }, '2', tally()) as ApiObject;
    expect(adopted['spec']).toEqual(frozen);
    expect(Object.isFrozen(inner)).toBe(false);
  });

  it('adopts shared values without a copy, and counts their size', () => {
    const shared = share({ b: { c: 1 } });
    const [sizes, copied] = [tally(), tally()];
    const adopted = adopt(undefined, { metadata: { name: 'a' }, spec: { a: shared } }, '2', sizes) as ApiObject;
    expect((adopted['spec'] as { a: unknown }).a).toBe(shared);
    adopt(undefined, { metadata: { name: 'a' }, spec: { a: structuredClone(shared) } }, '2', copied);
    expect(sizes).toEqual(copied);
  });

  it('keeps the earlier value if it equals the shared one, and adopts the shared value otherwise', () => {
    const earlier = stored({ metadata: { name: 'a' }, spec: { a: { b: 1 } } }, '1');
    expect(adopt(earlier, { metadata: { name: 'a' }, spec: { a: share({ b: 1 }) } }, '2', tally())).toBeUndefined();
    const other = share({ b: 2 });
    const sizes = tally();
    const adopted = adopt(earlier, { metadata: { name: 'a' }, spec: { a: other } }, '2', sizes) as ApiObject;
    expect((adopted['spec'] as { a: unknown }).a).toBe(other);
    expect(sizeOf(earlier) + sizes.fresh - sizes.replaced).toBe(sizeOf(adopted));
  });
});

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, sorted((value as Record<string, unknown>)[key])]);
  return Object.fromEntries(entries);
};
