import { checkAgreement, computeEndpoints, createMirror, createReconciler, mergeSlices, type SlicePlan } from 'kube-endpoints';
import { keyOf, type Manifest } from '../../examples/manifest.ts';
import { type ClusterSnapshot, podsInNamespace } from './cluster-snapshot.ts';
import { type Check, check, isRefused } from './compare.ts';

/**
 * Checks that a new reconciler plans no writes for the existing slices, selected or mirrored, and that they match the Endpoints, unless the
 * API server refuses those.
 */
export function compareSlices(snapshot: ClusterSnapshot, version: string): Check[] {
  return snapshot.services.flatMap((service) => {
    const key = keyOf(service);
    const current = snapshot.slices.get(key) ?? [];
    const pods = podsInNamespace(service, snapshot);
    const slicePlan = createReconciler({ version }).reconcileSlices({ key, service, pods, nodes: snapshot.nodes, current });
    const endpoints = snapshot.endpoints.get(key);
    const mirrorPlan = createMirror({ version }).mirror({ key, service, endpoints, current });
    return [
      check(key, 'slice writes planned by a new reconciler', writesOf(slicePlan), noWrites),
      check(key, 'mirrored slice writes planned by a new reconciler', writesOf(mirrorPlan), noWrites),
      ...(endpoints === undefined || hasNoSelector(service) || isRefused(computeEndpoints(service, pods, { version }))
        ? []
        : [check(key, 'agreement', disagreements(endpoints, current, service), [])]),
      check(key, 'problems of the slices', problemsOf(current), []),
    ];
  });
}

const noWrites = { create: [], update: [], delete: [], reasons: [] };

function writesOf({ create, update, delete: deleted, reasons }: SlicePlan): typeof noWrites | object {
  if (create.length + update.length + deleted.length === 0) return noWrites;
  return { create, update, delete: deleted, reasons };
}

const hasNoSelector = ({ spec }: Manifest): boolean => spec?.['selector'] === undefined;

const disagreements = (endpoints: Manifest, slices: readonly Manifest[], service: Manifest): unknown =>
  checkAgreement(endpoints, slices, { service }).differences;

/** Ignores EndpointsConflict, because pods on one host share an address. */
const problemsOf = (slices: readonly Manifest[]): unknown =>
  mergeSlices(slices).problems.filter(({ code }) => code !== 'EndpointsConflict');
