import { createFunctionAdmission } from '@kube-endpoints/apiserver';
import { resources } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { createResyncScheduler } from '../../src/resync/index.ts';
import { createControllersFixture, nodeFor, podFor, readiness, serviceFor } from '../controllers/fixture.ts';

test.each(['1.21', '1.28', '1.36'])(
  'a resync makes both controllers of Kubernetes %s write the current state once; another annotation does not',
  async (version) => {
    // While set, the API server stores the old object for each update, so that the objects become outdated.
    let discardsChanges = true;
    const discardChanges = createFunctionAdmission([
      {
        operations: ['UPDATE'],
        resources: ['endpoints', 'endpointslices'],
        mutate: ({ object, old }) =>
          discardsChanges && object
            ? ({ ...old, metadata: { ...object.metadata, annotations: { outdated: 'yes' } } } as typeof object)
            : undefined,
      },
    ]);
    await using fixture = await createControllersFixture({
      objects: [nodeFor('n1'), serviceFor('web'), podFor('web-1')],
      version,
      server: { admission: [discardChanges] },
    });
    const { client, clock } = fixture;
    await fixture.start();
    const abortController = new AbortController();
    const scheduler = createResyncScheduler({ port: client, clock, random: () => 0 });
    const running = scheduler.run(abortController.signal);
    await client.patch(
      resources.pods,
      { namespace: 'shop', name: 'web-1' },
      { status: { conditions: readiness(false) } },
      { type: 'merge', subresource: 'status' },
    );
    await fixture.pass();
    fixture.takeWrites();
    const readReadiness = async (): Promise<readonly [number, unknown]> => {
      const { subsets } = (await fixture.get(resources.endpoints, 'web')) as EndpointsInput;
      const [slice] = (await client.list(resources.endpointSlices)).items as readonly EndpointSliceInput[];
      return [subsets?.[0]?.addresses?.length ?? 0, slice?.endpoints?.[0]?.conditions?.ready];
    };
    expect(await readReadiness()).toEqual([1, true]);
    discardsChanges = false;
    await client.patch(
      resources.services,
      { namespace: 'shop', name: 'web' },
      { metadata: { annotations: { note: 'x' } } },
      { type: 'merge' },
    );
    await fixture.pass(600_000);
    expect([fixture.takeWrites(), await readReadiness()]).toEqual([[], [1, true]]);
    scheduler.now(['shop/web']);
    await fixture.pass();
    expect(await readReadiness()).toEqual([0, false]);
    expect(
      fixture
        .takeWrites()
        .map(({ verb, resource, failed }) => [verb, resource, failed])
        .sort(),
    ).toEqual([
      ['update', 'endpoints', undefined],
      ['update', 'endpointslices', undefined],
    ]);
    await fixture.pass(600_000);
    expect(fixture.takeWrites()).toEqual([]);
    abortController.abort();
    await running;
  },
);
