import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../../cluster/cluster.ts';
import type { ApplicationSettings } from '../../network/application.ts';
import { completeWorld } from '../complete-world.ts';
import { applicationFields, checkEnvironment } from '../environment.ts';
import { type Fields, findOnly, isMap, list, optional, type Read, record, time, wholeNumber } from '../fields.ts';
import { type ChangeOptions, checkChange, createRolloutScenario, type RolloutCheck, type RuleFix } from '../rollout.ts';
import type { Action, Scenario } from '../scenario.ts';
import { isSimulated, type World } from '../world.ts';
import { faultRows } from './faults.ts';
import { keepOutRules } from './keep-out.ts';
import type { CreateOverrides } from './rules.ts';
import { planApply, type StepPlan, stepRows } from './steps.ts';
import { type ContainerSelection, containerFields, selection, selectsContainer } from './targets.ts';

export interface SimulationOptions extends ChangeOptions {
  /** How processes of some containers differ from `application`: `{ selector: { app: 'web' }, application: { drainSeconds: 5 } }`. */
  readonly applications?: readonly unknown[];
  /** Endpoint override rules with their times: `{ from: '10s', to: '1m', rule: { name: 'batch', action: ... } }`. */
  readonly rules?: readonly unknown[];
  /** Faults with their times: `{ from: '10s', to: '1m', stallWatch: { component: 'kube-proxy/n1' } }`. */
  readonly faults?: readonly unknown[];
  /** What happens, in order of time: `{ at: '30s', restart: { kind: 'Deployment', namespace: 'shop', name: 'web' } }`. */
  readonly steps?: readonly unknown[];
  /** `createOverrides` of @kube-endpoints/overrides, for `rules`. */
  readonly createOverrides?: CreateOverrides;
}

/**
 * Checks whether a scenario drops requests, within the ranges of all delays: steps, faults and rules at their times since its start. A fix is
 * searched in the objects, and in those that its steps apply.
 * @throws ApiError if an object of `objects` is invalid
 * @throws RangeError naming the first wrong field, and what it accepts
 */
export function checkSimulation(options: SimulationOptions): RolloutCheck {
  const { objects, applications, rules, faults, steps, createOverrides, seeds, searchesFix, ...environment } = options;
  checkEnvironment(environment, ['objects', 'applications', 'steps', 'faults', 'rules', 'seeds']);
  const read = readScenario({ applications, rules, faults, steps });
  optional(wholeNumber(0, 1000))('seeds', seeds);
  if (read.rules.length > 0) checkRules(read.rules, createOverrides);
  const applied = read.steps.map(({ plan }) => plan.objects ?? []);
  const world = completeWorld({ objects, change: applied.flat() });
  const intervals = [...read.rules.map((rule) => planRule(rule, read.rules)), ...read.faults.map(planFault)];
  // At the same time, what ends does so before anything begins, and before the steps.
  const ends = intervals.flatMap(([, end]) => end ?? []);
  const begins = intervals.map(([begin]) => begin);
  const createPlans = ({ change }: World): LocatedPlan[] =>
    [...ends, ...begins, ...completeSteps(read.steps, change)].sort((a, b) => a.at - b.at);
  const used = new Set<ApplicationRow>();
  const result = checkChange(
    world,
    { ...environment, ...(seeds !== undefined && { seeds }), ...(searchesFix !== undefined && { searchesFix }) },
    (candidate) => ({
      objects: candidate.objects,
      actions: createPlans(candidate).map(toAction),
      ...(read.applications.length > 0 && { applicationOf: createApplicationOf(read.applications, used) }),
      ...(read.rules.length > 0 && { createOverrides }),
      ...(isRollout(read) && { prove: createRolloutScenario(candidate).prove }),
    }),
  );
  const unused = read.applications.findIndex((row) => !used.has(row));
  if (unused >= 0)
    throw new RangeError(`applications[${unused}]: no container of any run is selected: correct the namespace, name, labels or image`);
  const ruleFix = result.verdict === 'drops' && searchesFix !== false ? findRuleFix(options, read.steps) : undefined;
  return {
    ...result,
    ...(ruleFix && { ruleFix }),
    steps: createPlans(world).map(({ at, plan }) => ({ at, summary: plan.summary })),
  };
}

