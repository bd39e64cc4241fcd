import { compareText, printQuantity } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { forbidden } from '../registry/errors.ts';
import type { Admission, AdmissionRequest } from '../registry/index.ts';
import { child, type Fields, list, text } from '../resources/field/read.ts';
import { nanosOf } from '../resources/field/resource-list.ts';
import type { Store } from '../store/index.ts';
import { isTerminating, matchesScopes } from './scopes.ts';
import { countsResource, formatOf, groupResourceOf, isComputeResource, type Usage, usageOf } from './usage.ts';

export const resourceQuotas: Resource = { group: '', version: 'v1', plural: 'resourcequotas', kind: 'ResourceQuota', namespaced: true };

/**
 * Refuses objects that exceed a ResourceQuota of their namespace, and adds their usage to its status. Only quotas whose status has the
 * limits of the spec are enforced; a controller sets it. Mirrors apiserver/pkg/admission/plugin/resourcequota (1.36).
 */
export function createQuotaAdmission({ store, now }: { readonly store: Store; readonly now: () => number }): Admission {
  return {
    validate(request) {
      const { namespace } = request.key;
      if (namespace === undefined || request.operation === 'DELETE') return;
      const quotas = store.list(resourceQuotas, { namespace }).items;
      if (quotas.length > 0 && isCounted(request)) check(store, quotas, request, now());
    },
  };
}

/** Whether a write can change a usage. */
function isCounted({ operation, resource, subresource, object, old }: AdmissionRequest): boolean {
  const groupResource = groupResourceOf(resource);
  if (groupResource === 'pods' && subresource === 'resize') return true;
  if (subresource !== undefined) return false;
  if (operation === 'CREATE' || groupResource === 'services' || groupResource === 'persistentvolumeclaims') return true;
  return groupResource === 'pods' && isTerminating(object as Fields) !== isTerminating(old as Fields);
}

interface Charge {
  readonly quota: ApiObject;
  readonly used: Readonly<Record<string, string>>;
}

function check(store: Store, quotas: readonly ApiObject[], request: AdmissionRequest, now: number): void {
  const groupResource = groupResourceOf(request.resource);
  const [object, old] = [request.object as Fields, request.old as Fields | undefined];
  const refuse = (message: string): never => {
    throw forbidden(request.resource, request.key.name || text(child(object, 'metadata'), 'generateName'), message);
  };
  const usage = usageOf(groupResource, object, now);
  const charges: Charge[] = [];
  for (const quota of quotas) {
    const status = child(quota, 'status');
    const [hard, used] = [child(status, 'hard'), child(status, 'used')];
    const names = Object.keys(hard)
      .filter((name) => countsResource(name, groupResource))
      .sort(compareText);
    if (names.length === 0 || !matchesScopes(quota, groupResource, object)) continue;
    const name = quota.metadata.name ?? '';
    const missing = groupResource === 'pods' ? findMissingAmounts(object, names) : undefined;
    if (missing !== undefined) refuse(`failed quota: ${name}: must specify ${missing}`);
    if (names.some((each) => !Object.hasOwn(used, each))) refuse(`status unknown for quota: ${name}, resources: ${names.join(',')}`);
    const oldUsage = old && matchesScopes(quota, groupResource, old) ? usageOf(groupResource, old, now) : noUsage;
    const added = names.map((each) => [each, difference(usage, oldUsage, each)] as const).filter(([, nanos]) => nanos > 0n);
    if (added.length === 0) continue;
    const exceeded = added.filter(([each, nanos]) => nanosOf(String(used[each])) + nanos > nanosOf(String(hard[each])));
    const print = (valueOf: (resourceName: string, nanos: bigint) => unknown): string =>
      exceeded.map(([each, nanos]) => `${each}=${valueOf(each, nanos)}`).join(',');
    if (exceeded.length > 0) {
      const requested = print((each, nanos) => printQuantity(nanos, formatOf(String(hard[each]))));
      refuse(
        `exceeded quota: ${name}, requested: ${requested}, used: ${print((each) => used[each])}, limited: ${print((each) => hard[each])}`,
      );
    }
    charges.push({
      quota,
      used: {
        ...(used as Record<string, string>),
        ...Object.fromEntries(
          added.map(([each, nanos]) => [
            each,
            printQuantity(nanosOf(String(used[each])) + nanos, formatOf(String(used[each]), String(hard[each]))),
          ]),
        ),
      },
    });
  }
  if (!request.dryRun) for (const { quota, used } of charges) setUsed(store, quota, used);
}

const noUsage: Usage = new Map();

const difference = (usage: Usage, oldUsage: Usage, name: string): bigint => (usage.get(name) ?? 0n) - (oldUsage.get(name) ?? 0n);

function setUsed(store: Store, { metadata: { name = '', namespace = '' } }: ApiObject, used: Readonly<Record<string, string>>): void {
  store.update(
    resourceQuotas,
    { namespace, name },
    (current) => ({ ...current, status: { ...child(current, 'status'), used } }) as ApiObject,
  );
}

/** Every container must state the amounts that a quota limits: "limits.cpu for: web; requests.memory for: proxy,web". */
function findMissingAmounts(pod: Fields, names: readonly string[]): string | undefined {
  const spec = child(pod, 'spec');
  if (['requests', 'limits'].some((section) => Object.keys(child(child(spec, 'resources'), section)).length > 0)) return undefined;
  const containers = [...list(spec, 'containers'), ...list(spec, 'initContainers')];
  const missing = names
    .filter((name) => requiredAmount.test(name))
    .flatMap((name) => {
      const without = containers
        .filter((container) => !hasAmount(child(container, 'resources'), name))
        .map((container) => text(container, 'name'));
      return without.length === 0 ? [] : [`${name} for: ${without.sort(compareText).join(',')}`];
    });
  return missing.length === 0 ? undefined : missing.join('; ');
}

const requiredAmount = /^(?:requests\.|limits\.)?(?:cpu|memory)$/;

function hasAmount(resources: Fields, name: string): boolean {
  const [section, amount] = name.includes('.') ? (name.split('.') as [string, string]) : ['requests', name];
  return isComputeResource(amount) && Object.hasOwn(child(resources, section), amount);
}
