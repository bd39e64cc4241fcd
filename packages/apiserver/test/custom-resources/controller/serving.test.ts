import { describe, expect, it } from 'vitest';
import { resourceOf, servingsOf, storageStrategyOf } from '../../../src/custom-resources/controller/serving.ts';
import { definition, established, version } from '../support.ts';

const options = { hasOlder: false };

describe('servingsOf', () => {
  it('serves nothing before names are accepted', () => {
    expect(servingsOf(definition(), options)).toEqual([]);
  });

  it('serves the versions that are to be served, stored as one of them', () => {
    const versions = [version('v1'), version('v2', { deprecated: true }), version('v3', { served: false })];
    const servings = servingsOf(established({ versions }), options);
    expect(servings.map(({ served: { resource, storedAs, deprecation } }) => [resource.version, storedAs?.version, deprecation])).toEqual([
      ['v1', undefined, undefined],
      ['v2', 'v1', 'example.com/v2 Thing is deprecated'],
    ]);
    expect(servings.map(({ strategy }) => strategy.storedAs?.resource.version)).toEqual([undefined, 'v1']);
  });

  it('reads what may be older in the form that is', () => {
    const [serving] = servingsOf(established(), { hasOlder: true });
    expect(serving?.strategy.storedAs?.resource.version).toBe('v1');
    expect(serving?.served.storedAs).toBeUndefined();
  });

  it('tells clients what there is', () => {
    const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
    const names = { shortNames: ['t'], categories: ['all'] };
    const parts = { subresources: { status: {}, scale }, additionalPrinterColumns: [{ name: 'N', type: 'integer', jsonPath: '.spec.n' }] };
    const [serving] = servingsOf(established({ names, versions: [version('v1', parts)] }), options);
    expect(serving?.served).toMatchObject({ singular: 'thing', listKind: 'ThingList', shortNames: ['t'], categories: ['all'] });
    expect(serving?.served.subresources.map(({ name, type }) => [name, type?.kind])).toEqual([
      ['status', undefined],
      ['scale', 'Scale'],
    ]);
    expect(serving?.served.columns.map(({ name }) => name)).toEqual(['Name', 'N']);
    expect(serving?.strategy.subresources).toEqual(['status']);
  });
});

describe('storageStrategyOf', () => {
  it('is that of the version objects are stored in, be it served or not', () => {
    const versions = [version('v1', { served: false }), version('v2')];
    expect(storageStrategyOf(established({ versions }))?.resource).toEqual(resourceOf(established(), version('v1')));
    expect(storageStrategyOf(definition({ versions: [] }))).toBeUndefined();
  });
});
