import type { HintsMode, PlanReason, SliceReason } from '../spec/index.ts';
import type { AddressType, EndpointConditions, EndpointHints, EndpointSlice, Endpoints } from '../types/index.ts';
import type { GateName } from '../versions/index.ts';
import type { ReasonCode, Severity } from './reasons.ts';

/** One reason, under the requested release. */
export interface Reason {
  /** Stable identifier; docs/reasons.md lists them all. */
  readonly code: ReasonCode;
  /** One sentence, with the actual names and values. */
  readonly message: string;
  /** The field that decides, starting at the object: "pod.status.podIP", "service.spec.ports[0].targetPort". */
  readonly path: string;
  /** The first release in which the rule applies; absent if it applies since 1.9. */
  readonly since?: string;
  /** The last release in which the rule applies; absent if the rule still applies. */
  readonly until?: string;
}

/** Whether and how one pod appears in Endpoints. */
export interface PodExplanation {
  readonly namespace: string;
  readonly name: string;
  /** Whether the pod is in the Service's namespace and matches its selector. */
  readonly selected: boolean;
  /** Whether the pod is in the Endpoints, ready or not. */
  readonly included: boolean;
  /** Whether the pod is among the ready addresses. */
  readonly ready: boolean;
  /** The address of the pod in the Endpoints. */
  readonly ip?: string;
  /** The ports of the pod in the Endpoints, with the Service port's name if it has one: "http:8080/TCP". */
  readonly ports: readonly string[];
  /** At least one. For an excluded pod: every rule that excludes it, in the release's order. */
  readonly reasons: readonly Reason[];
}

/** Whether a Service works, and its problems if it does not. */
export interface ServiceExplanation {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  /** Whether the endpoints controller of this release writes Endpoints for the Service. */
  readonly managed: boolean;
  readonly counts: { readonly selected: number; readonly ready: number; readonly notReady: number; readonly leftOut: number };
  /** The problems of the Service as a whole, most severe first. */
  readonly problems: readonly Problem[];
  /** The selected pods, sorted by name. */
  readonly pods: readonly PodExplanation[];
}

export interface Problem extends Reason {
  readonly severity: Severity;
}

/** How the pods of a Service appear in EndpointSlices, and the hints that the Service requests. */
export interface SlicesExplanation {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  /**
   * Whether this release's EndpointSlice controller writes slices for the Service, and is specified here; if false, `reasons` explain why.
   */
  readonly managed: boolean;
  readonly reasons: readonly Reason[];
  /** The slices that the controller creates if none exist. */
  readonly slices: readonly EndpointSlice[];
  /** One per address type of the Service; empty if it requests no hints. */
  readonly hints: readonly HintsExplanation[];
  /** All pods, sorted by namespace and name. */
  readonly pods: readonly PodSlicesExplanation[];
}

/** Whether and how one pod appears in slices. */
export interface PodSlicesExplanation {
  readonly namespace: string;
  readonly name: string;
  readonly selected: boolean;
  /** The slices that have the pod, one per address type; empty if no slice has it. */
  readonly slices: readonly SliceMembership[];
  /** At least one: why the pod is in these slices, or in none; and every difference between the slices and the Endpoints of the pod. */
  readonly reasons: readonly Reason[];
}

/** A pod as an endpoint of a slice. */
export interface SliceMembership {
  readonly addressType: AddressType;
  readonly addresses: readonly string[];
  /** The ports of the slice, sorted: "http:8080/TCP". */
  readonly ports: readonly string[];
  readonly conditions: Readonly<EndpointConditions>;
  readonly zone?: string;
  readonly hints?: Readonly<EndpointHints>;
}

/** The hints of one address type. */
export interface HintsExplanation {
  readonly addressType: AddressType;
  /** The hints mode that the Service requests and the release supports. */
  readonly mode: HintsMode | undefined;
  /** Whether any endpoint has hints. */
  readonly given: boolean;
  /** At least one. */
  readonly reasons: readonly Reason[];
}

/** A comparison of the Endpoints of two releases for the same objects. */
export interface ReleaseComparison {
  readonly namespace: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The Endpoints that each release writes if none exist; undefined if the release writes none. */
  readonly before: Endpoints | undefined;
  readonly after: Endpoints | undefined;
  /** Whether `before` and `after` are identical, byte for byte. */
  readonly same: boolean;
  /** The differences, each with the gates that cause it. */
  readonly differences: readonly ReleaseDifference[];
  /** Pods whose result differs, sorted by name. */
  readonly pods: readonly { readonly before: PodExplanation; readonly after: PodExplanation }[];
  /** What the newer release's controller does at its first sync, given the older release's Endpoints. */
  readonly takeover: { readonly action: 'update' | 'none' | 'create'; readonly reasons: readonly PlanReason[] };
}

export interface ReleaseDifference {
  readonly what: 'existence' | 'addresses' | 'readiness' | 'ports' | 'targets' | 'order' | 'labels' | 'annotations';
  readonly message: string;
  readonly gates: readonly GateName[];
}

/** A comparison of the EndpointSlices of two releases for the same objects. */
export interface SliceReleaseComparison {
  /** The slices that each release creates if none exist. */
  readonly before: readonly EndpointSlice[];
  readonly after: readonly EndpointSlice[];
  /** Whether `before` and `after` are identical, byte for byte. */
  readonly same: boolean;
  readonly differences: readonly SliceReleaseDifference[];
  /** How many slices the newer release's controller writes at its first sync, given the older release's slices. */
  readonly takeover: {
    readonly create: number;
    readonly update: number;
    readonly delete: number;
    readonly reasons: readonly SliceReason[];
  };
}

export interface SliceReleaseDifference {
  readonly what: 'existence' | 'endpoints' | 'conditions' | 'ports' | 'details' | 'hints' | 'order';
  readonly message: string;
  readonly gates: readonly GateName[];
}
