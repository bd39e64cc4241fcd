import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import {
  builtInDescriptions,
  checkCreate,
  checkUpdate,
  type Description,
  printObject,
  readObject,
  toAutoscalingV1,
  toAutoscalingV2,
} from '../../../packages/apiserver/src/resources/index.ts';
import type { KindAnswer, KindCase } from './case.ts';
import type { Json } from './generate.ts';

const descriptions: ReadonlyMap<string, Description> = new Map(
  builtInDescriptions().map((description) => [`${apiVersionOf(description.resource)} ${description.resource.kind}`, description]),
);

/** Describes the kind of an object. @throws RangeError if it is no built-in kind */
export function describeKind({ apiVersion, kind }: Json): Description {
  const description = descriptions.get(`${apiVersion} ${kind}`);
  if (!description) throw new RangeError(`no built-in kind ${apiVersion} ${kind}`);
  return description;
}

/** Our answer to a case. `now` is the time that ages are relative to. */
export function replayCase(testCase: KindCase, now: Date): KindAnswer {
  const { id, operation, object, old, subresource } = testCase;
  const description = describeKind(object);
  const { value, problem } = readObject(description, object);
  if (problem !== undefined) return { id, error: problem };
  if (operation === 'convert') return { id, object: convert(value) };
  if (operation === 'default' && object['apiVersion'] === 'autoscaling/v1')
    return { id, object: printObject(description, toAutoscalingV1(toAutoscalingV2(value))) };
  if (operation === 'default') return { id, object: printObject(description, value) };
  if (operation === 'table')
    return { id, columns: columnsOf(description), cells: [...description.cells(printObject(description, value), now)] };
  const checked =
    operation === 'create'
      ? checkCreate(description, value)
      : checkUpdate(description, value, readObject(description, old).value, subresource);
  return checked.causes
    ? { id, causes: checked.causes as unknown as readonly Json[] }
    : { id, object: printObject(description, checked.object) };
}

/** Converts a HorizontalPodAutoscaler to the other version. */
function convert(object: Json): unknown {
  const [target, converted] =
    object['apiVersion'] === 'autoscaling/v1' ? ['autoscaling/v2', toAutoscalingV2(object)] : ['autoscaling/v1', toAutoscalingV1(object)];
  const description = describeKind({ apiVersion: target, kind: object['kind'] });
  return printObject(description, converted);
}

const columnsOf = ({ columns }: Description): readonly Json[] => columns.map(({ description: _, ...column }) => column);
