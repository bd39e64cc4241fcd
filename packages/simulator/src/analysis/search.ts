import type { ApiObject } from 'kube-endpoints/port';
import { jobKind } from '../workloads/job/objects.ts';
import { type FixName, type FixRow, fixRows, type Workload } from './fixes.ts';
import { isWorkload, keyOf, type World } from './world.ts';

/** A part of a fix. */
export interface FixPart {
  readonly name: FixName;
  /** For example "Deployment shop/web". */
  readonly workloads: readonly string[];
  /** The field that it sets, relative to the workload. */
  readonly path: string;
  /** The whole number that it sets; absent if the field has none. */
  readonly value?: number;
  /** The objects that it creates before the change; absent if it only sets fields. */
  readonly creates?: readonly ApiObject[];
  readonly summary: string;
  /** Whether pods need it that run before the change: the rollout that adds it is not safe yet. */
  readonly needsRollout: boolean;
}

/** Values by row; absent rows do not apply. */
type Values = ReadonlyMap<FixRow, number>;

export interface FoundFix {
  readonly parts: readonly FixPart[];
  /** Applies the fix, or the parts of it that are used, to a world with the same workloads. */
  apply(world: World, isUsed?: (part: FixName) => boolean): World;
  /** The same fix, with pods that end later by some seconds; undefined if no part of it lets them. */
  endLater(seconds: number): FoundFix | undefined;
}

/** The parts that let pods end later. */
const endingParts: readonly FixName[] = ['preStopSleep', 'gracePeriod'];

/** What `findFix` tries, for example "a preStop sleep". */
export function listFixes(world: World): readonly string[] {
  const workloads = findWorkloads(world);
  return fixRows.filter((row) => workloads.some((workload) => row.range(workload, world))).map(({ summary }) => summary);
}

/**
 * Searches the smallest fix: a single row of the table in its order, with the least value; or, if none is enough, all rows from which none can
 * be removed, with the least values. A larger value is assumed to be as safe as a smaller one.
 * @param isSafe runs a world
 * @param smaller a fix that a smaller world needs: this one needs at least its values
 * @returns undefined if all rows together are not enough
 */
export function findFix(world: World, isSafe: (world: World) => boolean, smaller?: FoundFix): FoundFix | undefined {
  const workloads = findWorkloads(world);
  const isEnough = (values: Values): boolean => isSafe(applyValues(world, workloads, values));
  const rangesOf = (row: FixRow): Range[] => listTargets(world, workloads, row).flatMap((workload) => row.range(workload, world) ?? []);
  const strongest = new Map(
    fixRows.flatMap((row) => {
      const ranges = rangesOf(row);
      return ranges.length > 0 ? [[row, Math.min(...ranges.map(({ max }) => max))] as const] : [];
    }),
  );
  const rows = chooseRows(strongest, isEnough);
  if (!rows) return undefined;
  let values: Values = rows;
  for (const row of rows.keys()) {
    const least = smaller?.parts.find(({ name }) => name === row.name)?.value ?? 0;
    const start = Math.max(least, Math.min(...rangesOf(row).map(({ min }) => min)));
    const isValueEnough = (value: number): boolean => isEnough(new Map([...values, [row, value]]));
    values = new Map([...values, [row, findLeast(start, rows.get(row) as number, isValueEnough)]]);
  }
  const create = (chosen: Values): FoundFix => ({
    parts: [...chosen].map(([row, value]) => describePart(row, value, listTargets(world, workloads, row), world)),
    apply: (target, isUsed = () => true) => applyValues(target, workloads, new Map([...chosen].filter(([{ name }]) => isUsed(name)))),
    endLater(seconds) {
      const row = [...chosen.keys()].find(({ name }) => endingParts.includes(name));
      const value = row && (chosen.get(row) as number) + seconds;
      return row && value !== undefined && value <= (strongest.get(row) ?? 0) ? create(new Map([...chosen, [row, value]])) : undefined;
    },
  });
  return create(values);
}

