import { expect, it } from 'vitest';
import { createSelectorCache } from '../../src/index.ts';
import type { StringMap } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { labelMaps, selectors } from './arbitraries.ts';

const namespaces = fc.constantFrom('a', 'b', '', null, undefined);
const keys = fc.constantFrom('1', '2', '3', '4', '5');
const steps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      action: fc.constant('set' as const),
      key: keys,
      namespace: namespaces,
      selector: fc.oneof(selectors, fc.constant({})),
    }),
  },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('delete' as const), key: keys }) },
  {
    weight: 3,
    arbitrary: fc.record({
      action: fc.constant('find' as const),
      namespace: namespaces,
      labels: fc.oneof(labelMaps, fc.constantFrom(null, undefined, {})),
    }),
  },
);

it('servicesFor matches a scan over all selectors after any sets and deletes', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40 }), (sequence) => {
      const cache = createSelectorCache();
      const model = new Map<string, { readonly namespace: string; readonly selector: StringMap | null | undefined }>();
      for (const step of sequence) {
        if (step.action === 'set') {
          cache.set(step.key, { metadata: { namespace: step.namespace }, spec: { selector: step.selector } });
          model.set(step.key, { namespace: step.namespace ?? '', selector: step.selector });
        } else if (step.action === 'delete') {
          cache.delete(step.key);
          model.delete(step.key);
        } else {
          const expected = [...model]
            .filter(([, { namespace, selector }]) => namespace === (step.namespace ?? '') && selects(selector, step.labels))
            .map(([key]) => key);
          expect(cache.servicesFor({ metadata: { namespace: step.namespace, labels: step.labels } })).toEqual(expected.sort());
        }
      }
    }),
    { numRuns: 400 },
  );
});

const selects = (selector: StringMap | null | undefined, labels: StringMap | null | undefined): boolean =>
  !!selector && Object.entries(selector).every(([key, value]) => Object.hasOwn(labels ?? {}, key) && labels?.[key] === value);
