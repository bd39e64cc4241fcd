import { describe, expect, it } from 'vitest';
import { createReconciler, type Plan } from '../../src/index.ts';
import type { Endpoints, EndpointsInput, Pod, Service } from '../../src/types/index.ts';
import { type GateName, profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { fc } from '../support/property.ts';
import { existingEndpoints, lookalikePodLists, services } from './arbitraries.ts';
import { checkInEveryRelease } from './check.ts';
import { versions } from './releases.ts';

const headlessLabel = 'service.kubernetes.io/headless';
const managedByLabel = 'endpoints.kubernetes.io/managed-by';

/** Plans, applies the plan like an API server, and plans again. */
function planTwice(
  version: string,
  service: Service,
  pods: readonly Pod[],
  current?: EndpointsInput,
): { first: Plan; second: Plan; stored: EndpointsInput | undefined } {
  const reconciler = createReconciler({ version });
  const input = { key: 'shop/web', service, pods };
  const first = reconciler.reconcile({ ...input, current });
  if (!first.object) return { first, second: reconciler.reconcile({ ...input, current }), stored: current };
  const stored = storeEndpoints(first.object);
  reconciler.observe(stored);
  return { first, second: reconciler.reconcile({ ...input, current: stored }), stored };
}

const storeEndpoints = (object: Endpoints): EndpointsInput => {
  const storedCopy = JSON.parse(JSON.stringify(object)) as Endpoints;
  const version = Number(storedCopy.metadata.resourceVersion ?? 100) + 1;
  return { ...storedCopy, metadata: { ...storedCopy.metadata, resourceVersion: String(version) } };
};

/**
 * Whether the endpoints controller rewrites the labels of the Endpoints at every sync. Each of these cases has a test below:
 * - before the headless label was set: none;
 * - while a write changed the labels of the cached Service: a Service without labels, whose Endpoints get the headless label;
 * - before the headless label was excluded from the comparison: a headless Service, whose Endpoints get a label that it does not
 *   have, and a Service with that label that is not headless, whose Endpoints do not get it;
 * - since then: any Service that has the headless label itself;
 * - since Endpoints have the managed-by label: also a Service that has it.
 */
function isRewrittenAlways(service: Service, version: string): boolean {
  const { managedByLabel: hasManagedByLabel, headlessLabelSet, headlessLabelNotCompared, serviceLabelsNotMutated } = profileFor(version);
  if (!headlessLabelSet || (!serviceLabelsNotMutated && service.metadata?.labels)) return false;
  const label = service.metadata?.labels?.[headlessLabel];
  const headless = !service.spec?.clusterIP || service.spec.clusterIP === 'None';
  if (hasManagedByLabel && service.metadata?.labels?.[managedByLabel] !== undefined) return true;
  if (hasManagedByLabel || headlessLabelNotCompared) return label !== undefined;
  return headless ? label !== '' : label !== undefined;
}

it('a second sync plans nothing, unless the release rewrites the labels at every sync', () => {
  checkInEveryRelease(
    fc.record({ service: services, pods: lookalikePodLists, current: existingEndpoints }),
    ({ service, pods, current }, version) => {
      const { first, second } = planTwice(version, service, pods, current);
      const expected = first.object && isRewrittenAlways(service, version) ? 'update' : 'none';
      expect(second.action, `${version}: ${JSON.stringify(second.reasons)}`).toBe(expected);
    },
  );
});

it('a release rewrites the Endpoints of any other release at most once', () => {
  const inputs = fc.record({ service: services, pods: lookalikePodLists, from: fc.constantFrom(...versions) });
  checkInEveryRelease(
    inputs,
    ({ service, pods, from }, version) => {
      const { stored } = planTwice(from, service, pods);
      const { first, second } = planTwice(version, service, pods, stored);
      if (first.object && isRewrittenAlways(service, version)) return;
      expect(second.action).toBe('none');
    },
    20,
  );
});

describe('every sync of the endpoints controller', () => {
  const releasesWith = (gate: GateName, isEnabled = true) => versions.filter((version) => profileFor(version)[gate] === isEnabled);
  const pods = [makePod()];
  const podsOverCapacity = Array.from({ length: 1001 }, (_, i) => makePod(`p${i}`, { ip: `10.0.${i >> 8}.${i & 255}` }));
  const reasonsOf = (version: string, service: Service, list: readonly Pod[] = pods) => {
    const { second } = planTwice(version, service, list);
    return [second.action, ...second.reasons.map(({ code }) => code)];
  };

  it('rewrites truncated Endpoints, because it compares them with all addresses, and they seem to be below capacity', () => {
    for (const version of releasesWith('overCapacityTruncated'))
      expect(reasonsOf(version, makeService(), podsOverCapacity), version).toEqual([
        'update',
        'SubsetsDiffer',
        'OverCapacityAnnotationWrong',
      ]);
    for (const version of releasesWith('overCapacityTruncated', false))
      expect(reasonsOf(version, makeService(), podsOverCapacity), version).toEqual(['none', 'EndpointsEqual']);
  });

  it('rewrites the Endpoints of a headless Service in releases that compare the headless label', () => {
    const headless = makeService({ clusterIP: 'None' });
    for (const version of versions) {
      const { headlessLabelSet, headlessLabelNotCompared } = profileFor(version);
      const reasons = headlessLabelSet && !headlessLabelNotCompared ? ['update', 'LabelsDiffer'] : ['none', 'EndpointsEqual'];
      expect(reasonsOf(version, headless), version).toEqual(reasons);
    }
  });

  it('rewrites the Endpoints of a non-headless Service that has the headless label, in releases that set the label', () => {
    for (const version of releasesWith('headlessLabelSet')) {
      const reasons = profileFor(version).serviceLabelsNotMutated ? ['update', 'LabelsDiffer'] : ['none', 'EndpointsEqual'];
      expect(reasonsOf(version, makeService({}, { labels: { [headlessLabel]: '' } })), version).toEqual(reasons);
    }
  });

  it('rewrites the Endpoints of a headless Service with the headless label in releases that do not compare that label', () => {
    const service = makeService({ clusterIP: 'None' }, { labels: { [headlessLabel]: '' } });
    for (const version of releasesWith('headlessLabelNotCompared'))
      expect(reasonsOf(version, service), version).toEqual(['update', 'LabelsDiffer']);
    for (const version of releasesWith('headlessLabelNotCompared', false))
      expect(reasonsOf(version, service), version).toEqual(['none', 'EndpointsEqual']);
  });

  it('rewrites the Endpoints of a Service with a managed-by label in releases that set that label on Endpoints', () => {
    for (const value of ['endpoint-controller', 'me']) {
      const service = makeService({}, { labels: { [managedByLabel]: value } });
      for (const version of releasesWith('managedByLabel'))
        expect(reasonsOf(version, service), version).toEqual(['update', 'LabelsDiffer']);
      for (const version of releasesWith('managedByLabel', false))
        expect(reasonsOf(version, service), version).toEqual(['none', 'EndpointsEqual']);
    }
  });
});