/** The first single row that is enough, or all rows without those that can be removed, largest first. */
function chooseRows(strongest: Values, isEnough: (values: Values) => boolean): Values | undefined {
  for (const [row, value] of strongest) {
    const values = new Map([[row, value]]);
    if (isEnough(values)) return values;
  }
  if (strongest.size < 2 || !isEnough(strongest)) return undefined;
  let values = strongest;
  for (const row of [...strongest.keys()].reverse()) {
    const others = new Map([...values].filter(([each]) => each !== row));
    if (others.size > 0 && isEnough(others)) values = others;
  }
  return values;
}

/** The least value that is enough, at most `enough`: in growing steps from `start`, because it is mostly small, then by binary search. */
export function findLeast(start: number, enough: number, isEnough: (value: number) => boolean): number {
  let [low, high] = [start, enough];
  for (let step = 1; low < high && low + step - 1 < high; step *= 2) {
    const value = low + step - 1;
    if (isEnough(value)) high = value;
    else low = value + 1;
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

/** The workloads that the change applies; if it applies none, all workloads. */
function findWorkloads({ objects, change }: World): readonly Workload[] {
  const changed = change.filter(isWorkload);
  return changed.length > 0 ? changed : objects.filter(isWorkload);
}

type Range = NonNullable<ReturnType<FixRow['range']>>;

/** The workloads that a row sets: those with pods that run before the change, too, if they need it, or if their template cannot change. */
function listTargets({ objects }: World, workloads: readonly Workload[], row: FixRow): readonly Workload[] {
  const keys = new Set(workloads.map(keyOf));
  const before = objects.filter((object) => isWorkload(object) && keys.has(keyOf(object)) && isSetBefore(object, row));
  return [...workloads, ...before];
}

/** Whether a row sets an object before the change as well: if pods need it, and in a Job, whose template cannot change. */
const isSetBefore = ({ kind }: ApiObject, { needed }: FixRow): boolean => needed === 'pods' || kind === jobKind.kind;

/** Applies values to the change, and where `isSetBefore` says so, to the objects. */
function applyValues(world: World, workloads: readonly Workload[], values: Values): World {
  const { objects, change } = world;
  const keys = new Set(workloads.map(keyOf));
  const changesWorkloads = change.some(isWorkload);
  const fix = (object: ApiObject, isChange: boolean): ApiObject =>
    !isWorkload(object) || !keys.has(keyOf(object))
      ? object
      : [...values].reduce<Workload>(
          (workload, [row, value]) =>
            (isChange || !changesWorkloads || isSetBefore(workload, row)) && isSetIn(workload, row, value, world)
              ? row.apply(workload, value)
              : workload,
          object as Workload,
        );
  const created = [...values.keys()].flatMap((row) => createObjects(row, workloads, world));
  return { objects: [...objects.map((object) => fix(object, false)), ...created], change: change.map((object) => fix(object, true)) };
}

/** Whether a row changes a workload: a field that already has the value, or a larger one, stays. */
function isSetIn(workload: Workload, row: FixRow, value: number, world: World): boolean {
  const range = row.range(workload, world);
  return range !== undefined && value >= range.min;
}

const createObjects = (row: FixRow, workloads: readonly Workload[], world: World): readonly ApiObject[] =>
  workloads.flatMap((workload) => (row.create && row.range(workload, world) ? [row.create(workload)] : []));

function describePart(row: FixRow, value: number, workloads: readonly Workload[], world: World): FixPart {
  const { name, path, needed, hasNumber } = row;
  const names = [...new Set(workloads.filter((workload) => isSetIn(workload, row, value, world)).map(keyOf))];
  const creates = createObjects(row, workloads, world);
  return {
    name,
    workloads: names,
    path,
    ...(hasNumber && { value }),
    ...(creates.length > 0 && { creates }),
    summary: `${row.describe(value)} ${row.create ? 'of' : 'in'} ${names.join(', ')}`,
    needsRollout: needed === 'pods',
  };
}
