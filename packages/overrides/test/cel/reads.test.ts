import { describe, expect, test } from 'vitest';
import { createCelReader } from '../../src/cel/expression.ts';
import { fieldsRead, readsContent } from '../../src/cel/reads.ts';
import { createOverrides, type EndpointOverrides } from '../../src/index.ts';

const readsOf = (source: string) => {
  const expression = createCelReader().read(source, 'object');
  if (typeof expression === 'string') throw new Error(expression);
  return expression.reads;
};

describe('what an expression reads', () => {
  test.each<[string, readonly string[] | undefined, boolean]>([
    ['object.metadata.name.startsWith("a")', ['metadata'], false],
    ['object.metadata.namespace == "shop" && object.kind == "Endpoints"', ['metadata', 'kind'], false],
    ['has(object.metadata.labels)', ['metadata'], true],
    ['has(object.metadata.labels) && object.metadata.labels["a"] == "b"', ['metadata'], true],
    ['size(object.subsets) > 1', ['subsets'], true],
    ['object.endpoints.all(e, e.conditions.ready)', ['endpoints'], true],
    ['object["metadata"].name == "a"', undefined, true],
    ['object == oldObject', undefined, true],
    ['[1].all(object, object == 1)', undefined, true],
    ['operation == "CREATE"', [], false],
  ])('%s', (source, fields, content) => {
    const reads = readsOf(source);
    const read = fieldsRead(reads, 'object');
    expect(read && [...read]).toEqual(fields);
    expect(readsContent(reads)).toBe(content);
  });
});

describe('an expression sees', () => {
  const address = { ip: '10.0.0.1' };
  const object = { kind: 'Endpoints', metadata: { name: 'web', namespace: 'shop' }, subsets: [{ addresses: [address] }] };
  const matches = (expression: string): boolean => {
    const rules: EndpointOverrides = { rules: [{ name: 'a', match: { expression }, action: { keepOut: {} } }] };
    return createOverrides(rules)
      .apply({ operation: 'UPDATE', object, oldObject: object, now: new Date(0) })
      .decisions.some(({ code }) => code === 'KeptOut');
  };

  test.each([
    ['a field that is there', 'object.metadata.name == "web"', true],
    ['that one is not', 'has(object.ports)', false],
    ['a field beside the whole', 'object.metadata.name == "web" && size(object) == 3', true],
    ['fields of two objects', 'object.metadata.name == oldObject.metadata.name', true],
    ['that there is no Service', 'service == null', true],
    ['lists within', 'object.subsets[0].addresses[0].ip == "10.0.0.1"', true],
  ])('%s', (_, expression, expected) => {
    expect(matches(expression)).toBe(expected);
  });
});
