import type { Random } from '../random.ts';
import { everyday, type Traits } from './themes.ts';

/** The frequency of slice features in a case, like `Traits`; `nodes` and `steps` are maximum numbers. */
export interface SliceTraits {
  readonly nodes: number;
  /** Identical nodes with pods spread evenly, so that topology hints are assigned. */
  readonly even: number;
  readonly oddNodes: number;
  /** Pods without a node, or with a node that does not exist. */
  readonly lostNode: number;
  /** Services with a topology annotation. */
  readonly topology: number;
  /** Services with a trafficDistribution. */
  readonly distribution: number;
  readonly existing: number;
  readonly steps: number;
  readonly terminating: number;
  readonly severalIPs: number;
  /** A small maximum of endpoints per slice, so that many slices are needed. */
  readonly smallMax: number;
  /** Hundreds or thousands of pods. */
  readonly manyPods: number;
}

export interface SliceTheme {
  readonly name: string;
  readonly traits: Traits;
  readonly slices: SliceTraits;
}

const defaultSliceTraits: SliceTraits = {
  nodes: 6,
  even: 0.3,
  oddNodes: 0.1,
  lostNode: 0.003,
  topology: 0.1,
  distribution: 0.15,
  existing: 0.25,
  steps: 3,
  terminating: 0.05,
  severalIPs: 0.03,
  smallMax: 0.5,
  manyPods: 0,
};

/** For cases with many endpoints or hints: pods that all belong to the Service and are nearly all ready. */
const healthyPods: Partial<Traits> = {
  noFamilies: 0,
  oddAddresses: 0,
  partialAddresses: 0,
  oddSelection: 0,
  oddPorts: 0,
  phases: 0,
  unready: 0.03,
  terminating: 0,
  namedPorts: 0.1,
  revisions: 0.05,
};

/** Rare, because up to about 1.23 a slice refers to a random pod if two have the same address. */
const rarelySharedAddresses: Partial<Traits> = { sharedAddress: 0.005 };

interface WeightedTheme {
  readonly name: string;
  readonly weight: number;
  readonly traits: Partial<Traits>;
  readonly slices: Partial<SliceTraits>;
}

/** The emphasis of a case, and its relative frequency. */
const themes: readonly WeightedTheme[] = [
  { name: 'everyday', weight: 60, traits: {}, slices: {} },
  { name: 'selection', weight: 20, traits: { oddSelection: 0.6, oddLabels: 0.4 }, slices: {} },
  {
    name: 'eligibility',
    weight: 40,
    traits: { phases: 0.4, publishNotReady: 0.3, unready: 0.5, partialAddresses: 0.15 },
    slices: { terminating: 0.5 },
  },
  { name: 'families', weight: 45, traits: { ipv6: 0.5, dualStack: 0.7, noFamilies: 0.2, headless: 0.4 }, slices: { severalIPs: 0.2 } },
  { name: 'addresses', weight: 25, traits: { oddAddresses: 0.35, ipv6: 0.4, sharedAddress: 0.1, noUID: 0.1, hostnames: 0.5 }, slices: {} },
  {
    name: 'ports',
    weight: 40,
    traits: { namedPorts: 0.7, oddPorts: 0.3, revisions: 0.7, appProtocol: 0.4, sidecars: 0.3, headless: 0.4 },
    slices: {},
  },
  { name: 'nodes', weight: 30, traits: {}, slices: { lostNode: 0.2, oddNodes: 0.3 } },
  { name: 'packing', weight: 60, traits: { ...healthyPods, pods: 40, dualStack: 0.15 }, slices: { smallMax: 1, steps: 6, existing: 0.4 } },
  { name: 'existing', weight: 60, traits: { pods: 12, revisions: 0.5 }, slices: { existing: 1, steps: 2, smallMax: 0.8 } },
  {
    name: 'topology',
    weight: 60,
    traits: { ...healthyPods, pods: 60, dualStack: 0.2 },
    slices: { lostNode: 0, topology: 0.95, even: 0.8, nodes: 9, steps: 4, distribution: 0.1 },
  },
  {
    name: 'distribution',
    weight: 45,
    traits: { ...healthyPods, unready: 0.2, pods: 14, dualStack: 0.2 },
    slices: { distribution: 0.95, oddNodes: 0.2, steps: 4, topology: 0.05, terminating: 0.1 },
  },
  { name: 'crowd', weight: 6, traits: { ...healthyPods }, slices: { manyPods: 1, steps: 2, smallMax: 0.1, topology: 0.2, even: 0.7 } },
];

/** Picks the theme of a slice case. */
export function drawSliceTheme(random: Random): SliceTheme {
  let remainingWeight = random.int(themes.reduce((sum, { weight }) => sum + weight, 0));
  for (const { name, weight, traits, slices } of themes) {
    remainingWeight -= weight;
    if (remainingWeight < 0)
      return { name, traits: { ...everyday, ...rarelySharedAddresses, ...traits }, slices: { ...defaultSliceTraits, ...slices } };
  }
  throw new Error('unreachable: the draw is below the sum of the weights');
}
