import {
  computeEndpointSlices,
  computeEndpoints,
  createReconciler,
  explainEndpoints,
  explainSlices,
  mirrorEndpoints,
} from 'kube-endpoints';
import { explainService } from 'kube-endpoints/explain';
import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointSlice, Node, Pod, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { describe, expect, it } from 'vitest';
import { randomObjects } from '../../../../../conformance/e2e/random-objects.ts';
import { createRandom } from '../../../../../examples/random.ts';
import { currents, podLists, services } from '../../../../../test/property/arbitraries.ts';
import { checkInEveryRelease } from '../../../../../test/property/check.ts';
import { fc } from '../../../../../test/support/property.ts';
import { sampled } from '../../../../../test/support/sample.ts';
import { createProjections } from '../../../src/cache/index.ts';

/** An object as a server sends it: JSON, with additional irrelevant fields. */
const raw = (object: object): ApiObject => {
  const { metadata, ...rest } = JSON.parse(JSON.stringify(object)) as ApiObject;
  const extra = { annotations: { note: 'x', ...metadata.annotations }, managedFields: [{ manager: 'm' }], generation: 1 };
  return { ...rest, metadata: { ...metadata, ...extra } };
};

const rawPod = (pod: Pod): ApiObject => {
  const object = raw(pod);
  const { spec = {}, status = {} } = object as { readonly spec?: Pod['spec'] & object; readonly status?: Pod['status'] & object };
  const conditions = status?.conditions;
  return {
    ...object,
    spec: { ...spec, containers: spec?.containers?.map((container) => ({ image: 'i', ...container })) },
    status: { hostIP: '1.1.1.1', ...status, conditions: conditions && [{ type: 'Initialized', status: 'True' }, ...conditions] },
  };
};

const nodeLists: fc.Arbitrary<Node[]> = fc
  .array(
    fc.record({
      zone: fc.constantFrom('a', 'b', undefined),
      master: fc.boolean(),
      ready: fc.constantFrom('True', 'True', 'False', undefined),
      cpu: fc.constantFrom('4', '500m', undefined),
    }),
    { maxLength: 4 },
  )
  .map((list) =>
    list.map(({ zone, master, ready, cpu }, n) => ({
      metadata: {
        name: `n${n + 1}`,
        labels: { ...(zone && { 'topology.kubernetes.io/zone': zone }), ...(master && { 'node-role.kubernetes.io/master': '' }) },
      },
      status: { ...(ready && { conditions: [{ type: 'Ready', status: ready }] }), ...(cpu && { allocatable: { cpu } }) },
    })),
  );

interface Objects {
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
}

const inputs = fc.record({ service: services, pods: podLists, nodes: nodeLists });

/** The same objects as sent by a server and as cached. */
function bothOf({ service, pods, nodes }: Objects): { readonly whole: Objects; readonly kept: Objects } {
  const projections = createProjections();
  const [rawService, rawPods, rawNodes] = [raw(service), pods.map(rawPod), nodes.map(raw)];
  return {
    whole: { service: rawService, pods: rawPods, nodes: rawNodes } as unknown as Objects,
    kept: { service: projections.service(rawService), pods: rawPods.map(projections.pod), nodes: rawNodes.map(projections.node) },
  };
}

const sameFor = (objects: Objects, version: string, see: (objects: Objects) => unknown): void => {
  const { whole, kept } = bothOf(objects);
  expect(see(kept), version).toEqual(see(whole));
};

const slicesOptions = ({ nodes }: Objects, version: string): Parameters<typeof computeEndpointSlices>[2] => ({ version, nodes });

