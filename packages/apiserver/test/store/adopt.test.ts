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

/** A frozen copy, for comparison. */
const frozenCopy = (input: object, resourceVersion: string): ApiObject => {
  const { metadata, ...rest } = structuredClone(input) as ApiObject;
  return freezeLike({ metadata: {} }, { metadata: { ...metadata, resourceVersion }, ...rest });
};

describe('adopt', () => {
  it('returns an object equal to a frozen copy', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        const earlier = frozenCopy(before, '1');
        const input = structuredClone(after) as unknown as ApiObject;
        const sizes = tally();
        const adopted = adopt(earlier, input, '2', sizes);
        const isEqual = JSON.stringify(sortKeys(before)) === JSON.stringify(sortKeys(after));
        expect(adopted === undefined).toBe(isEqual);
        if (!adopted) return;
        expect(adopted).toBe(input);
        expect(adopted).toEqual(frozenCopy(after, '2'));
        expect(isFrozen(adopted)).toBe(true);
        // The sizes differ only by resourceVersions, which have the same length here.
        expect(Math.abs(sizeOf(earlier) + sizes.fresh - sizes.replaced - sizeOf(adopted))).toBeLessThanOrEqual(sizeOf(adopted.metadata));
      }),
    );
  });

  it('shares unchanged parts with the earlier object', () => {
    const earlier = frozenCopy(
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
    const [sizes, sizesOfCopy] = [tally(), tally()];
    const adopted = adopt(undefined, { metadata: { name: 'a' }, spec: { a: shared } }, '2', sizes) as ApiObject;
    expect((adopted['spec'] as { a: unknown }).a).toBe(shared);
    adopt(undefined, { metadata: { name: 'a' }, spec: { a: structuredClone(shared) } }, '2', sizesOfCopy);
    expect(sizes).toEqual(sizesOfCopy);
  });

  it('keeps the earlier value if it equals the shared one, and adopts the shared value otherwise', () => {
    const earlier = frozenCopy({ metadata: { name: 'a' }, spec: { a: { b: 1 } } }, '1');
    expect(adopt(earlier, { metadata: { name: 'a' }, spec: { a: share({ b: 1 }) } }, '2', tally())).toBeUndefined();
    const other = share({ b: 2 });
    const sizes = tally();
    const adopted = adopt(earlier, { metadata: { name: 'a' }, spec: { a: other } }, '2', sizes) as ApiObject;
    expect((adopted['spec'] as { a: unknown }).a).toBe(other);
    expect(sizeOf(earlier) + sizes.fresh - sizes.replaced).toBe(sizeOf(adopted));
  });
});

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, sortKeys((value as Record<string, unknown>)[key])]);
  return Object.fromEntries(entries);
};
