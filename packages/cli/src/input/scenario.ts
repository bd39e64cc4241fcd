import { posix } from 'node:path';
import type { ApiObject } from 'kube-endpoints/port';
import { type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { isMap } from './checks.ts';
import { readDocuments } from './documents.ts';
import { readManifests } from './manifests.ts';
import { formatProblem } from './problem.ts';
import { readText } from './sources.ts';

/** A scenario whose files are read. Its fields are not checked yet. */
export interface ScenarioFile {
  readonly objects: readonly ApiObject[];
  /** The other fields. */
  readonly fields: Readonly<Record<string, unknown>>;
}

type ReadObjects = (path: string, value: unknown) => Promise<readonly unknown[]>;

/**
 * Reads a scenario, and the objects of the files that its fields `objects` and `steps[].apply` name, relative to its folder.
 * @param namespace that of objects without one
 * @returns undefined if an object is invalid; its problems are printed
 * @throws UsageError if a file cannot be read, or is not one map
 */
export async function readScenario(
  path: string,
  namespace: string,
  io: Pick<IO, 'stdin' | 'files'>,
  printMessage: PrintMessage,
): Promise<ScenarioFile | undefined> {
  let problemCount = 0;
  const readObjects: ReadObjects = async (field, value) => {
    const items = Array.isArray(value) ? value : [value];
    const lists = await Array.fromAsync(items, async (item) => {
      if (typeof item !== 'string') return [item];
      const filename = posix.isAbsolute(item) ? item : posix.join(posix.dirname(path), item);
      const { manifests, problems } = await readManifests({ filenames: [filename], recursive: false, namespace }, io);
      for (const problem of problems) printMessage('error', `${path}: ${field}: ${formatProblem(problem)}`);
      problemCount += problems.length;
      return manifests.map(({ object }) => object);
    });
    return lists.flat();
  };
  const { objects = [], steps, ...others } = parseScenario(path, await readText(path, io.files, '--scenario'));
  const read = await readObjects('objects', objects);
  const fields = { ...others, ...(steps !== undefined && { steps: await readSteps(steps, readObjects) }) };
  const invalid = read.findIndex((object) => !isObject(object));
  if (invalid >= 0) throw new UsageError(`${path}: objects[${invalid}]: give a file, or an object with kind and metadata.name`);
  return problemCount === 0 ? { objects: read as readonly ApiObject[], fields } : undefined;
}

const isObject = (value: unknown): boolean =>
  isMap(value) && typeof value['kind'] === 'string' && isMap(value['metadata']) && typeof value['metadata']['name'] === 'string';

/** @throws UsageError unless the text is a single map */
function parseScenario(source: string, text: string): Readonly<Record<string, unknown>> {
  const [document, second] = [...readDocuments(text)];
  if (!document || second) throw new UsageError(`${source}: give one document with objects and steps`);
  const { content } = document;
  if (content.error !== undefined) throw new UsageError(formatProblem({ source, line: content.line, message: content.error }));
  if (!isMap(content.value)) throw new UsageError(`${source}: give a map with objects and steps`);
  const option = options.find((name) => name in (content.value as object));
  if (option !== undefined) throw new UsageError(`${source}: ${option} is unknown: leave it out`);
  return content.value;
}

/** Options of `checkSimulation` that are not fields of a file. */
const options = ['searchesFix', 'createOverrides'];

const readSteps = async (steps: unknown, readObjects: ReadObjects): Promise<unknown> =>
  Array.isArray(steps)
    ? Array.fromAsync(steps, async (step, i) =>
        isMap(step) && step['apply'] !== undefined ? { ...step, apply: await readObjects(`steps[${i}].apply`, step['apply']) } : step,
      )
    : steps;
