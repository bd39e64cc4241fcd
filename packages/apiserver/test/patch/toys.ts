import { fc } from '../../../../test/support/property.ts';

/** Strings with a meaning in serialized paths. */
const text = fc.constantFrom('a', 'b', 'f:a', '<', '>', '+', '1>a+', '.', '__proto__', '"');
const labels = fc.dictionary(text, text, { maxKeys: 3 });
const any = fc.oneof(fc.constantFrom<unknown>(null, 1, 'x', {}, []), labels, fc.array(text, { maxLength: 2 }), fc.record({ a: labels }));
const item = fc.record({
  name: text,
  kind: text,
  size: fc.nat(2),
  inner: fc.array(fc.record({ key: text, value: text }), { maxLength: 2 }),
});

/** Random objects of the test type `toy`. */
export const toys: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    any,
    raw: any,
    count: fc.nat(2),
    flag: fc.boolean(),
    items: fc.uniqueArray(item, { maxLength: 3, selector: ({ name, kind }) => `${name} ${kind}` }),
    kind: text,
    labels: fc.oneof(labels, fc.constant(null)),
    nest: fc.record({ left: text, right: text, pick: fc.record({ name: text }) }, { requiredKeys: [] }),
    tags: fc.uniqueArray(text, { maxLength: 3 }),
    whole: fc.array(item, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
