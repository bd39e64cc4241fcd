import type { ObjectMeta, ObjectReference, Optional } from './meta.ts';

/** `corev1.EndpointPort` as input. */
export interface EndpointPortInput {
  readonly name?: Optional<string>;
  readonly port?: Optional<number>;
  readonly protocol?: Optional<string>;
  readonly appProtocol?: Optional<string>;
}

/** `corev1.EndpointAddress` as input. */
export interface EndpointAddressInput {
  readonly ip?: Optional<string>;
  readonly hostname?: Optional<string>;
  readonly nodeName?: Optional<string>;
  readonly targetRef?: Optional<ObjectReference>;
}

/** `corev1.EndpointSubset` as input. */
export interface EndpointSubsetInput {
  readonly addresses?: Optional<readonly EndpointAddressInput[]>;
  readonly notReadyAddresses?: Optional<readonly EndpointAddressInput[]>;
  readonly ports?: Optional<readonly EndpointPortInput[]>;
}

/** `corev1.Endpoints` as input: plain JSON and `V1Endpoints` of `@kubernetes/client-node` fit. */
export interface EndpointsInput {
  readonly metadata?: Optional<ObjectMeta>;
  readonly subsets?: Optional<readonly EndpointSubsetInput[]>;
}

/** `corev1.EndpointPort` as written: empty fields are omitted, except the port number. */
export interface EndpointPort {
  name?: string;
  port: number;
  protocol?: string;
  appProtocol?: string;
}

/** A reference to the pod of an address, as written. */
export interface TargetRef {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

/** `corev1.EndpointAddress` as written. `nodeName` is set for every pod, and empty for a pod that is not bound to a node. */
export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: TargetRef;
}

/** `corev1.EndpointSubset` as written: empty lists are omitted. */
export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}

/** Metadata of a computed object. An update keeps the other fields of the existing object. */
export interface EndpointsMeta extends Omit<ObjectMeta, 'name' | 'namespace' | 'labels' | 'annotations'> {
  name: string;
  namespace: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** `corev1.Endpoints` as written. */
export interface Endpoints {
  apiVersion: 'v1';
  kind: 'Endpoints';
  metadata: EndpointsMeta;
  subsets?: EndpointSubset[];
}
