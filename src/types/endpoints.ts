import type { ObjectMeta, ObjectReference, Optional } from './meta.ts';

/** `corev1.EndpointPort` as a caller may hand it in. */
export interface EndpointPortInput {
  readonly name?: Optional<string>;
  readonly port?: Optional<number>;
  readonly protocol?: Optional<string>;
  readonly appProtocol?: Optional<string>;
}

/** `corev1.EndpointAddress` as a caller may hand it in. */
export interface EndpointAddressInput {
  readonly ip?: Optional<string>;
  readonly hostname?: Optional<string>;
  readonly nodeName?: Optional<string>;
  readonly targetRef?: Optional<ObjectReference>;
}

/** `corev1.EndpointSubset` as a caller may hand it in. */
export interface EndpointSubsetInput {
  readonly addresses?: Optional<readonly EndpointAddressInput[]>;
  readonly notReadyAddresses?: Optional<readonly EndpointAddressInput[]>;
  readonly ports?: Optional<readonly EndpointPortInput[]>;
}

/** `corev1.Endpoints` as a caller may hand it in: plain JSON and `V1Endpoints` of `@kubernetes/client-node` fit. */
export interface EndpointsInput {
  readonly metadata?: Optional<ObjectMeta>;
  readonly subsets?: Optional<readonly EndpointSubsetInput[]>;
}

/** `corev1.EndpointPort` as it is written: what is empty is left out, except the port number. */
export interface EndpointPort {
  name?: string;
  port: number;
  protocol?: string;
  appProtocol?: string;
}

/** The pod behind an address, as it is written. */
export interface TargetRef {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

/** `corev1.EndpointAddress` as it is written. `nodeName` is there for every pod, empty for one that is bound to no node. */
export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: TargetRef;
}

/** `corev1.EndpointSubset` as it is written: empty lists are left out. */
export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}

/** Metadata of a computed object: what an update keeps of the object that is there stands beside what is set. */
export interface EndpointsMeta extends Omit<ObjectMeta, 'name' | 'namespace' | 'labels' | 'annotations'> {
  name: string;
  namespace: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** `corev1.Endpoints` as it is written. */
export interface Endpoints {
  apiVersion: 'v1';
  kind: 'Endpoints';
  metadata: EndpointsMeta;
  subsets?: EndpointSubset[];
}
