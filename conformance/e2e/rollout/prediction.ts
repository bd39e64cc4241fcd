import type { Drop } from '@kube-endpoints/simulator';
import {
  checkScenario,
  completeWorld,
  createDrainScenario,
  createRolloutScenario,
  runScenario,
  type Scenario,
  startScenario,
} from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { createChoice, createPlans, injectedRanges, machineParts } from './delays.ts';
import { nodeResources, type RowObjects } from './manifests.ts';
import type { Row } from './rows.ts';

/** What the simulator says about a row. */
export interface Prediction {
  /** `drops` if requests fail in a run without a part of the machine; `unclear` if they only do if the machine is slow. */
  readonly verdict: 'safe' | 'drops' | 'unclear' | 'unfinished';
  /** The worst adversary, whose delays are injected. */
  readonly adversary: string;
}

/** The longest request of a client, in milliseconds. */
export const requestMs = 300;

/** `minSyncPeriod` of the proxies, in milliseconds. */
export const minSyncPeriodMs = 1000;

/** Whether no run of one adversary drops requests. */
export function isSafeIn(row: Row, objects: RowObjects, adversary: string): boolean {
  const scenario = createScenario(row, objects);
  return machineParts.every((part) => checkScenario(scenario, createPlans(part, adversary), true).verdict === 'safe');
}

/** Checks a row with all adversaries, and with each part of the machine. */
export function predict(row: Row, objects: RowObjects): Prediction {
  const scenario = createScenario(row, objects);
  const checks = machineParts.map((part) => checkScenario(scenario, createPlans(part)));
  const [exact] = checks as [(typeof checks)[number]];
  const bad = checks.find((check) => check.verdict !== 'safe');
  if (!bad) return { verdict: 'safe', adversary: safeAdversary };
  return { verdict: bad === exact ? bad.verdict : 'unclear', adversary: bad.worst.name };
}

/** What the drops of a trial depend on. */
export interface TrialConditions {
  /** The adversary whose delays are injected. */
  readonly adversary: string;
  /** How long after a whole second the change began, in milliseconds. */
  readonly phaseMs: number;
  /** The share of its slack that the machine added. */
  readonly machineShare: number;
}

/** The drops of the runs of one adversary, with each part of the machine. */
export function predictDrops(row: Row, objects: RowObjects, { adversary, phaseMs, machineShare }: TrialConditions): (readonly Drop[])[] {
  const scenario = createScenario(row, objects);
  const start = startScenario(scenario);
  return machineParts.map((part) => runScenario(scenario, start, createChoice(adversary, part, machineShare), phaseMs).drops);
}

/** The most frequent cause of failing requests: its delays are injected if no run drops any. */
const safeAdversary = 'late routes';

function createScenario({ application, keepAlive = false }: Row, { objects, change, nodes, drained }: RowObjects): Scenario {
  const world = completeWorld({ objects: [...nodes.map(createNode), ...objects], change });
  return {
    ...(drained.length > 0 ? createDrainScenario(drained)(world) : createRolloutScenario(world)),
    ranges: injectedRanges,
    clients: { requestMs, keepAlive, retries: 0 },
    network: { kubeProxy: { minSyncPeriodMs } },
    ...(application && { application }),
  };
}

const createNode = (name: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { capacity: nodeResources, allocatable: nodeResources },
});
