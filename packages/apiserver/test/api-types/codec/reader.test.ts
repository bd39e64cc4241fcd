import { describe, expect, it } from 'vitest';
import { fc } from '../../../../../test/support/property.ts';
import { decode } from '../../../src/api-types/codec/decode.ts';
import { createFastReader, zeroOf } from '../../../src/api-types/codec/reader.ts';
import { structType } from '../../../src/api-types/index.ts';
import { bases } from '../../resources/golden/manifests.ts';
import { example } from '../../resources/support.ts';
import { jsonOf } from './arbitrary.ts';

const types = ['core.Service', 'core.Pod', 'core.Secret', 'core.Event', 'coordination.Lease', 'discovery.EndpointSlice'].map(structType);

describe('createFastReader', () => {
  it.each(types.map((type) => [type.go, type] as const))('reads like decode if it accepts the input: %s', (_name, type) => {
    const read = createFastReader(type);
    let acceptedCount = 0;
    fc.assert(
      fc.property(jsonOf(type), (body) => {
        const decoded = decode(type, body);
        const value = read(body);
        const isIrregular = decoded.problem !== undefined || decoded.unknown.length > 0;
        if (value === undefined) {
          expect(isIrregular).toBe(true);
          return;
        }
        acceptedCount += 1;
        expect(isIrregular).toBe(false);
        expect(JSON.stringify(value)).toBe(JSON.stringify(decoded.value));
      }),
    );
    expect(acceptedCount).toBeGreaterThan(0);
  });

  it.each(bases.map(({ name, object }) => [name, object] as const))('reads %s', (name, object) => {
    const { description } = example(name);
    const value = createFastReader(description.type)(object);
    expect(JSON.stringify(value)).toBe(JSON.stringify(decode(description.type, object).value));
  });

  it('copies its input, except for frozen parts', () => {
    const frozen = Object.freeze({ 'f:a': Object.freeze({}) });
    const body = {
      metadata: { labels: { a: 'b' }, finalizers: ['x/y'], managedFields: [{ fieldsV1: frozen }, { fieldsV1: { 'f:b': {} } }] },
    };
    const { metadata } = createFastReader(structType('core.Secret'))(body) as typeof body;
    expect(metadata).toEqual(body.metadata);
    expect(metadata.labels).not.toBe(body.metadata.labels);
    expect(metadata.finalizers).not.toBe(body.metadata.finalizers);
    expect(metadata.managedFields[0]?.fieldsV1).toBe(frozen);
    expect(metadata.managedFields[1]?.fieldsV1).not.toBe(body.metadata.managedFields[1]?.fieldsV1);
  });
});

it.each([
  [{ kind: 'text', go: 'string' }, ''],
  [{ kind: 'bool', go: 'bool' }, false],
  [{ kind: 'integer', go: 'int32', min: 0, max: 1 }, 0],
  [{ kind: 'quantity', go: 'resource.Quantity' }, '0'],
  [{ kind: 'time', go: 'v1.Time' }, undefined],
] as const)('zeroOf %j is %j', (type, zero) => expect(zeroOf(type)).toBe(zero));

it('zeroOf structs and lists is a new value each time', () => {
  const type = structType('core.Pod');
  expect(zeroOf(type)).toEqual({});
  expect(zeroOf(type)).not.toBe(zeroOf(type));
  expect(zeroOf({ kind: 'list', go: '[]v1.Pod', of: type })).toEqual([]);
});
