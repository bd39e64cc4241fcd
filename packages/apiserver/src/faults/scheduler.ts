import { type Call, createCallMatcher } from './call.ts';
import { type CallFault, type CallScope, type Fault, type FaultOf, type FaultRule, kinds, type ServerFault, type Span } from './rule.ts';

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

/** The faults to inject into a call. */
export interface DueCallFaults {
  /** Milliseconds. */
  readonly latency: number;
  readonly answer?: CallFault;
  readonly drop?: FaultOf<'dropWatch'>;
  readonly stall?: FaultOf<'stallWatch'>;
}

/** Counts calls and determines which faults are due. */
export interface FaultScheduler {
  /**
   * Evaluates faults of the server; call it before the faults of the call are evaluated. Rules for `restart` count all calls. Other rules
   * count neither calls while the server is down nor the call at which it crashes.
   */
  evaluateServerFaults(call: Call, isUp: () => boolean, inject: (dueFault: DueFault<ServerWideFault>) => void): void;
  /** Evaluates faults of a call and reports each to `onInjected`. Returns undefined if no fault is due. */
  evaluateCallFaults(call: Call, onInjected: (dueFault: DueFault<CallFault>) => void): DueCallFaults | undefined;
}

export function createFaultScheduler(rules: readonly FaultRule[], seed: number): FaultScheduler {
  const ruleStates = rules.map((rule, index) => createRuleState(rule, createDraw(seed, index)));
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
  /** Counts a call if it matches. Returns its 1-based index if the fault is due. */
  countCall(call: Call): number | undefined;
  /** Reverts countCall. */
  uncountCall(call: Call): void;
  /** Creates the fault and counts it for `times`. */
  createDueFault(nth: number): DueFault;
}

function createRuleState(rule: FaultRule, draw: Draw): RuleState {
  const { when, verbs, resources, namespaces, ...fault } = rule;
  const kind = kinds[rule.fault];
  const scope: CallScope = { ...(verbs && { verbs }), ...(resources && { resources }), ...(namespaces && { namespaces }) };
  const matches = createCallMatcher({ ...scope, verbs: verbs ?? kind.defaultVerbs ?? kind.verbs });
  const { first, maxTimes, chance } = parseWhen(when);
  let matchingCalls = 0;
  let injectedCount = 0;
  const appliesTo = (call: Call): boolean => matches(call) && (rule.fault !== 'expired' || startsAtVersion(call));
  return {
    category: rule.fault === 'crash' && rule.at === 'before' ? 'server' : kind.category,
    exclusionGroup: kind.category === 'watch' ? rule.fault : kind.category,
    countsWhileDown: rule.fault === 'restart',
    countCall(call) {
      if (!appliesTo(call)) return undefined;
      matchingCalls += 1;
      const isHit = chance === 1 || draw() < chance;
      return isHit && matchingCalls >= first && injectedCount < maxTimes ? matchingCalls : undefined;
    },
    uncountCall(call) {
      if (appliesTo(call)) matchingCalls -= 1;
    },
    createDueFault(nth) {
      injectedCount += 1;
      return { fault: resolveSpans(fault as Fault, draw), scope, nth };
    },
  };
}

function parseWhen(when: FaultRule['when'] = 'once'): { readonly first: number; readonly maxTimes: number; readonly chance: number } {
  if (when === 'once') return { first: 1, maxTimes: 1, chance: 1 };
  if (when === 'always') return { first: 1, maxTimes: Number.POSITIVE_INFINITY, chance: 1 };
  const { nth = 1, chance } = when;
  if (chance === undefined) return { first: nth, maxTimes: when.times ?? 1, chance: 1 };
  return { first: nth, maxTimes: when.times ?? Number.POSITIVE_INFINITY, chance };
}

/** Whether a watch starts from a specific version, which can have expired. */
const startsAtVersion = ({ resourceVersion = '' }: Call): boolean => /^[1-9]\d*$/.test(resourceVersion);

const spanFields: readonly string[] = ['afterEvents', 'afterMilliseconds', 'forMilliseconds', 'milliseconds', 'downMilliseconds'];

function resolveSpans(fault: Fault, draw: Draw): Fault {
  const fields = Object.entries(fault).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    fields.map(([name, value]) => [name, spanFields.includes(name) ? drawFrom(value as Span, draw) : value]),
  ) as Fault;
}

/** Numbers from 0 up to, but not including, 1. */
export type Draw = () => number;

/** A deterministic sequence per seed and stream. Uses the finalizer of MurmurHash3. */
export function createDraw(seed: number, stream: number): Draw {
  let state = mix(mix(seed % 2 ** 32) ^ mix(Math.floor(seed / 2 ** 32) + 1)) ^ mix(stream + 1);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return mix(state) / 2 ** 32;
  };
}

/** Draws a random number from a span; an integer if both ends are integers. */
export function drawFrom(span: Span, draw: Draw): number {
  if (typeof span === 'number') return span;
  const [lowest, highest] = span;
  const isIntegerSpan = Number.isInteger(lowest) && Number.isInteger(highest);
  return isIntegerSpan ? lowest + Math.floor(draw() * (highest - lowest + 1)) : lowest + draw() * (highest - lowest);
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
