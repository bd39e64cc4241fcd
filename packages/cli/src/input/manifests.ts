import type { IO } from '../base/io.ts';
import type { InputDocument } from './documents.ts';
import { isNestedDeeper, maxTextNesting } from './nesting.ts';
import { type AnyObject, findObjectsOfAnyKind } from './objects.ts';
import { formatLocation, type InputProblem } from './problem.ts';
import { type ReadOptions, readSources } from './read.ts';

/** An object of any kind, as given in the input. */
export interface Manifest {
  readonly object: AnyObject['object'];
  /** Such as "shop.yaml, document 2, line 14". */
  readonly location: string;
}

export interface Manifests {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly InputProblem[];
}

/** Reads objects of all kinds and checks only their form; the API server validates them. */
export async function readManifests(options: ReadOptions, io: Pick<IO, 'stdin' | 'files'>): Promise<Manifests> {
  const manifests: Manifest[] = [];
  const problems: InputProblem[] = [];
  const add = (source: string, document: InputDocument): boolean => {
    const problemCountBefore = problems.length;
    for (const item of findManifests(source, document, options.namespace)) {
      if ('message' in item) problems.push(item);
      else manifests.push(item);
    }
    return problems.length < problemCountBefore + maxProblemsPerDocument;
  };
  await readSources(options, io, {
    sink: { add, addProblem: (problem) => void problems.push(problem) },
    expectedContent: 'YAML or JSON with objects',
  });
  return { manifests, problems };
}

/** After this many items in one document that are not objects, the rest of its source is skipped. */
const maxProblemsPerDocument = 20;

function* findManifests(source: string, document: InputDocument, namespace: string): Generator<Manifest | InputProblem> {
  const { number, content, firstItemIndex, lineOf } = document;
  if (content.error !== undefined) return yield { source, document: number, line: content.line, message: content.error };
  if (isNestedDeeper(content.value, maxTextNesting)) {
    return yield { source, document: number, line: lineOf([]), message: `nested more than ${maxTextNesting} levels deep: give less` };
  }
  let problemCount = 0;
  for (const item of findObjectsOfAnyKind(content.value, firstItemIndex)) {
    const location = { source, document: number, line: lineOf(item.path) };
    if (item.kind === 'problem') {
      yield { ...location, object: item.object, message: item.message };
      problemCount += 1;
      if (problemCount >= maxProblemsPerDocument) return;
    } else yield { object: setDefaultNamespace(item.object, namespace), location: formatLocation(location) };
  }
}

/** Sets the namespace of an object without one. The object may be cluster-scoped: the server then drops the namespace. */
function setDefaultNamespace(object: AnyObject['object'], namespace: string): AnyObject['object'] {
  const metadata = object['metadata'];
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return { ...object, metadata: { namespace } };
  return 'namespace' in metadata && metadata.namespace ? object : { ...object, metadata: { ...metadata, namespace } };
}
