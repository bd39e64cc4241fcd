import type { ApiObject, ClientPort } from 'kube-endpoints/port';
import { claimAnnotation, claimText } from '../../../src/sharding/ring.ts';
import type { Parts, Subject } from './run.ts';

/** An implementation mistake, wrapped around a correct implementation. */
export interface Sabotage {
  readonly name: string;
  readonly parts?: (parts: Parts) => Parts;
  readonly subject?: (subject: Subject) => Subject;
}

/** `owns` returns the last reported state instead of checking the clock. */
export const trustsTimers: Sabotage = {
  name: 'owns keys by timers instead of the clock',
  subject: (subject) => {
    let lastOwns: Subject['ownership']['owns'] = () => false;
    const known = new Map<string, boolean>();
    subject.ownership.onChange(() => {
      known.clear();
      lastOwns = subject.ownership.owns;
    });
    const owns = (key: string): boolean => {
      const before = known.get(key);
      if (before !== undefined) return before;
      known.set(key, lastOwns(key));
      return lastOwns(key);
    };
    return { ownership: { owns, onChange: subject.ownership.onChange }, run: (signal) => subject.run(signal) };
  },
};

/** Measures durations by the time of day. */
export const trustsTimeOfDay: Sabotage = {
  name: 'measures durations by the time of day',
  parts: ({ clock, ...parts }) => ({ ...parts, clock: { ...clock, elapsed: clock.now } }),
};

/** Writes replace the current state unconditionally. */
export const overwrites: Sabotage = {
  name: 'overwrites any current state',
  parts: ({ port, ...parts }) => ({ ...parts, port: { ...port, update: (resource, object) => overwrite(port, resource, object) } }),
};

async function overwrite(port: ClientPort, resource: Parameters<ClientPort['update']>[0], object: ApiObject): Promise<ApiObject> {
  const { namespace = '', name = '' } = object.metadata;
  const { metadata } = await port.get(resource, { namespace, name });
  return port.update(resource, { ...object, metadata: { ...object.metadata, ...metadata } });
}

/** Assumes that other replicas already act on the state known here. */
export const ignoresClaims: Sabotage = {
  name: 'takes over before the other replica releases',
  parts: ({ port, identity, ...parts }) => ({
    ...parts,
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
  return { ...lease, metadata: { ...metadata, annotations: { ...metadata.annotations, [claimAnnotation]: claimText([]) } } };
}

/** Treats a Lease as expired by the timestamp in it. */
export const believesRenewTime: Sabotage = {
  name: 'takes over by the renewTime in the Lease',
  parts: ({ port, clock, ...parts }) => {
    const get: ClientPort['get'] = async (resource, key) => {
      const lease = await port.get(resource, key);
      const spec = lease['spec'] as { readonly renewTime: string; readonly leaseDurationSeconds: number };
      const isOver = Date.parse(spec.renewTime) + spec.leaseDurationSeconds * 1000 < clock.now();
      return isOver ? { ...lease, spec: { ...spec, holderIdentity: '' } } : lease;
    };
    return { ...parts, clock, port: { ...port, get } };
  },
};

/** Counts a write as done once it is sent. */
export const trustsSending: Sabotage = {
  name: 'counts a sent write as done',
  parts: ({ port, ...parts }) => {
    const update: ClientPort['update'] = async (resource, object) => {
      port.update(resource, object).catch(() => undefined);
      return object;
    };
    return { ...parts, port: { ...port, update } };
  },
};
