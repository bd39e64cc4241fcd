import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createFixture } from '../controller/fixture.ts';
import { makeDefinition, makeThing, makeVersion, things } from '../support.ts';

const ownersOf = ({ metadata }: ApiObject): unknown[] => {
  const entries = metadata['managedFields'] as readonly {
    readonly manager: string;
    readonly subresource?: string;
    readonly fieldsV1: unknown;
  }[];
  return entries.map(({ manager, subresource, fieldsV1 }) => [manager, subresource, fieldsV1]);
};

describe('managed fields of custom resources', () => {
  it('contain only fields that the write can change', async () => {
    const { port, registry, createDefinition, customResources } = await createFixture({ managesFields: true });
    await createDefinition(makeDefinition({ versions: [makeVersion('v1', { subresources: { status: {} } })] }));
    await customResources.settle();
    await registry.create(things, 'default', makeThing({ spec: { a: 1 }, status: { n: 1 } }), { fieldManager: 'a' });
    const key = { name: 'one', namespace: 'default' };
    await port.patch(things, key, makeThing({ spec: { b: 1 }, status: { n: 2 } }), { type: 'apply', fieldManager: 'b' });
    const patch = makeThing({ spec: { b: 5 }, status: { n: 3 } }, { labels: { l: 'x' } });
    const appliedObject = await port.patch(things, key, patch, { type: 'apply', fieldManager: 'c', subresource: 'status' });
    expect(appliedObject).toMatchObject({ spec: { a: 1, b: 1 }, status: { n: 3 } });
    expect(ownersOf(appliedObject)).toEqual([
      ['b', undefined, { 'f:spec': { 'f:b': {} } }],
      ['c', 'status', { 'f:status': { 'f:n': {} } }],
      ['a', undefined, { 'f:spec': { '.': {}, 'f:a': {} } }],
    ]);
  });
});
