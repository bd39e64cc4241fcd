import type { Resource } from 'kube-endpoints/port';
import { createTimestampFormatter, ensureExists, type Registry } from '../registry/index.ts';
import { child, list, texts } from '../resources/field/read.ts';
import type { Clock } from '../store/index.ts';
import { applyStatus } from './apply-status.ts';
import type { Controller } from './loop.ts';

const serviceCIDRs: Resource = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'servicecidrs',
  kind: 'ServiceCIDR',
  namespaced: false,
};
const name = 'kubernetes';

/**
 * Creates the ServiceCIDR "kubernetes" with the ranges of the server, also if it is deleted, and sets its condition Ready.
 *
 * Mirrors pkg/controlplane/controller/defaultservicecidr (1.36), which runs in kube-apiserver itself.
 */
export function createDefaultServiceCIDRController(registry: Registry, cidrs: readonly string[], clock: Clock): Controller {
  const now = createTimestampFormatter(clock);
  const reconcile = async (): Promise<void> => {
    await ensureExists(registry, serviceCIDRs, { metadata: { name }, spec: { cidrs } });
    const current = registry.store.find(serviceCIDRs, { name });
    if (!current || current.metadata.deletionTimestamp !== undefined) return;
    const { status: ready } = list(child(current, 'status'), 'conditions').find(({ type }) => type === 'Ready') ?? {};
    const hasSameRanges = texts(child(current, 'spec'), 'cidrs').join() === cidrs.join();
    if (!hasSameRanges || ready === 'True' || ready === 'False') return;
    const message = 'Kubernetes default Service CIDR is ready';
    const condition = { type: 'Ready', status: 'True', message, lastTransitionTime: now() };
    await applyStatus(registry, serviceCIDRs, name, { conditions: [condition] }, 'kubernetes-service-cidr-controller');
  };
  return {
    initialKeys: [name],
    keysOf: ({ resource: { group, plural }, current, previous }) =>
      group === serviceCIDRs.group && plural === serviceCIDRs.plural && (current ?? previous)?.metadata.name === name ? [name] : [],
    reconcile,
  };
}