describe('projected objects give the same results as complete objects', () => {
  it('for Endpoints', () => {
    checkInEveryRelease(inputs, (objects, version) => {
      sameFor(objects, version, ({ service, pods }) => computeEndpoints(service, pods, { version }));
    });
  });

  it('for slices', () => {
    checkInEveryRelease(inputs, (objects, version) => {
      if (!profileFor(version).slicesAreV1) return;
      sameFor(objects, version, (given) => attempt(() => computeEndpointSlices(given.service, given.pods, slicesOptions(given, version))));
    });
  });

  it('for explanations', () => {
    checkInEveryRelease(
      inputs,
      (objects, version) => {
        sameFor(objects, version, ({ service, pods }) => explainEndpoints(service, pods, { version }));
        sameFor(objects, version, ({ service, pods }) => explainService(service, pods, { version }));
        sameFor(objects, version, (given) => attempt(() => explainSlices(given.service, given.pods, slicesOptions(given, version))));
      },
      20,
    );
  });

  it('for plans of existing Endpoints, including the written object', () => {
    const { endpoints } = createProjections();
    checkInEveryRelease(fc.record({ objects: inputs, current: currents }), ({ objects, current }, version) => {
      const there = current && raw({ ...current, metadata: { namespace: 'shop', name: 'web', resourceVersion: '5', ...current.metadata } });
      const { whole, kept } = bothOf(objects);
      const plan = ({ service, pods }: Objects, given: ApiObject | undefined) =>
        createReconciler({ version }).reconcile({ key: 'shop/web', service, pods, current: given as never });
      const expected = JSON.parse(JSON.stringify(plan(whole, there))) as { object?: { metadata: Record<string, unknown> } };
      delete expected.object?.metadata['managedFields'];
      const planned = plan(kept, there && (endpoints(there) as unknown as ApiObject));
      expect(JSON.parse(JSON.stringify(planned)), version).toEqual(expected);
    });
  });

  it('for plans of existing slices, including the written objects', () => {
    const projections = createProjections();
    checkInEveryRelease(fc.record({ objects: inputs, before: podLists }), ({ objects, before }, version) => {
      if (!profileFor(version).slicesAreV1) return;
      const computed = attempt(() => computeEndpointSlices(objects.service, before, { version, maxEndpointsPerSlice: 2 }));
      const current = Array.isArray(computed) ? computed.map((slice: EndpointSlice, n) => raw(stored(slice, n))) : [];
      const { whole, kept } = bothOf(objects);
      const plan = ({ service, pods, nodes }: Objects, given: readonly unknown[]) =>
        attempt(() =>
          createReconciler({ version, maxEndpointsPerSlice: 2 }).reconcileSlices({
            key: 'shop/web',
            service,
            pods,
            nodes,
            current: given as never,
          }),
        );
      const expected = withoutManagedFields(plan(whole, current));
      expect(withoutManagedFields(plan(kept, current.map(projections.slice))), version).toEqual(expected);
    });
  });

  it('for slices mirrored from Endpoints', () => {
    const { endpoints } = createProjections();
    fc.assert(
      fc.property(currents, (current) => {
        if (!current) return;
        const given = raw({ ...current, metadata: { namespace: 'shop', name: 'web', ...current.metadata } });
        expect(mirrorEndpoints(endpoints(given))).toEqual(mirrorEndpoints(given as never));
      }),
    );
  });

  it.each(sampled([1, 2, 3], 3))('for objects as an API server stores them (seed %i)', (seed) => {
    const objects = randomObjects(createRandom(seed), 30, 120) as unknown as ApiObject[];
    const projections = createProjections();
    const pods = objects.filter(({ kind }) => kind === 'Pod').map(rawPod as (pod: ApiObject) => ApiObject);
    const kept = pods.map(projections.pod);
    for (const service of objects.filter(({ kind }) => kind === 'Service')) {
      for (const version of ['1.17', '1.24', '1.31', '1.37']) {
        const see = (given: Service, of: readonly Pod[]): unknown => [
          computeEndpoints(given, of, { version }),
          explainService(given, of, { version }),
          profileFor(version).slicesAreV1 && computeEndpointSlices(given, of, { version }),
        ];
        expect(see(projections.service(raw(service)), kept)).toEqual(see(raw(service) as unknown as Service, pods as unknown as Pod[]));
      }
    }
  });
});

/** Some releases panic on some objects; then both sides have to fail with the same message. */
function attempt<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    return (error as Error).message;
  }
}

const stored = ({ metadata, ...slice }: EndpointSlice, n: number): object => ({
  ...slice,
  metadata: { ...metadata, name: `web-${n}`, uid: `slice-${n}`, resourceVersion: `${n}`, generation: 1 },
});

function withoutManagedFields(plan: unknown): unknown {
  return JSON.parse(JSON.stringify(plan, (key, value: unknown) => (key === 'managedFields' ? undefined : value)));
}
