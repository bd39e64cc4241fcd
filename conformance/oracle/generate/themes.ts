import type { Random } from '../random.ts';

/** The frequency of each feature in a case, from 0 (never) to 1 (wherever possible); `pods` is a maximum number. */
export interface Traits {
  readonly pods: number;
  /** The Service and its pods are IPv6. */
  readonly ipv6: number;
  /** The Service and its pods are dual-stack. */
  readonly dualStack: number;
  readonly headless: number;
  /** The Service has no ipFamilies. */
  readonly noFamilies: number;
  /** Pod IPs in unusual or invalid notation. */
  readonly oddAddresses: number;
  /** Pods whose podIP and podIPs do not match. */
  readonly partialAddresses: number;
  readonly noUID: number;
  readonly sharedAddress: number;
  readonly unready: number;
  /** Terminating pods. */
  readonly terminating: number;
  /** Pods with a phase other than Running, or a restart policy other than Always. */
  readonly phases: number;
  /** The annotation tolerate-unready-endpoints. */
  readonly tolerateUnreadyAnnotation: number;
  /** The field publishNotReadyAddresses. */
  readonly publishNotReady: number;
  /** Unusual Service types and selectors, and pods of another namespace or without labels. */
  readonly oddSelection: number;
  /** Several revisions of the pods, as during a rolling update. */
  readonly revisions: number;
  readonly namedPorts: number;
  /** Ports with missing, invalid or duplicate values. */
  readonly oddPorts: number;
  readonly sidecars: number;
  readonly appProtocol: number;
  readonly hostnames: number;
  /** Service labels that the controllers also set. */
  readonly oddLabels: number;
  /** Times with fractions and offsets, or missing times. */
  readonly oddTimes: number;
  /** Endpoints exist before the first sync. */
  readonly existing: number;
  /** Changes and syncs after the first sync. */
  readonly steps: number;
  /** More than 1,000 pods. */
  readonly manyPods: number;
}

/** The default frequencies, with which every feature occurs sometimes. */
export const everyday: Traits = {
  pods: 8,
  ipv6: 0.2,
  dualStack: 0.15,
  headless: 0.2,
  noFamilies: 0.05,
  oddAddresses: 0.02,
  partialAddresses: 0.03,
  noUID: 0.03,
  sharedAddress: 0.05,
  unready: 0.25,
  terminating: 0.05,
  phases: 0.08,
  tolerateUnreadyAnnotation: 0.05,
  publishNotReady: 0.1,
  oddSelection: 0.05,
  revisions: 0.35,
  namedPorts: 0.5,
  oddPorts: 0.06,
  sidecars: 0.08,
  appProtocol: 0.2,
  hostnames: 0.15,
  oddLabels: 0.08,
  oddTimes: 0.1,
  existing: 0.1,
  steps: 0.15,
  manyPods: 0,
};

/** Without features that exclude pods, so that a large number of pods also means many endpoints. */
const withoutExclusions: Partial<Traits> = {
  noFamilies: 0,
  oddAddresses: 0,
  partialAddresses: 0,
  oddSelection: 0,
  oddPorts: 0,
  phases: 0,
  dualStack: 0,
};

interface Theme {
  readonly name: string;
  readonly weight: number;
  readonly traits: Partial<Traits>;
}

/** The emphasis of a case, and its share of 500 cases. */
const themes: readonly Theme[] = [
  { name: 'everyday', weight: 75, traits: {} },
  { name: 'selection', weight: 25, traits: { oddSelection: 0.6, oddLabels: 0.3 } },
  {
    name: 'eligibility',
    weight: 50,
    traits: { phases: 0.5, terminating: 0.25, tolerateUnreadyAnnotation: 0.4, publishNotReady: 0.3, unready: 0.5, partialAddresses: 0.15 },
  },
  { name: 'families', weight: 50, traits: { ipv6: 0.5, dualStack: 0.6, noFamilies: 0.3, partialAddresses: 0.15, headless: 0.3 } },
  {
    name: 'addresses',
    weight: 35,
    traits: { oddAddresses: 0.35, ipv6: 0.4, partialAddresses: 0.1, sharedAddress: 0.15, noUID: 0.2, hostnames: 0.5 },
  },
  { name: 'hostnames', weight: 20, traits: { hostnames: 0.9, headless: 0.7 } },
  { name: 'ports', weight: 60, traits: { namedPorts: 0.7, oddPorts: 0.35, revisions: 0.6, appProtocol: 0.4 } },
  { name: 'sidecars', weight: 20, traits: { sidecars: 0.8, namedPorts: 0.9 } },
  { name: 'subsets', weight: 45, traits: { revisions: 1, namedPorts: 0.8, pods: 12, sharedAddress: 0.25, unready: 0.4 } },
  { name: 'existing', weight: 59, traits: { existing: 1, revisions: 0.6, steps: 0.1 } },
  { name: 'steps', weight: 60, traits: { steps: 1, pods: 5, oddTimes: 0.3 } },
  { name: 'crowd', weight: 1, traits: { ...withoutExclusions, manyPods: 1, revisions: 1, existing: 0.3, steps: 0.3 } },
];

/** Picks the theme of a case. */
export function drawTheme(random: Random): { readonly name: string; readonly traits: Traits } {
  let remainingWeight = random.int(themes.reduce((sum, { weight }) => sum + weight, 0));
  for (const { name, weight, traits } of themes) {
    remainingWeight -= weight;
    if (remainingWeight < 0) return { name, traits: { ...everyday, ...traits } };
  }
  throw new Error('unreachable: the draw is below the sum of the weights');
}
