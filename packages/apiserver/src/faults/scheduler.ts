import { type Call, createCallMatcher } from './call.ts';
import {
  type CallFault,
  type CallScope,
  type Fault,
  type FaultOf,
  type FaultRule,
  propertiesByKind,
  type ServerFault,
  type Span,
} from './rule.ts';

/** A fault that is due, with all random values resolved. */
export interface DueFault<F extends Fault = Fault> {
  readonly fault: F;
  /** The scope of the fault's rule. */
  readonly scope: CallScope;
  /** 1-based index among the calls that match this rule. */
  readonly nth: number;
}

/** Faults of the whole server, including a crash before the call is executed. */
export type ServerWideFault = ServerFault | FaultOf<'crash'>;

/** The due faults of a call, by category. */
export interface DueCallFaults {
  /** The sum of all due latencies, in milliseconds. */
  readonly latency: number;
  readonly answer?: CallFault;
  readonly drop?: FaultOf<'dropWatch'>;
  readonly stall?: FaultOf<'stallWatch'>;
}

/** Counts calls and determines which faults are due. */
export interface FaultScheduler {
  /**
   * Evaluates faults of the server; must be called before `evaluateCallFaults`. Rules for `restart` count all calls. Other rules
   * count neither calls while the server is down nor the call at which it crashes.
   */
  evaluateServerFaults(call: Call, isUp: () => boolean, inject: (dueFault: DueFault<ServerWideFault>) => void): void;
  /** Evaluates faults of a call and reports each to `onInjected`. Returns undefined if no fault is due. */
  evaluateCallFaults(call: Call, onInjected: (dueFault: DueFault<CallFault>) => void): DueCallFaults | undefined;
}

export function createFaultScheduler(rules: readonly FaultRule[], seed: number): FaultScheduler {
  const ruleStates = rules.map((rule, index) => createRuleState(rule, createRandomSource(seed, index)));
  const serverRules = ruleStates.filter(({ category }) => category === 'server');
  const callRules = ruleStates.filter(({ category }) => category !== 'server');
  return {
    evaluateServerFaults(call, isUp, inject) {
      const countedRules = serverRules.filter((state) => {
        if (!state.countsWhileDown && !isUp()) return false;
        const dueIndex = state.countCall(call);
        if (dueIndex) inject(state.createDueFault(dueIndex) as DueFault<ServerWideFault>);
        return !state.countsWhileDown;
      });
      if (!isUp()) for (const state of countedRules) state.uncountCall(call);
    },
    evaluateCallFaults(call, onInjected) {
      const dueFaults = new Map<string, DueFault<CallFault>>();
      let latency = 0;
      for (const state of callRules) {
        const dueIndex = state.countCall(call);
        if (!dueIndex || dueFaults.has(state.exclusionGroup)) continue;
        const dueFault = state.createDueFault(dueIndex) as DueFault<CallFault>;
        onInjected(dueFault);
        if (dueFault.fault.fault === 'latency') latency += dueFault.fault.milliseconds as number;
        else dueFaults.set(state.exclusionGroup, dueFault);
      }
      return dueFaults.size === 0 && latency === 0 ? undefined : groupDueFaults(latency, dueFaults);
    },
  };
}

function groupDueFaults(latency: number, dueFaults: ReadonlyMap<string, DueFault<CallFault>>): DueCallFaults {
  const [answer, drop, stall] = ['answer', 'dropWatch', 'stallWatch'].map((group) => dueFaults.get(group)?.fault);
  return {
    latency,
    ...(answer && { answer }),
    ...(drop && { drop: drop as FaultOf<'dropWatch'> }),
    ...(stall && { stall: stall as FaultOf<'stallWatch'> }),
  };
}

interface RuleState {
  readonly category: string;
  /** A call gets at most one fault per group, except for latencies, which add up. */
  readonly exclusionGroup: string;
  readonly countsWhileDown: boolean;
  /** Counts a call if it matches. Returns the 1-based index of the call if the fault is due, otherwise undefined. */
  countCall(call: Call): number | undefined;
  /** Reverts countCall. */
  uncountCall(call: Call): void;
  /** Creates the fault and counts it for `times`. */
  createDueFault(nth: number): DueFault;
}

