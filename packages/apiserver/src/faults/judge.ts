import { type Call, matcherOf } from './call.ts';
import { type CallFault, type CallScope, type Fault, type FaultOf, type FaultRule, kinds, type ServerFault, type Span } from './rule.ts';

/** A fault that is due, with all random values resolved. */
export interface Due<F extends Fault = Fault> {
  readonly fault: F;
  /** The scope of its rule. */
  readonly scope: CallScope;
  /** 1-based index among the calls that match this rule. */
  readonly nth: number;
}

/** Faults of the whole server, including a crash before the call is carried out. */
export type Suffered = ServerFault | FaultOf<'crash'>;

/** The faults to inject into a call. */
export interface Verdict {
  /** Milliseconds. */
  readonly latency: number;
  readonly answer?: CallFault;
  readonly drop?: FaultOf<'dropWatch'>;
  readonly stall?: FaultOf<'stallWatch'>;
}

/** Counts calls and determines which faults are due. */
export interface Judge {
  /**
   * Evaluates faults of the server; call it before callFaults. Rules for `restart` also count calls while the server is down. Other rules
   * do not count such calls, nor a call at which the server goes down.
   */
  serverFaults(call: Call, isUp: () => boolean, inject: (due: Due<Suffered>) => void): void;
  /** Returns undefined if no fault is due. */
  callFaults(call: Call, note: (due: Due<CallFault>) => void): Verdict | undefined;
}

export function createJudge(rules: readonly FaultRule[], seed: number): Judge {
  const clerks = rules.map((rule, index) => createClerk(rule, createDraw(seed, index)));
  const ofServer = clerks.filter(({ sort }) => sort === 'server');
  const ofCalls = clerks.filter(({ sort }) => sort !== 'server');
  return {
    serverFaults(call, isUp, inject) {
      const counted = ofServer.filter((clerk) => {
        if (!clerk.evenWhileDown && !isUp()) return false;
        const due = clerk.look(call);
        if (due) inject(clerk.take(due) as Due<Suffered>);
        return !clerk.evenWhileDown;
      });
      if (!isUp()) for (const clerk of counted) clerk.unsee(call);
    },
    callFaults(call, note) {
      const found = new Map<string, Due<CallFault>>();
      let latency = 0;
      for (const clerk of ofCalls) {
        const due = clerk.look(call);
        if (!due || found.has(clerk.slot)) continue;
        const taken = clerk.take(due) as Due<CallFault>;
        note(taken);
        if (taken.fault.fault === 'latency') latency += taken.fault.milliseconds as number;
        else found.set(clerk.slot, taken);
      }
      return found.size === 0 && latency === 0 ? undefined : verdictOf(latency, found);
    },
  };
}

function verdictOf(latency: number, found: ReadonlyMap<string, Due<CallFault>>): Verdict {
  const [answer, drop, stall] = ['answer', 'dropWatch', 'stallWatch'].map((slot) => found.get(slot)?.fault);
  return {
    latency,
    ...(answer && { answer }),
    ...(drop && { drop: drop as FaultOf<'dropWatch'> }),
    ...(stall && { stall: stall as FaultOf<'stallWatch'> }),
  };
}

/** The state of one rule. */
interface Clerk {
  readonly sort: string;
  /** A call gets at most one fault per slot, except for latencies, which add up. */
  readonly slot: string;
  readonly evenWhileDown: boolean;
  /** Counts a call if it matches. Returns its 1-based index if the fault is due. */
  look(call: Call): number | undefined;
  /** Takes back the counting of a call. */
  unsee(call: Call): void;
  take(nth: number): Due;
}

function createClerk(rule: FaultRule, draw: Draw): Clerk {
  const { when, verbs, resources, namespaces, ...fault } = rule;
  const kind = kinds[rule.fault];
  const scope: CallScope = { ...(verbs && { verbs }), ...(resources && { resources }), ...(namespaces && { namespaces }) };
  const matches = matcherOf({ ...scope, verbs: verbs ?? kind.usual ?? kind.verbs });
  const { first, most, chance } = readWhen(when);
  let seen = 0;
  let taken = 0;
  const concerns = (call: Call): boolean => matches(call) && (rule.fault !== 'expired' || resumes(call));
  return {
    sort: rule.fault === 'crash' && rule.at === 'before' ? 'server' : kind.sort,
    slot: kind.sort === 'watch' ? rule.fault : kind.sort,
    evenWhileDown: rule.fault === 'restart',
    look(call) {
      if (!concerns(call)) return undefined;
      seen += 1;
      const hit = chance === 1 || draw() < chance;
      return hit && seen >= first && taken < most ? seen : undefined;
    },
    unsee(call) {
      if (concerns(call)) seen -= 1;
    },
    take(nth) {
      taken += 1;
      return { fault: settled(fault as Fault, draw), scope, nth };
    },
  };
}

function readWhen(when: FaultRule['when'] = 'once'): { readonly first: number; readonly most: number; readonly chance: number } {
  if (when === 'once') return { first: 1, most: 1, chance: 1 };
  if (when === 'always') return { first: 1, most: Number.POSITIVE_INFINITY, chance: 1 };
  const { nth = 1, chance } = when;
  if (chance === undefined) return { first: nth, most: when.times ?? 1, chance: 1 };
  return { first: nth, most: when.times ?? Number.POSITIVE_INFINITY, chance };
}

/** Only a watch from a specific version can have expired. */
const resumes = ({ resourceVersion = '' }: Call): boolean => /^[1-9]\d*$/.test(resourceVersion);

const spans: readonly string[] = ['afterEvents', 'afterMilliseconds', 'forMilliseconds', 'milliseconds', 'downMilliseconds'];

function settled(fault: Fault, draw: Draw): Fault {
  const fields = Object.entries(fault).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name, spans.includes(name) ? within(value as Span, draw) : value])) as Fault;
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

/** A random number of a span; an integer if both ends are integers. */
export function within(span: Span, draw: Draw): number {
  if (typeof span === 'number') return span;
  const [lowest, highest] = span;
  const whole = Number.isInteger(lowest) && Number.isInteger(highest);
  return whole ? lowest + Math.floor(draw() * (highest - lowest + 1)) : lowest + draw() * (highest - lowest);
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
