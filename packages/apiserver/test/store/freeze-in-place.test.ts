import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { freezeInPlace } from '../../src/store/freeze-in-place.ts';
import { freezeLike, sizeOf, type WriteSize } from '../../src/store/intern.ts';
import { share } from '../../src/store/shared.ts';

const emptySize = (): WriteSize => ({ addedBytes: 0, replacedBytes: 0 });
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

describe('freezeInPlace', () => {
  it('returns an object equal to a frozen copy', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        const earlier = frozenCopy(before, '1');
        const input = structuredClone(after) as unknown as ApiObject;
        const sizes = emptySize();
        const frozenObject = freezeInPlace(earlier, input, '2', sizes);
        const isEqual = JSON.stringify(sortKeys(before)) === JSON.stringify(sortKeys(after));
        expect(frozenObject === undefined).toBe(isEqual);
        if (!frozenObject) return;
        expect(frozenObject).toBe(input);
        expect(frozenObject).toEqual(frozenCopy(after, '2'));
        expect(isFrozen(frozenObject)).toBe(true);
        // The sizes differ only by resourceVersions, which have the same length here.
        expect(Math.abs(sizeOf(earlier) + sizes.addedBytes - sizes.replacedBytes - sizeOf(frozenObject))).toBeLessThanOrEqual(
          sizeOf(frozenObject.metadata),
        );
      }),
    );
  });

  it('shares unchanged parts with the earlier object', () => {
    const earlier = frozenCopy(
      { metadata: { name: 'a', labels: { a: 'b' } }, spec: { ports: [{ port: 80 }] }, status: { phase: 'Pending' } },
      '1',
    );
    const next = structuredClone({ ...earlier, status: { phase: 'Running' } }) as ApiObject;
    const frozenObject = freezeInPlace(earlier, next, '2', emptySize()) as ApiObject;
    expect(frozenObject['spec']).toBe(earlier['spec']);
    expect(frozenObject.metadata.labels).toBe(earlier.metadata.labels);
    expect(frozenObject.metadata.resourceVersion).toBe('2');
    expect(earlier.metadata.resourceVersion).toBe('1');
  });

  it('copies frozen values, because other code may hold them', () => {
    const inner = { b: { c: 1 } };
    const frozen = Object.freeze({ a: inner });
    const frozenObject = freezeInPlace(undefined, { metadata: { name: 'a' }, spec: frozen }, '2', emptySize()) as ApiObject;
    expect(frozenObject['spec']).toEqual(frozen);
    expect(Object.isFrozen(inner)).toBe(false);
  });

  it('keeps shared values without a copy, and counts their size', () => {
    const shared = share({ b: { c: 1 } });
    const [sizes, sizesOfCopy] = [emptySize(), emptySize()];
    const frozenObject = freezeInPlace(undefined, { metadata: { name: 'a' }, spec: { a: shared } }, '2', sizes) as ApiObject;
    expect((frozenObject['spec'] as { a: unknown }).a).toBe(shared);
    freezeInPlace(undefined, { metadata: { name: 'a' }, spec: { a: structuredClone(shared) } }, '2', sizesOfCopy);
    expect(sizes).toEqual(sizesOfCopy);
  });

  it('keeps the earlier value if it equals the shared one, and uses the shared value otherwise', () => {
    const earlier = frozenCopy({ metadata: { name: 'a' }, spec: { a: { b: 1 } } }, '1');
    expect(freezeInPlace(earlier, { metadata: { name: 'a' }, spec: { a: share({ b: 1 }) } }, '2', emptySize())).toBeUndefined();
    const other = share({ b: 2 });
    const sizes = emptySize();
    const frozenObject = freezeInPlace(earlier, { metadata: { name: 'a' }, spec: { a: other } }, '2', sizes) as ApiObject;
    expect((frozenObject['spec'] as { a: unknown }).a).toBe(other);
    expect(sizeOf(earlier) + sizes.addedBytes - sizes.replacedBytes).toBe(sizeOf(frozenObject));
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