function createRuleState(rule: FaultRule, drawNumber: RandomSource): RuleState {
  const { when, verbs, resources, namespaces, ...fault } = rule;
  const kindProperties = propertiesByKind[rule.fault];
  const scope: CallScope = { ...(verbs && { verbs }), ...(resources && { resources }), ...(namespaces && { namespaces }) };
  const matches = createCallMatcher({ ...scope, verbs: verbs ?? kindProperties.defaultVerbs ?? kindProperties.verbs });
  const { firstIndex, maxTimes, chance } = parseWhen(when);
  let matchingCallCount = 0;
  let injectedCount = 0;
  const appliesTo = (call: Call): boolean => matches(call) && (rule.fault !== 'expired' || startsAtVersion(call));
  return {
    category: rule.fault === 'crash' && rule.at === 'before' ? 'server' : kindProperties.category,
    exclusionGroup: kindProperties.category === 'watch' ? rule.fault : kindProperties.category,
    countsWhileDown: rule.fault === 'restart',
    countCall(call) {
      if (!appliesTo(call)) return undefined;
      matchingCallCount += 1;
      const isHit = chance === 1 || drawNumber() < chance;
      return isHit && matchingCallCount >= firstIndex && injectedCount < maxTimes ? matchingCallCount : undefined;
    },
    uncountCall(call) {
      if (appliesTo(call)) matchingCallCount -= 1;
    },
    createDueFault(nth) {
      injectedCount += 1;
      return { fault: resolveSpans(fault as Fault, drawNumber), scope, nth };
    },
  };
}

function parseWhen(when: FaultRule['when'] = 'once'): { readonly firstIndex: number; readonly maxTimes: number; readonly chance: number } {
  if (when === 'once') return { firstIndex: 1, maxTimes: 1, chance: 1 };
  if (when === 'always') return { firstIndex: 1, maxTimes: Number.POSITIVE_INFINITY, chance: 1 };
  const { nth = 1, chance } = when;
  if (chance === undefined) return { firstIndex: nth, maxTimes: when.times ?? 1, chance: 1 };
  return { firstIndex: nth, maxTimes: when.times ?? Number.POSITIVE_INFINITY, chance };
}

/** Whether a watch starts from a specific version, which can have expired. */
const startsAtVersion = ({ resourceVersion = '' }: Call): boolean => /^[1-9]\d*$/.test(resourceVersion);

const spanFields: readonly string[] = ['afterEvents', 'afterMilliseconds', 'forMilliseconds', 'milliseconds', 'downMilliseconds'];

function resolveSpans(fault: Fault, drawNumber: RandomSource): Fault {
  const fields = Object.entries(fault).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    fields.map(([name, value]) => [name, spanFields.includes(name) ? drawFrom(value as Span, drawNumber) : value]),
  ) as Fault;
}

/** Returns the next random number: at least 0 and less than 1. */
export type RandomSource = () => number;

/** Creates a source whose numbers depend only on seed and stream. Uses the finalizer of MurmurHash3. */
export function createRandomSource(seed: number, stream: number): RandomSource {
  let state = mix(mix(seed % 2 ** 32) ^ mix(Math.floor(seed / 2 ** 32) + 1)) ^ mix(stream + 1);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return mix(state) / 2 ** 32;
  };
}

/** Draws a random number from a span; an integer if both ends are integers. */
export function drawFrom(span: Span, drawNumber: RandomSource): number {
  if (typeof span === 'number') return span;
  const [lowest, highest] = span;
  const isIntegerSpan = Number.isInteger(lowest) && Number.isInteger(highest);
  return isIntegerSpan ? lowest + Math.floor(drawNumber() * (highest - lowest + 1)) : lowest + drawNumber() * (highest - lowest);
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
