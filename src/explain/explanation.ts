import type { HintsMode, PlanReason, SliceReason } from '../spec/index.ts';
import type { AddressType, EndpointConditions, EndpointHints, EndpointSlice, Endpoints } from '../types/index.ts';
import type { GateName } from '../versions/index.ts';
import type { ReasonCode, Severity } from './reasons.ts';

/** One reason, in the words of the release that was asked for. */
export interface Reason {
  /** Stable identifier; docs/reasons.md lists them all. */
  readonly code: ReasonCode;
  /** One sentence with the names and values at hand. */
  readonly message: string;
  /** The field that decides, from the object on: "pod.status.podIP", "service.spec.ports[0].targetPort". */
  readonly path: string;
  /** The first release in which the rule holds, where that is not before 1.17. */
  readonly since?: string;
  /** The last release in which the rule holds, where it no longer does. */
  readonly until?: string;
}

/** What became of one pod. */
export interface PodExplanation {
  readonly namespace: string;
  readonly name: string;
  /** Whether the pod is in the Service's namespace and carries its labels. */
  readonly selected: boolean;
  /** Whether the pod is in the Endpoints, ready or not. */
  readonly included: boolean;
  /** Whether it is among the ready addresses. */
  readonly ready: boolean;
  /** The address it has there. */
  readonly ip?: string;
  /** The port numbers it has there, with the Service port's name where it has one: "http:8080/TCP". */
  readonly ports: readonly string[];
  /** At least one. For a pod left out: every rule that leaves it out, in the order in which the release asks them. */
  readonly reasons: readonly Reason[];
}

/** Whether a Service works, and what is wrong with it where it does not. */
export interface ServiceExplanation {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  /** Whether the endpoints controller of this release writes Endpoints for it. */
  readonly managed: boolean;
  readonly counts: { readonly selected: number; readonly ready: number; readonly notReady: number; readonly leftOut: number };
  /** What is wrong with the Service as a whole, most severe first; empty where nothing is. */
  readonly problems: readonly Problem[];
  /** The selected pods, by name. */
  readonly pods: readonly PodExplanation[];
}

export interface Problem extends Reason {
  readonly severity: Severity;
}

/** What became of a Service's pods in EndpointSlices, and of the hints it asks for. */
export interface SlicesExplanation {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  /** Whether the EndpointSlice controller of this release writes slices for it, and is specified here; else `reasons` say why not. */
  readonly managed: boolean;
  readonly reasons: readonly Reason[];
  /** The slices that the controller makes where there are none. */
  readonly slices: readonly EndpointSlice[];
  /** For each address type of the Service; empty where it asks for no hints. */
  readonly hints: readonly HintsExplanation[];
  /** All pods, by namespace and name. */
  readonly pods: readonly PodSlicesExplanation[];
}

/** What became of one pod in slices. */
export interface PodSlicesExplanation {
  readonly namespace: string;
  readonly name: string;
  readonly selected: boolean;
  /** The slices it is in, one for each address type; empty where it is in none. */
  readonly slices: readonly SliceMembership[];
  /** At least one: why it is as it is in its slices, or in none; and whatever makes it differ from its place in Endpoints. */
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

export interface HintsExplanation {
  readonly addressType: AddressType;
  /** What the release hears of what the Service asks for. */
  readonly mode: HintsMode | undefined;
  /** Whether any endpoint has hints. */
  readonly given: boolean;
  /** At least one. */
  readonly reasons: readonly Reason[];
}

/** What two releases make of the same objects. */
export interface ReleaseComparison {
  readonly namespace: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** What each release writes where nothing is there; undefined where it writes nothing. */
  readonly before: Endpoints | undefined;
  readonly after: Endpoints | undefined;
  /** Whether the two are the same, byte for byte. */
  readonly same: boolean;
  /** Where they differ, in words: "labels", "annotations", "order of ports and subsets", ... with the gates that are the cause. */
  readonly differences: readonly ReleaseDifference[];
  /** Pods whose place differs, by name. */
  readonly pods: readonly { readonly before: PodExplanation; readonly after: PodExplanation }[];
  /** What the newer release's controller does at its first sync over the older one's Endpoints. */
  readonly takeover: { readonly action: 'update' | 'none' | 'create'; readonly reasons: readonly PlanReason[] };
}

export interface ReleaseDifference {
  readonly what: 'existence' | 'addresses' | 'readiness' | 'ports' | 'targets' | 'order' | 'labels' | 'annotations';
  readonly message: string;
  readonly gates: readonly GateName[];
}

/** What two releases make of the same objects as EndpointSlices. */
export interface SliceReleaseComparison {
  /** What each release creates where nothing is there. */
  readonly before: readonly EndpointSlice[];
  readonly after: readonly EndpointSlice[];
  /** Whether the two are the same, byte for byte. */
  readonly same: boolean;
  readonly differences: readonly SliceReleaseDifference[];
  /** How many slices the newer release's controller writes at its first sync over the older one's. */
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
