import type { TargetRef } from './endpoints.ts';
import type { ObjectMeta, ObjectReference, Optional, StringMap } from './meta.ts';

/** `metav1.OwnerReference`. */
export interface OwnerReferenceInput {
  readonly apiVersion?: Optional<string>;
  readonly kind?: Optional<string>;
  readonly name?: Optional<string>;
  readonly uid?: Optional<string>;
  readonly controller?: Optional<boolean>;
  readonly blockOwnerDeletion?: Optional<boolean>;
}

/** `discoveryv1.EndpointPort` as input. Each field is a pointer in Go, so absent differs from empty. */
export interface SlicePortInput {
  readonly name?: Optional<string>;
  readonly port?: Optional<number>;
  readonly protocol?: Optional<string>;
  readonly appProtocol?: Optional<string>;
}

/** `discoveryv1.EndpointConditions` as input. Absent means unknown, which consumers treat as ready. */
export interface EndpointConditionsInput {
  readonly ready?: Optional<boolean>;
  readonly serving?: Optional<boolean>;
  readonly terminating?: Optional<boolean>;
}

/** `discoveryv1.EndpointHints` as input. */
export interface EndpointHintsInput {
  readonly forZones?: Optional<readonly { readonly name?: Optional<string> }[]>;
  readonly forNodes?: Optional<readonly { readonly name?: Optional<string> }[]>;
}

/** `discoveryv1.Endpoint` as input. */
export interface EndpointInput {
  readonly addresses?: Optional<readonly string[]>;
  readonly conditions?: Optional<EndpointConditionsInput>;
  readonly hostname?: Optional<string>;
  readonly targetRef?: Optional<ObjectReference>;
  readonly deprecatedTopology?: Optional<StringMap>;
  /** Only in v1beta1: host name, zone and region of the node. */
  readonly topology?: Optional<StringMap>;
  readonly nodeName?: Optional<string>;
  readonly zone?: Optional<string>;
  readonly hints?: Optional<EndpointHintsInput>;
}

/** `metav1.ObjectMeta` of a slice. A label and an owner reference name the Service of the slice. */
export interface SliceMetaInput extends ObjectMeta {
  readonly generation?: Optional<number>;
  readonly ownerReferences?: Optional<readonly OwnerReferenceInput[]>;
}

/** `discoveryv1.EndpointSlice` as input. Accepts plain JSON and `V1EndpointSlice` of `@kubernetes/client-node`. */
export interface EndpointSliceInput {
  readonly metadata?: Optional<SliceMetaInput>;
  readonly addressType?: Optional<string>;
  readonly endpoints?: Optional<readonly EndpointInput[]>;
  readonly ports?: Optional<readonly SlicePortInput[]>;
}

/** The address types that a Service can have slices of. */
export type AddressType = 'IPv4' | 'IPv6';

/** `metav1.OwnerReference` as written. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller: boolean;
  blockOwnerDeletion: boolean;
}

/** `discoveryv1.EndpointPort` as written. */
export interface SlicePort {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}

/** `discoveryv1.EndpointConditions` as written. */
export interface EndpointConditions {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
}

/** `discoveryv1.EndpointHints` as written. */
export interface EndpointHints {
  forZones?: { name: string }[];
  forNodes?: { name: string }[];
}

/** `discoveryv1.Endpoint` as written. */
export interface Endpoint {
  addresses: string[];
  conditions: EndpointConditions;
  hostname?: string;
  targetRef?: TargetRef;
  deprecatedTopology?: Record<string, string>;
  /** Only in v1beta1. */
  topology?: Record<string, string>;
  nodeName?: string;
  zone?: string;
  hints?: EndpointHints;
}

/** Metadata of a computed slice. It has a name, or a generateName if the API server chooses the name. */
export interface EndpointSliceMeta extends Omit<SliceMetaInput, 'name' | 'namespace' | 'labels' | 'annotations' | 'ownerReferences'> {
  name?: string;
  generateName?: string;
  namespace: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
}

/** `discoveryv1.EndpointSlice` as written; of v1beta1 before Kubernetes 1.21. */
export interface EndpointSlice {
  apiVersion: 'discovery.k8s.io/v1' | 'discovery.k8s.io/v1beta1';
  kind: 'EndpointSlice';
  metadata: EndpointSliceMeta;
  addressType: AddressType;
  endpoints: Endpoint[];
  ports: SlicePort[];
}
