/** Structural types of the Kubernetes objects that endpoints are computed from. Types only, no runtime code. */
export type { IPFamily } from '../apimachinery/index.ts';
export type { Cause, LoadBalancerCauseCode, ReadinessCauseCode } from './cause.ts';
export type {
  AddressType,
  Endpoint,
  EndpointConditions,
  EndpointConditionsInput,
  EndpointHints,
  EndpointHintsInput,
  EndpointInput,
  EndpointSlice,
  EndpointSliceInput,
  EndpointSliceMeta,
  OwnerReference,
  OwnerReferenceInput,
  SliceMetaInput,
  SlicePort,
  SlicePortInput,
} from './endpoint-slice.ts';
export type {
  EndpointAddress,
  EndpointAddressInput,
  EndpointPort,
  EndpointPortInput,
  EndpointSubset,
  EndpointSubsetInput,
  Endpoints,
  EndpointsInput,
  EndpointsMeta,
  TargetRef,
} from './endpoints.ts';
export type { ObjectMeta, ObjectReference, Optional, StringMap, Timestamp } from './meta.ts';
export type { Node, NodeCondition } from './node.ts';
export type {
  Container,
  ContainerPort,
  ContainerRestartRule,
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
  PodCondition,
  PodIP,
  PodReadinessGate,
  PodStatus,
  Probe,
} from './pod.ts';
export type { Service, ServicePort } from './service.ts';
