import type { Service } from 'kube-endpoints/types';

/**
 * Whether an update of a Service makes a sync due: anything but its status and bookkeeping. Kubernetes' controllers sync at any update
 * (onServiceUpdate); here they would find that nothing differs.
 */
export const isServiceChanged = (old: Service, service: Service): boolean => old !== service && saying(old) !== saying(service);

/** All of a Service that a sync looks at. An order of keys that changed costs a sync, and no more. */
const saying = ({ metadata, spec }: Service): string =>
  JSON.stringify([
    metadata?.uid,
    metadata?.creationTimestamp,
    metadata?.deletionTimestamp,
    metadata?.labels ?? null,
    metadata?.annotations ?? null,
    spec ?? null,
  ]);
