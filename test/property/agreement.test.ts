import { expect, it } from 'vitest';
import { compareReleases, explainService } from '../../src/explain/index.ts';
import { computeEndpoints, explainEndpoints, isPodEligible } from '../../src/index.ts';
import { tolerateUnreadyAnnotation } from '../../src/spec/eligibility.ts';
import type { EndpointAddress, Endpoints, Pod } from '../../src/types/index.ts';
import { makeService } from '../spec/objects.ts';
import { fc } from '../support/property.ts';
import { lookalikePodLists, podLists, services } from './arbitraries.ts';
import { checkInEveryRelease } from './check.ts';

const objects = fc.record({ service: services, pods: podLists });

const uidsIn = (endpoints: Endpoints | undefined, key: 'addresses' | 'notReadyAddresses'): Set<string> =>
  new Set((endpoints?.subsets ?? []).flatMap((subset) => subset[key] ?? []).map(({ targetRef }) => targetRef?.uid ?? ''));

it('isPodEligible selects the pods of computeEndpoints if neither IPs nor ports exclude a pod', () => {
  const makeOpenService = (publishNotReadyAddresses: boolean) =>
    makeService(
      { selector: {}, clusterIP: 'None', ipFamilies: null, ports: [], publishNotReadyAddresses },
      { annotations: { [tolerateUnreadyAnnotation]: String(publishNotReadyAddresses) } },
    );
  const podListsWithOneIP = podLists.map((pods) =>
    pods.map((pod, i): Pod => {
      const hasIP = pod.status?.podIP !== undefined && pod.status?.podIPs !== undefined;
      const status = hasIP ? { podIP: `10.0.0.${i}`, podIPs: [{ ip: `10.0.0.${i}` }] } : { podIP: '', podIPs: [] };
      return { ...pod, metadata: { ...pod.metadata, namespace: 'shop' }, status: { ...pod.status, ...status } };
    }),
  );
  checkInEveryRelease(fc.record({ pods: podListsWithOneIP, publish: fc.boolean() }), ({ pods, publish }, version) => {
    const endpoints = computeEndpoints(makeOpenService(publish), pods, { version });
    const uids = [...uidsIn(endpoints, 'addresses'), ...uidsIn(endpoints, 'notReadyAddresses')];
    const expected = pods.filter((pod) => isPodEligible(pod, { version, publishNotReadyAddresses: publish }));
    expect(uids.sort()).toEqual(expected.map((pod) => pod.metadata?.uid).sort());
  });
});

it('explainEndpoints reports the same pods as computeEndpoints, with the same readiness', () => {
  checkInEveryRelease(objects, ({ service, pods }, version) => {
    const endpoints = computeEndpoints(service, pods, { version });
    const [ready, notReady] = [uidsIn(endpoints, 'addresses'), uidsIn(endpoints, 'notReadyAddresses')];
    const explained = explainEndpoints(service, pods, { version });
    expect(explained.length).toBe(pods.length);
    for (const { namespace, name, included, ready: isReady, ip, ports, reasons } of explained) {
      const uid = pods.find(({ metadata }) => metadata?.name === name && metadata.namespace === namespace)?.metadata?.uid ?? '';
      expect(included, `${version} ${name}`).toBe(ready.has(uid) || notReady.has(uid));
      expect(isReady, `${version} ${name}`).toBe(ready.has(uid) && !notReady.has(uid));
      expect(reasons.length).toBeGreaterThan(0);
      const subsetsOfPod = (endpoints?.subsets ?? []).filter(
        (subset) => hasUID(subset.addresses, uid) || hasUID(subset.notReadyAddresses, uid),
      );
      expect(ports.length).toBe(subsetsOfPod.reduce((sum, subset) => sum + (subset.ports?.length ?? 0), 0));
      expect(ip !== undefined).toBe(included);
    }
  });
});

const hasUID = (addresses: EndpointAddress[] | undefined, uid: string): boolean =>
  !!addresses?.some(({ targetRef }) => targetRef?.uid === uid);

it('explainEndpoints reports the addresses of computeEndpoints even if pods share addresses', () => {
  checkInEveryRelease(
    fc.record({ service: services, pods: lookalikePodLists }),
    ({ service, pods }, version) => {
      const endpoints = computeEndpoints(service, pods, { version });
      const ips = new Set(
        (endpoints?.subsets ?? [])
          .flatMap(({ addresses = [], notReadyAddresses = [] }) => [...addresses, ...notReadyAddresses])
          .map(({ ip }) => ip),
      );
      const explained = explainEndpoints(service, pods, { version }).filter(({ included }) => included);
      expect(new Set(explained.map(({ ip }) => ip))).toEqual(ips);
    },
    30,
  );
});

it('explainService counts the pods that explainEndpoints lists', () => {
  checkInEveryRelease(
    objects,
    ({ service, pods }, version) => {
      const { counts, managed, pods: explainedPods, problems } = explainService(service, pods, { version });
      const selected = explainEndpoints(service, pods, { version }).filter((pod) => pod.selected);
      expect(explainedPods).toEqual(selected);
      expect(counts.selected).toBe(selected.length);
      expect(counts.ready + counts.notReady + counts.leftOut).toBe(selected.length);
      expect(managed).toBe(computeEndpoints(service, pods, { version }) !== undefined);
      const severities = problems.map(({ severity }) => ['error', 'warning', 'info'].indexOf(severity));
      expect(severities).toEqual(severities.toSorted());
    },
    30,
  );
});

it('compareReleases reports no difference if and only if both releases compute the same Endpoints', () => {
  checkInEveryRelease(
    objects,
    ({ service, pods }, version) => {
      expect(compareReleases(service, pods, { from: version, to: version })).toMatchObject({ same: true, differences: [], pods: [] });
      const { same, before, after, differences } = compareReleases(service, pods, { from: version, to: '1.37' });
      expect(same).toBe(JSON.stringify(before) === JSON.stringify(after));
      for (const { what, gates } of differences) expect(gates.length, what).toBeGreaterThan(0);
    },
    20,
  );
});