/** Checks rules that keep pods out while a load balancer is without them. Undefined if the scenario drops requests with them, too. */
function findRuleFix(options: SimulationOptions, steps: readonly LocatedPlan[]): RuleFix | undefined {
  const added = options.createOverrides ? keepOutRules(steps) : [];
  if (added.length === 0) return undefined;
  const check = checkSimulation({ ...options, rules: [...(options.rules ?? []), ...added], searchesFix: false });
  return check.verdict === 'safe' ? { rules: added, check } : undefined;
}

/** Whether a scenario only applies objects, all at one time. */
const isRollout = ({ applications, rules, faults, steps }: ReadScenario): boolean =>
  applications.length + rules.length + faults.length === 0 && steps.every(({ at, plan }) => plan.objects && at === steps[0]?.at);

/** A step, or the start or end of a fault or rule. */
interface LocatedPlan {
  readonly at: number;
  /** The field, for errors. */
  readonly path: string;
  readonly plan: StepPlan;
}

interface Interval<T> {
  readonly path: string;
  readonly from: number;
  /** Absent if it lasts until the end. */
  readonly to: number | undefined;
  readonly value: T;
}

interface ApplicationRow extends ContainerSelection {
  readonly application: Partial<ApplicationSettings>;
}

interface ReadScenario {
  readonly applications: readonly ApplicationRow[];
  readonly rules: readonly Interval<unknown>[];
  readonly faults: readonly Interval<ReturnType<(typeof faultRows)['crash']>>[];
  readonly steps: readonly LocatedPlan[];
}

const maxItems = 200;

/** Reads one of several rows, besides the fields of its times. */
const oneOfRows =
  <T, R>(rows: Readonly<Record<string, Read<T>>>, times: Fields, create: (path: string, times: never, value: T) => R): Read<R> =>
  (path, value) => {
    record({ ...times, ...Object.fromEntries(Object.keys(rows).map((name) => [name, () => undefined])) })(path, value);
    const map = value as Readonly<Record<string, unknown>>;
    const name = findOnly(path, map, Object.keys(rows));
    const row = (rows[name] as Read<T>)(`${path}.${name}`, map[name]);
    const readTimes = record(times)(path, Object.fromEntries(Object.keys(times).map((each) => [each, map[each]])));
    return create(`${path}.${name}`, readTimes as never, row);
  };

function createInterval<T>(path: string, { from = 0, to }: { readonly from?: number; readonly to?: number }, value: T): Interval<T> {
  const parent = path.slice(0, path.lastIndexOf('.'));
  if (to !== undefined && to <= from) throw new RangeError(`${parent}.to: give a time after ${parent}.from (${from / 1000}s)`);
  return { path, from, to, value };
}

const interval = <T>(rows: Readonly<Record<string, Read<T>>>): Read<readonly Interval<T>[]> =>
  list(oneOfRows(rows, { from: optional(time), to: optional(time) }, createInterval<T>), maxItems);

const rule: Read<unknown> = (path, value) => {
  if (!isMap(value)) throw new RangeError(`${path}: give an endpoint override rule with name and action`);
  return value;
};

function readScenario({ applications = [], rules = [], faults = [], steps = [] }: Readonly<Record<string, unknown>>): ReadScenario {
  return {
    applications: list(selection({ ...containerFields, application: applicationFields }), maxItems)('applications', applications),
    rules: interval({ rule })('rules', rules),
    faults: interval(faultRows)('faults', faults),
    steps: readSteps(steps),
  };
}

