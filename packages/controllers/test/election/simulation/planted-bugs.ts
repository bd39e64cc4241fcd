import type { ApiObject, ClientPort } from 'kube-endpoints/port';
import { claimAnnotation, formatClaim } from '../../../src/sharding/ring.ts';
import type { Coordinator, Dependencies } from './run.ts';

/** A bug, added by wrapping a correct implementation or its dependencies. */
export interface PlantedBug {
  readonly name: string;
  readonly dependencies?: (dependencies: Dependencies) => Dependencies;
  readonly coordinator?: (coordinator: Coordinator) => Coordinator;
}

/** `owns` returns the last reported state instead of checking the clock. */
export const ownershipByTimers: PlantedBug = {
  name: 'owns keys by timers instead of the clock',
  coordinator: (coordinator) => {
    let lastOwns: Coordinator['ownership']['owns'] = () => false;
    const lastAnswers = new Map<string, boolean>();
    coordinator.ownership.onChange(() => {
      lastAnswers.clear();
      lastOwns = coordinator.ownership.owns;
    });
    const owns = (key: string): boolean => {
      const lastAnswer = lastAnswers.get(key);
      if (lastAnswer !== undefined) return lastAnswer;
      lastAnswers.set(key, lastOwns(key));
      return lastOwns(key);
    };
    return { ownership: { owns, onChange: coordinator.ownership.onChange }, run: (signal) => coordinator.run(signal) };
  },
};

/** Measures durations by the time of day. */
export const durationsByTimeOfDay: PlantedBug = {
  name: 'measures durations by the time of day',
  dependencies: ({ clock, ...dependencies }) => ({ ...dependencies, clock: { ...clock, elapsed: clock.now } }),
};

/** Writes replace the current object unconditionally, without a conflict. */
export const unconditionalWrites: PlantedBug = {
  name: 'overwrites objects that others have changed',
  dependencies: ({ port, ...dependencies }) => ({
    ...dependencies,
    port: { ...port, update: (resource, object) => overwrite(port, resource, object) },
  }),
};

async function overwrite(port: ClientPort, resource: Parameters<ClientPort['update']>[0], object: ApiObject): Promise<ApiObject> {
  const { namespace = '', name = '' } = object.metadata;
  const { metadata } = await port.get(resource, { namespace, name });
  return port.update(resource, { ...object, metadata: { ...object.metadata, ...metadata } });
}

/** Hides the claims of other replicas, as if they claimed no keys. */
export const hiddenClaims: PlantedBug = {
  name: 'takes over before the other replica releases',
  dependencies: ({ port, identity, ...dependencies }) => ({
    ...dependencies,
    identity,
    port: {
      ...port,
      list: async (resource, options) => {
        const list = await port.list(resource, options);
        return { ...list, items: list.items.map((lease) => withoutClaim(lease, identity)) };
      },
    },
  }),
};

function withoutClaim(lease: ApiObject, identity: string): ApiObject {
  if ((lease['spec'] as { readonly holderIdentity?: string }).holderIdentity === identity) return lease;
  const { metadata } = lease;
  return { ...lease, metadata: { ...metadata, annotations: { ...metadata.annotations, [claimAnnotation]: formatClaim([]) } } };
}

/** Treats a Lease as expired by the timestamp in it. */
export const takeoverByRenewTime: PlantedBug = {
  name: 'takes over by the renewTime in the Lease',
  dependencies: ({ port, clock, ...dependencies }) => {
    const get: ClientPort['get'] = async (resource, key) => {
      const lease = await port.get(resource, key);
      const spec = lease['spec'] as { readonly renewTime: string; readonly leaseDurationSeconds: number };
      const isExpired = Date.parse(spec.renewTime) + spec.leaseDurationSeconds * 1000 < clock.now();
      return isExpired ? { ...lease, spec: { ...spec, holderIdentity: '' } } : lease;
    };
    return { ...dependencies, clock, port: { ...port, get } };
  },
};

/** Considers a write done once it is sent. */
export const unconfirmedWrites: PlantedBug = {
  name: 'considers a write done once it is sent',
  dependencies: ({ port, ...dependencies }) => {
    const update: ClientPort['update'] = async (resource, object) => {
      port.update(resource, object).catch(() => undefined);
      return object;
    };
    return { ...dependencies, port: { ...port, update } };
  },
};
