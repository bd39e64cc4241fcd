/** The types of Kubernetes objects that callers need to name. Types only, no runtime code. */
export type { IPFamily } from '../apimachinery/index.ts';
export type { Cause } from './cause.ts';
export type { AddressType, Endpoint, EndpointInput, EndpointSlice, EndpointSliceInput, SlicePort } from './endpoint-slice.ts';
export type {
  EndpointAddress,
  EndpointAddressInput,
  EndpointPort,
  EndpointPortInput,
  EndpointSubset,
  EndpointSubsetInput,
  Endpoints,
  EndpointsInput,
  TargetRef,
} from './endpoints.ts';
export type { ObjectMeta, ObjectReference, Optional, Timestamp } from './meta.ts';
export type { Node } from './node.ts';
export type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from './pod.ts';
export type { Service, ServicePort } from './service.ts';