function readSteps(steps: unknown): readonly LocatedPlan[] {
  let previous = 0;
  return list(
    oneOfRows(stepRows, { at: time }, (path, { at }: { readonly at: number }, plan): LocatedPlan => {
      if (at < previous)
        throw new RangeError(
          `${path.slice(0, path.lastIndexOf('.'))}.at: give a time that is not before the previous step, such as ${previous / 1000}s`,
        );
      previous = at;
      return { path, at, plan };
    }),
    maxItems,
  )('steps', steps);
}

/** The steps with completed objects. @param change the objects of all steps that apply some, in their order */
function completeSteps(steps: readonly LocatedPlan[], change: readonly ApiObject[]): readonly LocatedPlan[] {
  let next = 0;
  return steps.map((step) => {
    if (!step.plan.objects) return step;
    const { length } = step.plan.objects.filter(isSimulated);
    next += length;
    return { ...step, plan: planApply(change.slice(next - length, next)) };
  });
}

type IntervalPlans = readonly [begin: LocatedPlan, end?: LocatedPlan];

function planFault({ path, from, to, value: { summary, endSummary, start } }: ReadScenario['faults'][number]): IntervalPlans {
  const ends = new WeakMap<Cluster, () => void>();
  const begin: LocatedPlan = {
    path,
    at: from,
    plan: {
      summary,
      run: (context) => {
        const now = context.cluster.clock.now();
        ends.set(context.cluster, start(context, to === undefined ? undefined : now + to - from));
      },
    },
  };
  if (to === undefined) return [begin];
  return [begin, { path, at: to, plan: { summary: endSummary, run: ({ cluster }) => ends.get(cluster)?.() } }];
}

/** A rule begins and ends together with others of the same time: each change sets all rules that are then in force. */
function planRule({ path, from, to, value }: Interval<unknown>, all: readonly Interval<unknown>[]): IntervalPlans {
  const { name } = value as { readonly name?: string };
  const setRules = (at: number): StepPlan['run'] => {
    const inForce = all.filter((each) => each.from <= at && (each.to === undefined || at < each.to));
    return ({ rules }) => rules?.setRules(inForce.map((each) => each.value));
  };
  const begin = { path, at: from, plan: { summary: `the rule ${name} is in force`, run: setRules(from) } };
  return to === undefined ? [begin] : [begin, { path, at: to, plan: { summary: `the rule ${name} ends`, run: setRules(to) } }];
}

/** @throws RangeError if a rule is invalid */
function checkRules(rules: readonly Interval<unknown>[], createOverrides: CreateOverrides | undefined): void {
  if (!createOverrides) throw new RangeError('rules: give createOverrides of @kube-endpoints/overrides, too');
  const values: readonly unknown[] = rules.map(({ value }) => value);
  try {
    createOverrides({ rules: values as readonly never[] });
  } catch (error) {
    const [problem] = (error as { readonly problems?: readonly { path: string; message: string; fix: string }[] }).problems ?? [];
    if (!problem) throw error;
    throw new RangeError(`${problem.path.replace(/^rules\[\d+\]/, '$&.rule')}: ${problem.message}: ${problem.fix}`, { cause: error });
  }
}

/** @param used receives the rows that select a container */
const createApplicationOf =
  (rows: readonly ApplicationRow[], used: Set<ApplicationRow>): NonNullable<Scenario['applicationOf']> =>
  (reader, container) => {
    const selected = rows.filter((row) => selectsContainer(reader, row, container));
    for (const row of selected) used.add(row);
    return Object.assign({}, ...selected.map((row) => row.application));
  };

/** An action whose errors name the field. A message that starts with a point continues the field. */
const toAction = ({ at, path, plan }: LocatedPlan): Action => ({
  at,
  ...(plan.remaining && { remaining: plan.remaining }),
  run: (context) => {
    try {
      plan.run(context);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof RangeError)) throw error;
      const { message } = error;
      throw new RangeError(`${path}${message.startsWith('.') ? '' : ': '}${message}`, { cause: error });
    }
  },
});
