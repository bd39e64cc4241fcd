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
import { existingEndpoints, podLists, services } from '../../../../../test/property/arbitraries.ts';
import { checkInEveryRelease } from '../../../../../test/property/check.ts';
import { fc } from '../../../../../test/support/property.ts';
import { sampled } from '../../../../../test/support/sample.ts';
import { createProjections } from '../../../src/cache/index.ts';

/** An object as a server sends it: JSON, with additional irrelevant fields. */
/** The object as an API server sends it, which omits empty labels. */
const toRaw = (object: object): ApiObject => {
  const { metadata: parsedMetadata, ...rest } = JSON.parse(JSON.stringify(object)) as ApiObject;
  const { labels, ...otherMetadata } = parsedMetadata;
  const metadata = { ...otherMetadata, ...(labels && Object.keys(labels).length > 0 && { labels }) };
  const additionalMetadata = { annotations: { note: 'x', ...metadata.annotations }, managedFields: [{ manager: 'm' }], generation: 1 };
  return { ...rest, metadata: { ...metadata, ...additionalMetadata } };
};

const toRawPod = (pod: Pod): ApiObject => {
  const object = toRaw(pod);
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

/** Returns the objects as a server sends them, and as the caches store them. */
function createBoth({ service, pods, nodes }: Objects): { readonly complete: Objects; readonly cached: Objects } {
  const projections = createProjections();
  const [rawService, rawPods, rawNodes] = [toRaw(service), pods.map(toRawPod), nodes.map(toRaw)];
  return {
    complete: { service: rawService, pods: rawPods, nodes: rawNodes } as unknown as Objects,
    cached: { service: projections.service(rawService), pods: rawPods.map(projections.pod), nodes: rawNodes.map(projections.node) },
  };
}

const expectSameResult = (objects: Objects, version: string, compute: (objects: Objects) => unknown): void => {
  const { complete, cached } = createBoth(objects);
  expect(compute(cached), version).toEqual(compute(complete));
};

const slicesOptions = ({ nodes }: Objects, version: string): Parameters<typeof computeEndpointSlices>[2] => ({ version, nodes });

describe('projected objects give the same results as complete objects', () => {
  it('Endpoints are equal', () => {
    checkInEveryRelease(inputs, (objects, version) => {
      expectSameResult(objects, version, ({ service, pods }) => computeEndpoints(service, pods, { version }));
    });
  });

  it('slices are equal', () => {
    checkInEveryRelease(inputs, (objects, version) => {
      if (!profileFor(version).slicesAreV1) return;
      expectSameResult(objects, version, (value) =>
        getResultOrMessage(() => computeEndpointSlices(value.service, value.pods, slicesOptions(value, version))),
      );
    });
  });

  it('explanations are equal', () => {
    checkInEveryRelease(
      inputs,
      (objects, version) => {
        expectSameResult(objects, version, ({ service, pods }) => explainEndpoints(service, pods, { version }));
        expectSameResult(objects, version, ({ service, pods }) => explainService(service, pods, { version }));
        expectSameResult(objects, version, (value) =>
          getResultOrMessage(() => explainSlices(value.service, value.pods, slicesOptions(value, version))),
        );
      },
      20,
    );
  });

  it('plans for existing Endpoints are equal, including the written object', () => {
    const { endpoints } = createProjections();
    checkInEveryRelease(fc.record({ objects: inputs, current: existingEndpoints }), ({ objects, current }, version) => {
      const existing =
        current && toRaw({ ...current, metadata: { namespace: 'shop', name: 'web', resourceVersion: '5', ...current.metadata } });
      const { complete, cached } = createBoth(objects);
      const plan = ({ service, pods }: Objects, value: ApiObject | undefined) =>
        createReconciler({ version }).reconcile({ key: 'shop/web', service, pods, current: value as never });
      const expected = JSON.parse(JSON.stringify(plan(complete, existing))) as { object?: { metadata: Record<string, unknown> } };
      delete expected.object?.metadata['managedFields'];
      const planned = plan(cached, existing && (endpoints(existing) as unknown as ApiObject));
      expect(JSON.parse(JSON.stringify(planned)), version).toEqual(expected);
    });
  });

  it('plans for existing slices are equal, including the written objects', () => {
    const projections = createProjections();
    checkInEveryRelease(fc.record({ objects: inputs, before: podLists }), ({ objects, before }, version) => {
      if (!profileFor(version).slicesAreV1) return;
      const computed = getResultOrMessage(() => computeEndpointSlices(objects.service, before, { version, maxEndpointsPerSlice: 2 }));
      const current = Array.isArray(computed) ? computed.map((slice: EndpointSlice, n) => toRaw(toStoredSlice(slice, n))) : [];
      const { complete, cached } = createBoth(objects);
      const plan = ({ service, pods, nodes }: Objects, value: readonly unknown[]) =>
        getResultOrMessage(() =>
          createReconciler({ version, maxEndpointsPerSlice: 2 }).reconcileSlices({
            key: 'shop/web',
            service,
            pods,
            nodes,
            current: value as never,
          }),
        );
      const expected = withoutManagedFields(plan(complete, current));
      expect(withoutManagedFields(plan(cached, current.map(projections.slice))), version).toEqual(expected);
    });
  });

  it('slices mirrored from Endpoints are equal', () => {
    const { endpoints } = createProjections();
    fc.assert(
      fc.property(existingEndpoints, (current) => {
        if (!current) return;
        const value = toRaw({ ...current, metadata: { namespace: 'shop', name: 'web', ...current.metadata } });
        expect(mirrorEndpoints(endpoints(value))).toEqual(mirrorEndpoints(value as never));
      }),
    );
  });

  it.each(sampled([1, 2, 3], 3))('results are equal for objects as an API server stores them (seed %i)', (seed) => {
    const objects = randomObjects(createRandom(seed), 30, 120) as unknown as ApiObject[];
    const projections = createProjections();
    const pods = objects.filter(({ kind }) => kind === 'Pod').map(toRawPod as (pod: ApiObject) => ApiObject);
    const cached = pods.map(projections.pod);
    for (const service of objects.filter(({ kind }) => kind === 'Service')) {
      for (const version of ['1.17', '1.24', '1.31', '1.37']) {
        const compute = (value: Service, podList: readonly Pod[]): unknown => [
          computeEndpoints(value, podList, { version }),
          explainService(value, podList, { version }),
          profileFor(version).slicesAreV1 && computeEndpointSlices(value, podList, { version }),
        ];
        expect(compute(projections.service(toRaw(service)), cached)).toEqual(
          compute(toRaw(service) as unknown as Service, pods as unknown as Pod[]),
        );
      }
    }
  });
});

/** Returns the result, or the error message: some releases panic on some objects, and both inputs must give the same message. */
function getResultOrMessage<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    return (error as Error).message;
  }
}

const toStoredSlice = ({ metadata, ...slice }: EndpointSlice, n: number): object => ({
  ...slice,
  metadata: { ...metadata, name: `web-${n}`, uid: `slice-${n}`, resourceVersion: `${n}`, generation: 1 },
});

function withoutManagedFields(plan: unknown): unknown {
  return JSON.parse(JSON.stringify(plan, (key, value: unknown) => (key === 'managedFields' ? undefined : value)));
}
