import type { OverrideRule } from '@kube-endpoints/overrides';
import { createBoundChoice, createRandomChoice } from '@kube-endpoints/simulator/internal';
import { isFull } from '../../../../test/support/sample.ts';

type Choice = ReturnType<typeof createRandomChoice>;

const seeds: readonly number[] = Array.from({ length: isFull ? 8 : 3 }, (_, i) => i + 1);

const propagation = ['watch', 'request', 'sync'];

/** Delays at their bounds: which take their minimum; all others take their maximum. */
const bounds: Readonly<Record<string, Parameters<typeof createBoundChoice>[0]>> = {
  'all early': () => true,
  'all late': () => false,
  'web-0 exits early': ({ actor }) => actor.includes('/web-0/'),
  'web-0 and web-1 exit early': ({ actor }) => actor.includes('/web-0/') || actor.includes('/web-1/'),
  'one node early': ({ actor }) => actor === 'kubelet/n0',
  'two nodes early': ({ actor }) => actor === 'kubelet/n0' || actor === 'kubelet/n1',
  'web-0 exits early, propagation early': ({ actor, name }) => actor.includes('/web-0/') || propagation.includes(name),
  'all early, propagation late': ({ name }) => !propagation.includes(name),
  'starts late': ({ name }) => name !== 'imagePull' && name !== 'containerCreation' && name !== 'applicationStart',
};

/** The orders of events that every remedy must stand: random delays, and delays at their bounds. */
export const choices: readonly { readonly name: string; create(): Choice }[] = [
  ...seeds.map((seed) => ({ name: `seed ${seed}`, create: () => createRandomChoice(seed) })),
  ...Object.entries(bounds).map(([name, isEarly]) => ({ name, create: () => createBoundChoice(isEarly) })),
];

export interface RuleCase {
  readonly name: string;
  /** Creates the rule that is in force during the drain, from the addresses of the batch. */
  create(batch: readonly string[]): Omit<OverrideRule, 'name'>;
}

/** The drained hosts are in no full state. */
export const rulesThatTakeOut: readonly RuleCase[] = [
  { name: 'keepOut', create: (ranges) => ({ addresses: { ranges }, action: { keepOut: {} } }) },
  { name: 'keepOut as absent', create: (ranges) => ({ addresses: { ranges }, action: { keepOut: { as: 'absent' } } }) },
  { name: 'move to notReady', create: (ranges) => ({ addresses: { ranges }, action: { move: { to: 'notReady' } } }) },
  { name: 'drop', create: (forbidden) => ({ action: { drop: { forbidden } } }) },
];

/** The drained hosts are in the stored state, which no write replaces. */
export const ruleThatStopsWrites: RuleCase = { name: 'refuse', create: (forbidden) => ({ action: { refuse: { forbidden } } }) };

/** The drained hosts are in the stored state, and writes still change its annotation with the trigger time. */
export const rulesThatDoNotHelp: readonly RuleCase[] = [
  { name: 'keepIn', create: (ranges) => ({ addresses: { ranges }, action: { keepIn: {} } }) },
  { name: 'move to ready', create: (ranges) => ({ addresses: { ranges }, action: { move: { to: 'ready' } } }) },
  { name: 'keepReady', create: () => ({ action: { keepReady: { atLeast: '100%' } } }) },
  { name: 'hold afterUnready', create: () => ({ action: { hold: { afterUnready: 120 } } }) },
  { name: 'hold afterReady', create: () => ({ action: { hold: { afterReady: 15 } } }) },
  { name: 'freeze', create: () => ({ action: { freeze: {} } }) },
];
