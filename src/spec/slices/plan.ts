import type { AddressType, EndpointSlice, EndpointSliceInput } from '../../types/index.ts';
import type { UnmanagedCode } from '../select.ts';
import type { HintsCode } from './hints/intent.ts';

/** A slice to delete, told by what the API server needs to know and what it can check. */
export interface SliceReference {
  readonly apiVersion: 'discovery.k8s.io/v1';
  readonly kind: 'EndpointSlice';
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid?: string; readonly resourceVersion?: string };
}

/** An Event that the controller records on the Service or the Endpoints. */
export interface SliceEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Why a plan for slices is what it is, and why endpoints have no hints where the Service asks for them. */
export type SlicePlanCode =
  | 'ServiceDeleted'
  | UnmanagedCode
  | 'SlicesStale'
  | 'NodeMissing'
  | 'ServiceTerminating'
  | 'SlicesEqual'
  | 'SliceMissing'
  | 'AddressTypeNotWanted'
  | 'SliceOfOtherService'
  | 'PortsNotWanted'
  | 'EndpointsDiffer'
  | 'EndpointsGone'
  | 'LabelsDiffer'
  | 'EndpointsAdded'
  | 'HintsDiffer'
  | 'Placeholder'
  | 'EndpointsMissing'
  | 'NotMirrored'
  | 'ServiceMissing'
  | 'ServiceHasSelector'
  | 'MirrorDiffers'
  | 'MirrorSuperfluous'
  | HintsCode;

export interface SliceReason {
  readonly code: SlicePlanCode;
  readonly message: string;
  /** Where it is about one address type alone, as reasons about hints are. */
  readonly addressType?: AddressType;
  /** The node that is to blame. */
  readonly node?: string;
}

/** The fewest writes that bring a Service's slices to what the release's controller wants. Plain data; nothing is done yet. */
export interface SlicePlan {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly delete: SliceReference[];
  /** What the controller tells the user about it. */
  readonly events: SliceEvent[];
  /** Whether the sync has to be repeated even after these writes: the cache lags, or a pod's node is missing from it. */
  readonly retry: boolean;
  readonly reasons: SliceReason[];
}

/** How a slice to delete is told. */
export function referenceTo({ metadata }: EndpointSliceInput): SliceReference {
  const { name, namespace, uid, resourceVersion } = metadata ?? {};
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: name ?? '', namespace: namespace ?? '', ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
  };
}
