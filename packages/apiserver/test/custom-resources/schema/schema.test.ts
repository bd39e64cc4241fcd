import { describe, expect, it } from 'vitest';
import {
  additionalPropertiesOf,
  itemsOf,
  propertiesOf,
  propertyOf,
  type Schema,
  schemasIn,
} from '../../../src/custom-resources/schema/schema.ts';

const text: Schema = { type: 'string' };

describe('schema access', () => {
  it('propertyOf finds only declared properties', () => {
    const schema: Schema = JSON.parse('{"properties":{"a":{"type":"string"},"__proto__":{"type":"string"}}}') as Schema;
    expect(propertyOf(schema, 'a')).toEqual(text);
    expect(propertyOf(schema, '__proto__')).toEqual(text);
    expect(propertyOf(schema, 'toString')).toBeUndefined();
    expect(propertyOf({}, 'a')).toBeUndefined();
    expect(propertiesOf(schema).map(([name]) => name)).toEqual(['a', '__proto__']);
    expect(propertiesOf({})).toEqual([]);
  });

  it('itemsOf and additionalPropertiesOf return the schemas of items and additional properties', () => {
    expect(itemsOf({ items: text })).toBe(text);
    expect(itemsOf({ items: [text] })).toBeUndefined();
    expect(additionalPropertiesOf({ additionalProperties: text })).toBe(text);
    expect(additionalPropertiesOf({ additionalProperties: true })).toBeUndefined();
  });

  it('schemasIn iterates over all nested schemas', () => {
    const schemaNamed = (title: string): Schema => ({ title });
    const schema: Schema = {
      items: schemaNamed('items'),
      allOf: [schemaNamed('allOf')],
      anyOf: [schemaNamed('anyOf')],
      oneOf: [schemaNamed('oneOf')],
      not: schemaNamed('not'),
      properties: { a: { ...schemaNamed('properties'), additionalProperties: schemaNamed('additionalProperties') } },
      patternProperties: { b: schemaNamed('patternProperties') },
      additionalItems: schemaNamed('additionalItems'),
      definitions: { c: schemaNamed('definitions') },
      dependencies: { d: schemaNamed('dependencies'), e: ['f'] },
    };
    const titles = [...schemasIn(schema)].map(({ title }) => title);
    expect(titles[0]).toBeUndefined();
    expect(titles.slice(1).sort()).toEqual([...Object.keys(schema), 'additionalProperties'].sort());
  });
});
