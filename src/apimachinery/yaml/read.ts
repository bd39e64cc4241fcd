import { addEvent, type ComposeOptions, completeDocument, createComposition, type YamlDocument, type YamlPositions } from './compose.ts';
import { createCursor } from './cursor.ts';
import { createParser } from './parser.ts';
import { createScanner } from './scanner.ts';

/**
 * Reads all documents of a text in linear time. It accepts the YAML that sigs.k8s.io/yaml 1.6 accepts, and aliases may expand as far.
 * @throws YamlError at the first error
 */
export const readYaml = (text: string, options: ComposeOptions): YamlDocument[] =>
  [...readYamlInSteps(text, options)].filter((document) => document !== undefined);

/** The same in steps of about a millisecond: yields undefined between them, and each document as soon as it is complete. */
export function* readYamlInSteps(text: string, options: ComposeOptions): Generator<YamlDocument | undefined> {
  const nextEvent = createParser(createScanner(createCursor(text)));
  let composition = createComposition(options);
  let step = 0;
  for (let event = nextEvent(); event.type !== 'stream-end'; event = nextEvent()) {
    step += 1;
    if (step % eventsPerStep === 0) yield undefined;
    if (event.type === 'document') composition = createComposition(options);
    else if (event.type === 'document-end') yield completeDocument(composition);
    else addEvent(composition, event);
  }
}

const eventsPerStep = 1000;

/** Finds the positions of the node at a path; undefined if there is none. */
export function findYamlPosition(positions: YamlPositions | undefined, path: readonly (string | number)[]): YamlPositions | undefined {
  let found = positions;
  for (const step of path) found = typeof step === 'number' ? found?.items?.[step] : found?.fields?.get(step);
  return found;
}

/** Creates a function that returns the 1-based line and column of an offset. */
export function createLineCounter(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  let lineStarts: readonly number[] | undefined;
  return (offset) => {
    lineStarts ??= findLineStarts(text);
    let [low, high] = [0, lineStarts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lineStarts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (lineStarts[low] as number) + 1 };
  };
}

function findLineStarts(text: string): number[] {
  const lineStarts = [0];
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) lineStarts.push(index + 1);
  return lineStarts;
}
