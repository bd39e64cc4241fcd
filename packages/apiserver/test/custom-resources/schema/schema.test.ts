import { describe, expect, it } from 'vitest';
import { additionalOf, itemsOf, propertiesOf, propertyOf, type Schema, schemasIn } from '../../../src/custom-resources/schema/schema.ts';

const text: Schema = { type: 'string' };

describe('schema access', () => {
  it('finds declared properties only', () => {
    const schema: Schema = JSON.parse('{"properties":{"a":{"type":"string"},"__proto__":{"type":"string"}}}') as Schema;
    expect(propertyOf(schema, 'a')).toEqual(text);
    expect(propertyOf(schema, '__proto__')).toEqual(text);
    expect(propertyOf(schema, 'toString')).toBeUndefined();
    expect(propertyOf({}, 'a')).toBeUndefined();
    expect(propertiesOf(schema).map(([name]) => name)).toEqual(['a', '__proto__']);
    expect(propertiesOf({})).toEqual([]);
  });

  it('finds the schemas of items and additional properties', () => {
    expect(itemsOf({ items: text })).toBe(text);
    expect(itemsOf({ items: [text] })).toBeUndefined();
    expect(additionalOf({ additionalProperties: text })).toBe(text);
    expect(additionalOf({ additionalProperties: true })).toBeUndefined();
  });

  it('iterates over all nested schemas', () => {
    const named = (title: string): Schema => ({ title });
    const schema: Schema = {
      items: named('items'),
      allOf: [named('allOf')],
      anyOf: [named('anyOf')],
      oneOf: [named('oneOf')],
      not: named('not'),
      properties: { a: { ...named('properties'), additionalProperties: named('additionalProperties') } },
      patternProperties: { b: named('patternProperties') },
      additionalItems: named('additionalItems'),
      definitions: { c: named('definitions') },
      dependencies: { d: named('dependencies'), e: ['f'] },
    };
    const titles = [...schemasIn(schema)].map(({ title }) => title);
    expect(titles[0]).toBeUndefined();
    expect(titles.slice(1).sort()).toEqual([...Object.keys(schema), 'additionalProperties'].sort());
  });
});
